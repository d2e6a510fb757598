import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { scheduleOf } from '#shared/checks/schedule.ts';
import {
  type ApplianceOptions,
  type RunningAppliance,
  startProcess,
  temporaryFolder,
} from '../fixtures/running-appliance.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** What one measurement of a running appliance found. Times in ms. */
export interface Measured {
  checks: number;
  seconds: number;
  storedRuns: number;
  storedRunsPerSecond: number;
  /** Of every start against its slot. */
  latenessMs: Spread;
  mainThreadDelayMs: { p50: number; p99: number; max: number };
  /** The whole appliance, every thread; the target is another process. */
  cpuMsPerRun: number;
  mainThreadCpuMsPerRun: number;
  rssMb: number;
  /** Runs that were bad, by cause: there should be none. */
  failedRuns: Record<string, number>;
}

interface Spread {
  p50: number;
  p99: number;
  max: number;
}

/** What the probe saw, see probe.ts. */
export interface Probe {
  seconds: number;
  cpuMs: number;
  mainThreadCpuMs: number;
  mainThreadDelayMs: Spread;
  rssMb: number;
}

interface Entry {
  startedAt: string;
  failure: { cause: string } | null;
}

/** An appliance in a process of its own, with checks of one type every 10 s against a loopback server. */
export interface Bench {
  targetPort: number;
  /** The checks that run, in the order of their creation. */
  ids: readonly string[];
  appliance: RunningAppliance;
  /** Creates checks until there are so many, and lets them settle for a period. */
  growTo(checks: number): Promise<void>;
  /** Measures what runs for so many seconds. */
  measure(seconds: number): Promise<Measured>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creations under way at once: they share the writes to the disk. */
const CREATED_AT_ONCE = 64;
const SETTLE_MS = 12_000;

export interface BenchOptions {
  /** A data folder that stays; otherwise one is made, and removed at the end. */
  dataDir?: string;
  env?: Record<string, string>;
  /** Checks that the data folder has already. */
  ids?: readonly string[];
  /** Where the server listens that they request. */
  targetPort?: number;
}

export async function startBench(type: 'api' | 'url', options: BenchOptions = {}): Promise<Bench> {
  const folder = await temporaryFolder();
  const probeFile = join(folder.path, 'probe.json');
  const target = await startTarget(options.targetPort);
  const dataDir = options.dataDir ?? join(folder.path, 'data');
  const appliance = await startProcess(probed({ dataDir, env: options.env ?? {} }, probeFile));
  const ids: string[] = [...(options.ids ?? [])];
  return {
    ids,
    targetPort: target.port,
    appliance,
    async growTo(checks) {
      const numbers = Array.from({ length: checks - ids.length }, (_, n) => ids.length + n);
      const create = (n: number) => createCheck(appliance, type, n, target.port);
      ids.push(...(await inTurns(numbers, CREATED_AT_ONCE, create)));
      await wait(SETTLE_MS);
    },
    async measure(seconds) {
      const from = Date.now();
      const probe = await askProbe(appliance, probeFile, () => wait(seconds * 1_000));
      const to = Date.now();
      // The last runs of the window are still being stored.
      await wait(1_000);
      const entries = await inTurns(ids, 20, (id) => resultsOf(appliance, id, from, to));
      return report(ids.length, probe, entries.flat());
    },
    async [Symbol.asyncDispose]() {
      await appliance.stop();
      target.stop();
      await folder.remove();
    },
  };
}

/**
 * How to start an appliance with the probe in it, which writes to a file. WATCHPOST_BENCH_CHECKOUT names the folder of
 * another build to measure in the stead of this one.
 */
export function probed(options: ApplianceOptions, probeFile: string): ApplianceOptions {
  const { WATCHPOST_BENCH_CHECKOUT: checkout = '' } = process.env;
  const env = { WATCHPOST_BENCH_PROBE: probeFile, WATCHPOST_RATE_LIMIT: '10000000' };
  return {
    ...(checkout && { checkout }),
    ...options,
    nodeArguments: ['--import', here('./probe.ts')],
    env: { ...env, ...options.env },
  };
}

/** What the probe of an appliance sees during some work. */
export async function askProbe(
  appliance: RunningAppliance,
  probeFile: string,
  work: () => Promise<void>,
): Promise<Probe> {
  await rm(probeFile, { force: true });
  appliance.process.kill('SIGUSR2');
  await work();
  appliance.process.kill('SIGUSR2');
  return readProbe(probeFile);
}

/** The server that checks request, in a process of its own. */
export async function startTarget(port = 0) {
  const child = spawn(process.execPath, [here('./target.ts'), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [listening] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { port: Number(listening), stop: () => child.kill() };
}

async function createCheck(
  appliance: RunningAppliance,
  type: 'api' | 'url',
  n: number,
  port: number,
): Promise<string> {
  const response = await appliance.call('POST', `/v1/checks/${type}`, {
    name: `check ${n}`,
    frequency: 0,
    frequencyOffset: 10,
    request: {
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
      assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }],
    },
  });
  if (response.status !== 201) throw new Error(`Not created: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

/** The lateness of a check's runs and whether each was bad. */
async function resultsOf(appliance: RunningAppliance, id: string, from: number, to: number) {
  const query = `limit=100&from=${from}&to=${to}&fields=startedAt,failure`;
  const response = await appliance.call('GET', `/v2/check-results/${id}?${query}`);
  const { entries } = (await response.json()) as { entries: Entry[] };
  const { periodMs, phaseMs } = scheduleOf({ id, frequency: 0, frequencyOffset: 10 });
  return entries.map(({ startedAt, failure }) => ({
    latenessMs: (Date.parse(startedAt) - phaseMs) % periodMs,
    cause: failure?.cause ?? null,
  }));
}

function report(
  checks: number,
  probe: Probe,
  runs: readonly { latenessMs: number; cause: string | null }[],
): Measured {
  const lateness = runs.map(({ latenessMs }) => latenessMs).toSorted((a, b) => a - b);
  const at = (share: number) => lateness[Math.floor(share * (lateness.length - 1))] ?? Number.NaN;
  return {
    checks,
    seconds: probe.seconds,
    storedRuns: runs.length,
    storedRunsPerSecond: runs.length / probe.seconds,
    latenessMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
    mainThreadDelayMs: probe.mainThreadDelayMs,
    cpuMsPerRun: probe.cpuMs / runs.length,
    mainThreadCpuMsPerRun: probe.mainThreadCpuMs / runs.length,
    rssMb: probe.rssMb,
    failedRuns: countBy(runs.flatMap(({ cause }) => cause ?? [])),
  };
}

/** How measured times lie. */
export function spreadOf(times: readonly number[]): Spread & { p95: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** What other work beside the runs may harm. */
export function brief(measured: Measured) {
  const { storedRunsPerSecond, latenessMs, mainThreadDelayMs, failedRuns } = measured;
  return { storedRunsPerSecond, latenessMs, mainThreadDelayMs, failedRuns };
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

async function readProbe(file: string): Promise<Probe> {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Probe;
    } catch (error) {
      // Not written yet, or half of it.
      if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw error;
      }
      await wait(100);
    }
  }
  throw new Error('The probe wrote nothing.');
}

/** Does work on every item, `width` at a time; answers in the order of the items. */
export async function inTurns<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
