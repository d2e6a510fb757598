import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openForWriting } from '#main/store/history/database.ts';
import { DEFAULT_RETENTION } from '#main/store/history/retention.ts';
import { Writer } from '#main/store/history/writer.ts';
import { axeProblems } from '../../fixtures/axe.ts';
import { Receiver } from '../../fixtures/receiver.ts';
import { LOOKS, openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';
import { makeAlert } from '../../main/store/alert-records.ts';

const HOSTILE = `Checkout <img src=x onerror="window.hacked=1">`;
const OLD = 260;
const HOUR = 3_600_000;

let world: UiWorld;
let target: Receiver;
let hook: Receiver;
let checkout: string;
let search: string;
/** What the target answers to each check. */
const statuses = new Map<string, number>();

beforeAll(async () => {
  [target, hook, world] = await Promise.all([
    Receiver.start(),
    Receiver.start(),
    startUiWorld({ WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true' }),
  ]);
  target.answer = (response, { url }) =>
    response.writeHead(statuses.get(url === '/search' ? search : checkout) ?? 200).end();
  const channels = await Promise.all([
    post('/v1/alert-channels', { type: 'WEBHOOK', config: { name: 'on call', url: hook.url } }),
    // No mail server is set, so no try can help.
    post('/v1/alert-channels', { type: 'EMAIL', config: { address: 'pager@example.com' } }),
  ]);
  const subscriptions = channels.map(({ id }) => ({ alertChannelId: Number(id), activated: true }));
  [checkout, search] = await Promise.all([
    checkOf(HOSTILE, '/checkout', { alertChannelSubscriptions: subscriptions }),
    checkOf('Search', '/search', { muted: true }),
  ]);
  await run(checkout, 503);
  await run(search, 503);
  await run(checkout, 200);
  await addOldAlerts();
});
afterAll(async () => {
  await world.close();
  await target[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

async function post(path: string, body: object): Promise<{ id: string }> {
  const answer = await world.appliance.call('POST', path, body);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}

/** A check that runs only when it is asked to. */
async function checkOf(name: string, path: string, members: object): Promise<string> {
  const body = { name, frequency: 1_440, request: { url: target.url + path }, ...members };
  return (await post('/v1/checks/url?autoAssignAlerts=false', body)).id;
}

/** One run of a check against a target that answers so, until its result is there. */
async function run(checkId: string, status: number): Promise<void> {
  // It stays so: an appliance that starts again may run a check by itself.
  statuses.set(checkId, status);
  const { call } = world.appliance;
  const answer = await call('POST', '/v2/check-sessions/trigger', {
    target: { checkId: [checkId] },
  });
  const { sessions } = (await answer.json()) as { sessions: [{ checkSessionId: string }] };
  await call('GET', `/v2/check-sessions/${sessions[0].checkSessionId}/completion`);
}

/** Alerts of weeks ago, as a time would have left them that was bad for Search. */
async function addOldAlerts(): Promise<void> {
  await world.appliance.stop();
  const writer = new Writer(openForWriting(world.dataDir), DEFAULT_RETENTION);
  const alerts = Array.from({ length: OLD }, (_, index) => {
    const createdAt = Date.now() - 20 * 24 * HOUR - index * HOUR * 0.5;
    return makeAlert({ checkId: search, name: 'Search', error: `Old ${index}`, createdAt });
  });
  const outcomes = writer.write([{ alerts }]);
  if (outcomes.some(({ kept }) => !kept)) throw new Error('The alerts were not written.');
  writer.close(Date.now());
  await world.restart();
}

const open = (more = '', options = {}) => openPage(world, { path: `/alerts${more}`, ...options });
const rows = (page: Page) => page.getByRole('list', { name: 'Alerts' }).locator('> li');
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text });

test('an alert says what it is of, why, for how long, who was told and what came of it', async () => {
  const { page } = await open();
  const said = page.locator('b', { hasText: 'Failing' });
  const row = rowOf(page, 'Checkout').filter({ has: said });
  await row.getByText(/told on call/).waitFor();
  await row.getByText(/could not tell pager@example.com · /).waitFor();
  await row.getByText(/^for \d+ s$/).waitFor();
  await rowOf(page, 'Search').getByText('Nobody was told: the check is muted.').waitFor();
  await rowOf(page, 'Search')
    .getByText(/^for .* so far$/)
    .waitFor();
  await rowOf(page, 'Recovered').first().waitFor();
  await page.getByText('1 check fails now.').waitFor();
});

test('by mouse: filters stand in the address, and an alert leads to its run', async () => {
  const { page } = await open();
  await rowOf(page, 'Search').waitFor();
  await page.getByRole('button', { name: 'Recovered' }).click();
  await rowOf(page, 'Search').waitFor({ state: 'detached' });
  await page.reload();
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Told or not' }).click();
  await page.getByRole('menuitemradio', { name: 'Nobody told' }).click();
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(new URL(page.url()).search).toBe('?told=no');
  await rowOf(page, 'Search').getByRole('link', { name: 'Only this check' }).click();
  await page.getByRole('button', { name: 'Check: Search' }).waitFor();
  await rowOf(page, 'Search').getByRole('link', { name: 'Search' }).click();
  await expect
    .poll(() => new URL(page.url()).pathname)
    .toMatch(new RegExp(`^/checks/${search}/results/[0-9a-f-]{36}$`));
  await page.goBack();
  await page.getByRole('button', { name: 'Check: Search' }).waitFor();
});

test('by keyboard: j and k go through the list, Enter opens the run', async () => {
  const { page } = await open();
  await rowOf(page, 'Search').waitFor();
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
  const focused = page.locator(':focus');
  await expect.poll(() => focused.textContent()).toBe(HOSTILE);
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toMatch(`/checks/${checkout}/results/`);
});

test('a new alert comes by itself, and waits while somebody is at the list', async () => {
  const { page } = await open('?says=failing');
  await expect.poll(() => rows(page).count()).toBe(2);
  await run(checkout, 503);
  await expect.poll(() => rows(page).count()).toBe(3);
  await rows(page)
    .first()
    .getByText(/told on call/)
    .waitFor();
  await run(checkout, 200);
  await rows(page).first().hover();
  await run(checkout, 503);
  await page.getByText('1 new alert').waitFor();
  expect(await rows(page).count()).toBe(3);
  await page.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => rows(page).count()).toBe(4);
});

test('of a long list only what is near the window is there, and the rest comes on the way', async () => {
  const { page } = await open(`?period=30d&check=${search}`);
  await rows(page).first().waitFor();
  expect(await rows(page).count()).toBeLessThan(40);
  await expect
    .poll(async () => {
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      return rowOf(page, `Old ${OLD - 1}`).count();
    })
    .toBe(1);
  expect(await rows(page).count()).toBeLessThan(40);
});

test('a time without alerts says what belongs here', async () => {
  const { page } = await open('?check=00000000-0000-4000-8000-000000000000');
  await page.getByText('No alert is like that').waitFor();
});

test.each(LOOKS)(
  'at %d × %d, in %s, alerts hinder nobody and fit',
  async (width, height, scheme) => {
    const { page, complaints } = await open('', { width, height, scheme });
    await rowOf(page, 'Search').waitFor();
    await page.getByText('<img src=x onerror').first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await shoot(page, `alerts-${width > 700 ? scheme : `phone-${scheme}`}`);
    expect(complaints).toEqual([]);
  },
);
