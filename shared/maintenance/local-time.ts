import { Temporal } from 'temporal-polyfill';

/**
 * A time on the wall is what a clock there shows, as the epoch milliseconds at which one in UTC shows
 * the same. So days are always as long as each other: arithmetic is done on the wall.
 */

export const DAY_MS = 86_400_000;

/** The zone of a window that names none. */
const DEFAULT_ZONE = 'UTC';

/** What a window's `timezone` means: null is UTC. */
export const zoneOf = (timezone: string | null): string => timezone ?? DEFAULT_ZONE;

/** Names of zones begin with a letter; `+02:00` is an offset, which `Intl` would take too. */
const NAME = /^[A-Za-z][\w+/-]*$/;

/** Whether a text is an IANA name that this platform knows, and no fixed offset. */
export function isTimezone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw new Error(`The time zone ${name} could not be looked up`, { cause: error });
  }
}

const HAS_OFFSET = /T.*(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The moment, in epoch milliseconds, that an ISO 8601 text names. A date, which means its midnight,
 * and a date and time without an offset are wall-clock times of the zone.
 */
export function momentOf(text: string, zone: string): number {
  if (HAS_OFFSET.test(text)) return Date.parse(text);
  return toMoment(Date.parse(text.includes('T') ? `${text}Z` : text), zone);
}

const MIDNIGHT_UTC = /T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)$/;

/**
 * The calendar day that an ISO 8601 text names in a zone, in days since 1970-01-01. Midnight in UTC is
 * how clients write a plain date, so it is that date in every zone.
 */
export function dayOf(text: string, zone: string): number {
  const isPlain = !HAS_OFFSET.test(text) || MIDNIGHT_UTC.test(text);
  return toDay(isPlain ? Date.parse(text.slice(0, 10)) : toWall(Date.parse(text), zone));
}

/** The day of a time on the wall, in days since 1970-01-01. */
export const toDay = (wallMs: number): number => Math.floor(wallMs / DAY_MS);

/** What the clock on the wall of a zone shows at a moment. */
export const toWall = (ms: number, zone: string): number => ms + offsetAt(ms, zone);

/**
 * The moment at which the clock on the wall of a zone shows a time. A time that the clock passes over
 * when it is put forward is as long after the change as it would have been after the last time before
 * it (02:30 is then 03:30); of a time that it shows twice, the first (RFC 5545, 3.3.5).
 */
export function toMoment(wallMs: number, zone: string): number {
  // No zone is a day away from UTC, so these are before and after any change at that time.
  const before = wallMs - offsetAt(wallMs - DAY_MS, zone);
  const after = wallMs - offsetAt(wallMs + DAY_MS, zone);
  return [before, after].find((ms) => toWall(ms, zone) === wallMs) ?? before;
}

/** From `fromMs` on, before `untilMs`, the clock of a zone is `offsetMs` ahead of UTC. */
interface Span {
  fromMs: number;
  untilMs: number;
  offsetMs: number;
}

/** There are some 600 names of zones; a window asks about its first day and about this year. */
const MAX_ZONES = 600;
const MAX_SPANS = 16;

const remembered = new Map<string, Span[]>();

/**
 * By how many milliseconds the wall clock of a zone (IANA name) is ahead of UTC at a moment (epoch
 * milliseconds). Asking the library costs a hundred times what a known span does, and a thousand
 * windows may open at once, so that what it told is remembered until the clock changes next.
 */
export function offsetAt(ms: number, zone: string): number {
  const spans = remembered.get(zone) ?? [];
  const known = spans.find(({ fromMs, untilMs }) => ms >= fromMs && ms < untilMs);
  if (known !== undefined) return known.offsetMs;
  const span = spanFrom(ms, zone);
  if (remembered.size >= MAX_ZONES && spans.length === 0) remembered.clear();
  const others = spans.filter(({ untilMs }) => untilMs !== span.untilMs);
  remembered.set(zone, [span, ...others].slice(0, MAX_SPANS));
  return span.offsetMs;
}

function spanFrom(ms: number, zone: string): Span {
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const change = zoned.getTimeZoneTransition('next');
  return {
    fromMs: ms,
    untilMs: change?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: zoned.offsetNanoseconds / 1_000_000,
  };
}
