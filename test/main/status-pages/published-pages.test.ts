import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { PublishedPages, type PublishedPagesParts } from '#main/status-pages/published-pages.ts';
import type { PageDocument } from '#main/status-pages/status-pages-port.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import {
  HOUR,
  idOf,
  incidentOf,
  MINUTE,
  PAGE_NOW as NOW,
  pageOf,
  pastIncident,
  serviceOf,
} from '../../fixtures/public-pages.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const LINKS = { root: './', ending: '' } as const;
const PAGE = pageOf({ Shop: ['Checkout', 'Search'] });

let clock: SimulatedClock;
let configuration: MemoryConfiguration;
let history: MemoryHistory & { reads: number; gate: Promise<void> | undefined; broken: boolean };
let lines: ReturnType<typeof recordedLog>['lines'];
let parts: PublishedPagesParts;
let pages: PublishedPages;

beforeEach(async () => {
  clock = new SimulatedClock(NOW);
  configuration = new MemoryConfiguration();
  history = countingHistory();
  const recorded = recordedLog();
  lines = recorded.lines;
  for (const name of ['Checkout', 'Search']) await configuration.pageServices.put(serviceOf(name));
  await configuration.statusPages.put(PAGE);
  parts = {
    configuration,
    history,
    clock,
    log: recorded.log,
    baseUrl: () => 'http://127.0.0.1:8440',
    takesSubscribers: true,
  };
  pages = new PublishedPages(parts);
});

/** A history whose reading of incidents can be counted, held up and broken. */
function countingHistory() {
  const memory = new MemoryHistory();
  const read = memory.listIncidentHeads.bind(memory);
  return Object.assign(memory, {
    reads: 0,
    gate: undefined as Promise<void> | undefined,
    broken: false,
    listIncidentHeads: async (query: Parameters<typeof read>[0]) => {
      history.reads += 1;
      await history.gate;
      if (history.broken) throw new StoreError('BUSY', 'The history is busy.');
      return read(query);
    },
  });
}

async function read(document: PageDocument = { kind: 'page' }, page: StatusPage = PAGE) {
  const published = await pages.read(page, document, LINKS);
  if (published === null) throw new Error('There is no such document.');
  return { ...published, text: published.bytes.toString() };
}

const outage = (revision = 1, name = 'Payments fail') =>
  incidentOf(2, ['Checkout'], [{ publishedAt: NOW - HOUR }], { revision, name });

describe('a document', () => {
  test('is made once for a thousand readers at a time, and held for those who come later', async () => {
    const all = await Promise.all(
      Array.from({ length: 1_000 }, () => pages.read(PAGE, { kind: 'page' }, LINKS)),
    );
    expect(new Set(all).size).toBe(1);
    expect(await pages.read(PAGE, { kind: 'page' }, LINKS)).toBe(all[0]);
    expect(history.reads).toBe(1);
  });

  test('is compressed, and its tag is that of its content', async () => {
    const one = await read();
    expect(gunzipSync(one.gzip).toString()).toBe(one.text);
    expect(one.etag).toMatch(/^W\/"[\w-]{22}"$/);
    await clock.advance(5 * MINUTE);
    expect((await read()).etag).not.toBe(one.etag);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['an incident', () => history.write({ incidents: [outage()] }), 'Payments fail'],
    [
      'a service',
      () => configuration.pageServices.put({ ...serviceOf('Search'), name: 'Find' }),
      'Find',
    ],
    ['the page', () => configuration.statusPages.put({ ...PAGE, name: 'Emca' }), 'Emca'],
  ])('is made anew when %s changes', async (_, change, expected) => {
    expect((await read()).text).not.toContain(expected);
    await change();
    expect((await read()).text).toContain(expected);
  });

  test('is made anew when its time is over', async () => {
    const before = await read();
    await clock.advance(5 * MINUTE - 1);
    expect((await read()).madeAt).toBe(before.madeAt);
    await clock.advance(1);
    expect((await read()).madeAt).toBe(NOW + 5 * MINUTE);
  });

  test('says every minute how long an incident has been open', async () => {
    await history.write({ incidents: [outage()] });
    expect((await read()).text).toContain('>12:35 UTC</time>, 1 h<');
    await clock.advance(MINUTE);
    expect((await read()).text).toContain('>12:35 UTC</time>, 1 h 1 min<');
  });

  test('of an incident has an update from its public date on', async () => {
    const ahead = { publishedAt: NOW + MINUTE, description: 'It comes.' };
    const incident = incidentOf(2, ['Checkout'], [{ publishedAt: NOW - HOUR }, ahead]);
    await history.write({ incidents: [incident] });
    const document = { kind: 'incident', id: incident.id } as const;
    expect((await read(document)).text).not.toContain('It comes.');
    await clock.advance(MINUTE);
    expect((await read(document)).text).toContain('It comes.');
  });

  test('of a clock that was set back is made anew', async () => {
    await read();
    clock.jump(-HOUR);
    expect((await read()).madeAt).toBe(NOW - HOUR);
  });

  test('reads the incidents once for all pages and documents', async () => {
    const other = { ...PAGE, id: idOf(77) };
    await configuration.statusPages.put(other);
    await Promise.all([
      read(),
      read({ kind: 'json' }),
      read({ kind: 'rss' }),
      read({ kind: 'page' }, other),
    ]);
    expect(history.reads).toBe(1);
  });
});

