import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { TEST_KEY } from '../../fixtures/running-appliance.ts';
import { LOOKS, openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

const HOSTILE = `<img src=x onerror="window.hacked=1"> & "quoted"`;

let world: UiWorld;
let target: Server;
let url: string;

beforeAll(async () => {
  target = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-shop': 'one' });
    response.end(JSON.stringify({ status: 'ok', items: [{ id: 7 }], said: HOSTILE }));
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  world = await startUiWorld();
});
afterAll(async () => {
  target.close();
  await world.close();
});

const open = (path: string, options = {}) => openPage(world, { path, ...options });
const section = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name} `) });

test('a pasted URL fills in the form, whose defaults are said in sentences', async () => {
  const { page, complaints } = await open('/checks/new');
  await page.getByLabel('URL or curl command').fill(url);
  await page.keyboard.press('Enter');
  await page.waitForURL(/type=URL/);
  expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe(url);
  await page.getByText('Every 10 min, from here').waitFor();
  await page.getByText('Nobody is told: no channel is chosen').waitFor();
  await page.getByRole('button', { name: 'Create check' }).click();
  await page.waitForURL(/\/checks\/[\w-]{36}$/);
  await page.getByRole('heading', { name: '127.0.0.1' }).waitFor();
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
});

test('what the API refuses is said at its field, the first of which has the focus', async () => {
  const { page } = await open('/checks/new?type=TCP');
  await page.getByLabel('Host').fill('not a host');
  await page.getByRole('button', { name: 'Create check' }).click();
  await page.getByText('expected at least 1 character').waitFor();
  await page.getByText('expected a host name or an IP address').waitFor();
  await page.getByText('expected a whole number from 1 to 65535, got nothing').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).evaluate('document.activeElement.id')).toBe(
    await page.getByLabel('Name', { exact: true }).getAttribute('id'),
  );
});

test('what is typed outlives a reload and another screen, until it is discarded', async () => {
  const { page } = await open('/checks/new?type=API');
  await page.getByLabel('Name', { exact: true }).fill(HOSTILE);
  await section(page, 'Headers').click();
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.keyboard.type('x-trace');
  await page.reload();
  await page.getByText('These are changes that you have not saved yet.').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(HOSTILE);
  await page.getByRole('link', { name: 'Checks' }).first().click();
  await page.getByText('Not saved: what you typed is kept in this tab').waitFor();
  await page.goBack();
  await page.getByText('x-trace').waitFor();
  await page.getByRole('button', { name: 'Discard them' }).click();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
});

test('a try shows what comes back, which becomes an assertion by a click', async () => {
  const { page, complaints } = await open('/checks/new?type=API');
  await page.getByLabel('URL', { exact: true }).fill(url);
  await page.getByRole('button', { name: 'Try it' }).click();
  const trial = page.getByRole('region', { name: 'Try it' });
  await trial.getByText('Passed').waitFor();
  await trial.getByRole('table', { name: 'Phases of the run' }).waitFor();
  await section(page, 'Assertions').click();
  await page.getByRole('button', { name: 'JSON body $.items[0].id equals 7' }).click();
  await page.getByText('JSON body $.items[0].id equals 7').waitFor();
  await page.getByLabel('Value', { exact: true }).fill('8');
  await page.getByRole('button', { name: 'Try it' }).click();
  await trial.getByText('$.items[0].id 7, wanted 8').waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
  const checks = await world.appliance.call('GET', '/v1/checks?search=Try');
  expect(await checks.json()).toEqual([]);
});

test('what cannot be tried is said at its field', async () => {
  const { page } = await open('/checks/new?type=DNS');
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('expected at least 1 character, got ""').waitFor();
  await page.locator(':focus[aria-invalid=true]').waitFor();
});

/** Moves the focus by keyboard until it is on what has this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let pressed = 0; pressed < 80; pressed++) {
    await page.keyboard.press('Tab');
    const said = await page.evaluate(
      '(document.activeElement.labels?.[0] ?? document.activeElement).textContent + (document.activeElement.getAttribute("aria-label") ?? "")',
    );
    if (name.test(String(said))) return;
  }
  throw new Error(`No Tab leads to ${name}.`);
}

test('by keyboard alone somebody creates a check, sees it pass, changes it and sees it fail', async () => {
  const { page } = await open('/');
  await page.getByRole('heading').first().waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('URL or curl command').waitFor();
  await page.keyboard.insertText(`curl -H 'accept: application/json' ${url}by-keyboard`);
  await page.keyboard.press('Enter');
  await page.waitForURL(/type=API/);
  await page.getByText('accept', { exact: true }).waitFor();
  await tabTo(page, /^URL/);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Try it' }).getByText('Passed').waitFor();
  await page.keyboard.press('Control+s');
  await page.waitForURL(/\/checks\/[\w-]{36}$/);
  await page
    .getByRole('main')
    .locator('header')
    .getByText('Passing')
    .waitFor({ state: 'attached' });
  await page.keyboard.press('e');
  await page.waitForURL(/\/edit$/);
  await section(page, 'Assertions').waitFor();
  await tabTo(page, /^Assertions/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Add an assertion/);
  await page.keyboard.press('Enter');
  await page.locator(':focus[role=combobox]').waitFor();
  await tabTo(page, /Value$/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('503');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/checks\/[\w-]{36}$/);
  await page.getByRole('button', { name: 'Run now' }).waitFor();
  await page.keyboard.press('r');
  await page
    .getByRole('region', { name: 'Run now' })
    .getByText('Failed', { exact: true })
    .waitFor();
  await page.getByText('Status 200, wanted 503.').waitFor();
});

test('an edit sends only what was changed, and keeps what others changed meanwhile', async () => {
  const body = {
    name: 'Edited by two',
    tags: ['one'],
    request: { hostname: '127.0.0.1', port: 9 },
  };
  const { call } = world.appliance;
  const made = await call('POST', '/v1/checks/tcp', { ...body, activated: false });
  const { id } = (await made.json()) as { id: string };
  const { page } = await open(`/checks/${id}/edit`);
  await page.getByLabel('Port').fill('10');
  await call('PUT', `/v1/checks/tcp/${id}`, { name: 'Renamed by another' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Renamed by another' }).waitFor();
  const after = (await (await call('GET', `/v1/checks/${id}`)).json()) as typeof body;
  expect(after).toMatchObject({ name: 'Renamed by another', tags: ['one'], request: { port: 10 } });
});

test('what is chosen in the sections is what is saved', async () => {
  const { call } = world.appliance;
  const config = { name: 'on call', url: 'https://hooks.example.com/alerts' };
  const made = await call('POST', '/v1/alert-channels', { type: 'WEBHOOK', config });
  expect(made.status).toBe(201);
  const { page } = await open('/checks/new?type=URL');
  const choose = async (label: string, option: string) => {
    await page.getByLabel(label, { exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await page.getByLabel('Name', { exact: true }).fill('Chosen');
  await page.getByLabel('URL', { exact: true }).fill(url);
  await page.getByText('After 1 failed run you are told by on call').waitFor();
  await section(page, 'Schedule').click();
  await choose('How often', 'Every 30 s');
  await page.getByText('Every 30 s, from here').waitFor();
  await section(page, 'Retries').click();
  await choose('After a failed run', 'Try again, at equal distances');
  await page.getByLabel('Tries at most').fill('3');
  await section(page, 'Alerts').click();
  await page.getByRole('switch', { name: 'As the account has it' }).click();
  await choose('Failed runs', '2 failed runs in a row');
  await choose('Reminders', '1 reminder');
  await section(page, 'Limits').click();
  await page.getByLabel('Failed when slower than').fill('1500.5');
  await section(page, 'More').click();
  await page.getByLabel('Tags').fill('shop, prod ,');
  await page.getByRole('switch', { name: 'Runs on its schedule' }).click();
  await page.getByText('A failed run is tried again at most 3 times, 60 s apart').waitFor();
  await page.getByText('Paused, In no group, shop, prod').waitFor();
  await page.getByRole('button', { name: 'Create check' }).click();
  await page.waitForURL(/\/checks\/[\w-]{36}$/);
  const found = await (await call('GET', `/v1/checks/${page.url().slice(-36)}`)).json();
  expect(found).toMatchObject({
    name: 'Chosen',
    frequency: 0,
    frequencyOffset: 30,
    retryStrategy: { type: 'FIXED', baseBackoffSeconds: 60, maxRetries: 3, sameRegion: true },
    useGlobalAlertSettings: false,
    alertSettings: { runBasedEscalation: { failedRunThreshold: 2 }, reminders: { amount: 1 } },
    alertChannelSubscriptions: [{ activated: true }],
    maxResponseTime: 1500.5,
    degradedResponseTime: 1500.5,
    tags: ['shop', 'prod'],
    activated: false,
  });
});

test('what a group gives its checks is shown as its own', async () => {
  const headers = [{ key: 'x-from-group', value: '1' }];
  const group = { name: 'Shop', tags: ['of the group'], apiCheckDefaults: { headers } };
  const made = await world.appliance.call('POST', '/v2/check-groups', group);
  expect(made.status).toBe(201);
  const { page } = await open('/checks/new?type=API');
  await section(page, 'More').click();
  await page.getByLabel('Group', { exact: true }).click();
  await page.getByRole('option', { name: 'Shop' }).click();
  await page.getByText('x-from-group (from its group)').waitFor();
  await page.getByText('From its group: of the group').waitFor();
});

test('a sign-in that ends loses nothing: the save waits for the next one', async () => {
  const { page } = await open('/checks/new?type=URL');
  await page.getByLabel('Name', { exact: true }).fill('Saved after all');
  await page.getByLabel('URL', { exact: true }).fill(url);
  await world.appliance.call('DELETE', '/app/sign-ins');
  await page.getByRole('button', { name: 'Create check' }).click({ force: true });
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await page.getByLabel('API key').fill(TEST_KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Saved after all' }).waitFor();
});

test.each([
  ['TCP', { Host: '127.0.0.1', Port: '9' }],
  ['DNS', { 'Name server': '127.0.0.1' }],
  ['ICMP', { Host: '127.0.0.1' }],
  ['HEARTBEAT', { 'Reports in every': '2' }],
])('a check of type %s is created from its form', async (type, fields) => {
  const { page } = await open(`/checks/new?type=${type}`);
  await page.getByLabel('Name', { exact: true }).first().fill(`From its form: ${type}`);
  if (type === 'DNS') await page.getByLabel('Name', { exact: true }).nth(1).fill('example.com');
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole('button', { name: 'Create check' }).click();
  await page.getByRole('heading', { name: `From its form: ${type}` }).waitFor();
});

test.each(LOOKS)(
  'at %d × %d, in %s, no part of it hinders anybody, and it fits',
  async (width, height, scheme) => {
    const { page } = await open('/checks/new', { width, height, scheme });
    await page.getByRole('heading', { name: 'Or choose a type' }).waitFor();
    await shoot(page, `check-new-${scheme}`);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole('link', { name: /^API/ }).click();
    await section(page, 'Assertions').click();
    await page.getByRole('button', { name: 'Add an assertion' }).click();
    for (const name of ['Schedule', 'Retries', 'Alerts', 'Variables', 'More', 'Limits']) {
      await section(page, name).click();
    }
    await shoot(page, `check-editor-${width}-${scheme}`);
    expect(await axeProblems(page)).toEqual([]);
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(excess)).toBeLessThanOrEqual(0);
    await page.getByLabel('URL', { exact: true }).fill(url);
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('list', { name: 'From the last try' }).waitFor();
    await page.getByText('x-shop', { exact: true }).waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await shoot(page, `check-tried-${scheme}`);
    expect(await axeProblems(page)).toEqual([]);
  },
);
