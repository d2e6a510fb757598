import { Worker } from 'node:worker_threads';
import type { FromThread, RunRequest, ToThread } from '#shared/runs/protocol.ts';

/** Megabytes of what lives long in a thread; V8 ends one that needs more. */
const MAX_OLD_GENERATION_MB = 2_048;

interface RunnerThreadParts {
  program: URL;
  workerData: unknown;
  env: Record<string, string>;
  heard(message: FromThread): void;
  /** Called when the thread has ended, with the ids of the runs that are lost with it. */
  ended(thread: RunnerThread, lost: readonly string[], reason: string): void;
}

/** A thread that makes runs, and knows which of them it has not answered yet. */
export class RunnerThread {
  readonly id: number;
  readonly #worker: Worker;
  readonly #runIds = new Set<string>();

  constructor({ program, workerData, env, heard, ended }: RunnerThreadParts) {
    const resourceLimits = { maxOldGenerationSizeMb: MAX_OLD_GENERATION_MB };
    // A thread that ends would close the numbers of files that it opened, also of those that a socket has closed: they
    // may be of the store by then.
    const trackUnmanagedFds = false;
    this.#worker = new Worker(program, { workerData, env, resourceLimits, trackUnmanagedFds });
    // Read now: a thread that has ended has no id.
    this.id = this.#worker.threadId;
    let reason = 'The thread was ended.';
    this.#worker.on('message', (message: FromThread) => {
      if ('results' in message) for (const { runId } of message.results) this.#runIds.delete(runId);
      heard(message);
    });
    this.#worker.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    this.#worker.on('exit', () => ended(this, [...this.#runIds], reason));
    // Nobody who waits for nothing waits for it.
    this.#worker.unref();
  }

  /** Runs that it has not answered yet. */
  get underWay(): number {
    return this.#runIds.size;
  }

  /** @throws DataCloneError where a request cannot be copied: then none of them is made */
  run(requests: readonly RunRequest[]): void {
    this.tell({ runs: requests });
    for (const { runId } of requests) this.#runIds.add(runId);
  }

  tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
