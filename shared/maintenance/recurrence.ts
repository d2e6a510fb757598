import type { Temporal } from 'temporal-polyfill';
import { dayOf, momentOf, toMoment, toWallClock, zoneOf } from './local-time.ts';

export const REPEAT_UNITS = ['DAY', 'WEEK', 'MONTH'] as const;
export type RepeatUnit = (typeof REPEAT_UNITS)[number];

/** When a window is (contract 15.4). The texts are ISO 8601, as they came. */
export interface WindowTimes {
  /** Of the first occurrence. */
  startsAt: string;
  endsAt: string;
  /** Null: once. */
  repeatUnit: RepeatUnit | null;
  /** 1 to 365 units; null where it does not repeat. */
  repeatInterval: number | null;
  /** The last day, in the zone, on which an occurrence may start; null: no last one. */
  repeatEndsAt: string | null;
  /** IANA name; null: UTC. */
  timezone: string | null;
}

/** One time that a window is open: from `startsAtMs` on, before `endsAtMs`. Epoch milliseconds. */
export interface Occurrence {
  startsAtMs: number;
  endsAtMs: number;
}

/** What holds at a moment and from `fromMs` on, before `untilMs` (either may be infinite). */
export interface WindowState {
  /** The occurrence that is open; null: none. */
  open: Occurrence | null;
  fromMs: number;
  untilMs: number;
}

/**
 * The occurrences of a window (contract 15.4), computed for the moment asked about in constant time
 * and never written out ahead (threats 26). Occurrence n begins n intervals after the first on the
 * wall clock of the zone, always counted from the first, so that one of the 31st is back on the 31st
 * after February. It is as long as the first *on the wall clock*: 22:00 to 06:00 stays that in the
 * nights of a clock change, and then lasts an hour more or less. The first is exactly what was given.
 */
class Recurrence {
  readonly #zone: string;
  readonly #first: Occurrence;
  readonly #start: Temporal.PlainDateTime;
  readonly #length: Temporal.Duration;
  readonly #step: { unit: 'days' | 'months'; size: number } | null;
  readonly #lastDay: Temporal.PlainDate | null;

  constructor(times: WindowTimes) {
    this.#zone = zoneOf(times.timezone);
    this.#first = firstOccurrence(times);
    this.#start = toWallClock(this.#first.startsAtMs, this.#zone);
    this.#length = this.#start.until(toWallClock(this.#first.endsAtMs, this.#zone));
    this.#step = stepOf(times);
    const { repeatEndsAt } = times;
    this.#lastDay = repeatEndsAt === null ? null : dayOf(repeatEndsAt, this.#zone);
  }

