import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
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

const SECRET = 'hunter2 & Söhne/42';

const SCRIPT = `import { test, expect } from '@playwright/test';
const password = process.env.PASSWORD!;
test('signs in with ' + password, async ({ page, request }, testInfo) => {
  console.log('typing', password);
  process.stdout.write(Buffer.from('out ' + password));
  await page.goto(process.env.SHOP + '/login');
  await page.getByLabel('Name').fill('me');
  await page.getByLabel('Password').pressSequentially(password);
  await page.getByRole('button').click();
  await expect(page.getByText('Signed in with ' + password)).toBeVisible();
  await request.post(process.env.SHOP + '/api/echo', {
    data: { password, encoded: Buffer.from(password).toString('base64') },
    headers: { 'x-password': encodeURIComponent(password), authorization: 'Basic abcdefgh' },
  });
  await testInfo.attach(password, { body: 'it is ' + password });
  await page.evaluate((it) => { document.title = it; console.error(it); }, password);
  await expect.soft(page).toHaveTitle('not ' + password, { timeout: 100 });
  throw new Error('refused: ' + password);
});`;

/** Every text in an archive, with the names of its files. */
async function textsOf(archive: Buffer): Promise<string> {
  const zip = await fromBufferPromise(archive);
  const texts: string[] = [];
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    texts.push(entry.fileName, isUtf8(content) ? content.toString() : '');
  }
  return texts.join('\n');
}

const FORMS = [
  SECRET,
  'hunter2',
  'hunter2 &amp; S',
  'hunter2%20',
  'hunter2+%26',
  Buffer.from(SECRET).toString('base64'),
  'aHVudGVyMiAm',
];

describe('a secret that a script types, sends and shows', () => {
  test('is in no result, no log and no trace', async () => {
    const result = await lab.browser(SCRIPT, {
      variables: { SHOP: shop.url, PASSWORD: SECRET },
      secrets: [SECRET],
      wasFailing: true,
    });
    expect(result.failure?.message).toMatch(/^signs in with \*\*\*: /);
    const trace = result.found.playwrightTestTraces.map(result.artifact)[0] ?? Buffer.alloc(0);
    const texts = await textsOf(trace);
    expect(texts).toContain('"method":"type"');
    expect(texts.match(/\*\*\*/g)?.length).toBeGreaterThan(20);
    const attached = result.found.jobAssets.find((name) => !name.endsWith('.png')) ?? '';
    expect(result.artifact(attached).toString()).toBe('it is ***');
    const { artifact: _, found: __, ...kept } = result;
    const all = [JSON.stringify(kept), result.detail, texts].join('\n');
    for (const form of FORMS) expect(all.toLowerCase()).not.toContain(form.toLowerCase());
    const shown = result.found.jobLog.map(({ msg }) => msg);
    expect(shown).toContain('typing ***');
    expect(shown).toContain('out ***');
    expect(result.found.console.map(({ text }) => text)).toContain('with ***');
    expect(result.found.network.some(({ url }) => url.endsWith('/account?token=***'))).toBe(true);
  });
});
