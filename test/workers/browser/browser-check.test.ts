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

/** Runs a script whose variable `SHOP` is the address of the shop. */
const run = (
  script: string,
  { variables = {}, ...others }: Parameters<typeof lab.browser>[1] = {},
) => lab.browser(script, { variables: { SHOP: shop.url, ...variables }, ...others });

const PASSING = `import { test, expect } from '@playwright/test';
test.describe('the shop', () => {
  test('sells two things', async ({ page }) => {
    console.warn('on the way');
    await page.goto(process.env.SHOP!);
    await test.step('look at the items', async () => {
      await page.getByRole('link', { name: 'Items' }).click();
      await expect(page.getByRole('listitem')).toHaveText(['Tea', 'Coffee']);
    });
  });
});
`;

describe('a script that passes', () => {
  test('tells its steps, its pages with their web vitals, and what it wrote', async () => {
    const result = await run(PASSING);
    const flags = { hasFailures: false, hasErrors: false, isDegraded: false };
    expect(result).toMatchObject({ ...flags, failure: null, statusCode: null, artifacts: [] });
    const { found } = result;
    expect(found).toMatchObject({ type: 'PLAYWRIGHT', errors: [], runtimeVersion: '2026.04' });
    const [one] = found.tests;
    expect(one).toMatchObject({ title: 'the shop › sells two things', status: 'passed' });
    const titles = one?.steps.map(({ title }) => title) ?? [];
    expect(titles).toEqual([
      'Before Hooks',
      `Navigate ${shop.url.slice(7)}/`,
      'look at the items',
      'After Hooks',
    ]);
    const inner = one?.steps[2]?.steps.map(({ title }) => title);
    expect(inner).toEqual([
      `Click getByRole('link', { name: 'Items' })`,
      `Expect "toHaveText" getByRole('listitem')`,
    ]);
    expect(found.pages.map(({ url }) => url)).toEqual([`${shop.url}/`, `${shop.url}/items`]);
    for (const { webVitals } of found.pages) {
      expect(Object.keys(webVitals).sort()).toEqual(['CLS', 'FCP', 'LCP', 'TBT', 'TTFB']);
      expect(webVitals.FCP?.value).toBeGreaterThan(0);
      expect(webVitals.TTFB?.score).toBe('GOOD');
    }
    expect(result.metrics).toMatchObject({ FCP: found.pages[0]?.webVitals.FCP?.value });
    expect(result.laterPages).toHaveLength(1);
    const decimals = Object.values(result.metrics).map((value) => `${value}`.split('.')[1] ?? '');
    expect(decimals.filter(({ length }) => length > 4)).toEqual([]);
    expect(found.jobLog).toContainEqual(
      expect.objectContaining({ level: 'WARN', msg: 'on the way' }),
    );
    const documents = found.network.filter(({ resourceType }) => resourceType === 'document');
    expect(documents.map(({ url, status }) => `${status} ${url.slice(shop.url.length)}`)).toEqual([
      '200 /',
      '200 /frame',
      '200 /items',
    ]);
    expect(result.responseTime).toBeGreaterThan(found.tests[0]?.durationMs ?? 0);
    expect(found.endTime).toBeGreaterThan(found.startTime);
  });
});

const FAILING = `import { test, expect } from '@playwright/test';
let ran = 0;
test('first', async ({ page }) => {
  ran += 1;
  await page.goto(process.env.SHOP!);
  await expect(page.locator('h1')).toHaveText('Store', { timeout: 100 });
});
test('goes on in a fresh process', () => expect(ran).toBe(0));
test.describe.serial('in order', () => {
  test('breaks', () => {
    throw new TypeError('broken off');
  });
  test('is skipped', () => {});
});
test.describe('with a hook', () => {
  test.beforeAll(() => {
    throw new Error('no preparation');
  });
  test('fails for it', () => {});
  test('does not run', () => {});
});
test('runs last', () => {});
`;

describe('a script that fails', () => {
  test('shows where, and what the page looked like; what it did not touch goes on', async () => {
    const result = await run(FAILING);
    expect(result).toMatchObject({ hasFailures: true, hasErrors: false });
    expect(result.failure?.cause).toBe('SCRIPT');
    expect(result.failure?.message).toMatch(
      /^first: expect\(locator\)\.toHaveText\(expected\) failed.*"Store".*"Shop".*\(check\.spec\.ts:6\)$/s,
    );
    const { found } = result;
    expect(found.tests.map(({ title, status }) => `${title}: ${status}`)).toEqual([
      'first: failed',
      'goes on in a fresh process: passed',
      'in order › breaks: failed',
      'in order › is skipped: skipped',
      'with a hook › fails for it: failed',
      'with a hook › does not run: skipped',
      'runs last: passed',
    ]);
    expect(found.errors.map(({ message }) => message.split('\n')[0])).toEqual([
      'Error: expect(locator).toHaveText(expected) failed',
      'TypeError: broken off',
      'Error: no preparation',
    ]);
    const [error] = found.errors;
    expect(error?.location).toEqual({ file: 'check.spec.ts', line: 6, column: 36 });
    expect(error?.snippet?.split('\n')[2]).toMatch(/^> 6 \| {3}await expect\(page/);
    expect(error?.stack).toMatch(/\n {4}at check\.spec\.ts:6:36$/);
    expect(found.jobAssets).toEqual(['first/test-failed-1.png']);
    expect(found.playwrightTestTraces).toContain('first/trace.zip');
    const picture = result.artifact('first/test-failed-1.png');
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
  });
});
