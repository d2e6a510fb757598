/** How often this thread shows that it lives. */
const TICK_MS = 20;
/** A longer gap between two ticks is a standstill, of this thread or of the whole machine. */
const STALL_MS = 100;

/** What came of a work, and how much of its time this thread stood still. */
export interface Watched<T> {
  result: T;
  stalledMs: number;
}

/**
 * Watches this thread for standstills: what is measured while one lasts seems slow or lost, whatever
 * the target did. Ticks only while something is measured.
 */
export class StallWatch {
  readonly #now: () => number;
  #watched = 0;
  #timer: NodeJS.Timeout | undefined;
  #seenAt = 0;
  #stalledMs = 0;

  /** @param now a reading in milliseconds of a clock that is never set */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async during<T>(work: () => Promise<T>): Promise<Watched<T>> {
    this.#begin();
    const before = this.#look();
    try {
      const result = await work();
      return { result, stalledMs: this.#look() - before };
    } finally {
      this.#end();
    }
  }

  #begin(): void {
    if (this.#watched++ > 0) return;
    this.#seenAt = this.#now();
    this.#timer = setInterval(() => this.#look(), TICK_MS);
  }

  #end(): void {
    if (--this.#watched === 0) clearInterval(this.#timer);
  }

  /** Milliseconds of all standstills so far; one that just ends is told by whoever looks first. */
  #look(): number {
    const now = this.#now();
    const gapMs = now - this.#seenAt;
    if (gapMs > STALL_MS) this.#stalledMs += gapMs;
    this.#seenAt = now;
    return this.#stalledMs;
  }
}
