import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openPage, startUiWorld, type UiWorld } from '../fixtures/ui.ts';

/**
 * `npm run pictures [FOLDER] [NAME…]`: takes a picture of every screen on the data of the demo, on a desk and on a phone.
 * Without a folder they go into docs/images, in light, and home in dark too; into a folder go all in both.
 */
const [given, ...names] = process.argv.slice(2);
const folder = given ?? fileURLToPath(new URL('../../docs/images/', import.meta.url));

interface Picture {
  path: string;
  /** What is there once the screen is. */
  ready(page: Page): Promise<unknown>;
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
const chart = (page: Page) => page.locator('main canvas').first().waitFor();

/** Has the policy say what another setting would have sent. */
async function tryPolicy(page: Page): Promise<void> {
  await page.getByLabel('Failed runs').click();
  await page.getByRole('option', { name: '2 failed runs' }).click();
  await page.getByText(/^With these settings you would/).waitFor();
}

async function picturesOf({ appliance }: UiWorld): Promise<Record<string, Picture>> {
  const json = async <T>(path: string) => (await (await appliance.call('GET', path)).json()) as T;
  const checks = await json<{ id: string; name: string }[]>('/v1/checks?limit=100');
  const idOf = (name: string) => checks.find((check) => check.name === name)?.id ?? '';
  const checkout = idOf('Checkout');
  const { entries } = await json<{ entries: { id: string }[] }>(
    `/v2/check-results/${checkout}?limit=1`,
  );
  const [batch] = await json<{ id: string }[]>('/app/check-sessions');
  const [group] = await json<{ id: number }[]>('/v1/check-groups?name=Shop');
  const snippets = await json<{ id: number; name: string }[]>('/v1/snippets');
  const signIn = snippets.find(({ name }) => name === 'sign-in');
  return {
    // First: each picture signs in one more browser.
    'settings-keys': { path: '/settings/keys', ready: heading },
    checks: { path: '/', ready: (page) => page.getByRole('link', { name: 'Checkout' }).waitFor() },
    check: { path: `/checks/${checkout}`, ready: chart },
    runs: {
      path: `/checks/${checkout}?tab=runs`,
      ready: (page) => page.getByRole('row').nth(4).waitFor(),
    },
    result: { path: `/checks/${checkout}/results/${entries[0]?.id}`, ready: heading },
    'check-new': { path: '/checks/new', ready: heading },
    'check-edit': {
      path: `/checks/${checkout}/edit`,
      ready: (page) => page.getByRole('button', { name: /^Save/ }).first().waitFor(),
    },
    group: {
      path: `/groups/${group?.id}`,
      ready: (page) => page.getByRole('row', { name: /Checkout/ }).waitFor(),
    },
    'group-edit': {
      path: `/groups/${group?.id}?tab=settings`,
      ready: (page) => page.getByRole('button', { name: /^API requests/ }).click(),
    },
    alerts: {
      path: '/alerts',
      ready: (page) => page.getByText('On call').first().waitFor(),
    },
    alerting: {
      path: '/settings/alerting',
      ready: tryPolicy,
    },
    channels: { path: '/settings/channels', ready: (page) => page.getByText('On call').waitFor() },
    heartbeats: {
      path: '/heartbeats',
      ready: (page) => page.getByRole('link', { name: 'Nightly backup' }).waitFor(),
    },
    sessions: { path: '/sessions', ready: (page) => page.locator('main li').first().waitFor() },
    session: {
      path: `/sessions/${batch?.id}`,
      ready: (page) => page.locator('main li').first().waitFor(),
    },
    'settings-variables': {
      path: '/settings/variables',
      ready: (page) => page.getByRole('row', { name: /SHOP_URL/ }).waitFor(),
    },
    'settings-snippets': {
      path: '/settings/snippets',
      ready: (page) => page.getByRole('row', { name: /basket/ }).waitFor(),
    },
    'settings-snippet': {
      path: `/settings/snippets/${signIn?.id}`,
      ready: (page) =>
        page.getByRole('region', { name: 'Used by' }).getByRole('link').first().waitFor(),
    },
    'settings-about': {
      path: '/settings/about',
      ready: (page) => page.getByText('WATCHPOST_DATA_DIR').waitFor(),
    },
    // Last: its charts begin with the second sample.
    'settings-health': { path: '/settings/health', ready: chart },
  };
}

const PHONE = { width: 390, height: 844, isMobile: true } as const;

/** Requests that a screen makes once it is there: nothing on it is to move any more. */
const SETTLED_MS = 600;

async function take(world: UiWorld, name: string, { path, ready }: Picture): Promise<void> {
  const looks = [
    { suffix: 'light', width: 1_280, height: 800, scheme: 'light' },
    { suffix: 'phone-light', ...PHONE, scheme: 'light' },
    { suffix: 'dark', width: 1_280, height: 800, scheme: 'dark' },
    { suffix: 'phone-dark', ...PHONE, scheme: 'dark' },
  ] as const;
  const isTaken = (suffix: string) =>
    given !== undefined || suffix.endsWith('light') || `${name}-${suffix}` === 'checks-dark';
  for (const { suffix, ...look } of looks) {
    if (!isTaken(suffix)) continue;
    const { page, context } = await openPage(world, { path, ...look });
    await ready(page);
    await page.waitForTimeout(SETTLED_MS);
    await page.screenshot({ path: join(folder, `${name}-${suffix}.png`) });
    await context.close();
    console.log(`${name}-${suffix}.png`);
  }
}

mkdirSync(folder, { recursive: true });
const world = await startUiWorld({}, true);
try {
  for (const [name, picture] of Object.entries(await picturesOf(world))) {
    if (names.length === 0 || names.includes(name)) await take(world, name, picture);
  }
} finally {
  await world.close();
}
