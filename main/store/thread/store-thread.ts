import { Worker } from 'node:worker_threads';
import { StartupError } from '#main/platform/startup-error.ts';
import { StoreError } from '../store-error.ts';
import type { StoreLog } from '../store-log.ts';
import type { CallName, Calls, Message, Request } from './protocol.ts';

/** How to start a store's thread. */
export interface ThreadOptions {
  script: URL;
  /** What the thread's script finds in `workerData`. */
  data: unknown;
  /** For the log. */
  name: string;
  log: StoreLog;
  /** Calls that may wait for an answer; more are refused with `BUSY`. */
  maxWaiting: number;
  /** A thread that dies more often than this within a minute stays dead. */
  maxRestarts: number;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const RESTART_WINDOW_MS = 60_000;

/**
 * A thread that a store does its work in, seen from the main one: typed calls in, promises out.
 *
 * When the thread dies, everything that waits is rejected with `LOST` and a new thread is started;
 * calls made meanwhile wait for it. After too many deaths within a minute, or where the new one
 * cannot open its files, it is given up: every further call is rejected with `LOST`.
 */
export class StoreThread<C extends Calls, O> {
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Promise<Worker>;
  #lastId = 0;
  /** Calls under way, those included that wait for a new thread. */
  #calls = 0;
  #restarts: number[] = [];
  #ended = false;
  #opened: O | undefined;

  private constructor(options: ThreadOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  /**
   * Starts the thread and waits until it has opened what it keeps.
   * @throws StartupError where the thread cannot open it
   */
  static async open<C extends Calls, O>(
    options: ThreadOptions,
  ): Promise<{ thread: StoreThread<C, O>; value: O }> {
    const thread = new StoreThread<C, O>(options);
    await thread.#worker;
    return { thread, value: thread.#takeOpened() };
  }

  /**
   * Calls the thread. Calls are handed over in the order in which they were made.
   * @throws StoreError; a payload that cannot be copied between threads throws as postMessage does
   */
  async call<K extends CallName<C>>(name: K, payload: C[K]['takes']): Promise<C[K]['answers']> {
    if (this.#ended) throw this.#closed();
    if (this.#calls >= this.#options.maxWaiting) {
      throw new StoreError('BUSY', `The ${this.#options.name} has too much to do.`);
    }
    this.#calls += 1;
    try {
      return await this.#ask(await this.#worker, name, payload);
    } finally {
      this.#calls -= 1;
    }
  }

  /** Ends the thread; whatever still waits is rejected with `CLOSED`. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const worker = await this.#worker.catch(() => undefined);
    await worker?.terminate();
    this.#rejectWaiting(this.#closed());
  }

  #ask(worker: Worker, call: string, payload: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      worker.postMessage({ id, call, payload } satisfies Request);
      this.#waiting.set(id, { resolve, reject });
    });
  }

  #takeOpened(): O {
    const value = this.#opened as O;
    this.#opened = undefined;
    return value;
  }

  #start(): Promise<Worker> {
    const { script, data, name } = this.#options;
    const worker = new Worker(script, { workerData: data, name });
    return new Promise((resolve, reject) => {
      let failure: unknown;
      let opened = false;
      worker.on('message', (message: Message) => {
        if (message.kind === 'opened') {
          opened = true;
          this.#opened = message.value as O;
          resolve(worker);
        } else if (message.kind === 'refused') {
          reject(new StartupError(message.message));
          void worker.terminate();
        } else {
          this.#take(message);
        }
      });
      worker.on('error', (error) => {
        failure = error;
      });
      worker.on('exit', () => {
        if (opened) this.#lost(failure);
        else reject(new Error(`The ${name} did not start.`, { cause: failure }));
      });
    });
  }

  #take(message: Exclude<Message, { kind: 'opened' | 'refused' }>): void {
    if (message.kind === 'notice') {
      this.#options.log.warn(message.fields, message.message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(new StoreError(message.code, message.message));
  }

  #lost(cause: unknown): void {
    if (this.#ended) return;
    const { name, log, maxRestarts } = this.#options;
    const now = performance.now();
    this.#restarts = this.#restarts.filter((at) => at > now - RESTART_WINDOW_MS);
    const again = this.#restarts.length < maxRestarts;
    log.error({ err: cause, again }, `The ${name} died.`);
    this.#restarts.push(now);
    this.#worker = (again ? this.#start() : Promise.reject(cause)).catch((error) => {
      throw new StoreError('LOST', `The ${name} is given up.`, { cause: error });
    });
    // Each caller meets the rejection by itself; without callers it is only in the log.
    this.#worker.catch((error) => log.error({ err: error }, error.message));
    this.#rejectWaiting(new StoreError('LOST', `The ${name} died.`, { cause }));
  }

  #rejectWaiting(error: StoreError): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }

  #closed(): StoreError {
    return new StoreError('CLOSED', `The ${this.#options.name} is closed.`);
  }
}
