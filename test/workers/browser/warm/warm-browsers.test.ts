import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { WarmLimits } from '#workers/browser/warm/warm-browsers.ts';
import { BWRAP, processesIn, WAYS } from '../../../fixtures/cages.ts';
import { type LabRun, ScriptLab } from '../../../fixtures/script-lab.ts';
import { type ShopSite, startShop } from '../../../fixtures/shop-site.ts';

let shop: ShopSite;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

/** A lab with runs of one check, which runs every minute. */
function startLab(bwrap = BWRAP, limits: Partial<WarmLimits> = {}) {
  const lab = new ScriptLab(bwrap, {}, { limits });
  onTestFinished(() => lab.close());
  const run = (script: string, { variables, check, ...others }: LabRun = {}) =>
    lab.browser(script, {
      variables: { SHOP: shop.url, ...variables },
      check: { id: 'shop', frequency: 1, ...check },
      ...others,
    });
  return { lab, run };
}

type Ran = Awaited<ReturnType<ReturnType<typeof startLab>['run']>>;

/** How many runs a browser had served before; 0 for one of its own, or a new one. */
const servedBefore = (ran: Ran): number => served(ran, /^The browser ran already: it served (\d+)/);

/** How many runs the process of the script had served before; 0 for a new one. */
const processServed = (ran: Ran): number =>
  served(ran, /^The process of the script ran already: it served (\d+)/);

function served({ found }: Ran, line: RegExp): number {
  const texts = found.jobLog.map(({ msg }) => line.exec(msg));
  return Number(texts.find((it) => it !== null)?.[1] ?? 0);
}

