import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StaticExport } from '#main/status-pages/static-export.ts';
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
import { temporaryFolder } from '../../fixtures/running-appliance.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const PAGE = pageOf({ Shop: ['Checkout', 'Search'] }, { created_at: '2025-12-20T00:00:00.000Z' });
const PAST = pastIncident(7, ['Checkout'], [NOW - 5 * HOUR, NOW - 4 * HOUR], { name: 'Fire' });

let clock: SimulatedClock;
let configuration: MemoryConfiguration;
let history: MemoryHistory;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let recorded: ReturnType<typeof recordedLog>;
let staticExport: StaticExport;

beforeEach(async () => {
  clock = new SimulatedClock(NOW);
  configuration = new MemoryConfiguration();
  history = new MemoryHistory();
  folder = await temporaryFolder();
  recorded = recordedLog();
  for (const name of ['Checkout', 'Search']) await configuration.pageServices.put(serviceOf(name));
  await configuration.statusPages.put(PAGE);
  await history.write({ incidents: [PAST] });
  staticExport = newExport();
});
afterEach(async () => {
  await staticExport.stop();
  await folder.remove();
});

function newExport(path = folder.path): StaticExport {
  return new StaticExport(path, {
    configuration,
    history,
    clock,
    log: recorded.log,
    baseUrl: () => 'https://watch.example',
    takesSubscribers: true,
  });
}

/** Lets time pass, and the files be written that are due then. */
async function pass(ms: number): Promise<void> {
  await clock.advance(ms);
  await staticExport.idle();
}

async function start(): Promise<void> {
  staticExport.start();
  await pass(0);
}

const read = (file: string) => readFile(join(folder.path, file), 'utf8');

async function files(): Promise<string[]> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.path.length + 1))
    .filter((file) => !file.startsWith('.'))
    .map((file) => file.replace(/page\.[0-9a-f]{12}\./, 'page.'))
    .toSorted();
}

const OF_ACME = [
  'acme/assets/page.css',
  'acme/assets/page.js',
  'acme/feed.atom',
  'acme/feed.rss',
  'acme/history/2025-12.html',
  'acme/history/2026-01.html',
  `acme/incidents/${PAST.id}.html`,
  'acme/index.html',
  'acme/slack.rss',
  'acme/status.json',
];

