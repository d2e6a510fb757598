import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harness, startApi } from '../fixtures/api-harness.ts';
import { launchBrowser } from '../fixtures/browser.ts';

let api: Harness;
let browser: Browser;

beforeAll(async () => {
  [api, browser] = await Promise.all([startApi(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

/** The page, with whatever the browser complained of while it was read. */
async function openDocs(path: string, width: number) {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`not loaded: ${request.url()}`));
  await page.goto(api.url + path);
  return { page, complaints };
}

test('the first page is the documentation, styled, without a complaint of the browser', async () => {
  const { page, complaints } = await openDocs('/', 1_280);
  expect(new URL(page.url()).pathname).toBe('/docs');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Watchpost API');
  const font = await page.evaluate('getComputedStyle(document.body).fontFamily');
  expect(font).toContain('sans-serif');
  expect(complaints).toEqual([]);
});

test('an operation opens to its fields without any script', async () => {
  const { page } = await openDocs('/docs', 1_280);
  const operation = page.locator('details.operation').first();
  expect(await operation.locator('.body').isVisible()).toBe(false);
  await operation.locator('summary').first().click();
  expect(await operation.locator('.body').isVisible()).toBe(true);
  expect(await operation.locator('.body').textContent()).toContain('autoAssignAlerts');
});

test('on a telephone nothing is wider than the screen', async () => {
  const { page } = await openDocs('/docs', 390);
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  const cut = `[...document.querySelectorAll('.scroll, pre')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).length`;
  expect(await page.evaluate(cut)).toBe(0);
});

test('on a telephone the title is on the first screen', async () => {
  const { page } = await openDocs('/docs', 390);
  const title = await page.getByRole('heading', { level: 1 }).boundingBox();
  expect((title?.y ?? 0) + (title?.height ?? 0)).toBeLessThan(600);
});
