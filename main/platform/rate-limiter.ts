const MINUTE_MS = 60_000;

/**
 * The times, epoch ms, that are within the last minute. A clock that was set back leaves times in the
 * future: they are dropped, so that they refuse no request.
 */
export function withinMinute(times: readonly number[], now: number): number[] {
  return within(times, now, MINUTE_MS);
}

function within(times: readonly number[], now: number, windowMs: number): number[] {
  return times.filter((at) => isRecent(at, now, windowMs));
}

/** How long until one more may follow those of the last minute, or other time, ms; 0 where it may now. */
export function waitForRoomMs(
  times: readonly number[],
  max: number,
  now: number,
  windowMs = MINUTE_MS,
): number {
  const recent = within(times, now, windowMs);
  const [first = now] = recent;
  return recent.length >= max ? first + windowMs - now : 0;
}

/** Most ids that are counted; beyond them the one that was used longest ago is forgotten. */
const MAX_IDS = 100_000;

/** Counts what happens within the last minute, or another time, by id; holds the times within it only. */
export class RateLimiter {
  readonly #max: number;
  readonly #windowMs: number;
  /** Epoch ms, oldest first, by id; the id that was used longest ago comes first. */
  readonly #times = new Map<string, readonly number[]>();

  /** @param max how often within `windowMs`, for each id */
  constructor(max: number, windowMs = MINUTE_MS) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /**
   * Counts one more of an id. Answers 0 where it may go ahead, else the milliseconds until one may;
   * one that is refused does not count.
   */
  take(id: string, now: number): number {
    this.#forgetOld(now);
    const waitMs = this.waitMs(id, now);
    if (waitMs > 0) return waitMs;
    const times = this.#times.get(id) ?? [];
    this.#times.delete(id);
    this.#times.set(id, [...within(times, now, this.#windowMs), now]);
    return 0;
  }

  /** The milliseconds until one more of an id may go ahead; 0 where it may now. Counts nothing. */
  waitMs(id: string, now: number): number {
    return waitForRoomMs(this.#times.get(id) ?? [], this.#max, now, this.#windowMs);
  }

  #forgetOld(now: number): void {
    for (const [id, times] of this.#times) {
      const isOld = !isRecent(times.at(-1) ?? 0, now, this.#windowMs);
      if (!isOld && this.#times.size < MAX_IDS) return;
      this.#times.delete(id);
    }
  }
}

function isRecent(at: number, now: number, windowMs: number): boolean {
  return at <= now && at > now - windowMs;
}