describe('changes while a document is made', () => {
  test('are in what readers get who came after them', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    history.gate = promise;
    const early = pages.read(PAGE, { kind: 'page' }, LINKS);
    await new Promise((done) => setImmediate(done));
    history.gate = undefined;
    await history.write({ incidents: [outage()] });
    const late = Array.from({ length: 10 }, () => pages.read(PAGE, { kind: 'page' }, LINKS));
    resolve();
    await early;
    for (const published of await Promise.all(late)) {
      expect(published?.bytes.toString()).toContain('Payments fail');
    }
  });

  test('in their hundreds have no more than one made at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    history.gate = promise;
    const readers = [];
    for (let revision = 1; revision <= 200; revision++) {
      await history.write({ incidents: [outage(revision, `Fire ${revision}`)] });
      readers.push(pages.read(PAGE, { kind: 'page' }, LINKS));
    }
    resolve();
    const last = (await Promise.all(readers)).at(-1);
    expect(last?.bytes.toString()).toContain('Fire 200');
    expect(history.reads).toBe(2);
  });
});

describe('while the store does not answer', () => {
  test('readers get the document before after a second, and the new one once it is there', async () => {
    await read();
    const { promise, resolve } = Promise.withResolvers<void>();
    history.gate = promise;
    await history.write({ incidents: [outage()] });
    const reading = read();
    await clock.advance(1_000);
    expect((await reading).text).not.toContain('Payments fail');
    resolve();
    await new Promise((done) => setTimeout(done, 20));
    expect((await read()).text).toContain('Payments fail');
  });

  test('readers get the document before at once where it fails, and few of them try again', async () => {
    const before = await read();
    history.broken = true;
    await history.write({ incidents: [outage()] });
    for (let count = 0; count < 100; count++) expect((await read()).etag).toBe(before.etag);
    expect(history.reads).toBe(2);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'A status page could not be made anew; readers get the one before.',
    ]);
    history.broken = false;
    await clock.advance(5_000);
    expect((await read()).text).toContain('Payments fail');
  });

  test('the first reader of all hears so', async () => {
    history.broken = true;
    await expect(read()).rejects.toThrow(StoreError);
    history.broken = false;
    expect((await read()).text).toContain('All systems work');
  });
});

describe('documents that a page has', () => {
  test.each<[string, PageDocument, string | null]>([
    ['an incident of it', { kind: 'incident', id: outage().id }, 'Payments fail'],
    ['an incident of another page', { kind: 'incident', id: idOf(3, NOW - HOUR) }, null],
    ['an incident to come', { kind: 'incident', id: idOf(4, NOW + HOUR) }, null],
    ['no such incident', { kind: 'incident', id: idOf(5) }, null],
    ['no id at all', { kind: 'incident', id: 'x' }, null],
    ['no such maintenance', { kind: 'maintenance', id: idOf(5) }, null],
    ['this month', { kind: 'month', month: '2026-01', part: 1 }, 'Payments fail'],
    [
      'a month without incidents',
      { kind: 'month', month: '2025-11', part: 1 },
      'No incidents in November 2025',
    ],
    ['a month to come', { kind: 'month', month: '2026-02', part: 1 }, null],
    ['a month of another century', { kind: 'month', month: '1999-12', part: 1 }, null],
    ['no month', { kind: 'month', month: '2026-13', part: 1 }, null],
    ['a part that a month does not have', { kind: 'month', month: '2026-01', part: 2 }, null],
  ])('%s', async (_, document, expected) => {
    await history.write({
      incidents: [
        outage(),
        incidentOf(3, ['Elsewhere'], [{ publishedAt: NOW - HOUR }]),
        incidentOf(4, ['Search'], [{ publishedAt: NOW + HOUR }]),
      ],
    });
    const published = await pages.read(PAGE, document, { root: '../', ending: '' });
    if (expected === null) expect(published).toBeNull();
    else expect(published?.bytes.toString()).toContain(expected);
  });

  test('a month of 250 incidents has three parts', async () => {
    const incidents = Array.from({ length: 250 }, (_, index) =>
      pastIncident(
        10 + index,
        ['Search'],
        [NOW - (index + 2) * MINUTE, NOW - (index + 1) * MINUTE],
      ),
    );
    await history.write({ incidents });
    const shown = [];
    for (const part of [1, 2, 3]) {
      const { text } = await read({ kind: 'month', month: '2026-01', part });
      shown.push(text.match(/Incident \d+/g)?.length);
      expect(text.includes('More of this month')).toBe(part < 3);
    }
    expect(shown).toEqual([100, 100, 50]);
  });

  test('a page that was deleted has none', async () => {
    await configuration.statusPages.delete(PAGE.id);
    expect(await pages.read(PAGE, { kind: 'page' }, LINKS)).toBeNull();
  });
});

test('documents are held within a number of bytes, and those go first that nobody asks for', async () => {
  pages = new PublishedPages({ ...parts, maxHeldBytes: 30_000 });
  const incidents = Array.from({ length: 9 }, (_, index) =>
    pastIncident(10 + index, ['Search'], [NOW - HOUR, NOW]),
  );
  await history.write({ incidents });
  const first = await read();
  const made = [];
  for (const { id } of incidents) {
    made.push((await read({ kind: 'incident', id })).bytes);
    await read();
  }
  expect((await read()).bytes).toBe(first.bytes);
  const again = [];
  for (const { id } of incidents.toReversed()) {
    again.unshift((await read({ kind: 'incident', id })).bytes);
  }
  expect(again.at(-1)).toBe(made.at(-1));
  expect(again[0]).not.toBe(made[0]);
});