  /** Occurrence n from 0; null where there is none. */
  occurrence(n: number): Occurrence | null {
    if (n <= 0 || this.#step === null) return n === 0 ? this.#first : null;
    const start = this.#start.add({ [this.#step.unit]: n * this.#step.size });
    if (this.#lastDay !== null && isAfter(start, this.#lastDay)) return null;
    const startsAtMs = toMoment(start, this.#zone);
    const endsAtMs = toMoment(start.add(this.#length), this.#zone);
    // A change of the clock can leave nothing of a short one, which then has its length from its
    // start on; so has one after a first that began and ended in an hour that came twice.
    return { startsAtMs, endsAtMs: endsAtMs > startsAtMs ? endsAtMs : startsAtMs + this.#lengthMs };
  }

  get #lengthMs(): number {
    const onTheWall = this.#length.total('milliseconds');
    return onTheWall > 0 ? onTheWall : this.#first.endsAtMs - this.#first.startsAtMs;
  }

  /** The number of the last occurrence that began at a moment or before; -1 where none has. */
  lastBegun(ms: number): number {
    const guess = this.#guess(ms);
    // One more, as clocks were put back over midnight (St. John's, until 2011); one less, as the
    // hour of the day is yet to come.
    const begun = [guess + 1, guess, guess - 1].find((n) => {
      const occurrence = this.occurrence(n);
      return occurrence !== null && occurrence.startsAtMs <= ms;
    });
    return begun ?? -1;
  }

  /** The last occurrence by its day alone. */
  #guess(ms: number): number {
    if (this.#step === null) return 0;
    const today = toWallClock(ms, this.#zone).toPlainDate();
    const last = this.#lastDay;
    const day = last !== null && isAfter(today, last) ? last : today;
    const first = this.#start.toPlainDate();
    const passed =
      this.#step.unit === 'days'
        ? first.until(day).days
        : (day.year - first.year) * 12 + day.month - first.month;
    return Math.max(0, Math.floor(passed / this.#step.size));
  }
}

function firstOccurrence({ startsAt, endsAt, timezone }: WindowTimes): Occurrence {
  const zone = zoneOf(timezone);
  return { startsAtMs: momentOf(startsAt, zone), endsAtMs: momentOf(endsAt, zone) };
}

function stepOf({ repeatUnit, repeatInterval }: WindowTimes) {
  if (repeatUnit === null || repeatInterval === null) return null;
  if (repeatUnit === 'MONTH') return { unit: 'months', size: repeatInterval } as const;
  return {
    unit: 'days',
    size: repeatUnit === 'WEEK' ? 7 * repeatInterval : repeatInterval,
  } as const;
}

interface Day {
  year: number;
  month: number;
  day: number;
}

function isAfter(one: Day, other: Day): boolean {
  return (one.year - other.year || one.month - other.month || one.day - other.day) > 0;
}

/** Whether a window is open at a moment (epoch milliseconds), and for how long that holds. */
export function stateAt(window: WindowTimes, nowMs: number): WindowState {
  const recurrence = new Recurrence(window);
  const number = recurrence.lastBegun(nowMs);
  const last = recurrence.occurrence(number);
  const nextMs = recurrence.occurrence(number + 1)?.startsAtMs ?? Number.POSITIVE_INFINITY;
  if (last === null) return { open: null, fromMs: Number.NEGATIVE_INFINITY, untilMs: nextMs };
  const { startsAtMs, endsAtMs } = last;
  // One that is longer than its interval is still open when the next one begins.
  if (nowMs < endsAtMs) {
    return { open: last, fromMs: startsAtMs, untilMs: Math.min(endsAtMs, nextMs) };
  }
  return { open: null, fromMs: endsAtMs, untilMs: nextMs };
}

/** The occurrence that is open at a moment, of several the one that began last; null: none. */
export function occurrenceAt(window: WindowTimes, nowMs: number): Occurrence | null {
  return stateAt(window, nowMs).open;
}

/** The first occurrence that begins after a moment; null where there is none any more. */
export function nextOccurrence(window: WindowTimes, nowMs: number): Occurrence | null {
  const recurrence = new Recurrence(window);
  return recurrence.occurrence(recurrence.lastBegun(nowMs) + 1);
}

/** The last occurrence that began at a moment or before; null where none has. */
export function previousOccurrence(window: WindowTimes, nowMs: number): Occurrence | null {
  const recurrence = new Recurrence(window);
  return recurrence.occurrence(recurrence.lastBegun(nowMs));
}

/** The occurrences that begin at `fromMs` or later and before `toMs`, the first `limit` of them. */
export function occurrencesBetween(
  window: WindowTimes,
  { fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number },
): Occurrence[] {
  const recurrence = new Recurrence(window);
  const found: Occurrence[] = [];
  // Times are whole milliseconds: what has not begun a millisecond earlier begins at `fromMs` or later.
  const first = recurrence.lastBegun(fromMs - 1) + 1;
  for (let number = first; found.length < limit; number++) {
    const occurrence = recurrence.occurrence(number);
    if (occurrence === null || occurrence.startsAtMs >= toMs) break;
    found.push(occurrence);
  }
  return found;
}
