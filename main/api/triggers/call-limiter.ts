const MINUTE_MS = 60_000;

/** Contract 2.3: calls a minute of one trigger. */
export const MAX_CALLS = 10;

/** Counts the calls of each trigger within the last minute; holds those of one minute only. */
export class CallLimiter {
  /** Times of calls, epoch ms, oldest first, by trigger; whoever called longest ago comes first. */
  readonly #calls = new Map<string, number[]>();

  /**
   * Counts a call. Answers 0 where it may go ahead, else the milliseconds until one may; a call that
   * is refused does not count.
   */
  take(triggerId: string, now: number): number {
    this.#forgetOld(now);
    const calls = (this.#calls.get(triggerId) ?? []).filter((at) => isRecent(at, now));
    const [first = now] = calls;
    if (calls.length >= MAX_CALLS) return first + MINUTE_MS - now;
    this.#calls.delete(triggerId);
    this.#calls.set(triggerId, [...calls, now]);
    return 0;
  }

  #forgetOld(now: number): void {
    for (const [triggerId, calls] of this.#calls) {
      if (isRecent(calls.at(-1) ?? 0, now)) return;
      this.#calls.delete(triggerId);
    }
  }
}

/** A clock that was set back leaves calls in the future: they are forgotten. */
function isRecent(at: number, now: number): boolean {
  return at <= now && at > now - MINUTE_MS;
}
