import type { Page } from 'playwright-core';

/** What is measured in a page, by the page's own clock: how long the driver takes to hear of it counts for nothing. */

const ROW = '[role=row][aria-rowindex="3"]';

/** Ms from the beginning of a navigation until the rows of home are painted and can be used. */
export async function homeTime(page: Page): Promise<number> {
  await page.goto('/', { waitUntil: 'commit' });
  const time = await page.evaluate<number>(`(async () => {
    while (document.querySelector(${JSON.stringify(ROW)}) === null) {
      await new Promise(requestAnimationFrame);
    }
    await new Promise(requestAnimationFrame);
    return performance.now();
  })()`);
  return Math.round(time);
}

/** Bytes of script of this load as they were sent, compressed. */
export async function firstLoad(page: Page): Promise<number> {
  return page.evaluate<number>(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );
}

const FILTERS = ['9', '99', '999', 'region 3', 'team-7', 'nothing is called so', 'service'];

/** Ms from a text in the field of home until other rows are painted. */
export async function filterTimes(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (const text of FILTERS) {
    times.push(await page.evaluate<number>(typeAndWait(text)));
    await page.evaluate(typeAndWait(''));
  }
  return times;
}

/** Types as a person would, and waits for the frame after the one in which the rows are others. */
function typeAndWait(text: string): string {
  return `(async () => {
    const field = document.querySelector('input[type=search]');
    const count = () => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount');
    const before = count();
    const begin = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)});
    field.dispatchEvent(new Event('input', { bubbles: true }));
    const frame = () => new Promise(requestAnimationFrame);
    while (count() === before && performance.now() - begin < 5_000) await frame();
    await frame();
    return performance.now() - begin;
  })()`;
}

const SCROLL_SECONDS = 5;

/** Frames while somebody scrolls through all rows. */
export async function scrollFrames(page: Page) {
  const intervals = await page.evaluate<number[]>(`(async () => {
    const times = [];
    const until = performance.now() + ${SCROLL_SECONDS * 1_000};
    while (performance.now() < until) {
      times.push(await new Promise(requestAnimationFrame));
      scrollBy(0, 60);
    }
    scrollTo(0, 0);
    return times.slice(1).map((time, index) => time - times[index]);
  })()`);
  const sorted = intervals.toSorted((a, b) => a - b);
  // Of the time between the first frame and the last: what is before and after them is no whole frame.
  const scrolledMs = intervals.reduce((sum, ms) => sum + ms, 0);
  return {
    framesPerSecond: Math.round((intervals.length / scrolledMs) * 10_000) / 10,
    p95Ms: sorted[Math.floor(0.95 * (sorted.length - 1))],
    maxMs: sorted.at(-1),
    over25Ms: intervals.filter((ms) => ms > 25).length,
  };
}

/** Ms from a click on a check of home until its head, and then its chart, are painted. */
export async function openingTimes(page: Page, count: number) {
  const head: number[] = [];
  const chart: number[] = [];
  for (let n = 0; n < count; n++) {
    await homeTime(page);
    const times = await page.evaluate<{ head: number; chart: number }>(OPEN);
    head.push(times.head);
    chart.push(times.chart);
  }
  return { head, chart };
}

const OPEN = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const link = document.querySelector('[role=row] a[href^="/checks/"]');
  const begin = performance.now();
  const until = async (isThere) => {
    while (!isThere() && performance.now() - begin < 10_000) await frame();
    await frame();
    return performance.now() - begin;
  };
  link.click();
  const head = await until(() => location.pathname.startsWith('/checks/') && document.querySelector('main dl'));
  const chart = await until(() => document.querySelector('main canvas'));
  return { head, chart };
})()`;

/** What a page holds, without its garbage. */
export interface Held {
  heapMb: number;
  elements: number;
  listeners: number;
}

export async function heldAfterCollection(page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return { heapMb: Math.round(usedSize / 1e4) / 100, elements: nodes, listeners: jsEventListeners };
}