describe('a page is written as files', () => {
  test('each with all that it refers to', async () => {
    await start();
    expect(await files()).toEqual(OF_ACME);
    for (const file of OF_ACME.filter((name) => name.endsWith('.html'))) {
      const markup = await read(file);
      expect(markup).toContain('<meta http-equiv="content-security-policy"');
      for (const [, to = ''] of markup.matchAll(/(?:href|src)="(\.[^"#]*)"/g)) {
        const { pathname } = new URL(to, `http://host/${file}`);
        expect((await stat(join(folder.path, pathname))).isFile(), `${file} to ${to}`).toBe(true);
      }
    }
  });

  test('with no form, which no file could answer, and with addresses of its own domain', async () => {
    await configuration.statusPages.put({ ...PAGE, customDomain: 'status.acme.example' });
    await start();
    expect(await read('acme/index.html')).not.toContain('<form');
    expect(await read('acme/feed.rss')).toContain(
      `<link>https://status.acme.example/incidents/${PAST.id}.html#`,
    );
  });

  test('unlisted ones too, private ones never', async () => {
    const visibility = async (to: StatusPage['visibility']) => {
      await configuration.statusPages.put({ ...PAGE, visibility: to });
      await pass(1_000);
    };
    await start();
    await visibility('PRIVATE');
    expect(await files()).toEqual([]);
    await visibility('UNLISTED');
    expect(await files()).toEqual(OF_ACME);
  });
});

describe('files are written anew', () => {
  test('a second after a change, several changes at once', async () => {
    await start();
    const open = incidentOf(8, ['Search'], [{ publishedAt: NOW }], { name: 'Flood' });
    await history.write({ incidents: [open] });
    await configuration.pageServices.put({ ...serviceOf('Checkout'), name: 'Till' });
    await pass(999);
    expect(await read('acme/index.html')).toContain('All systems work');
    await pass(1);
    const markup = await read('acme/index.html');
    expect(markup).toContain('Search is partly down');
    expect(markup).toContain('Till');
    expect(await read(`acme/incidents/${open.id}.html`)).toContain('Flood');
    expect(await read('acme/history/2026-01.html')).toContain('Flood');
  });

  test('every five minutes, so that their age tells whether anybody still writes them', async () => {
    await start();
    await pass(5 * MINUTE);
    expect(await read('acme/index.html')).toContain('datetime="2026-01-15T13:40:00.000Z"');
  });

  test('but for those that are the same', async () => {
    await start();
    const long = new Date(NOW - 24 * HOUR);
    for (const file of await files()) {
      if (!file.includes('assets')) await utimes(join(folder.path, file), long, long);
    }
    await pass(5 * MINUTE);
    const touched = [];
    for (const file of (await files()).filter((name) => !name.includes('assets'))) {
      const { mtime } = await stat(join(folder.path, file));
      if (mtime.getTime() !== long.getTime()) touched.push(file);
    }
    expect(touched).toEqual(['acme/index.html', 'acme/status.json']);
  });

  test('after somebody removed them', async () => {
    await start();
    await rm(join(folder.path, 'acme'), { recursive: true });
    await pass(5 * MINUTE);
    expect(await files()).toEqual(OF_ACME);
  });
});

describe('files are removed', () => {
  test('with their page and with its old address, and nobody else’s', async () => {
    await start();
    await mkdir(join(folder.path, 'acme/mine'));
    await writeFile(join(folder.path, 'acme/mine/a.txt'), 'mine');
    await writeFile(join(folder.path, 'robots.txt'), 'mine');
    await configuration.statusPages.put({ ...PAGE, url: 'emca' });
    await pass(1_000);
    const moved = OF_ACME.map((file) => file.replace('acme/', 'emca/'));
    expect(await files()).toEqual(['acme/mine/a.txt', ...moved, 'robots.txt']);
    await configuration.statusPages.delete(PAGE.id);
    await pass(1_000);
    expect(await files()).toEqual(['acme/mine/a.txt', 'robots.txt']);
    expect(await readdir(folder.path)).not.toContain('emca');
  });

  test('with their incident', async () => {
    await start();
    await history.write({ incidents: [{ ...PAST, revision: 2, isDeleted: true }] });
    await pass(1_000);
    expect(await files()).toEqual(OF_ACME.filter((file) => !file.includes('incidents/')));
  });

  test('also by the next start', async () => {
    await start();
    await staticExport.stop();
    await configuration.statusPages.delete(PAGE.id);
    staticExport = newExport();
    await start();
    expect(await files()).toEqual([]);
  });

  test.each([
    '{"files":["../outside.txt"]}',
    '{"files":["acme/../../outside.txt"]}',
    '{"files":["/etc/passwd"]}',
    'nonsense',
  ])('only where they are ours, whatever %s says', async (text) => {
    const own = join(folder.path, 'export');
    await mkdir(own);
    await writeFile(join(folder.path, 'outside.txt'), 'mine');
    await writeFile(join(own, '.watchpost-export.json'), text);
    staticExport = newExport(own);
    await start();
    expect(await read('outside.txt')).toBe('mine');
    expect(await read('export/acme/index.html')).toContain('All systems work');
  });
});

describe('a folder that cannot be written', () => {
  test('is logged once, tried again, and holds up nobody', async () => {
    const path = join(folder.path, 'file');
    await writeFile(path, 'in the way');
    staticExport = newExport(path);
    await start();
    await pass(30_000);
    await pass(30_000);
    await rm(path);
    await pass(30_000);
    expect(recorded.lines.map(({ msg }) => msg)).toEqual([
      'Status pages could not be written to their folder.',
      'Status pages are written to their folder again.',
    ]);
    expect(await read('file/acme/index.html')).toContain('All systems work');
  });

  test('loses a page that is private now, though no other one can be written', async () => {
    await configuration.statusPages.put(pageOf({}, { id: idOf(2), url: 'beside' }));
    await start();
    history.listIncidentHeads = () => Promise.reject(new Error('busy'));
    await configuration.statusPages.put({ ...PAGE, visibility: 'PRIVATE' });
    await pass(1_000);
    expect((await files()).filter((file) => file.startsWith('acme/'))).toEqual([]);
    expect(await files()).toContain('beside/index.html');
  });

  test('removes nothing while a page cannot be made', async () => {
    await start();
    const find = history.listIncidentHeads;
    history.listIncidentHeads = () => Promise.reject(new Error('busy'));
    await history.write({ incidents: [{ ...PAST, revision: 2 }] });
    await pass(1_000);
    expect(await files()).toEqual(OF_ACME);
    history.listIncidentHeads = find;
  });
});

test('an export that is stopped writes nothing more', async () => {
  await start();
  await staticExport.stop();
  await configuration.statusPages.put({ ...PAGE, id: idOf(9), url: 'other' });
  await pass(10 * MINUTE);
  expect(await files()).toEqual(OF_ACME);
});
