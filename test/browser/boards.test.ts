import type { AxeResults } from 'axe-core';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Harness, NOW, startApi } from '../fixtures/api-harness.ts';
import { launchBrowser } from '../fixtures/browser.ts';
import { LEAST_BODIES } from '../fixtures/check-bodies.ts';
import { keptStatus } from '../fixtures/fake-monitor.ts';
import { INJECTIONS } from '../fixtures/injections.ts';
import { LOOKS } from '../fixtures/ui.ts';
import { makeResult } from '../main/store/records.ts';

let api: Harness;
let browser: Browser;

beforeAll(async () => {
  [api, browser] = await Promise.all([startApi(), launchBrowser()]);
  await fillBoard();
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

const STATUSES = [
  { hasFailures: true },
  { isDegraded: true },
  { hasErrors: true },
  {},
  {},
  {},
] as const;

async function createCheck(name: string, members: object = {}): Promise<string> {
  const body = { name, tags: ['production'], ...LEAST_BODIES.URL, ...members };
  return ((await api.call('POST', '/v1/checks/url', { body })).body as { id: string }).id;
}

/** A board with checks of every standing, incidents of every impact and texts of attackers. */
async function fillBoard() {
  for (const [index, status] of STATUSES.entries()) {
    const id = await createCheck(INJECTIONS[index] ?? 'x'.repeat(120), { activated: index !== 5 });
    api.monitor.statuses.set(id, keptStatus(status));
    const results = Array.from({ length: 50 }, (_, run) =>
      makeResult({
        checkId: id,
        createdAt: NOW - run * 60_000,
        responseTime: 90 + run,
        hasFailures: run % 7 === index,
      }),
    );
    await api.history.write({ results });
  }
  const body = {
    header: 'Acme production',
    customUrl: 'acme',
    enableIncidents: true,
    checksPerPage: 5,
  };
  const { id } = (await api.call('POST', '/v1/dashboards', { body })).body as { id: number };
  for (const impact of ['MAJOR', 'MINOR', 'MAINTENANCE']) {
    const incidentUpdates = [{ status: 'IDENTIFIED', description: INJECTIONS.join('\n\n') }];
    await api.call('POST', '/v1/incidents', {
      body: { name: `${impact} ${INJECTIONS[2]}`, impact, dashboardId: id, incidentUpdates },
    });
  }
}

/** The board, with whatever the browser complained of. */
async function openBoard(width: number, colorScheme: 'light' | 'dark') {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`not loaded: ${request.url()}`));
  await page.goto(`${api.url}/dashboards/acme`);
  return { page, complaints };
}

/** What hinders people, by the rules of axe. */
async function hindrances(page: Page): Promise<string[]> {
  // The policy of the page allows no script but ours: this one comes by the debugger.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

test.each(LOOKS)('at %d × %d, in %s, a board hinders nobody and fits', async (width, _, scheme) => {
  const { page, complaints } = await openBoard(width, scheme);
  expect(await hindrances(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  expect(complaints).toEqual([]);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
});

test('a reader goes from page to page', async () => {
  const { page } = await openBoard(1_280, 'light');
  expect(await page.locator('.check').count()).toBe(5);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('Page 2 of 2').waitFor();
  expect(await page.locator('.check').count()).toBe(1);
  await page.getByRole('link', { name: 'Previous' }).click();
  await page.getByText('Page 1 of 2').waitFor();
});
