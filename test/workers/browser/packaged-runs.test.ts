import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FoundChromium } from '#shared/runs/protocol.ts';
import { findChromium, thisMachine } from '#workers/browser/chromium/find-chromium.ts';
import { chromiumPackage } from '#workers/browser/chromium/packaged.ts';
import { WAYS } from '../../fixtures/cages.ts';
import { ScriptLab } from '../../fixtures/script-lab.ts';
import { type ShopSite, startShop } from '../../fixtures/shop-site.ts';
import { SuiteLab } from '../../fixtures/suite-lab.ts';

/** As the tests have it unpacked anyway, where they find no other. */
const CACHE = fileURLToPath(
  new URL('../../../node_modules/.cache/watchpost-tests', import.meta.url),
);

/** The Chromium of npm's package, as a machine gets it that has no other. */
async function packagedChromium(): Promise<FoundChromium> {
  const bare = { ...thisMachine, playwrightCandidates: () => [], systemCandidates: () => [] };
  const search = { setting: null, cacheFolder: CACHE };
  const { found, tried } = await findChromium(search, false, bare);
  if (found === null) throw new Error(tried.join('; '));
  return found;
}

const SPEC = `import { expect, test } from '@playwright/test';
test('signs in', async ({ page }) => {
  await page.goto(process.env.SHOP + '/login');
  await page.getByLabel('Name').fill('me');
  await page.getByLabel('Password').fill('tea');
  await page.getByRole('button').click();
  await expect(page.getByText('Signed in with tea')).toBeVisible();
  await page.screenshot({ path: 'account.png' });
});
test('fails', async ({ page }) => {
  await page.goto(process.env.SHOP!);
  await expect(page.locator('h1')).toHaveText('Closed', { timeout: 100 });
});`;

describe.skipIf(chromiumPackage() === null).each(WAYS)(
  'with the packaged Chromium, %s',
  (_, bwrap) => {
    let shop: ShopSite;
    let chromium: FoundChromium;
    beforeAll(async () => {
      [shop, chromium] = await Promise.all([startShop(), packagedChromium()]);
    });
    afterAll(() => shop[Symbol.asyncDispose]());

    test('a browser check runs, is measured and leaves its artifacts', async () => {
      const lab = new ScriptLab(bwrap, {}, { chromium });
      const result = await lab.browser(SPEC, { variables: { SHOP: shop.url } });
      expect(result.failure?.message).toMatch(/^fails: expect\(locator\)\.toHaveText.*:12\)$/s);
      expect(result.found.tests.map(({ status }) => status)).toEqual(['passed', 'failed']);
      expect(result.found.pages[0]?.url).toBe(`${shop.url}/login`);
      expect(result.metrics.TTFB).toBeGreaterThan(0);
      expect(result.metrics.LCP).toBeGreaterThan(0);
      expect(result.found.jobAssets).toContain('account.png');
      expect(result.found.playwrightTestTraces).toEqual(['fails/trace.zip']);
      await lab.close();
    });

    test('a Playwright check runs', async () => {
      const lab = new SuiteLab(bwrap, { chromium });
      const result = await lab.run({ 'a.spec.ts': SPEC }, { variables: { SHOP: shop.url } });
      expect(result.failure?.message).toMatch(/^fails: expect\(locator\)\.toHaveText.*:12\)$/s);
      expect(result.found.tests.map(({ status }) => status)).toEqual(['passed', 'failed']);
      await lab.close();
    });
  },
);
