import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BWRAP } from '../../fixtures/cages.ts';
import { ScriptLab } from '../../fixtures/script-lab.ts';
import { type ShopSite, startShop } from '../../fixtures/shop-site.ts';

let shop: ShopSite;
let forbidden: ShopSite;
let lab: ScriptLab;
beforeAll(async () => {
  [shop, forbidden] = await Promise.all([startShop(), startShop()]);
  lab = new ScriptLab(BWRAP, { ownPorts: [forbidden.port] });
});
afterAll(async () => {
  await lab.close();
  await shop[Symbol.asyncDispose]();
  await forbidden[Symbol.asyncDispose]();
});

const run = (script: string, variables: Record<string, string> = {}) =>
  lab.browser(script, { variables: { SHOP: shop.url, ...variables } });

describe('in the pages of a script', () => {
  test('popups, downloads, frames and dialogs work', async () => {
    const result = await run(`const { test, expect } = require('@playwright/test');
const { readFileSync } = require('node:fs');
test.beforeEach(async ({ page }) => { await page.goto(process.env.SHOP); });
test('popup', async ({ page }) => {
  const opened = page.waitForEvent('popup');
  await page.getByText('Terms').click();
  const popup = await opened;
  await expect(popup.locator('p')).toHaveText('Be kind.');
});
test('download', async ({ page }) => {
  const started = page.waitForEvent('download');
  await page.getByText('Download').click();
  const download = await started;
  expect(download.suggestedFilename()).toBe('list.csv');
  expect(readFileSync(await download.path(), 'utf8')).toContain('coffee,2');
});
test('frame', async ({ page }) => {
  const button = page.frameLocator('iframe').getByRole('button');
  await button.click();
  await expect(button).toHaveText('Taken');
});
test('dialog', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByText('Ask').click();
  await expect(page.locator('#told')).toHaveText('true');
  await page.screenshot({ path: 'told/it.png' });
});`);
    expect(result.failure).toBeNull();
    expect(result.found.pages.map(({ url }) => url)).toContain(`${shop.url}/terms`);
    expect(result.found.jobAssets).toEqual(['told/it.png']);
    expect(result.artifact('told/it.png').subarray(1, 4).toString()).toBe('PNG');
  });

  test('what went wrong is counted, and shown line by line', async () => {
    const result = await run(`import { test } from '@playwright/test';
test('broken', async ({ page }) => {
  const thrown = page.waitForEvent('pageerror');
  await page.goto(process.env.SHOP + '/broken');
  await thrown;
  await page.goto(process.env.SHOP + '/nowhere');
});`);
    const counts = { networkErrors: 1, documentErrors: 1, userScriptErrors: 1 };
    expect(result.found.traceSummary).toMatchObject(counts);
    expect(result.metrics).toMatchObject(result.found.traceSummary);
    const lines = result.found.console.map(({ type, text }) => `${type}: ${text.split('\n')[0]}`);
    expect(lines).toContain('error: an error');
    expect(lines).toContain('warning: a warning');
    expect(lines).toContain('pageerror: Error: nobody caught it');
    const statuses = result.found.network.map(({ status }) => status);
    expect(statuses).toEqual([200, 404, 404]);
  });

  test('web vitals are what the page knows of itself', async () => {
    const result = await run(`import { test, expect } from '@playwright/test';
test('busy', async ({ page }) => {
  await page.goto(process.env.SHOP + '/busy');
  await expect(page).toHaveTitle('Quiet');
  const known = await page.evaluate(() => {
    const of = (type) => new Promise((resolve) =>
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true }));
    return Promise.all([of('paint'), of('largest-contentful-paint'), of('layout-shift'), of('longtask')])
      .then(([paint, lcp, shifts, tasks]) => ({
        TTFB: performance.getEntriesByType('navigation')[0].responseStart,
        FCP: paint.find(({ name }) => name === 'first-contentful-paint').startTime,
        LCP: lcp.at(-1).startTime,
        CLS: shifts.reduce((sum, { value }) => sum + value, 0),
        longest: Math.max(...tasks.map(({ duration }) => duration)),
      }));
  });
  console.log(JSON.stringify(known));
});`);
    expect(result.failure).toBeNull();
    const line = result.found.jobLog.find(({ msg }) => msg.startsWith('{'));
    const { longest, ...known } = JSON.parse(line?.msg ?? '{}');
    const { TTFB, FCP, LCP, CLS, TBT } = result.metrics;
    expect(TTFB).toBeCloseTo(known.TTFB, 1);
    expect(FCP).toBeCloseTo(known.FCP, 1);
    // A larger piece may be painted after the page was asked.
    expect(LCP).toBeGreaterThan(known.LCP - 0.1);
    expect(LCP).toBeLessThan(known.LCP + 2_000);
    expect(CLS).toBeCloseTo(known.CLS, 3);
    expect(CLS).toBeGreaterThan(0.01);
    expect(TBT).toBeGreaterThan(100);
    expect(TBT).toBeGreaterThanOrEqual(longest - 50 - 1);
  });

  test('a page that crashes hurts its test alone', async () => {
    const result = await run(`import { test, expect } from '@playwright/test';
test('crashes', async ({ page, context }) => {
  await page.goto(process.env.SHOP);
  const session = await context.newCDPSession(page);
  session.send('Page.crash').catch(() => {});
  await page.getByText('Items').click();
});
test('goes on', async ({ page }) => {
  await page.goto(process.env.SHOP);
});`);
    expect(result.failure?.message).toMatch(
      /crashes: locator\.click: .*crashed.*check\.spec\.ts:6/i,
    );
    expect(result.found.tests.map(({ status }) => status)).toEqual(['failed', 'passed']);
  });
});

describe('closed to the pages of a script', () => {
  test('are files, the pages of the browser itself, and the appliance', async () => {
    const result = await run(
      `import { test, expect } from '@playwright/test';
test('goto', async ({ page, context }) => {
  for (const url of ['file:///etc/passwd', 'chrome://version', 'view-source:file:///etc/passwd']) {
    await expect(page.goto(url)).rejects.toThrow('checks open http and https pages only');
  }
  for (const host of ['127.0.0.1', 'localhost', '[::1]', 'x.localhost']) {
    await expect(page.goto('http://' + host + ':' + process.env.OWN)).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
  }
  const other = await context.newPage();
  const sessions = [await context.newCDPSession(other), await context.browser().newBrowserCDPSession()];
  for (const [n, method] of ['Page.navigate', 'Target.createTarget'].entries()) {
    await expect(sessions[n].send(method, { url: 'file:///etc/passwd' })).rejects.toThrow(
      method + ': checks open http and https pages only');
  }
  expect(context.pages().map((it) => it.url())).not.toContain('file:///etc/passwd');
  await sessions[0].send('Page.navigate', { url: process.env.SHOP });
  await expect(other.locator('h1')).toHaveText('Shop');
  await page.goto(process.env.SHOP);
});`,
      { OWN: String(forbidden.port) },
    );
    expect(result.failure).toBeNull();
    expect(forbidden.requests).toEqual([]);
  });

  test.each([
    ['firefox', 'This machine runs checks in Chromium only, not in firefox'],
    ['webkit', 'This machine runs checks in Chromium only, not in webkit'],
  ])('is %s', async (browserName, message) => {
    const script = `import { test } from '@playwright/test';
      test('opens', async ({ page }) => {});`;
    const check = { playwrightConfig: { use: { browserName } } };
    const result = await lab.browser(script, { check });
    expect(result.failure?.message).toContain(message);
  });
});
