import { DAY_MS, dayOf, momentOf, toDay, toMoment, toWall, zoneOf } from './local-time.ts';

export const REPEAT_UNITS = ['DAY', 'WEEK', 'MONTH'] as const;
export type RepeatUnit = (typeof REPEAT_UNITS)[number];

/** When a window is. The texts are ISO 8601, as they came. */
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
 * The occurrences of a window, computed for the moment asked about in constant time
 * and never written out ahead. Occurrence n begins n intervals after the first on the
 * wall clock of the zone, always counted from the first, so that one of the 31st is back on the 31st
 * after February. It is as long as the first *on the wall clock*: 22:00 to 06:00 stays that in the
 * nights of a clock change, and then lasts an hour more or less. The first is exactly what was given.
 */
export class Recurrence {
  readonly #zone: string;
  readonly #first: Occurrence;
  /** Its start, and its length there, on the wall. */
  readonly #wallMs: number;
  readonly #lengthMs: number;
  readonly #step: { isMonths: boolean; size: number } | null;
  /** The last day on which one may start. */
  readonly #lastDay: number;

  constructor(times: WindowTimes) {
    const zone = zoneOf(times.timezone);
    this.#zone = zone;
    this.#first = firstOccurrence(times);
    this.#wallMs = toWall(this.#first.startsAtMs, zone);
    this.#lengthMs = toWall(this.#first.endsAtMs, zone) - this.#wallMs;
    this.#step = stepOf(times);
    const { repeatEndsAt } = times;
    this.#lastDay = repeatEndsAt === null ? Number.POSITIVE_INFINITY : dayOf(repeatEndsAt, zone);
  }

  /** Occurrence n from 0; null where there is none. */
  occurrence(n: number): Occurrence | null {
    if (n <= 0 || this.#step === null) return n === 0 ? this.#first : null;
    const { isMonths, size } = this.#step;
    const wallMs = isMonths ? addMonths(this.#wallMs, n * size) : this.#wallMs + n * size * DAY_MS;
    if (toDay(wallMs) > this.#lastDay) return null;
    const startsAtMs = toMoment(wallMs, this.#zone);
    const endsAtMs = toMoment(wallMs + this.#lengthMs, this.#zone);
    // A change of the clock can leave nothing of a short one, which then has its length from its
    // start on; so has one after a first that began and ended in an hour that came twice.
    return {
      startsAtMs,
      endsAtMs: endsAtMs > startsAtMs ? endsAtMs : startsAtMs + this.#shortestMs,
    };
  }

  get #shortestMs(): number {
    const { startsAtMs, endsAtMs } = this.#first;
    return this.#lengthMs > 0 ? this.#lengthMs : endsAtMs - startsAtMs;
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
    const { isMonths, size } = this.#step;
    const day = Math.min(toDay(toWall(ms, this.#zone)), this.#lastDay);
    const passed = isMonths
      ? monthOf(day * DAY_MS) - monthOf(this.#wallMs)
      : day - toDay(this.#wallMs);
    return Math.max(0, Math.floor(passed / size));
  }
}

/** The first time that a window is open: as it was given. */
export function firstOccurrence({ startsAt, endsAt, timezone }: WindowTimes): Occurrence {
  const zone = zoneOf(timezone);
  return { startsAtMs: momentOf(startsAt, zone), endsAtMs: momentOf(endsAt, zone) };
}

function stepOf({ repeatUnit, repeatInterval }: WindowTimes) {
  if (repeatUnit === null || repeatInterval === null) return null;
  return {
    isMonths: repeatUnit === 'MONTH',
    size: repeatUnit === 'WEEK' ? 7 * repeatInterval : repeatInterval,
  };
}

/** The month of a time on the wall, in months since some year. */
function monthOf(wallMs: number): number {
  const date = new Date(wallMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The same day and time so many months later; the last day of a month that is too short. */
function addMonths(wallMs: number, months: number): number {
  const date = new Date(wallMs);
  const day = date.getUTCDate();
  // Day 0 is the last one of the month before.
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(day, date.getUTCDate()));
  return date.getTime();
}

/**
 * Whether a window is open at a moment (epoch milliseconds), and for how long that holds. `isGone`
 * tells of an occurrence, by its start, whether it is not, or is elsewhere.
 */
export function stateAt(
  recurrence: Recurrence,
  nowMs: number,
  isGone: (startsAtMs: number) => boolean = () => false,
): WindowState {
  const number = recurrence.lastBegun(nowMs);
  const last = recurrence.occurrence(number);
  const nextMs = recurrence.occurrence(number + 1)?.startsAtMs ?? Number.POSITIVE_INFINITY;
  if (last === null) return { open: null, fromMs: Number.NEGATIVE_INFINITY, untilMs: nextMs };
  if (nowMs >= last.endsAtMs) return { open: null, fromMs: last.endsAtMs, untilMs: nextMs };
  // One that is longer than its interval is still open when the next one begins, or would have.
  let at = number;
  let open: Occurrence | null = last;
  while (open !== null && isGone(open.startsAtMs)) open = recurrence.occurrence(--at);
  if (open !== null && nowMs >= open.endsAtMs) open = null;
  const untilMs = Math.min((open ?? last).endsAtMs, nextMs);
  return { open, fromMs: last.startsAtMs, untilMs };
}

/** The occurrence that is open at a moment, of several the one that began last; null: none. */
export function occurrenceAt(window: WindowTimes, nowMs: number): Occurrence | null {
  return stateAt(new Recurrence(window), nowMs).open;
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
