import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../api-error.ts';

/** So many simulations may wait for the one under way. */
const MAX_WAITING = 4;

/** One simulation at a time, as each goes through a lot of history; who comes when too many wait is sent away. */
export class Turns {
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws ApiError 429 where too many wait */
  async take<T>(task: () => Promise<T>): Promise<T> {
    if (this.#waiting > MAX_WAITING) {
      throw new ApiError(429, 'Too many simulations wait already: try again in a moment', {
        headers: { 'retry-after': '5' },
      });
    }
    this.#waiting += 1;
    const turn = Promise.allSettled([this.#last]).then(task);
    this.#last = turn;
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }
}

/** Longest that a simulation keeps the main thread from others; one more step may take a little. */
const STRETCH_MS = 4;

/** When a simulation lets others go first, and whether it is to go on. */
export class Pace {
  readonly #isGone: () => boolean;
  readonly #now: () => number;
  #since: number;

  /**
   * @param isGone whether the client hung up
   * @param now milliseconds of a clock that is never set
   */
  constructor(isGone: () => boolean, now: () => number = () => performance.now()) {
    this.#isGone = isGone;
    this.#now = now;
    this.#since = now();
  }

  /** Whether it is time to {@link rest}: asked after each step. */
  get isDue(): boolean {
    return this.#now() - this.#since >= STRETCH_MS;
  }

  /** @throws ApiError 408 where the client hung up: nobody waits for the answer */
  async rest(): Promise<void> {
    await nextTurn();
    this.#since = this.#now();
    if (this.#isGone()) throw new ApiError(408, 'The client hung up');
  }
}
