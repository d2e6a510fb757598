import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { RunnerData, RunRequest, RunResult } from '#shared/run/protocol.ts';
import type { RunnerPool } from './dispatcher.ts';

/** How many batches one thread may have under way; its runs are bounded in the thread itself. */
const BATCHES_PER_THREAD = 10_000;

/**
 * The runner inside the appliance: a thread per core, many runs at once in each.
 *
 * @param scriptLauncher what script hosts are started with, see findScriptLauncher
 */
export function embeddedPool(
  scriptLauncher: readonly string[],
  threads = availableParallelism(),
): RunnerPool {
  const pool = new Piscina<readonly RunRequest[], void>({
    filename: new URL('../../workers/batch.ts', import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: BATCHES_PER_THREAD,
    // With the default, sockets and timers of a thread stand still between its tasks.
    atomics: 'disabled',
    env: threadEnvironment(),
    workerData: { scriptLauncher } satisfies RunnerData,
    resourceLimits: { maxOldGenerationSizeMb: 2_048 },
  });
  return {
    name: 'embedded',
    run: (requests) => pool.run(requests),
    onResults: (listener) => {
      pool.on('message', (message: { results: RunResult[] }) => listener(message.results));
    },
    close: () => pool.destroy(),
  };
}

/** Of the appliance's environment a thread sees where programs are (`ping`), and nothing secret. */
function threadEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}
