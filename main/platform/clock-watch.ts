import type { Clock } from '#shared/clock.ts';

interface Pace {
  tickMs: number;
  /** How much later than expected a tick may come before the machine counts as having slept. */
  toleranceMs: number;
}

const PACE: Pace = { tickMs: 10_000, toleranceMs: 10_000 };

/**
 * Notices that the machine slept or that its clock was set: timers stand still while a machine
 * sleeps, so whatever waits for a time of the day has to look at the clock again.
 */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #onJump: (jumpedMs: number) => void;
  readonly #pace: Pace;
  #lastTickAt: number;
  #timer: unknown;

  /** @param onJump called with the milliseconds that no timer saw; negative where the clock was set back */
  constructor(clock: Clock, onJump: (jumpedMs: number) => void, pace = PACE) {
    this.#clock = clock;
    this.#pace = pace;
    this.#onJump = onJump;
    this.#lastTickAt = clock.now();
    this.#arm();
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  /** Looks now: after a sleep an event may come before the timer that would notice it. */
  look(): void {
    const { tickMs, toleranceMs } = this.#pace;
    if (this.#clock.now() - this.#lastTickAt <= tickMs + toleranceMs) return;
    this.#clock.clearTimeout(this.#timer);
    this.#tick();
  }

  #arm(): void {
    this.#timer = this.#clock.setTimeout(() => this.#tick(), this.#pace.tickMs);
  }

  #tick(): void {
    const { tickMs, toleranceMs } = this.#pace;
    const now = this.#clock.now();
    const jumpedMs = now - this.#lastTickAt - tickMs;
    this.#lastTickAt = now;
    this.#arm();
    if (Math.abs(jumpedMs) > toleranceMs) this.#onJump(jumpedMs);
  }
}
