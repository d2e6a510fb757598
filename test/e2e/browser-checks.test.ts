import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumOfMachine } from '../fixtures/browser.ts';
import {
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';
import { create, runNow } from '../fixtures/runs-over-api.ts';
import { openShop } from '../fixtures/shop.ts';

const GUIDE = readFileSync(new URL('../../docs/guide/browser-checks.md', import.meta.url), 'utf8');
/** The scripts of the guide, by the names in their first lines. */
const SCRIPTS = new Map(
  [...GUIDE.matchAll(/^```[jt]s\n(\/\/ (\S+)\n[\s\S]*?)^```$/gm)].map(
    ([, code = '', name = '']) => [name, code],
  ),
);
const PASSWORD = 'open-sesame-4711';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let appliance: RunningAppliance;
let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop({ password: PASSWORD });
  folder = await temporaryFolder();
  const { path } = await chromiumOfMachine();
  appliance = await startProcess({ dataDir: folder.path, env: { WATCHPOST_CHROMIUM: path } });
});
afterAll(async () => {
  await appliance.kill();
  shop.close();
  await folder.remove();
});

/** Runs a script once, as a check with these variables and no schedule that matters. */
async function run(type: 'browser' | 'multistep', script: string, variables: object[]) {
  const body = { name: type, script, frequency: 1_440, environmentVariables: variables };
  const { status, text } = await runNow(
    appliance,
    await create(appliance, `/v1/checks/${type}`, body),
  );
  return { status, text, result: JSON.parse(text) };
}

const shopUrl = (path = '') => ({ key: 'SHOP_URL', value: `${shop.url}${path}` });

test('the guide has these scripts', () => {
  expect([...SCRIPTS.keys()]).toEqual([
    'login.spec.ts',
    'plain.js',
    'degraded.spec.ts',
    'order.spec.ts',
  ]);
});

test('the first script of the guide logs in, is measured, and its secret is nowhere', async () => {
  const secret = { key: 'PASSWORD', value: PASSWORD, secret: true };
  const script = SCRIPTS.get('login.spec.ts') ?? '';
  const { status, text, result } = await run('browser', script, [shopUrl('/login'), secret]);
  expect(result.failure).toBeNull();
  expect(status).toBe('PASSED');
  expect(text).not.toContain(PASSWORD);
  const { pages, tests, errors } = result.browserCheckResult;
  expect(errors).toEqual([]);
  expect(tests).toMatchObject([{ title: 'a customer can log in', status: 'passed' }]);
  expect(pages[0].url).toBe(`${shop.url}/login`);
  expect(pages[0].webVitals.TTFB.value).toBeGreaterThan(0);
  expect(pages[0].webVitals.LCP.value).toBeGreaterThan(0);
});

test('a wrong password fails with the line of the script, and the password is nowhere', async () => {
  const wrong = 'close-sesame-4712';
  const secret = { key: 'PASSWORD', value: wrong, secret: true };
  const script = (SCRIPTS.get('login.spec.ts') ?? '').replace(
    `toHaveText('Welcome, probe')`,
    `toHaveText('Welcome, probe', { timeout: 500 })`,
  );
  const { status, text, result } = await run('browser', script, [shopUrl('/login'), secret]);
  expect(status).toBe('FAILED');
  expect(result.failure.cause).toBe('SCRIPT');
  expect(result.browserCheckResult.errors[0].location.line).toBe(9);
  expect(text).not.toContain(wrong);
});

test.each([
  ['plain.js', 'browser', '/login', 'PASSED'],
  ['degraded.spec.ts', 'browser', '/login', 'DEGRADED'],
  ['order.spec.ts', 'multistep', '', 'PASSED'],
] as const)('the script %s of the guide is a %s check that ends as it says', async (...args) => {
  const [name, type, path, expected] = args;
  const slow = { key: 'SLOW_MS', value: '0' };
  const { status, result } = await run(type, SCRIPTS.get(name) ?? '', [shopUrl(path), slow]);
  expect([status, result.failure]).toEqual([expected, null]);
  if (type === 'multistep') {
    expect(result.multiStepCheckResult.requests).toMatchObject([
      { method: 'POST', url: `${shop.url}/orders`, status: 201 },
      // The schedule may have run the check too, before this run or after it.
      { method: 'GET', url: expect.stringMatching(/\/orders\/[01]$/), status: 200 },
    ]);
  }
});
