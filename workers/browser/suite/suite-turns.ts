interface Waiter {
  begin(): void;
}

/** Lets so many suites run at once. Others wait, first come, first served, and not for ever. */
export class SuiteTurns {
  readonly #longestMs: number;
  readonly #waiting = new Set<Waiter>();
  #free: number;

  constructor(atOnce: number, longestMs: number) {
    this.#free = atOnce;
    this.#longestMs = longestMs;
  }

  /**
   * Has work done in its turn.
   *
   * @returns null where the turn did not come in time, or was not wanted any more
   */
  async use<T>(signal: AbortSignal, work: (waitedMs: number) => Promise<T>): Promise<T | null> {
    const since = performance.now();
    if (!(await this.#turn(signal))) return null;
    try {
      return await work(performance.now() - since);
    } finally {
      const [next] = this.#waiting;
      if (next) next.begin();
      else this.#free += 1;
    }
  }

  async #turn(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (isTurn: boolean) => {
      this.#waiting.delete(waiter);
      resolve(isTurn);
    };
    const waiter = { begin: () => end(true) };
    const giveUp = () => end(false);
    this.#waiting.add(waiter);
    const timer = setTimeout(giveUp, this.#longestMs);
    signal.addEventListener('abort', giveUp, { once: true });
    const isTurn = await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    return isTurn;
  }
}
