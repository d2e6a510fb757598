import { Temporal } from 'temporal-polyfill';

/** The zone of a window that names none (contract 15.4). */
const DEFAULT_ZONE = 'UTC';

/** What a window's `timezone` means: null is UTC. */
export const zoneOf = (timezone: string | null): string => timezone ?? DEFAULT_ZONE;

/** Names of zones begin with a letter; `+02:00` is an offset, which `Intl` would take too. */
const NAME = /^[A-Za-z][\w+/-]*$/;

/** Whether a text is an IANA name that this platform knows, and no fixed offset (contract 15.4). */
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
  // `Date` reads any number of decimals, Temporal nine at most.
  return toMoment(toWallClock(Date.parse(text.includes('T') ? `${text}Z` : text), 'UTC'), zone);
}

const MIDNIGHT_UTC = /T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)$/;

/**
 * The calendar day that an ISO 8601 text names in a zone. Midnight in UTC is how clients write a
 * plain date, so it is that date in every zone.
 */
export function dayOf(text: string, zone: string): Temporal.PlainDate {
  const isPlain = !HAS_OFFSET.test(text) || MIDNIGHT_UTC.test(text);
  return isPlain
    ? toWallClock(Date.parse(text.slice(0, 10)), 'UTC').toPlainDate()
    : toWallClock(Date.parse(text), zone).toPlainDate();
}

/** What a clock on the wall of the zone shows at a moment. */
export function toWallClock(ms: number, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime();
}

/**
 * The moment at which the wall clock of a zone shows a time. A time that the clock passes over when
 * it is put forward is as long after the change as it would have been after the last time before it
 * (02:30 is then 03:30); of a time that it shows twice, the first (RFC 5545, 3.3.5).
 */
export function toMoment(time: Temporal.PlainDateTime, zone: string): number {
  return time.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
}
