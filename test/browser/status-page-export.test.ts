import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StaticExport } from '#main/status-pages/static-export.ts';
import { type Harness, startApi } from '../fixtures/api-harness.ts';
import { axeProblems } from '../fixtures/axe.ts';
import { launchBrowser } from '../fixtures/browser.ts';
import { MINUTE } from '../fixtures/public-pages.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';
import { temporaryFolder } from '../fixtures/running-appliance.ts';
import { OUTAGE, openAt, SCENES } from '../fixtures/status-page-scenes.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

let browser: Browser;
let api: Harness;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Server;
let exported: string;

beforeAll(async () => {
  [api, browser, folder] = await Promise.all([startApi(), launchBrowser(), temporaryFolder()]);
  await SCENES.outage(api);
  const { configuration, history, clock } = api;
  const { log } = recordedLog();
  const baseUrl = () => api.url;
  const parts = { configuration, history, clock, log, baseUrl, takesSubscribers: true };
  const staticExport = new StaticExport(folder.path, parts);
  staticExport.start();
  await clock.advance(0);
  await staticExport.idle();
  await staticExport.stop();
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://files');
    const file = join(folder.path, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const bytes = await readFile(file).catch(() => null);
    response.writeHead(bytes === null ? 404 : 200, { 'content-type': TYPES[extname(file)] ?? '' });
    response.end(bytes);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  exported = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acme/`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await browser.close();
  await api.close();
  await folder.remove();
});

test('the exported page looks the same from a plain file server', async () => {
  const [live, files] = [
    await openAt(browser, `${api.url}/status/acme`),
    await openAt(browser, exported),
  ];
  const [liveMain, filesMain] = [live.page.locator('main'), files.page.locator('main')];
  expect(await filesMain.textContent()).toBe(await liveMain.textContent());
  expect((await filesMain.screenshot()).equals(await liveMain.screenshot())).toBe(true);
  expect(await axeProblems(files.page)).toEqual([]);
  expect(files.complaints).toEqual([]);
});

test('its links lead to its other files', async () => {
  const { page, complaints } = await openAt(browser, exported);
  await page.getByRole('link', { name: OUTAGE.name }).click();
  await page.getByRole('heading', { name: OUTAGE.name, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Status of Acme' }).click();
  await page.getByRole('link', { name: 'Past incidents' }).click();
  await page.getByRole('heading', { name: 'January 2026', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'December 2025' }).click();
  await page.getByRole('heading', { name: 'December 2025', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

test('it says since when nobody has written it', async () => {
  const { page } = await openAt(browser, exported);
  expect(await page.locator('.stale').isVisible()).toBe(false);
  await page.clock.runFor(3 * 60 * MINUTE);
  expect(await page.locator('.stale').textContent()).toBe(
    'This page was not refreshed for 3 hours.',
  );
});
