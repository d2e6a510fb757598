import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import {
  focusIn,
  LOOKS,
  openPage,
  pressTo,
  shoot,
  startUiWorld,
  type UiWorld,
} from '../../fixtures/ui.ts';

const HOSTILE = `Backup <img src=x onerror="window.hacked=1">`;

let world: UiWorld;
let pingUrl: string;

beforeAll(async () => {
  world = await startUiWorld();
  const heartbeat = { period: 1, periodUnit: 'hours', grace: 5, graceUnit: 'minutes' };
  for (const name of ['Invoices', HOSTILE]) {
    const body = { name, heartbeat };
    const answer = await world.appliance.call('POST', '/v1/checks/heartbeat', body);
    pingUrl = ((await answer.json()) as { heartbeat: { pingUrl: string } }).heartbeat.pingUrl;
  }
});
afterAll(() => world.close());

const open = (options = {}) => openPage(world, { path: '/heartbeats', ...options });

test('a ping is seen as it comes, with when the next one is expected', async () => {
  const { page, complaints } = await open();
  const row = page.getByRole('list', { name: 'Heartbeats' }).getByRole('listitem').filter({
    hasText: HOSTILE,
  });
  await row.getByText('waits for the first ping').waitFor();
  await row.getByText('every 1 hour, 5 minutes grace').waitFor();
  await fetch(pingUrl);
  await row.getByText(/expected in 59 min/).waitFor();
  await page.getByRole('heading', { name: 'All 2 report in' }).waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('by keyboard alone somebody gets the line for a job of another kind, which stands in the address', async () => {
  const { page } = await open();
  await page.getByLabel('Heartbeat', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await focusIn(page, 'listbox');
  await pressTo(page, 'Home', HOSTILE);
  await page.keyboard.press('Enter');
  // A list that closes gives the focus back.
  await page.getByLabel('Heartbeat', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.getByLabel('Where it runs').focus();
  await page.keyboard.press('Enter');
  await focusIn(page, 'listbox');
  await pressTo(page, 'k', 'Kubernetes');
  await page.keyboard.press('Enter');
  await page.waitForURL(/kind=kubernetes/);
  await page.getByText('kind: CronJob').waitFor();
  await page.reload();
  await page.getByText('kind: CronJob').waitFor();
});

test.each(LOOKS)('at %d × %d, in %s, it hinders nobody and fits', async (width, height, scheme) => {
  const { page } = await open({ width, height, scheme });
  await page.getByRole('link', { name: 'Invoices' }).waitFor();
  await shoot(page, `heartbeats-${width}-${scheme}`);
  expect(await axeProblems(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});
