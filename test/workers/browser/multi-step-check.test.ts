import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BWRAP } from '../../fixtures/cages.ts';
import { ScriptLab } from '../../fixtures/script-lab.ts';
import { type ShopSite, startShop } from '../../fixtures/shop-site.ts';

let shop: ShopSite;
const lab = new ScriptLab(BWRAP);
beforeAll(async () => {
  shop = await startShop();
});
afterAll(async () => {
  await lab.close();
  await shop[Symbol.asyncDispose]();
});

const STEPS = `import { test, expect } from '@playwright/test';
test('the API', async ({ request }) => {
  const token = process.env.TOKEN!;
  await test.step('lists items', async () => {
    const response = await request.get(process.env.SHOP + '/api/items?x=1');
    expect((await response.json()).items).toHaveLength(2);
  });
  await test.step('echoes', async () => {
    const response = await request.post(process.env.SHOP + '/api/echo', {
      data: { token, kind: 'tea' },
      headers: { authorization: 'Bearer ' + token, 'x-step': '2' },
    });
    expect(response.ok()).toBeTruthy();
  });
  await test.step('fails', async () => {
    await expect(await request.get(process.env.SHOP + '/api/fail')).toBeOK();
  });
});
test('nobody is there', async ({ request }) => {
  await request.get('http://127.0.0.1:9/');
});
`;

describe('a multi-step check', () => {
  test('tells each of its requests, and what came of it', async () => {
    const result = await lab.multiStep(STEPS, {
      variables: { SHOP: shop.url, TOKEN: 'very secret token' },
      secrets: ['very secret token'],
    });
    expect(result).toMatchObject({ hasFailures: true, metrics: {} });
    const { found } = result;
    expect(Object.keys(found).sort()).toEqual(
      ['endTime', 'errors', 'jobAssets', 'jobLog', 'playwrightTestTraces', 'requests'].concat([
        'runtimeVersion',
        'startTime',
        'tests',
        'waitedMs',
      ]),
    );
    const [list, echo, fail, none] = found.requests;
    expect(list).toMatchObject({
      ...{ method: 'GET', url: `${shop.url}/api/items?x=1`, status: 200 },
      responseHeaders: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(list?.responseBody ?? '')).toMatchObject({ items: ['tea', 'coffee'] });
    expect(list?.durationMs).toBeGreaterThan(0);
    expect(echo).toMatchObject({
      ...{ method: 'POST', status: 200, requestBody: '{"token":"***","kind":"tea"}' },
      requestHeaders: { authorization: '***', 'x-step': '2' },
    });
    expect(echo?.startMs).toBeGreaterThanOrEqual(
      (list?.startMs ?? 0) + (list?.durationMs ?? 0) - 1,
    );
    expect(fail).toMatchObject({ status: 500, responseBody: '{"error":"out of stock"}' });
    expect(none).toMatchObject({ method: 'GET', url: 'http://127.0.0.1:9/' });
    expect(none?.error).toContain('ECONNREFUSED');
    expect(none).not.toHaveProperty('status');
    expect(result.detail).not.toContain('very secret');
    const steps = found.tests[0]?.steps.map(({ title, error }) => `${title}${error ? ' !' : ''}`);
    expect(steps).toEqual([
      'Before Hooks',
      'lists items',
      'echoes',
      'fails !',
      'After Hooks',
      'Worker Cleanup',
    ]);
    expect(result.failure?.message).toMatch(
      /^the API: expect\(response\)\.toBeOK\(\) failed.*check\.spec\.ts:16/,
    );
  });

  test.each([
    ['a page', `test('it', async ({ page }) => {});`],
    [
      'a browser of its own',
      `test('it', async ({ playwright }) => { await playwright.chromium.launch(); });`,
    ],
  ])('has no browser: %s is refused', async (_, script) => {
    const result = await lab.multiStep(`import { test } from '@playwright/test';\n${script}`);
    expect(result.failure?.message).toContain(
      'A multi-step check has no browser: use the `request` fixture, or make it a browser check',
    );
  });
});
