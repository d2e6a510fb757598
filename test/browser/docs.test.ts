import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '#main/api/operations.ts';
import { type Harness, startApi } from '../fixtures/api-harness.ts';
import { launchBrowser } from '../fixtures/browser.ts';

let api: Harness;
let browser: Browser;
/** Drawing all operations takes its time: whoever leaves the page as it was shares it. */
let shared: Awaited<ReturnType<typeof openDocs>>;

beforeAll(async () => {
  [api, browser] = await Promise.all([startApi(), launchBrowser()]);
  shared = await openDocs('/docs');
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

/** The page, with whatever the browser complained of and all that it loaded. */
async function openDocs(path: string) {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  const complaints: string[] = [];
  const loaded: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`not loaded: ${request.url()}`));
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto(api.url + path);
  await page.getByRole('heading', { name: 'Watchpost API' }).waitFor();
  return { page, complaints, loaded };
}

test('the API page is shown, without a complaint of the browser', async () => {
  const { page, complaints, loaded } = shared;
  expect(
    await page.evaluate(
      'getComputedStyle(document.querySelector(".swagger-ui .info .title")).fontFamily',
    ),
  ).toContain('sans-serif');
  expect(complaints).toEqual([]);
  const elsewhere = loaded.filter((url) => !url.startsWith(api.url) && !url.startsWith('data:'));
  expect(elsewhere).toEqual([]);
});

test('the page shows every public operation, one tag at a time', async () => {
  const { page } = shared;
  const open = OPERATIONS.filter(({ internal }) => !internal);
  for (const [tag, operations] of Map.groupBy(open, (operation) => operation.tag)) {
    const name = tag.replaceAll(' ', '_');
    const head = page.locator(`[id="operations-tag-${name}"]`);
    await head.click();
    const addresses = operations.map(({ id }) => `operations-${name}-${id}`);
    await page.locator(`[id="${addresses.at(-1)}"]`).waitFor();
    const shown = await page
      .locator('.opblock')
      .evaluateAll((blocks) => blocks.map(({ id }) => id));
    expect(shown.toSorted()).toEqual(addresses.toSorted());
    await head.click();
    await page.locator('.opblock').first().waitFor({ state: 'detached' });
  }
});

test('an operation can be tried with a key, which a new page does not know', async () => {
  const { page, complaints } = await openDocs('/docs#/Accounts/readMyAccount');
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.modal-ux input').fill(api.key);
  await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
  expect(complaints).toEqual([]);
  await page.reload();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table .response-col_status', { hasText: '401' }).waitFor();
});

test('on a telephone nothing is wider than the screen', async () => {
  const { page } = shared;
  await page.setViewportSize({ width: 390, height: 800 });
  const head = page.locator('[id="operations-tag-Checks"]');
  await head.click();
  await page.locator('[id="operations-Checks-createApiCheck"] button').first().click();
  await page.getByRole('button', { name: 'Execute' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await head.click();
  await page.setViewportSize({ width: 1_280, height: 800 });
});
