import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { LOOKS, openPage, shoot, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

const HOSTILE = `Broken <img src=x onerror="window.hacked=1">`;

let world: UiWorld;
let target: Server;
/** Answers that are not given yet, and that somebody still waits for. */
const held = new Set<ServerResponse>();
let ids: string[];

beforeAll(async () => {
  target = createServer((request, response) => {
    if (request.url === '/held') {
      held.add(response);
      response.once('close', () => held.delete(response));
    } else response.writeHead(request.url === '/bad' ? 500 : 200).end('ok');
  }).listen(0, '127.0.0.1');
  world = await startUiWorld();
  const { port } = target.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  const checks = [
    { name: 'Shop', request: { url: `${base}/good` } },
    { name: HOSTILE, request: { url: `${base}/bad` } },
    { name: 'Slow one', request: { url: `${base}/held` } },
  ];
  const never = { frequency: 1_440, doubleCheck: false, locations: ['eu-west-1'] };
  ids = [];
  for (const check of checks) {
    const answer = await world.appliance.call('POST', '/v1/checks/url', { ...check, ...never });
    ids.push(((await answer.json()) as { id: string }).id);
  }
});
afterAll(async () => {
  for (const response of held) response.end();
  target.close();
  await world.close();
});

/** Triggers checks; answers the id of one session. */
async function trigger(checkId: readonly string[]): Promise<string> {
  const answer = await world.appliance.call('POST', '/v2/check-sessions/trigger', {
    target: { checkId },
  });
  const { sessions } = (await answer.json()) as { sessions: [{ checkSessionId: string }] };
  return sessions[0].checkSessionId;
}

function release(): void {
  for (const response of held) response.end('ok');
}

test('a batch is followed live: each check as it goes, what failed first, with ways to the results', async () => {
  const { page, complaints } = await openPage(world, { path: `/sessions/${await trigger(ids)}` });
  await page.getByRole('heading', { name: 'Running: 2 of 3 checks done' }).waitFor();
  await page.getByRole('progressbar', { name: 'Runs that are done' }).waitFor();
  await expect.poll(() => held.size).toBe(1);
  release();
  await page.getByRole('heading', { name: '1 of 3 checks failed' }).waitFor();
  const rows = page.getByRole('list', { name: 'Checks of the session' }).getByRole('listitem');
  await rows.first().getByText(HOSTILE).waitFor();
  await page.getByLabel('Show').click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await page.waitForURL(/show=failed/);
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole('link', { name: /ms$/ }).click();
  await page.waitForURL(/\/results\/[\w-]{36}$/);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('a batch that runs is cancelled, and run again by keyboard alone', async () => {
  const { page } = await openPage(world, { path: `/sessions/${await trigger([ids[2] ?? ''])}` });
  await expect.poll(() => held.size).toBe(1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: '1 check, cancelled' }).waitFor();
  await expect.poll(() => held.size).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to, or do' }).fill('run again');
  await page.getByRole('option', { name: 'Run again', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Running: 0 of 1 check done' }).waitFor();
  await expect.poll(() => held.size).toBe(1);
  release();
  await page.getByRole('heading', { name: '1 check passed' }).waitFor();
});

test('the list shows what was triggered while it is open, and leads there', async () => {
  const { page, complaints } = await openPage(world, { path: '/sessions' });
  const list = page.getByRole('list', { name: 'What was triggered lately' });
  await list.waitFor();
  await trigger(ids.slice(0, 2));
  const newest = list.getByRole('listitem').first();
  await newest.getByText('1 failed, 1 passed').waitFor();
  await newest.getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '1 of 2 checks failed' }).waitFor();
  expect(complaints).toEqual([]);
});

test('checks that are selected are run from the list of checks, and watched from there', async () => {
  const { page } = await openPage(world);
  await page.getByRole('link', { name: 'Shop' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('toolbar').getByRole('button', { name: 'Run' }).click();
  await page.getByRole('button', { name: 'Watch' }).click();
  await page.waitForURL(/\/sessions\/[\w-]{36}$/);
  release();
});

test('who asks for a session that is gone is told so', async () => {
  const path = '/sessions/01980000-0000-7000-8000-000000000000';
  const { page } = await openPage(world, { path });
  await page.getByText('There is nothing at this address').waitFor();
});

test.each(LOOKS)('at %d × %d, in %s, they hinder nobody and fit', async (width, height, scheme) => {
  const path = `/sessions/${await trigger(ids.slice(0, 2))}`;
  const { page } = await openPage(world, { width, height, scheme, path });
  await page.getByRole('heading', { name: '1 of 2 checks failed' }).waitFor();
  await shoot(page, `session-${width}-${scheme}`);
  expect(await axeProblems(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await page.goto('/sessions');
  await page.getByRole('list', { name: 'What was triggered lately' }).waitFor();
  await shoot(page, `sessions-${width}-${scheme}`);
  expect(await axeProblems(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
});
