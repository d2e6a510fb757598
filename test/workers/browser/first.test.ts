import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('passes', async () => {
  const result = await lab.browser(
    `import { test, expect } from '@playwright/test';
test('items', async ({ page }) => {
  await page.goto(process.env.SHOP!);
  await page.getByText('Items').click();
  await expect(page.locator('li')).toHaveCount(2);
  console.log('there');
});
test('fails', async ({ page }) => {
  await page.goto(process.env.SHOP!);
  await expect(page.locator('h1')).toHaveText('Store', { timeout: 200 });
});
`,
    { variables: { SHOP: shop.url } },
  );
  console.log(JSON.stringify({ ...result, detail: '' }, null, 1).slice(0, 12000));
  expect(result.failure).toBeNull();
}, 60_000);
