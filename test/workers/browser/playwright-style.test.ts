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

const TYPED = `import { test as base, expect, type Page } from '@playwright/test';
import { ShopPage } from '../pages/shop-page';
import names from '../names.json';

const test = base.extend<{ shop: ShopPage }, { greeting: string }>({
  shop: async ({ page }, use) => {
    const shop = new ShopPage(page);
    await shop.open();
    await use(shop);
  },
  greeting: [async ({}, use) => { await use('hello'); }, { scope: 'worker' }],
});

test.use({ locale: 'de-DE', viewport: { width: 800, height: 600 } });

let prepared = 0;
test.beforeAll(() => { prepared += 1; });
test.afterAll(() => { console.info('after ' + prepared); });

test.describe('Shop', { tag: '@smoke' }, () => {
  test.beforeEach(async ({ shop }) => { await expect(shop.heading).toHaveText('Shop'); });

  for (const name of names as string[]) {
    test(\`sells \${name}\`, async ({ shop, greeting }) => {
      expect(greeting).toBe('hello');
      const items = await test.step('open the items', () => shop.items());
      expect(items).toContain(name);
    });
  }

  test('has the size and language asked for', async ({ page }: { page: Page }) => {
    expect(page.viewportSize()).toEqual({ width: 800, height: 600 });
    expect(await page.evaluate(() => navigator.language)).toBe('de-DE');
  });
});

test('is skipped', async () => { test.skip(true, 'not today'); });
test.fixme('is to be mended', async () => { throw new Error('never'); });
test.fail('is known to fail', async () => { expect(1).toBe(2); });
test('has soft assertions', async ({}, testInfo) => {
  expect.soft(1).toBe(1);
  await testInfo.attach('note', { body: 'a note', contentType: 'text/plain' });
  expect(testInfo.project.name).toBe('');
});
`;

const PAGE = `import { type Locator, type Page } from '@playwright/test';
export class ShopPage {
  readonly heading: Locator;
  constructor(private readonly page: Page) {
    this.heading = page.getByRole('heading', { level: 1 });
  }
  async open(): Promise<void> {
    await this.page.goto('/');
  }
  async items(): Promise<string[]> {
    await this.page.getByRole('link', { name: 'Items' }).click();
    return await this.page.getByRole('listitem').allTextContents();
  }
}
`;

const PLAIN_STATE = `const { test, expect } = require('@playwright/test');
const { price } = require('./lib/prices');
test.describe.configure({ mode: 'serial' });

test('the session is stored', async ({ request }) => {
  const response = await request.post('/login', { form: { password: 'x' }, maxRedirects: 0 });
  expect(response.status()).toBe(303);
  await request.storageState({ path: 'state.json' });
});

test.describe('signed in', () => {
  test.use({ storageState: 'state.json' });
  test('sees the account', async ({ page }) => {
    await page.goto('/account?token=1');
    await expect(page).toHaveTitle(/Account/);
    await expect(page.locator('p')).toContainText('Signed in');
  });
});

test('a response is an object', async ({ request, baseURL }) => {
  const response = await request.get('/api/items');
  await expect(response).toBeOK();
  expect(await response.json()).toMatchObject({ items: ['tea', 'coffee'] });
  expect(price('tea')).toBe(2);
  expect(baseURL).toMatch(/^http:/);
});
`;

const MODULE = `import { test, expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
const here = await readFile(new URL(import.meta.url), 'utf8');
test('a module', () => { expect(here).toContain('a module'); });
`;

