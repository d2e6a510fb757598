import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { Log } from '#main/platform/log.ts';
import type { Clock } from '#shared/clock.ts';
import type {
  BrowserRunnerData,
  FromThread,
  RunnerData,
  RunRequest,
  RunResult,
} from '#shared/runs/protocol.ts';
import type { RunnerPool, RunnerPools } from './dispatcher.ts';
import { ThreadWatch } from './thread-watch.ts';

/** How many batches one thread may have under way; its runs are bounded in the thread itself. */
const BATCHES_PER_THREAD = 10_000;

/** How long a stop waits for the thread of browsers, which ends its runs within three seconds. */
const END_RUNS_MS = 4_000;

type PoolOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>;
type LoadBalancer = NonNullable<PoolOptions['loadBalancer']>;

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
 * The pool inside the appliance: a thread per core, many runs at once in each, which begin with the first
 * run. A thread that hangs is replaced: its runs end as inconclusive, and no other thread is touched.
 */
export function embeddedPool(parts: PoolParts): RunnerPool {
  const { browser = null, clock, log } = parts;
  let opened: Threads | undefined;
  let listener: (results: readonly RunResult[]) => void = () => {};
  const open = (): Threads => {
    opened ??= openThreads(parts, watch, (results) => listener(results));
    return opened;
  };
  const watch = new ThreadWatch(clock, (threadId) => {
    log.error({ threadId }, 'A runner thread hangs; it is replaced.');
    const thread = opened?.threads.find((one) => one.threadId === threadId);
    void thread?.terminate().then(browser ? reap : undefined);
  });
  const inform = async (name: 'reap' | 'endRuns' | 'cancel', runIds: readonly string[] = []) => {
    try {
      await open().run(runIds as never, { name });
    } catch (error) {
      // The thread was replaced meanwhile, which ends its runs; the next start reaps what is left.
      log.warn({ err: error }, 'The thread of browsers did not answer.');
    }
  };
  const reap = () => inform('reap');
  if (browser !== null && existsSync(browser.runsFolder)) void reap();
  let ending: Promise<unknown> | undefined;
  const endRuns = async () => {
    if (browser === null || opened === undefined) return;
    ending ??= Promise.race([inform('endRuns'), pause(END_RUNS_MS, undefined, { ref: false })]);
    await ending;
  };
  return {
    name: 'embedded',
    run: (requests) => open().run(requests),
    onResults: (heard) => {
      listener = heard;
    },
    cancel: async (runId) => {
      // Of several threads nobody knows which one has the run, and those end soon by themselves.
      if (browser !== null && opened !== undefined) await inform('cancel', [runId]);
    },
    endLongRuns: () => endRuns(),
    close: async () => {
      watch.stop();
      await endRuns();
      await opened?.destroy();
    },
  };
}

type Threads = Piscina<readonly RunRequest[], void>;

function openThreads(
  { scriptLauncher, browser, threads = availableParallelism(), program }: PoolParts,
  watch: ThreadWatch,
  land: (results: readonly RunResult[]) => void,
): Threads {
  const pool: Threads = new Piscina({
    filename: (program ?? new URL('../../workers/batch.ts', import.meta.url)).href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: BATCHES_PER_THREAD,
    loadBalancer: leastBusy((threadId) => watch.isInDoubt(threadId)),
    // With the default, sockets and timers of a thread stand still between its tasks.
    atomics: 'disabled',
    env: threadEnvironment(),
    workerData: { scriptLauncher, browser: browser ?? null } satisfies RunnerData,
    resourceLimits: { maxOldGenerationSizeMb: 2_048 },
  });
  pool.on('message', (message: FromThread) => {
    if ('pulse' in message) watch.heard(message.pulse);
    else land(message.results);
  });
  return pool;
}

interface PoolsParts extends Pick<PoolParts, 'scriptLauncher' | 'clock' | 'log'> {
  browser: BrowserRunnerData;
}

/** The pools of this machine: one thread is enough for browsers, which are processes of their own. */
export function embeddedPools({ browser, ...parts }: PoolsParts): RunnerPools {
  return { network: embeddedPool(parts), browser: embeddedPool({ ...parts, browser, threads: 1 }) };
}

/** The thread with the fewest batches, of those that are not in doubt where there are such. */
function leastBusy(isInDoubt: (threadId: number) => boolean): LoadBalancer {
  return (_task, threads) => {
    const free = threads.filter(({ currentUsage }) => currentUsage < BATCHES_PER_THREAD);
    const sound = free.filter(({ id }) => !isInDoubt(id));
    const [first, ...others] = sound.length > 0 ? sound : free;
    if (first === undefined) return null;
    return others.reduce((best, it) => (it.currentUsage < best.currentUsage ? it : best), first);
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
