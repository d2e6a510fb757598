import { z } from 'zod';

/** Nothing, or the first moment of the calendar: what clients of typed languages send for a date that nobody set. */
const NO_DATE = /^(?:0001-01-01T00:00:00(?:\.0+)?(?:Z|[+-]00:00)?)?$/;

/** A date for which such a text means the same as null. */
export function orNoDate<T extends z.ZodType>(date: T) {
  return z.preprocess(
    (sent) => (typeof sent === 'string' && NO_DATE.test(sent) ? null : sent),
    date,
  );
}

const HAS_OFFSET = /T.*(?:Z|[+-]\d\d:\d\d)$/;
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a date is one of the years 0 to 9999 in UTC too, which ISO 8601 writes with four digits. */
export function isOfPlainYear(text: string): boolean {
  if (!HAS_OFFSET.test(text)) return true;
  const ms = Date.parse(text);
  return ms >= FIRST && ms <= LAST;
}

export const NOT_OF_PLAIN_YEAR = 'expected a date of the years 0 to 9999 in UTC';
