import { Worker } from 'node:worker_threads';
import { PassingMap } from '#main/platform/passing-map.ts';
import { StartupError } from '#main/platform/startup-error.ts';
import { StoreError } from '../store-error.ts';
import type { StoreLog } from '../store-log.ts';
import type { JsonAnswer } from './json-answer.ts';
import type { Message, Request } from './serve.ts';

/** A class whose objects live in a thread, as the main thread calls them. */
export type Client<T> = {
  readonly [K in MethodName<T>]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Answer<Awaited<R>>>
    : never;
};

type MethodName<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never;
}[keyof T];

type Answer<R> = R extends JsonAnswer<infer V> ? V : R;

/** How to start a store's thread. */
export interface ThreadOptions {
  script: URL;
  /** What the thread's script finds in `workerData`. */
  data: unknown;
  /** For the log. */
  name: string;
  log: StoreLog;
  /** Takes what the thread hands over while it opens; such a thread is not started again. */
  takePart?: (part: never) => void;
  /** Calls that may wait for an answer; more are refused with `BUSY`. */
  maxWaiting: number;
  /** A thread that dies more often than this within a minute stays dead. */
  maxRestarts: number;
}

type Opened = Extract<Message, { kind: 'opened' }>;
type AnswerMessage = Extract<Message, { kind: 'answer' }>;

interface Waiting {
  resolve(answer: AnswerMessage): void;
  reject(error: Error): void;
}

const RESTART_WINDOW_MS = 60_000;

/** A thread that a store does its work in, seen from the main one. */
export interface StoreThread<T> {
  /**
   * The methods of the thread's objects. Calls are handed over in the order in which they are made; they
   * reject with a StoreError, or as postMessage where an argument cannot be copied between threads.
   */
  readonly calls: Client<T>;
  /** Ends the thread; whatever still waits is rejected with `CLOSED`. */
  end(): Promise<void>;
}

/**
 * Starts a thread and waits until it has opened what it keeps.
 *
 * When the thread dies, everything that waits is rejected with `LOST` and a new thread is started;
 * calls made meanwhile wait for it. After too many deaths within a minute, or where the new one
 * cannot open its files, it is given up: every further call is rejected with `LOST`.
 * @returns the thread, and what it opened: not a part of it, for it may be large
 * @throws StartupError where the thread cannot open it
 */
export async function openThread<T, O>(
  options: ThreadOptions,
): Promise<{ thread: StoreThread<T>; value: O }> {
  const worker = new RestartedWorker(options);
  const { value, methods } = await worker.opened();
  const calls = methods.map((method) => [
    method,
    (...args: unknown[]) => worker.call(method, args),
  ]);
  const thread = { calls: Object.fromEntries(calls) as Client<T>, end: () => worker.end() };
  return { thread, value: value as O };
}

class RestartedWorker {
  readonly #options: ThreadOptions;
  #waiting = new PassingMap<number, Waiting>();
  #worker: Promise<Worker>;
  #lastId = 0;
  /** Calls under way, those included that wait for a new thread. */
  #calls = 0;
  #restarts: number[] = [];
  #ended = false;
  #opened: Opened | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  /** Resolves once, with what the first thread opened. */
  async opened(): Promise<Opened> {
    await this.#worker;
    const opened = this.#opened as Opened;
    this.#opened = undefined;
    return opened;
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const worker = await this.#worker.catch(() => undefined);
    await worker?.terminate();
    this.#rejectWaiting(this.#closed());
  }

  async call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#ended) throw this.#closed();
    if (this.#calls >= this.#options.maxWaiting) {
      throw new StoreError('BUSY', `The ${this.#options.name} has too much to do.`);
    }
    this.#calls += 1;
    try {
      const { value, isJson } = await this.#ask(await this.#worker, method, args);
      return isJson ? JSON.parse(String(value)) : value;
    } finally {
      this.#calls -= 1;
    }
  }

  #ask(worker: Worker, method: string, args: readonly unknown[]): Promise<AnswerMessage> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      worker.postMessage({ id, method, args } satisfies Request);
      this.#waiting.set(id, { resolve, reject });
    });
  }

  #start(): Promise<Worker> {
    const { script, data, name } = this.#options;
    const worker = new Worker(script, { workerData: data, name });
    return new Promise((resolve, reject) => {
      let failure: unknown;
      let opened = false;
      worker.on('message', (message: Message) => {
        if (message.kind === 'part') {
          this.#options.takePart?.(message.part as never);
        } else if (message.kind === 'opened') {
          opened = true;
          this.#opened = message;
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

  #take(message: Exclude<Message, { kind: 'part' | 'opened' | 'refused' }>): void {
    if (message.kind === 'notice') {
      this.#options.log.warn(message.fields, message.message);
      return;
    }
    const waiting = this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message);
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
    const waiting = this.#waiting.values();
    this.#waiting = new PassingMap();
    for (const { reject } of waiting) reject(error);
  }

  #closed(): StoreError {
    return new StoreError('CLOSED', `The ${this.#options.name} is closed.`);
  }
}
