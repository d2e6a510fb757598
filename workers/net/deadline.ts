import { type NetworkFailure, type Phase, timeoutFailure } from './failure.ts';

/** A timer that comes later than this was held up. */
const LATE_MS = 50;

type Stop = (failure: NetworkFailure) => void;

/**
 * The one time limit of a run, with the phase that it is in. One timer serves all phases. Whoever
 * makes one must `close` it.
 */
export class Deadline {
  readonly #timeoutMs: number;
  readonly #endsAt: number;
  readonly #timer: NodeJS.Timeout;
  #phase: Phase = 'DNS';
  #lastLook: NodeJS.Immediate | undefined;
  #stop: Stop | null = null;
  #expired = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#expireUnlessLate(), timeoutMs);
  }

  /** Milliseconds left, at least 1: a timer of 0 or less would be read as none. */
  get remainingMs(): number {
    return Math.max(1, this.#endsAt - performance.now());
  }

  /**
   * Enters a phase. `stop` is called with the failure when time runs out in it, at once when it
   * already has.
   */
  enter(phase: Phase, stop: Stop): void {
    this.#phase = phase;
    this.#stop = stop;
    if (this.#expired) this.#expire();
  }

  /** Ends the phase: nobody is to be stopped until the next `enter`. */
  leave(): void {
    this.#stop = null;
  }

  /** Lets time run out now, for whom nobody waits any more. */
  cut(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#lastLook);
    this.#expire();
  }

  /** Ends the deadline. */
  close(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#lastLook);
    this.#stop = null;
  }

  /** After a standstill of this thread timers come before what has arrived meanwhile: one more look. */
  #expireUnlessLate(): void {
    if (performance.now() - this.#endsAt < LATE_MS) this.#expire();
    else this.#lastLook = setImmediate(() => this.#expire());
  }

  #expire(): void {
    this.#expired = true;
    const stop = this.#stop;
    this.#stop = null;
    stop?.(timeoutFailure(this.#phase, this.#timeoutMs));
  }
}
