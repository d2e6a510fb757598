import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openForReading } from '#main/store/history/database.ts';
import { firstUuidAt } from '#main/store/history/uuid.ts';
import { temporaryFolder } from '../fixtures/running-appliance.ts';
import { fillHistory } from './fill-history.ts';
import { type Bench, type Measured, startBench } from './measure.ts';

/** Checks that run beside the queries, every 10 s: 500 results a second. */
const RUNNING_CHECKS = 5_000;
const BATCH_OF_CHECKS = 100;
const PAUSE_MS = 100;
const DAY_MS = 86_400_000;
const MONTH = 'metrics=responseTime_p50,responseTime_p95,responseTime_p99&quickRange=last30Days';
/** After a start with fewer days, so many of the oldest are removed. */
const FEWER_DAYS = 20;
const SETTLE_MS = 12_000;

/**
 * A month of results on disk, of one check in every 10,000 of them, while 500 results a second arrive: how long queries
 * take, and how late runs start without them, with them, and while the oldest ten days are removed.
 */
export async function analytics(results = 200_000, seconds = 20): Promise<object> {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  try {
    const checks = Math.max(BATCH_OF_CHECKS, Math.round(results / 10_000));
    const made = await createChecks(dataDir, checks);
    const filled = fillHistory(dataDir, made, results);
    const pages = await pagesAlone(dataDir, made);
    const running = await queriesBeside(dataDir, made, seconds);
    const removing = await removalBeside(dataDir, running, seconds);
    return {
      bench: 'analytics',
      checks,
      ...filled,
      storage: running.storage,
      pages,
      alone: brief(running.alone),
      queries: running.queries,
      beside: brief(running.beside),
      removing,
    };
  } finally {
    await folder.remove();
  }
}

/** Checks that never run, whose results are written by the bench. */
async function createChecks(dataDir: string, count: number): Promise<string[]> {
  await using bench = await startBench('url', { dataDir });
  const create = async (n: number) => {
    const response = await bench.appliance.call('POST', '/v1/checks/url', {
      name: `history ${n}`,
      activated: false,
      request: { url: 'http://127.0.0.1:9/' },
    });
    if (response.status !== 201) throw new Error(`Not created: ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  };
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(100, count - ids.length) }, (_, n) => n);
    ids.push(...(await Promise.all(some.map((n) => create(ids.length + n)))));
  }
  return ids;
}

/** Pages of 100 results at three depths while nothing runs: those of a check that nobody has asked about yet, too. */
async function pagesAlone(dataDir: string, made: readonly string[]) {
  await using bench = await startBench('url', { dataDir });
  const times: Record<string, number[]> = { newest: [], middle: [], oldest: [] };
  const now = Date.now();
  const depths = { newest: now, middle: now - 15 * DAY_MS, oldest: now - 28 * DAY_MS };
  for (const check of made.slice(0, BATCH_OF_CHECKS)) {
    for (const [name, to] of Object.entries(depths)) {
      times[name]?.push(await timed(bench, `/v2/check-results/${check}?limit=100&to=${to}`));
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, spread(list)]));
}

async function queriesBeside(dataDir: string, made: readonly string[], seconds: number) {
  await using bench = await startBench('url', { dataDir });
  await bench.growTo(RUNNING_CHECKS);
  const alone = await bench.measure(seconds);
  const [queries, beside] = await Promise.all([ask(bench, made, seconds), bench.measure(seconds)]);
  const storage = await json(bench, '/app/storage');
  return { alone, beside, queries, storage, ids: [...bench.ids], targetPort: bench.targetPort };
}

/** The appliance is started anew with fewer days, and begins to remove. */
async function removalBeside(
  dataDir: string,
  { ids, targetPort }: { ids: readonly string[]; targetPort: number },
  seconds: number,
) {
  const env = { WATCHPOST_RESULT_DAYS: String(FEWER_DAYS) };
  await using bench = await startBench('url', { dataDir, env, ids, targetPort });
  await wait(SETTLE_MS);
  const before = checksWithOldResults(dataDir);
  const measured = await bench.measure(seconds);
  return {
    checksWithOldResults: { before, after: checksWithOldResults(dataDir) },
    ...brief(measured),
  };
}

function checksWithOldResults(dataDir: string): number {
  const database = openForReading(dataDir);
  const row = database
    .prepare(
      `SELECT count(*) AS count FROM checks WHERE EXISTS (
         SELECT 1 FROM results WHERE check_key = checks.key AND id < ?)`,
    )
    .get(firstUuidAt(Date.now() - FEWER_DAYS * DAY_MS));
  database.close();
  return Number(row?.count);
}

/** Asks in turn for so many seconds; how long each kind of query took. */
async function ask(bench: Bench, made: readonly string[], seconds: number) {
  const end = performance.now() + seconds * 1_000;
  const [minutely = '', ...others] = made;
  const batch = made.slice(0, BATCH_OF_CHECKS);
  const times = { month: [] as number[], page: [] as number[], batch: [] as number[] };
  for (let n = 0; performance.now() < end; n++) {
    times.month.push(await timed(bench, `/v1/analytics/url-monitors/${minutely}?${MONTH}`));
    const depth = Date.now() - ((n * 7) % 29) * DAY_MS;
    const check = others[n % others.length];
    times.page.push(await timed(bench, `/v2/check-results/${check}?limit=100&to=${depth}`));
    if (n % 5 === 0) {
      const body = { checkIds: batch };
      times.batch.push(await timed(bench, '/v1/analytics/checks?quickRange=last24Hours', body));
    }
    await wait(PAUSE_MS);
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, spread(list)]));
}

async function timed(bench: Bench, path: string, body?: object): Promise<number> {
  const start = performance.now();
  const response = await bench.appliance.call(body ? 'POST' : 'GET', path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text.slice(0, 200)}`);
  return performance.now() - start;
}

async function json(bench: Bench, path: string): Promise<unknown> {
  return (await bench.appliance.call('GET', path)).json();
}

function spread(list: readonly number[]) {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN) * 10) / 10;
  return { count: list.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

function brief({ storedRunsPerSecond, latenessMs, mainThreadDelayMs, failedRuns }: Measured) {
  return { storedRunsPerSecond, latenessMs, mainThreadDelayMs, failedRuns };
}
