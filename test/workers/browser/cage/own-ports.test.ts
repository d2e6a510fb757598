import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeOwnPorts } from '#workers/browser/cage/own-ports.ts';
import { launchBrowser } from '../../../fixtures/browser.ts';

const NAMES = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'some.localhost', '127.0.0.1', '127.1', '127.9.9.9'],
  ...['2130706433', '0x7f.1', '0.0.0.0', '0', '[::1]', '[::]', '[::ffff:127.0.0.1]', hostname()],
];

const server = createServer((_, response) => response.end('<title>reached</title>'));
let port = 0;
let open: Browser;
let closed: Browser;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  port = (server.address() as AddressInfo).port;
  open = await launchBrowser();
  closed = await launchBrowser(closeOwnPorts([port, 0]));
});

afterAll(async () => {
  await Promise.all([open?.close(), closed?.close()]);
  server.close();
});

/** What a page of its own shows: its title, or why there is none. */
async function visit(browser: Browser, name: string): Promise<string> {
  const page = await browser.newPage();
  try {
    await page.goto(`http://${name}:${port}/`);
    return await page.title();
  } catch (error) {
    return String(error);
  } finally {
    await page.close();
  }
}

test.each(NAMES)('a page does not reach the appliance as %s', async (name) => {
  expect(await visit(closed, name)).toMatch(/ERR_NAME_NOT_RESOLVED|chrome-error:/);
});

test.each(['127.0.0.1', '127.9.9.9', 'some.localhost'])(
  'without these arguments it does as %s',
  async (name) => {
    expect(await visit(open, name)).toBe('reached');
  },
);

test('other ports are as before', async () => {
  const other = createServer((_, response) => response.end('<title>other</title>'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const page = await closed.newPage();
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  expect(await page.title()).toBe('other');
  other.close();
});

test('where no port is known there are no arguments', () => {
  expect(closeOwnPorts(new Int32Array(1))).toEqual([]);
});
