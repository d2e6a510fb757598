import type { Clock } from '#shared/clock.ts';

/** Whoever asks within this time shares the answer. */
const PACE_MS = 1_000;

/** A question that costs a write, and that anybody may ask as often as they like: asked at a pace. */
export class PacedProbe {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #probe: () => Promise<unknown>;
  #askedAt = Number.NEGATIVE_INFINITY;
  #answer: Promise<unknown> = Promise.resolve();

  constructor(clock: Pick<Clock, 'now'>, probe: () => Promise<unknown>) {
    this.#clock = clock;
    this.#probe = probe;
  }

  /** Rejects as the probe does. */
  async ask(): Promise<void> {
    const now = this.#clock.now();
    // Either way: a clock that was set back keeps no old answer.
    if (Math.abs(now - this.#askedAt) >= PACE_MS) {
      this.#askedAt = now;
      this.#answer = this.#probe();
    }
    await this.#answer;
  }
}
