import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Settings } from '#main/platform/settings/table.ts';
import { type Finding, sayOf } from './finding.ts';

const MEBIBYTE = 1024 ** 2;
const ASK_MS = 5_000;

/** What is said of the Node that this runs on; `pinned` is the one that the packages bring. */
export function judgeNode(version: string, pinned: string): Finding {
  const say = sayOf('Node');
  if (version === `v${pinned}`) return say.ok(`${version}, the one that Watchpost brings.`);
  return say.warning(
    `This is ${version}, and Watchpost is made for v${pinned}.`,
    'Start it with npm start or node bin/watchpost.js, and run npm ci if that does not help.',
  );
}

/** What this machine has, and what browsers may use of it. */
export interface SizeFacts {
  cores: number;
  memoryMb: number;
  availableMb: number;
  browsersAtOnce: number;
  browserMemoryMb: number;
}

type SizeSettings = Pick<Settings, 'browsersAtOnce' | 'browserMemoryMegabytes'>;

export function sizeFacts(settings: SizeSettings): SizeFacts {
  // A container may have less than the machine; a limit beyond the machine is none.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return {
    cores: availableParallelism(),
    memoryMb: Math.floor(Math.min(limit, totalmem()) / MEBIBYTE),
    availableMb: Math.floor(process.availableMemory() / MEBIBYTE),
    browsersAtOnce: settings.browsersAtOnce,
    browserMemoryMb: settings.browserMemoryMegabytes,
  };
}

/** What a small page takes, Chromium and Node together. */
const RUN_MB = 400;

/** What is said of memory and processors. */
export function judgeSize(facts: SizeFacts): Finding[] {
  const say = sayOf('machine');
  const { cores, memoryMb, availableMb, browsersAtOnce, browserMemoryMb } = facts;
  const found = [
    say.ok(`${cores} processors, ${memoryMb} MB of memory, ${availableMb} MB of it available.`),
  ];
  if (browserMemoryMb > memoryMb) {
    const text = `One run of a browser may use ${browserMemoryMb} MB, more than there is: the system may kill any process before.`;
    found.push(say.warning(text, 'Lower WATCHPOST_BROWSER_MEMORY_MEGABYTES.'));
  }
  if (browsersAtOnce * RUN_MB > memoryMb) {
    const text = `${browsersAtOnce} browsers at once need about ${browsersAtOnce * RUN_MB} MB: some will wait for memory.`;
    found.push(say.warning(text, 'Lower WATCHPOST_BROWSERS.'));
  }
  if (browsersAtOnce > 2 * cores) {
    const text = `${browsersAtOnce} browsers at once share ${cores} processors: each will be slow.`;
    found.push(say.warning(text, 'Lower WATCHPOST_BROWSERS.'));
  }
  if (availableMb < RUN_MB) {
    const text = `A run of a browser waits until ${RUN_MB} MB are available.`;
    found.push(say.warning(text, 'End what uses memory, or give the machine more.'));
  }
  return found;
}

/** What tells of the clock of this machine. */
export interface ClockFacts {
  now: number;
  /** The last change of a file in the data folder, ms since 1970; null where there is none. */
  lastWrittenAt: number | null;
  /** Whether the system keeps it right by the network; null where it does not say. */
  isSynchronised: boolean | null;
}

export async function clockFacts(dataDir: string): Promise<ClockFacts> {
  const [lastWrittenAt, isSynchronised] = await Promise.all([lastWriteIn(dataDir), synchronised()]);
  return { now: Date.now(), lastWrittenAt, isSynchronised };
}

async function lastWriteIn(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch(() => []);
  const times = names.map((name) => stat(join(folder, name)).then(({ mtimeMs }) => mtimeMs));
  const known = (await Promise.allSettled(times)).flatMap((time) =>
    time.status === 'fulfilled' ? [time.value] : [],
  );
  return known.length === 0 ? null : Math.max(...known);
}

async function synchronised(): Promise<boolean | null> {
  if (process.platform !== 'linux') return null;
  const args = ['show', '--property=NTPSynchronized', '--value'];
  try {
    const { stdout } = await promisify(execFile)('timedatectl', args, { timeout: ASK_MS });
    return stdout.trim() === 'yes';
  } catch {
    return null;
  }
}

const TOLERANCE_MS = 60_000;

/** What is said of the clock. */
export function judgeClock({ now, lastWrittenAt, isSynchronised }: ClockFacts): Finding {
  const say = sayOf('clock');
  const time = new Date(now).toISOString();
  if (lastWrittenAt !== null && lastWrittenAt > now + TOLERANCE_MS) {
    const written = new Date(lastWrittenAt).toISOString();
    const text = `It is ${time} here, but the data folder was written at ${written}.`;
    return say.problem(text, 'Set the clock: schedules and results go by it.');
  }
  if (isSynchronised === false) {
    const advice = 'Turn it on, as with timedatectl set-ntp true.';
    return say.warning(`It is ${time}, and no time server keeps the clock right.`, advice);
  }
  return say.ok(`It is ${time}.`);
}
