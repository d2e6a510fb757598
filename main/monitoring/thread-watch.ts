import type { Clock } from '#shared/clock.ts';
import { PULSE_MS, type Pulse } from '#shared/runs/protocol.ts';

/** After so many missing pulses a thread counts as hung: no runner keeps its thread for so long. */
const MOST_MISSED = 15;
/** After so many missing pulses a thread gets no new runs. */
const MISSED_IN_DOUBT = 3;

/**
 * Notices threads that compute without end. Counts looks and never compares times: after a sleep, or a
 * standstill of this process, the pulses of all threads are older than any limit.
 */
export class ThreadWatch {
  readonly #clock: Clock;
  readonly #end: (threadId: number) => void;
  /** The threads with runs, and the looks since each was last heard of. */
  readonly #missed = new Map<number, number>();
  #timer: unknown;

  /** @param end ends a thread that hangs, so that another takes its place */
  constructor(clock: Clock, end: (threadId: number) => void) {
    this.#clock = clock;
    this.#end = end;
  }

  heard({ threadId, isBusy }: Pulse): void {
    if (isBusy) this.#missed.set(threadId, 0);
    else this.#missed.delete(threadId);
    if (this.#missed.size > 0) this.#arm();
  }

  /** Whether a thread was silent for a while, so that runs are better off in another. */
  isInDoubt(threadId: number): boolean {
    return (this.#missed.get(threadId) ?? 0) >= MISSED_IN_DOUBT;
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#missed.clear();
  }

  #arm(): void {
    this.#timer ??= this.#clock.setTimeout(() => this.#look(), PULSE_MS);
  }

  #look(): void {
    this.#timer = undefined;
    for (const [threadId, missed] of this.#missed) {
      if (missed < MOST_MISSED) this.#missed.set(threadId, missed + 1);
      else {
        this.#missed.delete(threadId);
        this.#end(threadId);
      }
    }
    if (this.#missed.size > 0) this.#arm();
  }
}
