import type { Clock } from '#shared/clock.ts';

/** Whoever asks within this time shares the answer. */
const PACE_MS = 1_000;

/** A question that costs a write, and that anybody may ask as often as they like: asked at a pace. */
export class PacedProbe<T> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #probe: () => Promise<T>;
  #askedAt = Number.NEGATIVE_INFINITY;
  #answer: Promise<T> | undefined;

  constructor(clock: Pick<Clock, 'now'>, probe: () => Promise<T>) {
    this.#clock = clock;
    this.#probe = probe;
  }

  /** Rejects as the probe does. */
  async ask(): Promise<T> {
    const now = this.#clock.now();
    // Either way: a clock that was set back keeps no old answer.
    if (this.#answer === undefined || Math.abs(now - this.#askedAt) >= PACE_MS) {
      this.#askedAt = now;
      this.#answer = this.#probe();
    }
    return this.#answer;
  }
}
