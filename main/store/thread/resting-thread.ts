import type { Client, StoreThread } from './store-thread.ts';

interface RestingParts<T, L> {
  /** The thread that runs already. */
  first: StoreThread<T>;
  /** Has a thread let go of what it keeps; null where it has something to do. */
  leave(calls: Client<T>): Promise<L | null>;
  /** Starts another one, that goes on from what the one before it left. */
  open(left: L): Promise<StoreThread<T>>;
  /** How long nobody calls before the thread ends. */
  idleMs: number;
}

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * A thread that ends while nobody calls it, and begins again with the next call: it takes 20 MB, and more after it
 * has read much. Calls are handed over in the order in which they are made.
 */
export class RestingThread<T, L> {
  readonly calls: Client<T>;
  readonly #parts: RestingParts<T, L>;
  /** Null while it rests. */
  #thread: Promise<StoreThread<T>> | null;
  #left: L | undefined;
  #underWay = 0;
  #idle: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(parts: RestingParts<T, L>) {
    this.#parts = parts;
    this.#thread = Promise.resolve(parts.first);
    const methods = Object.keys(parts.first.calls) as (keyof Client<T>)[];
    const calls = methods.map((method) => [
      method,
      (...args: readonly unknown[]) => this.#call(method, args),
    ]);
    this.calls = Object.fromEntries(calls) as Client<T>;
    this.#restLater();
  }

  get isResting(): boolean {
    return this.#thread === null;
  }

  /** Ends the thread, after last calls to it where it does not rest. */
  async end(last: (calls: Client<T>) => Promise<unknown>): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#idle);
    const thread = await this.#thread?.catch(() => null);
    if (!thread || this.isResting) return;
    try {
      await last(thread.calls);
    } finally {
      await thread.end();
    }
  }

  async #call(method: keyof Client<T>, args: readonly unknown[]): Promise<unknown> {
    clearTimeout(this.#idle);
    this.#underWay++;
    try {
      this.#thread ??= this.#wake();
      const { calls } = await this.#thread;
      return await (calls[method] as Call)(...args);
    } finally {
      this.#underWay--;
      this.#restLater();
    }
  }

  async #wake(): Promise<StoreThread<T>> {
    try {
      return await this.#parts.open(this.#left as L);
    } catch (error) {
      // The next call tries again.
      this.#thread = null;
      throw error;
    }
  }

  #restLater(): void {
    if (this.#underWay > 0 || this.#isEnded) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#thread = this.#thread && this.#rest(this.#thread);
    }, this.#parts.idleMs).unref();
  }

  /** Resolves with the thread for calls that came meanwhile: another one, or the same where it has something to do. */
  async #rest(awake: Promise<StoreThread<T>>): Promise<StoreThread<T>> {
    const thread = await awake;
    // One that died stays what it is.
    const left = await this.#parts.leave(thread.calls).catch(() => null);
    if (left === null) {
      this.#restLater();
      return thread;
    }
    await thread.end();
    this.#left = left;
    if (this.#underWay > 0) return this.#wake();
    this.#thread = null;
    return thread;
  }
}
