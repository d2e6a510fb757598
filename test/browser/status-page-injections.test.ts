import createMarkdown from 'markdown-it';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Harness, NOW, startApi } from '../fixtures/api-harness.ts';
import { launchBrowser } from '../fixtures/browser.ts';
import { INJECTIONS } from '../fixtures/injections.ts';
import { HOUR, idOf, incidentOf, MINUTE, serviceOf } from '../fixtures/public-pages.ts';
import { publishedWindow } from '../fixtures/published-windows.ts';
import { iso, openAt, putPage } from '../fixtures/status-page-scenes.ts';

let browser: Browser;
let api: Harness;
beforeAll(async () => {
  [api, browser] = await Promise.all([startApi(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

/** All that markdown may become, and nothing else. */
const HARMLESS =
  'plain **bold** `code` [link](https://example.com "title")\nhttps://example.com\n\n- a\n\n> b\n\n```x\ny\n```\n\n1. c\n\n***\n\n~~d~~ _e_';

/** Markdown as others have rendered it. */
function naive(text: string): string {
  const parser = createMarkdown({ html: true });
  parser.validateLink = () => true;
  return parser.render(text);
}

/** A page that escapes nothing. */
function door(text: string, markdown: string): string {
  return `<title>${text}</title><p title="${text}">${text}</p><p title='${text}'>${markdown}</p>`;
}

describe('nothing that people write becomes markup', () => {
  /** Elements with the names of their attributes, and what runs. */
  const SHAPE = `[...document.querySelectorAll('*')].map((one) =>
    [one.localName, ...one.getAttributeNames()].join(' '))`;
  const shapeOf = async (page: Page) => new Set((await page.evaluate(SHAPE)) as string[]);

  async function fill(text: string) {
    const name = text.slice(0, 255);
    await putPage(api, { [name]: ['Search'] }, { name, description: text });
    await api.configuration.pageServices.put({ ...serviceOf('Search'), name });
    const updates = [{ publishedAt: NOW - HOUR, description: text }];
    const ended = [...updates, { publishedAt: NOW - MINUTE, status: 'RESOLVED' as const }];
    await api.history.write({
      incidents: [
        incidentOf(2, ['Search'], updates, { name }),
        incidentOf(3, ['Search'], ended, { name }),
      ],
    });
    await api.configuration.maintenanceWindows.put(
      publishedWindow(
        { affectAllServices: true },
        { name, description: text, startsAt: iso(NOW - HOUR), endsAt: iso(NOW + HOUR) },
      ),
    );
  }

  test('in no element, attribute or script more than for harmless words', async () => {
    await fill(HARMLESS);
    const paths = [
      '/status/acme',
      `/status/acme/incidents/${idOf(2, NOW - HOUR)}`,
      '/status/acme/history/2026-01',
      '/status',
    ];
    const { page, complaints } = await openAt(browser, `${api.url}/status/acme`);
    const allowed = new Map<string, Set<string>>();
    for (const path of paths) {
      await page.goto(api.url + path);
      allowed.set(path, await shapeOf(page));
    }
    for (const text of INJECTIONS) {
      await fill(text);
      for (const path of paths) {
        await page.goto(api.url + path);
        const more = [...(await shapeOf(page))].filter((one) => !allowed.get(path)?.has(one));
        expect([text, path, more]).toEqual([text, path, []]);
        for (const link of await page.locator('a').all()) {
          expect((await link.getAttribute('href')) ?? '').toMatch(
            /^(?:https?:|mailto:|\.|acme|status)/,
          );
        }
        expect(await page.evaluate('window.hacked')).toBeUndefined();
      }
    }
    expect(complaints).toEqual([]);
  });

  test('and each of those texts would, where nothing was escaped', async () => {
    const page = await browser.newPage();
    await page.setContent(door('x', naive(HARMLESS)));
    const harmless = await shapeOf(page);
    const missed = [];
    for (const text of INJECTIONS) {
      await page.setContent(door(text, naive(text)));
      const shape = await shapeOf(page);
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((one) => (one as unknown as { protocol: string }).protocol));
      const isBad =
        [...shape].some((one) => !harmless.has(one)) ||
        links.some((protocol) => !/^(?:https?|mailto):$/.test(protocol));
      if (!isBad) missed.push(text);
    }
    expect(missed).toEqual([]);
  });
});
