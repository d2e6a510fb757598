import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

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

test.each(['light', 'dark'] as const)('no part of it hinders anybody, in %s', async (scheme) => {
  const { page } = await open('/checks/new', { scheme });
  await page.getByRole('heading', { name: 'Or choose a type' }).waitFor();
  await shoot(page, `check-new-${scheme}`);
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole('link', { name: /^API/ }).click();
  await section(page, 'Assertions').click();
  await page.getByRole('button', { name: 'Add an assertion' }).click();
  for (const name of ['Schedule', 'Retries', 'Alerts', 'Variables', 'More', 'Limits']) {
    await section(page, name).click();
  }
  await shoot(page, `check-editor-${scheme}`);
  expect(await axeProblems(page)).toEqual([]);
});

test('on a phone nothing is wider than the screen', async () => {
  const { page } = await open('/checks/new?type=API', { width: 390, height: 844 });
  await section(page, 'Assertions').click();
  await page.getByRole('button', { name: 'Add an assertion' }).click();
  await shoot(page, 'check-editor-phone');
  const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(excess)).toBeLessThanOrEqual(0);
});
