import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#main/platform/log.ts';
import type { Clock } from '#shared/clock.ts';
import {
  type BrowserRunnerData,
  type FromThread,
  type RunnerData,
  type RunRequest,
  type RunResult,
  requestForThread,
} from '#shared/runs/protocol.ts';
import type { RunnerPool, RunnerPools } from './dispatcher.ts';
import { RunnerThread } from './runner-thread.ts';
import { ThreadWatch } from './thread-watch.ts';

/** How long a stop waits for the thread of browsers, which ends its runs within three seconds. */
const END_RUNS_MS = 4_000;

/** So many runs at once keep hardly any other waiting in a thread. */
const RUNS_OF_ONE_THREAD = 16;

interface PoolParts {
  /** What script hosts are started with, see findScriptLauncher. */
  scriptLauncher: readonly string[];
  /** Of the pool that runs browser, multi-step and Playwright checks. */
  browser?: BrowserRunnerData;
  clock: Clock;
  log: Log;
  /** One for each core by default. */
  threads?: number;
  /** The program of a thread; workers/batch.ts by default. */
  program?: URL;
}

/**
 * The pool inside the appliance: a thread per core, many runs at once in each, which begin with the first run. The
 * threads are our own, as a task of a pool library costs twice what its message does (docs/decisions/0031). A thread that hangs, or that has ended, is replaced: its runs end as inconclusive, and no other thread is touched.
 */
export class EmbeddedPool implements RunnerPool {
  readonly name = 'embedded';
  readonly #parts: PoolParts;
  readonly #threads: RunnerThread[] = [];
  /** How many threads there are to be; the system reads a file to tell how many cores it has. */
  readonly #wanted: number;
  readonly #watch: ThreadWatch;
  readonly #longRunsEnded = Promise.withResolvers<void>();
  #ending: Promise<unknown> | undefined;
  #isClosed = false;
  #heard: (results: readonly RunResult[]) => void = () => {};
  #lost: (runIds: readonly string[], reason: string) => void = () => {};

  constructor(parts: PoolParts) {
    this.#parts = parts;
    this.#wanted = parts.threads ?? availableParallelism();
    this.#watch = new ThreadWatch(parts.clock, (threadId) => this.#replace(threadId));
    if (parts.browser && existsSync(parts.browser.runsFolder)) this.#reap();
  }

  onResults(listener: (results: readonly RunResult[]) => void): void {
    this.#heard = listener;
  }

  onLost(listener: (runIds: readonly string[], reason: string) => void): void {
    this.#lost = listener;
  }

  run(requests: readonly RunRequest[]): void {
    this.#open();
    this.#leastBusy()?.run(requests.map(requestForThread));
  }

  cancel(runId: string): void {
    // Of several threads nobody knows which one has the run, and those end soon by themselves.
    if (this.#parts.browser) this.#threads[0]?.tell({ cancel: runId });
  }

  async endLongRuns(): Promise<void> {
    const [thread] = this.#threads;
    if (!this.#parts.browser || !thread) return;
    if (this.#ending === undefined) thread.tell('endRuns');
    this.#ending ??= Promise.race([
      this.#longRunsEnded.promise,
      pause(END_RUNS_MS, undefined, { ref: false }),
    ]);
    await this.#ending;
  }

  async close(): Promise<void> {
    this.#watch.stop();
    await this.endLongRuns();
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  /** Starts the threads that are missing. */
  #open(): void {
    const { scriptLauncher, browser = null, program } = this.#parts;
    while (!this.#isClosed && this.#threads.length < this.#wanted) {
      const thread = new RunnerThread({
        program: program ?? new URL('../../workers/batch.ts', import.meta.url),
        workerData: { scriptLauncher, browser } satisfies RunnerData,
        env: threadEnvironment(),
        heard: (message) => this.#hear(message),
        ended: (ended, lost, reason) => this.#drop(ended, lost, reason),
      });
      this.#threads.push(thread);
    }
  }

  #hear(message: FromThread): void {
    if ('results' in message) this.#heard(message.results);
    else if ('pulse' in message) this.#watch.heard(message.pulse);
    else if ('trouble' in message) {
      this.#parts.log.warn(
        { trouble: message.trouble },
        'The thread of browsers failed to tidy up.',
      );
    } else this.#longRunsEnded.resolve();
  }

  #drop(thread: RunnerThread, lost: readonly string[], reason: string): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    if (lost.length > 0) this.#lost(lost, reason);
    // What ended with it, it cannot tell.
    if (this.#ending !== undefined) this.#longRunsEnded.resolve();
  }

  #replace(threadId: number): void {
    this.#parts.log.error({ threadId }, 'A runner thread hangs; it is replaced.');
    const thread = this.#threads.find(({ id }) => id === threadId);
    void thread?.end().then(() => this.#parts.browser && this.#reap());
  }

  /** Has removed what runs of browsers left behind. */
  #reap(): void {
    this.#open();
    this.#threads[0]?.tell('reap');
  }

  /**
   * The first thread while it has few runs, as two that wake in turn cost more than one that is awake; else the one with
   * the fewest; of those that are not in doubt where there are such.
   */
  #leastBusy(): RunnerThread | undefined {
    const sound = this.#threads.filter(({ id }) => !this.#watch.isInDoubt(id));
    const among = sound.length > 0 ? sound : this.#threads;
    const spare = among.find(({ underWay }) => underWay < RUNS_OF_ONE_THREAD);
    return spare ?? among.toSorted((one, other) => one.underWay - other.underWay)[0];
  }
}

interface PoolsParts extends Pick<PoolParts, 'scriptLauncher' | 'clock' | 'log'> {
  browser: BrowserRunnerData;
}

/** The pools of this machine: one thread is enough for browsers, which are processes of their own. */
export function embeddedPools({ browser, ...parts }: PoolsParts): RunnerPools {
  return {
    network: new EmbeddedPool(parts),
    browser: new EmbeddedPool({ ...parts, browser, threads: 1 }),
  };
}

/** What says where programs are (`ping`, a browser) and compiled code; nothing secret. */
const THREAD_VARIABLES = [
  'PATH',
  'NODE_COMPILE_CACHE',
  'XDG_CACHE_HOME',
  'PLAYWRIGHT_BROWSERS_PATH',
  'LOCALAPPDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
];

/** What a thread sees of the appliance's environment. */
function threadEnvironment(): Record<string, string> {
  const values = THREAD_VARIABLES.map((name) => [name, process.env[name] ?? ''] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}
