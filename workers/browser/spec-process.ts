import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SpecEvent, specEvent } from '#shared/playwright/events.ts';
import { isStructureBounded } from '#shared/sandbox/json-structure.ts';
import type { CagedEnd, CagedOptions } from './cage/caged.ts';
import type { Cages } from './cage/cages.ts';
import { JOB_FILE, writeJob } from './run-folder.ts';
import { BROWSERS_FOLDER, OWN_FOLDER, type SpecJob } from './spec/job.ts';
import type { KeptProcess } from './warm/kept-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'workers', 'browser', 'spec', 'main.ts');
/** What the program itself imports. */
const OWN_FILES = ['package.json', 'shared', join('workers', 'browser', 'spec')];

/**
 * Node starts with them: a young generation that seldom has to be cleared saves a tenth of the time. Maglev gains nothing in
 * so short a life, and Node waits without end for its thread when that wants memory while the process exits.
 */
const NODE_FLAGS = [
  '--no-maglev',
  '--disable-warning=ExperimentalWarning',
  '--min-semi-space-size=16',
  '--single-threaded-gc',
];

export interface SpecProcessOptions {
  job: SpecJob;
  /** Where compiled code is read from. */
  compiled: string;
  /** The check's packages and the browser, as the process is to see them. */
  readable: readonly string[];
  writable: readonly string[];
  limits: Pick<CagedOptions, 'memoryMb' | 'maxProcesses' | 'beside'> & { deadlineMs: number };
  /** One that stays for further runs; null for one of this run alone. */
  kept: KeptProcess | null;
  /** Breaks it off. */
  signal?: AbortSignal | undefined;
  onEvent(event: SpecEvent): void;
  onLog: CagedOptions['onLog'];
}

/** Runs tests of a script in a process of their own. Resolves once nothing of them goes on. */
export async function runSpecProcess(cages: Cages, given: SpecProcessOptions): Promise<CagedEnd> {
  const { job, compiled, readable, writable, limits, onEvent, onLog, kept, signal } = given;
  const jobPath = join(job.folder, JOB_FILE);
  const own = kept?.ownFolder ?? join(job.folder, OWN_FOLDER);
  await writeJob(job.folder, { ...job, stays: kept !== null });
  const options = {
    program: process.execPath,
    args: [...NODE_FLAGS, PROGRAM, jobPath],
    env: {
      NODE_COMPILE_CACHE: compiled,
      PWTEST_CACHE_DIR: join(own, 'transformed'),
      PLAYWRIGHT_BROWSERS_PATH: join(own, BROWSERS_FOLDER),
      // What Playwright writes for assistants is of no use here.
      PLAYWRIGHT_NO_COPY_PROMPT: '1',
    },
    readable: [...OWN_FILES.map((name) => join(ROOT, name)), compiled, ...readable],
    writable,
    ...limits,
    onLine: (line: string) => {
      const event = readEvent(line);
      if (event) onEvent(event);
    },
    onLog,
  };
  const run = kept
    ? { kill: () => kept.kill(), ended: kept.run(cages, { ...options, jobPath }) }
    : cages.start({ ...options, folder: job.folder });
  const breakOff = () => run.kill();
  signal?.addEventListener('abort', breakOff);
  const end = await run.ended;
  signal?.removeEventListener('abort', breakOff);
  return end;
}

const MAX_STRUCTURE_CHARS = 256 * 1024;

/** Null for a line that is no event: the script can write there too. */
function readEvent(line: string): SpecEvent | null {
  if (!isStructureBounded(line, MAX_STRUCTURE_CHARS)) return null;
  try {
    return specEvent.safeParse(JSON.parse(line)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
