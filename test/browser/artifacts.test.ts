import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ARTIFACTS_FOLDER } from '#main/store/artifacts/artifact-files.ts';
import type { RunArtifact } from '#shared/artifacts/artifact.ts';
import type { AssetManifest } from '#shared/artifacts/asset-manifest.ts';
import { ArtifactWriter } from '#workers/browser/artifact-writer.ts';
import { type Harness, NOW, startApi } from '../fixtures/api-harness.ts';
import { launchBrowser } from '../fixtures/browser.ts';
import { makeCheck } from '../fixtures/checks.ts';
import { makeResult } from '../main/store/records.ts';
import { temporaryFolder } from '../main/store/temporary-folder.ts';

/** The page that the trace is of: whoever shows it runs nothing of it. */
const SHOP = `<!doctype html><title>Shop</title>
  <h1>Everything must go</h1><button onclick="this.textContent = 'Bought'">Buy</button>
  <script>if (parent !== self) parent.parent.document.title = 'owned'</script>
  <img src="nothing" onerror="if (parent !== self) parent.parent.document.title = 'owned'">`;

/** A report that looks for what it can reach, and says so in its own text. */
const REPORT = `<!doctype html><title>Report</title><p id="found"></p><img id="picture" src="data/a.png">
  <a href="data/a.txt" download>Save</a> <a href="/healthz" target="_blank">Ours</a>
  <script src="own.js"></script>`;
const REPORT_SCRIPT = `
  const found = [];
  const attempt = (name, tell) => { try { found.push(name + ' ' + tell()); } catch (error) { found.push(name + ' ' + error.name); } };
  attempt('origin', () => self.origin);
  attempt('cookie', () => document.cookie);
  attempt('storage', () => localStorage.length);
  const ask = (name, url) => fetch(url).then(({ status }) => found.push(name + ' ' + status), () => found.push(name + ' refused'));
  Promise.all([ask('own', 'data/a.txt'), ask('api', '/healthz'), ask('elsewhere', 'https://example.com/')])
    .then(() => { document.getElementById('found').textContent = found.join(', '); });`;
/** A suite whose report Playwright makes by itself. */
const SUITE = {
  'playwright.config.ts': `export default { reporter: [['html', { open: 'never', outputFolder: 'out' }]], use: { trace: 'on' } };`,
  'a.spec.ts': `import { test } from '@playwright/test';
    test('asks the shop', async ({ request }, info) => {
      await request.get(process.env.SHOP);
      await info.attach('a note', { body: 'text', contentType: 'text/plain' });
    });`,
};
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

let api: Harness;
let browser: Browser;
let site: Server;
let page: Page;
/** Addresses that were asked for, but for those of the appliance. */
const elsewhere: string[] = [];
/** What the site was asked for. */
const asked: string[] = [];
const siteUrl = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
const urls = new Map<string, string>();
let viewerUrl = '';

beforeAll(async () => {
  site = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', 'text/html').end(SHOP);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  [api, browser] = await Promise.all([startApi(), launchBrowser()]);
  await keep(await recordTrace(), await makeReport());
  page = await browser.newPage();
  await page.context().route('**', (route) => {
    const url = route.request().url();
    if (/^(?:blob|data):/.test(url) || url.startsWith(api.url)) return route.continue();
    elsewhere.push(url);
    return route.abort();
  });
});
afterAll(async () => {
  await browser.close();
  site.close();
  await api.close();
});

/** The folder of a report. */
async function makeReport(): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(SUITE)) writeFileSync(join(folder, name), text);
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  const command = join(modules, '@playwright/test/cli.js');
  const env = { ...process.env, NODE_PATH: modules, SHOP: siteUrl(), CI: '1' };
  await promisify(execFile)(process.execPath, [command, 'test'], { cwd: folder, env });
  return join(folder, 'out');
}

async function recordTrace(): Promise<Buffer> {
  const path = join(temporaryFolder(), 'trace.zip');
  const context = await browser.newContext();
  await context.tracing.start({ screenshots: true, snapshots: true });
  const shop = await context.newPage();
  await shop.goto(siteUrl());
  await shop.getByRole('button', { name: 'Buy' }).click();
  await context.tracing.stop({ path });
  await context.close();
  return readFileSync(path);
}