describe('scripts as Playwright shows them run unchanged', () => {
  test('in TypeScript, with fixtures, a page object, steps and annotations', async () => {
    const result = await lab.browser(TYPED, {
      check: {
        scriptPath: 'tests/shop.spec.ts',
        dependencies: [
          { path: './pages/shop-page.ts', content: PAGE },
          { path: 'names.json', content: '["Tea", "Coffee"]' },
        ],
        playwrightConfig: { timeout: 20_000, use: { baseURL: shop.url } },
      },
    });
    expect(result.failure).toBeNull();
    expect(result.found.tests.map(({ title, status }) => `${title}: ${status}`)).toEqual([
      'Shop › sells Tea: passed',
      'Shop › sells Coffee: passed',
      'Shop › has the size and language asked for: passed',
      'is skipped: skipped',
      'is to be mended: skipped',
      'is known to fail: passed',
      'has soft assertions: passed',
    ]);
    expect(result.found.tests[0]?.steps.map(({ title }) => title)).toContain('open the items');
    expect(result.found.jobLog.map(({ msg }) => msg)).toContain('after 1');
    expect(result.artifact('has soft assertions/note').toString()).toBe('a note');
  });

  test('in JavaScript, with requests, stored state and files beside it', async () => {
    const result = await lab.browser(PLAIN_STATE, {
      check: {
        dependencies: [{ path: 'lib/prices.js', content: 'exports.price = () => 2;' }],
        playwrightConfig: { use: { baseURL: shop.url } },
      },
    });
    expect(result.failure).toBeNull();
    expect(result.found.tests.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
    const own = result.found.network.filter(({ resourceType }) => resourceType === 'api');
    expect(own.map(({ method, status }) => `${method} ${status}`)).toEqual(['POST 303', 'GET 200']);
  });

  test.each([
    ['a module by its name', 'a.spec.mjs', []],
    [
      'a module by its package',
      'a.spec.js',
      [{ path: 'package.json', content: '{"type":"module"}' }],
    ],
  ])('as %s', async (_, scriptPath, dependencies) => {
    const result = await lab.multiStep(MODULE, { check: { scriptPath, dependencies } });
    expect(result.failure).toBeNull();
    expect(result.found.tests).toHaveLength(1);
  });

  test('test.only runs that test alone', async () => {
    const result = await lab.multiStep(`import { test } from '@playwright/test';
test('one', () => {});
test.only('two', () => {});`);
    expect(result.found.tests.map(({ title }) => title)).toEqual(['two']);
  });

  test('tests with fixtures of their own get a process of their own', async () => {
    const result = await lab.multiStep(`import { test as base } from '@playwright/test';
const fixture = (name: string) => base.extend<{}, { pid: number }>({
  pid: [async ({}, use) => { console.log(name); await use(process.pid); }, { scope: 'worker' }],
});
const one = fixture('one'), two = fixture('two');
one('1', ({ pid }) => {});
two('2', ({ pid }) => {});
one('3', ({ pid }) => {});`);
    expect(result.failure).toBeNull();
    expect(result.found.tests.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
    const own = result.found.jobLog.filter(({ level }) => level === 'INFO').map(({ msg }) => msg);
    expect(own).toEqual(['one', 'two']);
  });

  test('a script can say that its check is degraded', async () => {
    const result = await lab.multiStep(`import { test } from '@playwright/test';
import { markCheckAsDegraded } from '@checkly/playwright-helpers';
test('slow', () => { markCheckAsDegraded('slower than usual'); });`);
    expect(result).toMatchObject({ hasFailures: false, isDegraded: true, failure: null });
    const log = result.found.jobLog.map(({ msg }) => msg);
    expect(log).toContain('Marked as degraded: slower than usual');
  });
});

describe('an older script, without the test runner,', () => {
  test('is one test that launches a browser by itself', async () => {
    const result = await lab.browser(
      `const { chromium } = require('playwright');
const assert = require('assert');
const { word } = require('./snippets/shared.js');
const browser = await chromium.launch();
const page = await browser.newPage();
await page.goto(process.env.SHOP);
assert.equal(await page.textContent('h1'), word);
await page.screenshot({ path: 'shop.jpg' });
await browser.close();
`,
      {
        variables: { SHOP: shop.url },
        snippets: { shared: `module.exports = { word: 'Shop' };` },
        check: { name: 'My shop' },
      },
    );
    expect(result.failure).toBeNull();
    expect(result.found.tests.map(({ title }) => title)).toEqual(['My shop']);
    expect(result.found.jobAssets).toEqual(['shop.jpg']);
    expect(result.found.pages[0]?.url).toBe(`${shop.url}/`);
  });

  test('fails in its own line', async () => {
    const result = await lab.multiStep(`const one = 1;
await Promise.resolve();
if (one === 1) throw new Error('wrong');`);
    expect(result.failure?.message).toMatch(/: wrong \(check\.js:3\)$/);
    expect(result.found.errors[0]?.snippet).toContain(
      "> 3 | if (one === 1) throw new Error('wrong');",
    );
  });
});
