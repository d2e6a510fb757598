import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../../fixtures/axe.ts';
import { LOOKS, openPage, startUiWorld, type UiWorld } from '../../fixtures/ui.ts';

const HOSTILE = `<img src=x onerror="window.hacked=1">`;
const MEGABYTE = 1_000_000;

let world: UiWorld;
let target: Server;
let status = 200;
let port: number;

beforeAll(async () => {
  target = createServer(({ url }, response) => {
    response.writeHead(status, {
      'content-type': url === '/large' ? 'text/plain' : 'application/json',
      'x-hostile': HOSTILE,
    });
    const body = { cart: { items: status === 200 ? 3 : null }, said: HOSTILE };
    response.end(url === '/large' ? 'x'.repeat(MEGABYTE) : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  world = await startUiWorld();
  ({ port } = target.address() as AddressInfo);
});
afterAll(async () => {
  target.close();
  await world.close();
});

async function created(path: string, body: object): Promise<string> {
  const whole = { name: 'Checkout', frequency: 1_440, locations: [], ...body };
  const answer = await world.appliance.call('POST', `/v1/checks/${path}`, whole);
  const { id } = (await answer.json()) as { id?: string };
  if (id === undefined) throw new Error(`No check: ${answer.status}`);
  return id;
}

/** One run; the address of its result. */
async function run(checkId: string): Promise<string> {
  const { call } = world.appliance;
  const target = { checkId: [checkId] };
  const made = await call('POST', '/v2/check-sessions/trigger', { target });
  const { sessions } = (await made.json()) as { sessions: [{ checkSessionId: string }] };
  const path = `/v2/check-sessions/${sessions[0].checkSessionId}/completion`;
  const { results } = (await (await call('GET', path)).json()) as {
    results: { checkResultId: string }[];
  };
  return `/checks/${checkId}/results/${results.at(-1)?.checkResultId}`;
}

const shop = () =>
  created('api', {
    doubleCheck: true,
    localSetupScript: `console.log('setup ${HOSTILE}');`,
    request: {
      method: 'POST',
      url: `http://127.0.0.1:${port}/`,
      bodyType: 'JSON',
      body: '{"cart":1}',
      assertions: [
        { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
        { source: 'JSON_BODY', property: '$.cart.items', comparison: 'EQUALS', target: '3' },
      ],
    },
  });

async function failedShop(): Promise<string> {
  status = 200;
  const check = await shop();
  await run(check);
  status = 502;
  return run(check);
}

test('a failed run says why, what was wanted and seen, what changed, and all that was sent', async () => {
  const { page, complaints } = await openPage(world, { path: await failedShop() });
  await page.getByText('status 502, wanted 200').waitFor();
  const assertions = page.getByRole('region', { name: 'Assertions' });
  await assertions.getByText('seen 502 wanted 200').waitFor();
  const changed = page.getByRole('region', { name: 'What changed since the last good run' });
  await changed.getByText('502 Bad Gateway').waitFor();
  await changed.getByText('$.cart.items').waitFor();
  const attempts = page.getByRole('region', { name: 'Attempts' });
  await attempts.getByRole('link', { name: 'Attempt 1' }).waitFor();
  await page.getByRole('region', { name: 'Request' }).getByText('"cart"').first().waitFor();
  await page.getByRole('region', { name: 'Log' }).getByText(`setup ${HOSTILE}`).waitFor();
  await page.getByRole('cell', { name: HOSTILE }).waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('by keyboard alone somebody goes from a run to its first attempt and back to the check', async () => {
  const { page } = await openPage(world, { path: await failedShop() });
  await page.getByRole('link', { name: 'Attempt 1' }).focus();
  const before = page.url();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href !== before);
  await page.getByText(/ · Attempt 1/).waitFor();
  await page.getByRole('link', { name: 'The check' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/checks\/[\w-]{36}$/);
});

test('a script that failed is shown at its line', async () => {
  const check = await created('api', {
    localSetupScript: 'const cart = {};\nconst items = cart.shop.items;\n',
    request: { method: 'GET', url: `http://127.0.0.1:${port}/` },
  });
  const { page } = await openPage(world, { path: await run(check) });
  const failed = page.getByRole('region', { name: 'Scripts that failed' });
  await failed.getByText('Setup script · line 2').waitFor();
  await failed.getByText('> 2 | const items = cart.shop.items;').waitFor();
});

test('a large body is cut until somebody asks for all of it, and the page stays quick', async () => {
  status = 200;
  const request = { method: 'GET', url: `http://127.0.0.1:${port}/large` };
  const path = await run(await created('api', { request }));
  const { page, context } = await openPage(world, { path });
  await page.getByRole('button', { name: /^Show all \(/ }).click();
  await page.getByRole('button', { name: /^Show all \(/ }).waitFor({ state: 'detached' });
  // In time of its thread: others use the machine too.
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.getByRole('link', { name: 'The check' }).click();
  await page.getByRole('heading', { name: 'Checkout' }).waitFor();
  const { metrics } = await session.send('Performance.getMetrics');
  const worked = metrics.find(({ name }) => name === 'TaskDuration')?.value;
  expect(worked).toBeGreaterThan(0);
  expect(worked).toBeLessThan(5);
});

test.each([
  ['tcp', () => ({ request: { hostname: '127.0.0.1', port } }), 'Nothing was read.'],
  ['url', () => ({ request: { url: `http://127.0.0.1:${port}/` } }), '200 OK'],
  [
    'dns',
    () => ({ request: { query: 'a.test', recordType: 'A', nameServer: '127.0.0.1', port: 9 } }),
    'a.test A',
  ],
] as const)('a %s result shows what it asked and got', async (type, body, shown) => {
  status = 200;
  const { page, complaints } = await openPage(world, {
    path: await run(await created(type, body())),
  });
  await page.getByText(shown).first().waitFor();
  expect(complaints).toEqual([]);
});

test.each(LOOKS)(
  'at %d × %d, in %s, no part of it hinders anybody, and it fits',
  async (width, height, scheme) => {
    const { page } = await openPage(world, { path: await failedShop(), width, height, scheme });
    await page.getByText('seen 502 wanted 200').waitFor();
    await page.getByRole('region', { name: 'Attempts' }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(excess)).toBeLessThanOrEqual(0);
  },
);
