import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openPage, startUiWorld, type UiWorld } from '../fixtures/ui.ts';

/**
 * `npm run pictures [FOLDER] [NAME…]`: takes a picture of every screen on the data of the demo, on a desk and on a phone,
 * in light; home in dark too. Without a folder into docs/images.
 */
const [folder = fileURLToPath(new URL('../../docs/images/', import.meta.url)), ...names] =
  process.argv.slice(2);

interface Picture {
  path: string;
  /** What is there once the screen is. */
  ready(page: Page): Promise<unknown>;
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
const chart = (page: Page) => page.locator('main canvas').first().waitFor();

async function picturesOf({ appliance }: UiWorld): Promise<Record<string, Picture>> {
  const json = async <T>(path: string) => (await (await appliance.call('GET', path)).json()) as T;
  const checks = await json<{ id: string; name: string }[]>('/v1/checks?limit=100');
  const idOf = (name: string) => checks.find((check) => check.name === name)?.id ?? '';
  const checkout = idOf('Checkout');
  const { entries } = await json<{ entries: { id: string }[] }>(
    `/v2/check-results/${checkout}?limit=1`,
  );
  const [batch] = await json<{ id: string }[]>('/app/check-sessions');
  return {
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
    alerts: { path: '/alerts', ready: heading },
    heartbeats: {
      path: '/heartbeats',
      ready: (page) => page.getByRole('link', { name: 'Nightly backup' }).waitFor(),
    },
    sessions: { path: '/sessions', ready: (page) => page.locator('main li').first().waitFor() },
    session: {
      path: `/sessions/${batch?.id}`,
      ready: (page) => page.locator('main li').first().waitFor(),
    },
    'settings-keys': { path: '/settings/keys', ready: heading },
    'settings-variables': { path: '/settings/variables', ready: heading },
    'settings-snippets': { path: '/settings/snippets', ready: heading },
    'settings-about': {
      path: '/settings/about',
      ready: (page) => page.getByText('WATCHPOST_DATA_DIR').waitFor(),
    },
    // Last: its charts begin with the second sample.
    'settings-health': { path: '/settings/health', ready: chart },
  };
}

/** Requests that a screen makes once it is there: nothing on it is to move any more. */
const SETTLED_MS = 600;

async function take(world: UiWorld, name: string, { path, ready }: Picture): Promise<void> {
  const looks = [
    { suffix: 'light', width: 1_280, height: 800, scheme: 'light' },
    { suffix: 'phone-light', width: 390, height: 844, scheme: 'light' },
    ...(name === 'checks'
      ? [{ suffix: 'dark', width: 1_280, height: 800, scheme: 'dark' } as const]
      : []),
  ] as const;
  for (const { suffix, ...look } of looks) {
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
