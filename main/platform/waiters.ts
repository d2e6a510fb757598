import type { Clock } from '#shared/clock.ts';

/** Those who wait for the end of something, each for a time of their own. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves at the {@link wake} of this id, after `waitMs`, or at once when the list is closed. */
  async wait(id: string, waitMs: number): Promise<void> {
    if (this.#closed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.setTimeout(resolve, waitMs);
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(resolve));
    await promise;
    this.#clock.clearTimeout(timer);
    waiting.delete(resolve);
    if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
  }

  wake(id: string): void {
    for (const resolve of this.#waiting.get(id) ?? []) resolve();
  }

  /** Nobody waits any longer. */
  close(): void {
    this.#closed = true;
    for (const id of this.#waiting.keys()) this.wake(id);
  }
}
