import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../fixtures/browser.ts';
import { TEST_KEY, temporaryFolder } from '../fixtures/running-appliance.ts';
import { fillHistory } from './fill-history.ts';
import {
  filterTimes,
  firstLoad,
  type Held,
  heldAfterCollection,
  homeTime,
  openingTimes,
  scrollFrames,
} from './interface-page.ts';
import { type Bench, brief, inTurns, type Measured, spreadOf, startBench } from './measure.ts';

/** Every ten seconds: 50 results a second. */
const RUNNING = 500;
const RESULTS = 400_000;
const LOADS = 5;
const TABS = 10;
const LATENESS_SECONDS = 30;
const SAMPLE_MS = 30_000;

/**
 * The interface on 10,000 checks with a month of results, while 50 results a second arrive: how soon home can be used, how
 * soon a filter shows and a check opens, frames while scrolling, the tab's memory over so many seconds, and how late runs
 * start with ten browsers open and with none.
 */
export function interfaceBench(checks = 10_000, seconds = 1_200): Promise<object> {
  return onManyChecks(checks, async (bench, browser) => {
    const without = await bench.measure(LATENESS_SECONDS);
    const page = await inBrowser(bench, browser);
    const screens = await measureScreens(page);
    const memory = await watchMemory(page, seconds);
    await page.context().close();
    const withStreams = await withTenStreams(bench);
    const withBrowsers = await withTenBrowsers(bench, browser);
    const runs = {
      without: cost(without),
      withTenStreams: cost(withStreams),
      withTenBrowsers: cost(withBrowsers),
    };
    return { bench: 'interface', checks, ...screens, memory, runs };
  });
}

/** The memory of a tab alone: the same load, and nothing but home open. */
export function interfaceMemory(checks = 10_000, seconds = 1_200): Promise<object> {
  return onManyChecks(checks, async (bench, browser) => {
    const page = await inBrowser(bench, browser);
    return { bench: 'interface-memory', checks, ...(await watchMemory(page, seconds)) };
  });
}

async function onManyChecks(
  checks: number,
  work: (bench: Bench, browser: Browser) => Promise<object>,
): Promise<object> {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  try {
    const resting = await createResting(dataDir, checks - RUNNING);
    fillHistory(dataDir, resting, RESULTS);
    await using bench = await startBench('url', { dataDir });
    await bench.growTo(RUNNING);
    const browser = await launchBrowser();
    try {
      return await work(bench, browser);
    } finally {
      await browser.close();
    }
  } finally {
    await folder.remove();
  }
}

/** Checks whose results are written by the bench. */
async function createResting(dataDir: string, count: number): Promise<string[]> {
  await using bench = await startBench('url', { dataDir });
  const numbers = Array.from({ length: count }, (_, n) => n);
  // Awaited here: the appliance is stopped at the end of this function.
  return await inTurns(numbers, 50, async (n) => {
    const response = await bench.appliance.call('POST', '/v1/checks/url', {
      name: `Service ${n} of region ${n % 7}`,
      tags: [`team-${n % 20}`],
      frequency: 1_440,
      activated: n % 50 !== 0,
      request: { url: `http://127.0.0.1:${bench.targetPort}/` },
    });
    if (response.status !== 201) throw new Error(`Not created: ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  });
}

/** A page of a browser of its own, signed in. */
async function inBrowser({ appliance }: Bench, browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    baseURL: appliance.url,
    viewport: { width: 1_280, height: 800 },
  });
  const answer = await context.request.post('/app/sign-in', { data: { key: TEST_KEY } });
  if (!answer.ok()) throw new Error(`Not signed in: ${answer.status()}`);
  return context.newPage();
}

async function measureScreens(page: Page) {
  // The first one makes the summary: it is told apart.
  const first = await homeTime(page);
  const script = await firstLoad(page);
  const again: number[] = [];
  for (let n = 0; n < LOADS; n++) again.push(await homeTime(page));
  const filter = await filterTimes(page);
  const scrolling = await scrollFrames(page);
  const opening = await openingTimes(page, LOADS);
  return {
    firstLoadBytes: script,
    homeMs: { first, again: spreadOf(again) },
    filterMs: spreadOf(filter),
    scrolling,
    checkMs: { head: spreadOf(opening.head), chart: spreadOf(opening.chart) },
  };
}

/** MB of the heap of home after its garbage is collected, and what of the page is held, sample by sample. */
async function watchMemory(page: Page, seconds: number) {
  await homeTime(page);
  const samples: Held[] = [];
  for (let left = seconds * 1_000; left >= 0; left -= SAMPLE_MS) {
    await wait(SAMPLE_MS);
    const held = await heldAfterCollection(page);
    samples.push(held);
    // Long benches are watched.
    console.error(JSON.stringify(held));
  }
  const heapMb = samples.map((sample) => sample.heapMb);
  const half = heapMb.slice(Math.floor(heapMb.length / 2));
  return {
    seconds,
    heapMb,
    secondHalfGrewMb: (half.at(-1) ?? 0) - (half[0] ?? 0),
    first: samples[0],
    last: samples.at(-1),
  };
}

/** Ten readers of live events that draw nothing: what the appliance alone pays for them. */
async function withTenStreams({ appliance, measure }: Bench) {
  const stop = new AbortController();
  const cursor = (
    (await (await appliance.call('GET', '/app/summary')).json()) as { cursor: string }
  ).cursor;
  const read = async () => {
    const answer = await fetch(`${appliance.url}/app/events`, {
      headers: { authorization: `Bearer ${TEST_KEY}`, 'last-event-id': cursor },
      signal: stop.signal,
    });
    for await (const _ of answer.body ?? []);
  };
  const readers = Array.from({ length: TABS }, read);
  const measured = await measure(LATENESS_SECONDS);
  stop.abort();
  await Promise.allSettled(readers);
  return measured;
}

async function withTenBrowsers(bench: Bench, browser: Browser) {
  const pages = await Promise.all(Array.from({ length: TABS }, () => inBrowser(bench, browser)));
  await Promise.all(pages.map((page) => page.goto('/')));
  await wait(5_000);
  const measured = await bench.measure(LATENESS_SECONDS);
  await Promise.all(pages.map((page) => page.context().close()));
  return measured;
}

/** How late runs are, and what the main thread pays for each with all that it does beside. */
function cost(measured: Measured) {
  return { ...brief(measured), mainThreadCpuMsPerRun: measured.mainThreadCpuMsPerRun };
}
