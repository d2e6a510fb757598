import type { Meta } from './meta.ts';

const BELIEVED_AT = 'believed_at';
/** What older versions left alone: their last time, whatever their clock was. */
const ALIVE_AT = 'alive_at';
/** A clock that is behind for so long is right, and the time that was believed before was not. */
const BEHIND_FOR_MS = 3_600_000;

/**
 * The clock, as far as history may be removed by it. A machine that starts with a wrong clock would
 * remove all of it at once, so a time is believed only where it follows the last one that was: closely,
 * or because a person said so. A time that is earlier removes nothing, and is no reason for doubt; once
 * it has been so for an hour it is the one believed, or the next wrong clock would be taken for right.
 */
export class BelievedClock {
  readonly #meta: Meta;
  readonly #toleranceMs: number;
  #believedAt: number | null;
  /** The first time of those that are earlier; null where the last one was not. */
  #behindSince: number | null = null;

  /** @param toleranceMs how far ahead of the last time that was believed the next one may be */
  constructor(meta: Meta, toleranceMs: number) {
    this.#meta = meta;
    this.#toleranceMs = toleranceMs;
    this.#believedAt = meta.read(BELIEVED_AT) ?? meta.read(ALIVE_AT);
  }

  /** The latest time that is believed, epoch ms; null before the first. */
  get believedAt(): number | null {
    return this.#believedAt;
  }

  /** Whether history may be removed by this time, epoch ms. */
  believes(now: number): boolean {
    return this.#believedAt === null || now - this.#believedAt <= this.#toleranceMs;
  }

  /** Follows the clock as long as it is believed. Inside a transaction. */
  see(now: number): void {
    if (this.#believedAt !== null && now < this.#believedAt) {
      this.#behindSince ??= now;
      if (now - this.#behindSince >= BEHIND_FOR_MS) this.confirm(now);
      return;
    }
    this.#behindSince = null;
    if (this.believes(now)) this.confirm(now);
  }

  /** A person says that this is the time. Inside a transaction. */
  confirm(now: number): void {
    this.#believedAt = now;
    this.#behindSince = null;
    this.#meta.write(BELIEVED_AT, now);
  }
}
