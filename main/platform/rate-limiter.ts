const MINUTE_MS = 60_000;

/**
 * The times, epoch ms, that are within the last minute. A clock that was set back leaves times in the
 * future: they are dropped, so that they refuse no request.
 */
export function withinMinute(times: readonly number[], now: number): number[] {
  return times.filter((at) => isRecent(at, now));
}

/** How long until one more may follow those of the last minute, ms; 0 where it may now. */
export function waitForRoomMs(times: readonly number[], max: number, now: number): number {
  const recent = withinMinute(times, now);
  const [first = now] = recent;
  return recent.length >= max ? first + MINUTE_MS - now : 0;
}

/** Counts what happens within the last minute, by id; holds the times of that minute only. */
export class RateLimiter {
  readonly #max: number;
  /** Epoch ms, oldest first, by id; the id that was used longest ago comes first. */
  readonly #times = new Map<string, readonly number[]>();

  /** @param max how often a minute, for each id */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Counts one more of an id. Answers 0 where it may go ahead, else the milliseconds until one may;
   * one that is refused does not count.
   */
  take(id: string, now: number): number {
    this.#forgetOld(now);
    const times = this.#times.get(id) ?? [];
    const waitMs = waitForRoomMs(times, this.#max, now);
    if (waitMs > 0) return waitMs;
    this.#times.delete(id);
    this.#times.set(id, [...withinMinute(times, now), now]);
    return 0;
  }

  #forgetOld(now: number): void {
    for (const [id, times] of this.#times) {
      if (isRecent(times.at(-1) ?? 0, now)) return;
      this.#times.delete(id);
    }
  }
}

function isRecent(at: number, now: number): boolean {
  return at <= now && at > now - MINUTE_MS;
}