/** A result of a check with a trace and a report. */
async function keep(trace: Buffer, report: string): Promise<void> {
  const check = makeCheck('BROWSER');
  await api.configuration.checks.put(check);
  const writer = new ArtifactWriter(join(api.dataFolder, ARTIFACTS_FOLDER));
  await writer.addBytes({ type: 'trace', name: 'trace.zip' }, trace);
  const files = {
    'index.html': REPORT,
    'own.js': REPORT_SCRIPT,
    'data/a.png': PIXEL,
    'data/a.txt': 'a text',
  };
  for (const [name, content] of Object.entries(files)) {
    await writer.addBytes({ type: 'report', name: `report/${name}` }, Buffer.from(content));
  }
  for (const entry of readdirSync(report, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = `suite/${relative(report, path)}`;
    if (entry.isFile()) await writer.addFile({ type: 'report', name }, { root: report, path });
  }
  await writer.addBytes({ type: 'file', name: 'page.html' }, Buffer.from(REPORT));
  const detail = JSON.stringify({ browserCheckResult: { playwrightTestTraces: ['trace.zip'] } });
  const made = makeResult({ checkId: check.id, checkType: 'BROWSER', createdAt: NOW - 1, detail });
  const artifacts: readonly RunArtifact[] = writer.artifacts;
  await api.history.write({ results: [{ ...made, artifacts }] });
  const path = `/v1/check-results/${check.id}/${made.result.id}`;
  const { assets } = (await api.call('GET', `${path}/assets`)).body as AssetManifest;
  for (const { name, url } of assets) urls.set(name, url);
  const { body } = await api.call('GET', path);
  const { browserCheckResult } = body as { browserCheckResult: { traceViewerUrls: string[] } };
  viewerUrl = browserCheckResult.traceViewerUrls[0] ?? '';
}

test('a trace opens in the viewer that the appliance serves, with nothing from elsewhere', async () => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text());
  });
  await page.goto(viewerUrl);
  const clicked = page.getByText("getByRole('button', { name: 'Buy' })").first();
  await clicked.click();
  expect(await page.locator('#root').textContent()).toMatch(/Navigate.*Click/s);
  const snapshot = page.frameLocator('iframe[name="snapshot"]').first();
  await snapshot.getByRole('heading', { name: 'Everything must go' }).waitFor();
  expect(await page.title()).toMatch(/Playwright/);
  expect(elsewhere).toEqual([]);
  expect(faults).toEqual([]);
});

test('a trace from elsewhere is not asked for, though a link says so', async () => {
  const link = new URL(viewerUrl);
  link.searchParams.set('trace', `${siteUrl()}trace.zip`);
  await page.goto(link.href);
  await page.getByText(/could not load trace/i).waitFor();
  expect(asked).not.toContain('/trace.zip');
  expect(elsewhere).toEqual([]);
});

test('a report runs, shows its files, and reaches neither our pages nor anybody else', async () => {
  await page.goto(urls.get('report/index.html') ?? '');
  const found = page.locator('#found');
  await expect.poll(() => found.textContent()).toContain('elsewhere');
  const all = (await found.textContent())?.split(', ').sort();
  expect(all).toEqual([
    'api refused',
    'cookie SecurityError',
    'elsewhere refused',
    'origin null',
    'own 200',
    'storage SecurityError',
  ]);
  const width = page
    .locator('#picture')
    .evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth);
  expect(await width).toBe(1);
  const download = page.waitForEvent('download');
  await page.getByText('Save').click();
  expect((await download).suggestedFilename()).toBe('a.txt');
  const popup = page.waitForEvent('popup');
  await page.getByText('Ours').click();
  const origin = await (await popup).evaluate('self.origin');
  expect(origin).toBe('null');
  expect(elsewhere).toEqual([]);
});

test('a page that is no report is saved, not shown', async () => {
  const download = page.waitForEvent('download');
  await page.goto(urls.get('page.html') ?? '').catch(() => {});
  expect((await download).suggestedFilename()).toBe('page.html');
});

test("Playwright's own report is shown, and its traces open in the viewer of the appliance", async () => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(urls.get('suite/index.html') ?? '');
  await page.getByText('asks the shop').first().click();
  await page.getByText('a note').first().waitFor();
  await page.getByText('View Trace').first().click();
  await page.waitForURL(/\/trace-viewer\/index\.html/);
  await page.getByText(/^GET/).first().waitFor();
  expect(faults).toEqual([]);
});
