import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunningAppliance } from '../fixtures/running-appliance.ts';
import { type Bench, brief, startBench } from './measure.ts';
import { cpuMsBelow, megabytesBelow } from './process-tree.ts';

const PAGE = `<!doctype html><title>Bench</title><style>h1 { color: #225 }</style>
<h1>Bench</h1><button onclick="document.querySelector('h1').textContent = 'Hello'">Greet</button>`;

const SCRIPT = `import { expect, test } from '@playwright/test';

test('the page greets', async ({ page }) => {
  await page.goto(process.env.PAGE_URL!);
  await page.getByRole('button', { name: 'Greet' }).click();
  await expect(page.getByRole('heading')).toHaveText('Hello');
});
`;

/** One for each processor runs at once; two more wait, so that no processor does. */
const LOOPS = availableParallelism() + 2;
const RUNS_ALONE = 5;
const SAMPLE_MS = 25;
const FIRST_RUNS_MS = 12_000;
const SETTLE_MS = 5_000;

/** Minutes between runs: the browser of a check that runs so often is kept, and that of one a day is not. */
const FREQUENCIES = { cold: 1_440, warm: 2 };

/**
 * How many browser checks of a small page run a minute, as fast as they can, beside so many URL checks
 * at 10 s, how late those start meanwhile, and what memory one run takes; with a browser of its own for each
 * run, and with one for each check.
 */
export async function browser(checks = 1_000, seconds = 60): Promise<object> {
  await using page = await servePage();
  await using bench = await startBench('url');
  const cold = await prepare(bench, page.url, FREQUENCIES.cold);
  const before = megabytesBelow(pidOf(bench.appliance));
  const warm = await prepare(bench, page.url, FREQUENCIES.warm);
  const kept = megabytesBelow(pidOf(bench.appliance)) - before;
  const memory = {
    cold: await memoryOfARun(bench.appliance, cold[0] ?? ''),
    warm: await memoryOfARun(bench.appliance, warm[0] ?? ''),
  };
  await bench.growTo(checks);
  const alone = brief(await bench.measure(seconds));
  return {
    bench: 'browser',
    cold: { ...(await runMeanwhile(bench, cold, seconds)), ...memory.cold },
    warm: {
      ...(await runMeanwhile(bench, warm, seconds)),
      ...memory.warm,
      megabytesKept: Math.round(kept / LOOPS),
    },
    urlChecksAlone: alone,
  };
}

/** Makes checks, and has each of them run twice. */
async function prepare({ appliance }: Bench, url: string, frequency: number): Promise<string[]> {
  const create = () => createCheck(appliance, url, frequency);
  const ids = await Promise.all(Array.from({ length: LOOPS }, create));
  // Each check runs by itself soon after its creation; the first run prepares what later ones share.
  await wait(FIRST_RUNS_MS);
  await Promise.all(ids.map((id) => run(appliance, id)));
  return ids;
}

const pidOf = ({ process: { pid = 0 } }: RunningAppliance): number => pid;

async function servePage() {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function createCheck(
  appliance: RunningAppliance,
  url: string,
  frequency: number,
): Promise<string> {
  const { id } = await call<{ id: string }>(appliance, 'POST', '/v1/checks/browser', {
    name: 'Bench',
    frequency,
    script: SCRIPT,
    environmentVariables: [{ key: 'PAGE_URL', value: url }],
  });
  return id;
}

interface Ended {
  at: number;
  status: string;
  /** Milliseconds, without the wait for a turn. */
  responseTime: number;
}

interface Session {
  checkSessionId: string;
  status: string;
  results: { responseTime: number }[];
}

/** Triggers a check and waits for its end. */
async function run(appliance: RunningAppliance, checkId: string): Promise<Ended> {
  const started = await call<{ sessions: Session[] }>(
    appliance,
    'POST',
    '/v1/check-sessions/trigger',
    { target: { checkId: [checkId] } },
  );
  const path = `/v1/check-sessions/${started.sessions[0]?.checkSessionId}/completion`;
  const { status, results } = await completion(appliance, path);
  return { at: Date.now(), status, responseTime: results[0]?.responseTime ?? Number.NaN };
}

async function completion(appliance: RunningAppliance, path: string): Promise<Session> {
  const response = await appliance.call('GET', path);
  if (response.status === 408) return completion(appliance, path);
  return (await response.json()) as Session;
}

async function call<T>(appliance: RunningAppliance, method: string, path: string, body: object) {
  const response = await appliance.call(method, path, body);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** What the processes of a run use at most, beyond those that are there without one. */
async function memoryOfARun(appliance: RunningAppliance, id: string) {
  const pid = pidOf(appliance);
  const idle = megabytesBelow(pid);
  let most = 0;
  for (let n = 0; n < RUNS_ALONE; n++) {
    const running = run(appliance, id).then(() => null);
    while ((await Promise.race([running, wait(SAMPLE_MS, true)])) !== null) {
      most = Math.max(most, megabytesBelow(pid) - idle);
    }
  }
  return { megabytesOfARun: Math.round(most) };
}

async function runMeanwhile(bench: Bench, ids: readonly string[], seconds: number) {
  const { appliance } = bench;
  const stop = new AbortController();
  const ended: Ended[] = [];
  const runOften = async (id: string) => {
    while (!stop.signal.aborted) ended.push(await run(appliance, id));
  };
  const loops = Promise.all(ids.map(runOften));
  await wait(SETTLE_MS);
  const [from, cpuBefore] = [Date.now(), cpuMsBelow(pidOf(appliance))];
  const beside = await bench.measure(seconds);
  const [to, cpuAfter] = [from + seconds * 1_000, cpuMsBelow(pidOf(appliance))];
  stop.abort();
  await loops;
  const counted = ended.filter(({ at }) => at >= from && at < to);
  return { ...runsOf(counted, seconds, cpuAfter - cpuBefore), urlChecks: brief(beside) };
}

function runsOf(runs: readonly Ended[], seconds: number, cpuMs: number) {
  const times = runs.map(({ responseTime }) => responseTime).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))];
  const failed = runs.filter(({ status }) => status !== 'PASSED').length;
  return {
    runsPerMinute: Math.round((runs.length / seconds) * 60),
    failed,
    responseTimeMs: { p50: at(0.5), p99: at(0.99) },
    cpuMsPerRun: Math.round(cpuMs / runs.length),
  };
}
