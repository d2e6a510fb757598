import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { focusIn, LOOKS, openPage, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

const HOSTILE = `<img src=x onerror="window.hacked=1"> & "quoted"`;

let world: UiWorld;
let target: Server;
let status = 200;
let checkId: string;
let heartbeatId: string;

beforeAll(async () => {
  target = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', server: `shop-${status}` });
    response.end(JSON.stringify({ ok: status === 200, said: HOSTILE }));
  }).listen(0, '127.0.0.1');
  world = await startUiWorld();
  const { port } = target.address() as AddressInfo;
  const check = {
    name: `Checkout ${HOSTILE}`,
    tags: ['production'],
    frequency: 1_440,
    doubleCheck: false,
    locations: ['eu-west-1'],
    request: {
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
      assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }],
    },
  };
  checkId = await created('/v1/checks/api', check);
  const heartbeat = { period: 1, periodUnit: 'hours', grace: 5, graceUnit: 'minutes' };
  heartbeatId = await created('/v1/checks/heartbeat', { name: 'Nightly backup', heartbeat });
  await run();
  status = 502;
  await run();
  await run();
});
afterAll(async () => {
  target.close();
  await world.close();
});

async function created(path: string, body: object): Promise<string> {
  const answer = await world.appliance.call('POST', path, body);
  return ((await answer.json()) as { id: string }).id;
}

/** One run, until its result is there. */
async function run(): Promise<void> {
  const { call } = world.appliance;
  const body = { target: { checkId: [checkId] } };
  const answer = await call('POST', '/v2/check-sessions/trigger', body);
  const { sessions } = (await answer.json()) as { sessions: [{ checkSessionId: string }] };
  await call('GET', `/v2/check-sessions/${sessions[0].checkSessionId}/completion`);
}

const open = (more = '', options = {}) =>
  openPage(world, { path: `/checks/${checkId}${more}`, ...options });
const partOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the check' }).getByRole('link', { name });
const said = (page: Page) => page.getByText('Status 502, wanted 200.');

test('the head says since when it fails, why and how often; the numbers and charts stand below', async () => {
  const { page, complaints } = await open();
  await said(page).waitFor();
  await page.getByText(/Failing for \d+ (?:s|min)$/).waitFor();
  await page.getByText(/of the last \d runs failed/).waitFor();
  const changed = page.getByRole('region', { name: 'What changed since the last good run' });
  await changed.getByText('502 Bad Gateway').waitFor();
  await changed.getByText('shop-502').waitFor();
  await page.getByRole('table', { name: 'Phases of the run' }).waitFor();
  await page.getByRole('img', { name: /^Response times: p50/ }).waitFor();
  await page.locator('canvas').first().waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('a failed run of the chart, and one of the list, lead to the result', async () => {
  const { page } = await open();
  await page
    .getByRole('link', { name: /failed runs around|Failed at/ })
    .first()
    .click();
  await page.waitForURL(/tab=runs|\/results\//);
  const { page: list } = await open('?tab=runs&runs=failed');
  await list.getByRole('row').nth(1).click();
  await list.waitForURL(/\/results\/[\w-]{36}$/);
});

test('the list of runs shows what its filters say, which stand in the address', async () => {
  const { page } = await open('?tab=runs');
  const failed = page.getByText('Expected a status below 400').first();
  await failed.waitFor();
  await page.getByLabel('Show').click();
  await page.getByRole('option', { name: 'Passed' }).click();
  await page.waitForURL(/runs=passed/);
  await page.getByRole('link', { name: 'Passed', exact: true }).first().waitFor();
  await failed.waitFor({ state: 'detached' });
  await page.goBack();
  await failed.waitFor();
});

test('run now shows the run until it is over, and leads to its result', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: 'Run now' }).click();
  const session = page.getByRole('region', { name: 'Run now' });
  await session.getByText('Failed', { exact: true }).waitFor();
  await session.getByRole('link', { name: / ms$/ }).click();
  await page.waitForURL(/\/results\/[\w-]{36}$/);
});

test('by keyboard alone somebody mutes a check, unmutes it and goes through its parts', async () => {
  const { page } = await open();
  await said(page).waitFor();
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'For 1 hour' }).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByText('Muted: nobody is told of its alerts.').waitFor();
  await page.keyboard.press('m');
  await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  await partOf(page, 'Alerts').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/tab=alerts/);
  await page.getByText('Nobody was told: no channel wants it.').first().waitFor();
});

test('a check is muted until tomorrow, says until when, and whoever unmutes it elsewhere ends that', async () => {
  const { page, complaints } = await open();
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Until tomorrow, 9:00' }).click();
  const until = page.getByText(/^Muted until \d+ \w+, 09:00$/);
  await until.waitFor();
  await page.getByText('nobody is told of its alerts').waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await world.appliance.call('PUT', `/v1/checks/${checkId}`, { muted: false });
  await until.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('a check is exported as JSON and as commands that a shell reads as they are', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await focusIn(page, 'dialog');
  await page.getByLabel('What', { exact: true }).click();
  await page.getByRole('option', { name: 'Create it with curl' }).click();
  // It is plain until its highlighting has loaded.
  await page.getByText(`"Authorization: Bearer $KEY"`).first().waitFor();
});

test('a copy is paused and not muted, and the check itself stays as it is', async () => {
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await world.appliance.call('PUT', `/app/checks/${checkId}/mute`, { until });
  const { page } = await open();
  await page.getByText(/^Muted until/).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: /^Copy of Checkout/ }).waitFor();
  await page.getByText('No runs until it is resumed.').waitFor();
  await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  await world.appliance.call('PUT', `/v1/checks/${checkId}`, { muted: false });
});

test('a heartbeat shows its pings and how to send them', async () => {
  const { page, complaints } = await openPage(world, { path: `/checks/${heartbeatId}` });
  await page.getByText('No ping yet').waitFor();
  const snippet = page.getByText(/curl -fsS .*\/ping\//);
  const [url = ''] = /http\S+/.exec((await snippet.textContent()) ?? '') ?? [];
  await fetch(url);
  await page.reload();
  await page.getByText('On time', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Kubernetes' }).click();
  await page.getByText('kind: CronJob').waitFor();
  // Before the first ping there is no status of it.
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
});

test('who asks for a check that is gone is told so', async () => {
  const path = '/checks/00000000-0000-4000-8000-000000000000';
  const { page } = await openPage(world, { path });
  await page.getByText('There is nothing at this address').waitFor();
});

test.each(LOOKS)(
  'at %d × %d, in %s, no part of it hinders anybody, and it fits',
  async (width, height, scheme) => {
    const { page } = await open('', { width, height, scheme });
    await page.getByRole('img', { name: /^Response times: p50/ }).waitFor();
    await said(page).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(excess)).toBeLessThanOrEqual(0);
    const parts = { Runs: 'Duration', Alerts: 'Nobody was told', Settings: 'Assertions' };
    for (const [tab, shown] of Object.entries(parts)) {
      await partOf(page, tab).click();
      await page.getByText(shown).first().waitFor();
      expect(await axeProblems(page)).toEqual([]);
    }
  },
);
