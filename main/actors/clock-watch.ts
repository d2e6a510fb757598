import type { Clock } from '#shared/clock.ts';

const TICK_MS = 10_000;
/** How much later than expected a tick may come before the machine counts as having slept. */
const TOLERANCE_MS = 10_000;

/**
 * Notices that the machine slept or that its clock was set: timers stand still while a machine
 * sleeps, so whatever waits for a time of the day has to look at the clock again.
 */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #onJump: (jumpedMs: number) => void;
  #lastTickAt: number;
  #timer: unknown;

  /** @param onJump told the milliseconds that no timer saw; negative where the clock was set back */
  constructor(clock: Clock, onJump: (jumpedMs: number) => void) {
    this.#clock = clock;
    this.#onJump = onJump;
    this.#lastTickAt = clock.now();
    this.#arm();
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  #arm(): void {
    this.#timer = this.#clock.setTimeout(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    const now = this.#clock.now();
    const jumpedMs = now - this.#lastTickAt - TICK_MS;
    this.#lastTickAt = now;
    this.#arm();
    if (Math.abs(jumpedMs) > TOLERANCE_MS) this.#onJump(jumpedMs);
  }
}
