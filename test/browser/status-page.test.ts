import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashPassword } from '#main/platform/password-hash.ts';
import { THEME_COLOURS, type ThemeColors } from '#shared/status-pages/page-members.ts';
import { type Harness, startApi } from '../fixtures/api-harness.ts';
import { axeProblems } from '../fixtures/axe.ts';
import { launchBrowser } from '../fixtures/browser.ts';
import { DAY, idOf, MINUTE, pastIncident } from '../fixtures/public-pages.ts';
import {
  type OpenOptions,
  OUTAGE,
  openAt,
  putPage,
  SCENES,
  SHOP,
} from '../fixtures/status-page-scenes.ts';
import { LOOKS } from '../fixtures/ui.ts';

/** Where pictures go, to be looked at; nowhere unless it is set. */
const { WATCHPOST_SHOTS } = process.env;
if (WATCHPOST_SHOTS) mkdirSync(WATCHPOST_SHOTS, { recursive: true });

let browser: Browser;
let api: Harness;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const open = (path: string, options?: OpenOptions) => openAt(browser, api.url + path, options);
const mainText = (page: Page) => page.locator('main').textContent();

describe.each(Object.keys(SCENES) as (keyof typeof SCENES)[])('%s', (scene) => {
  test.each(LOOKS)('at %d × %d, in %s', async (width, _, colorScheme) => {
    await SCENES[scene](api);
    const { page, complaints } = await open('/status/acme', { width, colorScheme });
    if (WATCHPOST_SHOTS) {
      const name = `${scene.replace(' ', '-')}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: join(WATCHPOST_SHOTS, name), fullPage: true });
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await axeProblems(page)).toEqual([]);
    expect(Buffer.byteLength(await page.content())).toBeLessThan(50_000);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('documents besides the page', () => {
  test.each([
    ['/status', {}],
    ['/status/acme/history/2026-01', {}],
    [`/status/acme/incidents/${OUTAGE.id}`, {}],
    ['/status/locked', { allowed: 'the server responded with a status of 401' }],
    ['/status/nobody', { allowed: 'the server responded with a status of 404' }],
  ] as [string, { allowed?: string }][])('%s: axe finds nothing', async (path, { allowed }) => {
    await SCENES.outage(api);
    await putPage(api, SHOP, { id: idOf(2), url: 'locked', visibility: 'PRIVATE' });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints } = await open(path, { colorScheme, width: 390 });
      expect(await axeProblems(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(complaints.filter((text) => !allowed || !text.includes(allowed))).toEqual([]);
      await page.context().close();
    }
  });
});

describe('a reader', () => {
  test('reads the same without a script, in UTC', async () => {
    await SCENES.outage(api);
    const { page } = await open('/status/acme', { javaScriptEnabled: false });
    const text = await mainText(page);
    expect(text).toContain('Checkout is partly down');
    expect(text).toContain('Updated at 12:00 UTC.');
    expect(text).toContain('since 11:46 UTC, 14 min');
    expect(await page.locator('.themes').isVisible()).toBe(false);
  });

  test('sees the clock of their own zone, and UTC by pointing at it', async () => {
    await SCENES.outage(api);
    const { page } = await open('/status/acme');
    expect(await mainText(page)).toContain('Updated at 13:00 (12:00 UTC).');
    const since = page.locator('.event time').first();
    expect(await since.textContent()).toBe('12:46');
    expect(await since.getAttribute('title')).toBe('11:46 UTC');
  });

  test('sees by the pointer what happened on a day', async () => {
    await SCENES.outage(api);
    const begin = Date.UTC(2025, 9, 27);
    const members = { name: 'A slow week', severity: 'MINOR' } as const;
    const slow = pastIncident(6, ['Checkout'], [begin, begin + 3 * DAY], members);
    await api.history.write({ incidents: [slow] });
    const { page } = await open('/status/acme');
    const days = page.getByRole('slider', { name: /^Checkout/ });
    const box = await days.boundingBox();
    if (box === null) throw new Error('The days are not there.');
    const over = (day: number) =>
      page.mouse.move(box.x + ((day + 0.5) / 90) * box.width, box.y + 9);
    await over(41);
    expect(await page.locator('.tip').textContent()).toBe(
      '28 Nov 2025\nDown for 3 h\nCheckout does not answer',
    );
    await over(42);
    expect(await page.locator('.tip').textContent()).toBe('29 Nov 2025\nNo trouble');
    for (const day of [9, 10, 11]) {
      await over(day);
      expect(await page.locator('.tip').textContent()).toBe(
        `${day + 18} Oct 2025\nDegraded all day\nA slow week`,
      );
    }
    await page.mouse.move(5, 5);
    expect(await page.locator('.tip').isVisible()).toBe(false);
  });

  test('walks over the days by keys, which say each of them', async () => {
    await SCENES.outage(api);
    const { page } = await open('/status/acme');
    const days = page.getByRole('slider', { name: /^Checkout/ });
    await days.focus();
    expect(await days.getAttribute('aria-valuetext')).toMatch(
      /^15 Jan 2026: Partly down for 14 min, Payments fail/,
    );
    expect(await page.locator('.tip').textContent()).toContain('Payments fail for some customers');
    await page.keyboard.press('ArrowLeft');
    expect(await days.getAttribute('aria-valuetext')).toBe('14 Jan 2026: No trouble');
    await page.keyboard.press('Home');
    expect(await days.getAttribute('aria-valuenow')).toBe('1');
    await page.keyboard.press('Escape');
    expect(await page.locator('.tip').isVisible()).toBe(false);
  });

  test('chooses the colours, which stay', async () => {
    await SCENES['all up'](api);
    const { page } = await open('/status/acme', { colorScheme: 'light' });
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(251, 250, 248)');
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await background()).toBe('rgb(22, 22, 20)');
    await page.reload();
    expect(await background()).toBe('rgb(22, 22, 20)');
    await page.getByRole('button', { name: 'Auto' }).click();
    expect(await background()).toBe('rgb(251, 250, 248)');
  });

  test('sees news within a minute, and what they were reading stays', async () => {
    await SCENES['all up'](api);
    const { page } = await open('/status/acme');
    await api.history.write({ incidents: [OUTAGE] });
    await page.clock.runFor(MINUTE);
    await page.getByText('Checkout is partly down').waitFor();
    expect(await page.title()).toBe('Checkout is partly down · Acme');
    await page.getByRole('slider').first().focus();
    await api.history.write({ incidents: [{ ...OUTAGE, revision: 2, name: 'All pay again' }] });
    await page.clock.runFor(MINUTE);
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('slider');
  });

  test('is told how old the page is when nobody refreshes it any more', async () => {
    await SCENES['all up'](api);
    const { page } = await open('/status/acme');
    await api.close();
    await page.clock.runFor(14 * MINUTE);
    expect(await page.locator('.stale').isVisible()).toBe(false);
    await page.clock.runFor(9 * MINUTE);
    expect(await page.locator('.stale').textContent()).toBe(
      'This page was not refreshed for 23 minutes.',
    );
    api = await startApi();
  });

  test('opens a private page by its password', async () => {
    await putPage(api, SHOP, {
      visibility: 'PRIVATE',
      passwordHash: await hashPassword('open sesame'),
    });
    const { page } = await open('/status/acme');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('That is not the password.').waitFor();
    await page.getByLabel('Password').fill('open sesame');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'All systems work' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/status/acme/');
    await page.goto(`${api.url}/status/acme`);
    await page.getByRole('heading', { name: 'All systems work' }).waitFor();
  });

  test('has a page in the colours of its owner', async () => {
    const colours = (background: string) =>
      Object.fromEntries(
        THEME_COLOURS.map((name) => [
          name,
          name === 'bodyBackgroundColor' ? background : '#777777',
        ]),
      ) as ThemeColors['light'];
    await putPage(api, SHOP, { themeColors: { light: colours('#ABCDEF'), dark: colours('#123') } });
    for (const [colorScheme, background] of [
      ['light', 'rgb(171, 205, 239)'],
      ['dark', 'rgb(17, 34, 51)'],
    ] as const) {
      const { page, complaints } = await open('/status/acme', { colorScheme });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        background,
      );
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });
});