/** A page that answers at once, but for once that it is told to wait. */
async function serveStop() {
  const waiting = Promise.withResolvers<void>();
  let isWaiting = false;
  const server = createServer((_, response) => {
    if (!isWaiting) {
      response.end('It goes on.');
      return;
    }
    isWaiting = false;
    waiting.resolve();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    nextWaits: () => {
      isWaiting = true;
      return waiting.promise;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const VISIT = `import { test } from '@playwright/test';
test('visit', async ({ page }) => { await page.goto(process.env.SHOP!); });`;

describe.each(WAYS)('a browser in a cage that is %s', (_, bwrap) => {
  test('serves the next run of its check, which finds nothing of the one before', async () => {
    const { run } = startLab(bwrap);
    const script = `import { expect, test } from '@playwright/test';
test('nothing is left', async ({ browser, context, page }) => {
  expect(browser.contexts()).toHaveLength(1);
  await page.goto(process.env.SHOP!);
  const found = await page.evaluate(async () => ({
    stored: localStorage.length + sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    cached: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    permission: (await navigator.permissions.query({ name: 'geolocation' })).state,
  }));
  expect(found).toEqual({ stored: 0, databases: 0, cached: 0, workers: 0, permission: 'prompt' });
  expect(await context.cookies()).toEqual([]);
  await context.addCookies([{ name: 'a', value: 'b', url: process.env.SHOP! }]);
  await context.grantPermissions(['geolocation']);
  await page.evaluate(async () => {
    localStorage.a = sessionStorage.a = '1';
    indexedDB.open('a');
    await caches.open('a');
    await navigator.serviceWorker.register('/worker.js').catch(() => {});
  });
});`;
    const first = await run(script);
    const second = await run(script);
    expect([first.failure, second.failure]).toEqual([null, null]);
    expect([first, second].map(servedBefore)).toEqual([0, 1]);
  });

  test.skipIf(process.platform !== 'linux')(
    'shares a process with the next runs, which finds the script as new',
    async () => {
      const { run } = startLab(bwrap);
      const check = {
        dependencies: [{ path: 'counter.ts', content: 'export const counter = { calls: 0 };' }],
      };
      const script = `import { expect, test } from '@playwright/test';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import lodash from 'lodash';
import { counter } from './counter';
let own = 0;
test('finds nothing', async ({ page }) => {
  await page.goto(process.env.SHOP!);
  console.log('written');
  expect([++own, ++counter.calls, lodash.templateSettings.variable]).toEqual([1, 1, '']);
  lodash.templateSettings.variable = 'changed';
  expect([process.env.LEFT, existsSync('left.txt'), existsSync(tmpdir() + '/left.txt')]).toEqual([undefined, false, false]);
  process.env.LEFT = 'left';
  process.env.SHOP = 'left';
  writeFileSync('left.txt', 'left');
  writeFileSync(tmpdir() + '/left.txt', 'left');
  expect([process.cwd(), process.env.HOME]).toEqual([__dirname, __dirname]);
});`;
      const ran: Ran[] = [];
      for (let n = 0; n < 4; n++) ran.push(await run(script, { check }));
      expect(ran.map(({ failure }) => failure)).toEqual([null, null, null, null]);
      expect(ran.map(servedBefore)).toEqual([0, 1, 2, 3]);
      // The first process made the files ready, which changes how errors are told in it.
      expect(ran.map(processServed)).toEqual([0, 0, 1, 2]);
      const linesOf = ({ found }: Ran) =>
        found.jobLog.filter(({ msg }) => msg === 'written').length;
      expect(ran.map(linesOf)).toEqual([1, 1, 1, 1]);
    },
  );

  test('is gone when its run is cancelled, and the next run gets another', async () => {
    const { lab, run } = startLab(bwrap);
    const script = `import { test } from '@playwright/test';
test('waits', async ({ page }) => { await page.goto(process.env.STOP!); });`;
    await using stop = await serveStop();
    const variables = { STOP: stop.url };
    expect((await run(script, { variables })).failure).toBeNull();
    const controller = new AbortController();
    const arrived = stop.nextWaits();
    const running = run(script, { variables, signal: controller.signal });
    await arrived;
    controller.abort();
    expect((await running).failure?.cause).toBe('CANCELLED');
    await expect.poll(() => processesIn(lab.data.runsFolder)).toEqual([]);
    expect(servedBefore(await run(script, { variables }))).toBe(0);
  });

  test('does all that one of its own does', async () => {
    const { run } = startLab(bwrap);
    const script = `import { expect, test } from '@playwright/test';
import { readFileSync, writeFileSync } from 'node:fs';
test.beforeEach(async ({ page }) => { await page.goto(process.env.SHOP!); });
test('download', async ({ page }) => {
  const started = page.waitForEvent('download');
  await page.getByText('Download').click();
  expect(readFileSync(await (await started).path(), 'utf8')).toContain('coffee,2');
});
test('upload', async ({ page }) => {
  writeFileSync('a.txt', 'of the run');
  await page.setContent('<input type="file">');
  await page.locator('input').setInputFiles('a.txt');
  const read = (input: HTMLInputElement) => input.files![0]!.text();
  expect(await page.locator('input').evaluate(read)).toBe('of the run');
});
test('screenshot', async ({ page }) => { await page.screenshot({ path: 'told/it.png' }); });`;
    const check = { playwrightConfig: { use: { trace: 'on', video: 'off' } } };
    const cold = await run(script, { check });
    const warm = await run(script, { check });
    expect([cold.failure, warm.failure]).toEqual([null, null]);
    expect([cold, warm].map(servedBefore)).toEqual([0, 1]);
    const namesIn = ({ artifacts }: Ran) => artifacts?.map(({ name }) => name);
    expect(namesIn(warm)).toEqual(namesIn(cold));
    const measured = ({ found }: Ran) =>
      found.pages.map((it) => [it.url, Object.keys(it.webVitals)]);
    expect(measured(warm)).toEqual(measured(cold));
    expect(warm.found.pages[0]?.webVitals.LCP?.value).toBeGreaterThan(0);
  });

  test('counts as a part of the run that uses it', async () => {
    const lab = new ScriptLab(bwrap, { memoryMb: 700 });
    onTestFinished(() => lab.close());
    const script = `import { test } from '@playwright/test';
test('eats', async ({ page }) => {
  await page.evaluate(() => { for (const all = []; ; ) all.push(new Uint8Array(2 ** 20).fill(1)); });
});`;
    const { failure, found } = await lab.browser(script, { check: { frequency: 1 } });
    expect(failure?.cause, JSON.stringify(found.errors)).toBe('OUT_OF_MEMORY');
  });

  test('is gone with the thread', async () => {
    const { lab, run } = startLab(bwrap);
    await run(VISIT);
    const { runsFolder } = lab.data;
    expect((await processesIn(runsFolder)).length).toBeGreaterThan(2);
    await lab.close();
    expect(await processesIn(runsFolder)).toEqual([]);
  });
});

describe('a run gets a browser of its own', () => {
  const CDP = `const cdp = await browser.newBrowserCDPSession();`;
  const plain = (code: string) => `const { chromium } = require('playwright');
const browser = await chromium.launch();
if (!process.env.IS_SECOND) { ${code} }`;

  test.each([
    [
      'opens a page besides those of contexts',
      plain(`${CDP}
      await cdp.send('Target.createTarget', { url: 'about:blank' }); await browser.close();`),
    ],
    ['leaves a context open', plain('await browser.newContext();')],
    ['closes it', plain(`${CDP} await cdp.send('Browser.close').catch(() => {});`)],
    ['fails', plain(`throw new Error('fails');`)],
  ])('after one that %s', async (_, script) => {
    const { run } = startLab();
    await run(script);
    const second = await run(script);
    expect(servedBefore(second)).toBe(0);
  });

  test('where the check is another one, or not as it was', async () => {
    const { run } = startLab();
    await run(VISIT);
    expect(servedBefore(await run(VISIT))).toBe(1);
    expect(servedBefore(await run(VISIT, { check: { id: 'other' } }))).toBe(0);
    expect(servedBefore(await run(VISIT, { variables: { OTHER: '1' } }))).toBe(0);
    expect(servedBefore(await run(`${VISIT} // changed`, { variables: { OTHER: '1' } }))).toBe(0);
  });

  test('where it asks for a special one', async () => {
    const { run } = startLab();
    await run(VISIT);
    const script = VISIT.replace(
      'test(',
      `test.use({ launchOptions: { args: ['--lang=de'] } });\ntest(`,
    );
    await run(script);
    expect(servedBefore(await run(script))).toBe(0);
  });

  test('after so many runs', async () => {
    const { run } = startLab(BWRAP, { runs: 2 });
    const served: number[] = [];
    for (let n = 0; n < 3; n++) served.push(servedBefore(await run(VISIT)));
    expect(served).toEqual([0, 1, 0]);
  });

  test('where there are as many as there may be', async () => {
    const { run } = startLab(BWRAP, { atMost: 1 });
    const others = { check: { id: 'other' } };
    for (const check of [{}, others, others]) expect(servedBefore(await run(VISIT, check))).toBe(0);
    expect(servedBefore(await run(VISIT))).toBe(1);
  });

  test('where it would wait too long for the next run', async () => {
    const { lab, run } = startLab();
    const check = { frequency: 5 };
    await run(VISIT, { check });
    expect(servedBefore(await run(VISIT, { check }))).toBe(0);
    expect(await processesIn(lab.data.runsFolder)).toEqual([]);
  });
});
