import { ApiError } from './api-error.ts';

const MINUTE_MS = 60_000;

/** Counts the calls of each secret URL within the last minute; holds those of one minute only. */
export class CallLimiter {
  /** Calls a minute of one URL. */
  readonly max: number;
  readonly #noun: string;
  /** Times of calls, epoch ms, oldest first, by id; whoever called longest ago comes first. */
  readonly #calls = new Map<string, number[]>();

  /** @param noun what is called, as `calls of this trigger` */
  constructor(max: number, noun: string) {
    this.max = max;
    this.#noun = noun;
  }

  /** Counts a call. @throws ApiError 429 where there were too many */
  pass(id: string, now: number): void {
    const waitMs = this.take(id, now);
    if (waitMs === 0) return;
    throw new ApiError(429, `More than ${this.max} ${this.#noun} within a minute`, {
      headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
    });
  }

  /**
   * Counts a call. Answers 0 where it may go ahead, else the milliseconds until one may; a call that
   * is refused does not count.
   */
  take(id: string, now: number): number {
    this.#forgetOld(now);
    const calls = (this.#calls.get(id) ?? []).filter((at) => isRecent(at, now));
    const [first = now] = calls;
    if (calls.length >= this.max) return first + MINUTE_MS - now;
    this.#calls.delete(id);
    this.#calls.set(id, [...calls, now]);
    return 0;
  }

  #forgetOld(now: number): void {
    for (const [id, calls] of this.#calls) {
      if (isRecent(calls.at(-1) ?? 0, now)) return;
      this.#calls.delete(id);
    }
  }
}

/** A clock that was set back leaves calls in the future: they are forgotten. */
function isRecent(at: number, now: number): boolean {
  return at <= now && at > now - MINUTE_MS;
}
