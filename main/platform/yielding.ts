import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest that work keeps the main thread from others; one more step may take a little. */
const STRETCH_MS = 4;

/** Says when long work of many small steps should yield, so that the actors never wait for it. */
export class Yielding {
  readonly #now: () => number;
  #since: number;

  /** @param now milliseconds of a clock that is never set */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Whether it is time to {@link rest}: asked after each step. */
  get isDue(): boolean {
    return this.#now() - this.#since >= STRETCH_MS;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#since = this.#now();
  }
}

/**
 * The items in their order, some at a time: others have a turn in between, so the actors never wait.
 * @param size how many are a few milliseconds of work
 */
export async function* inSlices<T>(items: readonly T[], size: number): AsyncGenerator<T[], void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await nextTurn();
    yield items.slice(from, from + size);
  }
}

/** Takes the steps of long work at a pace that never holds up the actors; answers what comes of it. */
export async function atPace<T>(steps: Iterator<void, T>): Promise<T> {
  const pace = new Yielding();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (pace.isDue) await pace.rest();
  }
}
