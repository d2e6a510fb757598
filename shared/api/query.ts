import { z } from 'zod';

/**
 * Blocks of query schemas. A query arrives as `{ name: 'text' }`, or `{ name: ['a', 'b'] }` where a
 * name is repeated; `a[]=` is the same name as `a=`.
 */

const WHOLE = /^-?\d{1,15}$/;

/** A whole number of `min` to `max`. */
export const integer = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && WHOLE.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,9})?$/;

/** A number of `min` to `max`, which may have a fraction. */
export const decimal = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value),
    z.number().min(min).max(max),
  );

/** Section 8: `limit` of a list. */
export const limit = (max: number, byDefault: number) => integer(1, max).default(byDefault);

/** A page of a list, from 1. */
export const page = integer(1, 1_000_000_000).default(1);

const FLAGS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

/** `true`, `false`, `1` or `0`. */
export const flag = z.preprocess(
  (value) => (typeof value === 'string' ? (FLAGS[value.toLowerCase()] ?? value) : value),
  z.boolean(),
);

/** A moment as epoch milliseconds; see {@link readInstant} for the forms it may have. */
export const instant = z.preprocess(
  (value) => (typeof value === 'string' ? (readInstant(value) ?? value) : value),
  z.number({ error: 'expected a UNIX timestamp in seconds or an ISO 8601 date' }).meta({
    description: 'UNIX timestamp in seconds (fractional or milliseconds too), or ISO 8601',
  }),
);

/** Several values, each repeating the name: such as may hold commas themselves. */
export const repeated = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(item).max(100));

/** Several values: repeated, or separated by commas. */
export const several = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) =>
      (Array.isArray(value) ? value : [value]).flatMap((part) =>
        typeof part === 'string' ? part.split(',').filter((word) => word !== '') : [part],
      ),
    z.array(item).max(100),
  );

const NUMBER = /^\d{1,16}(?:\.\d{1,9})?$/;
/** From here on a number is milliseconds: as seconds it would be the year 5138. */
const FIRST_MILLISECONDS = 100_000_000_000;
/** The last moment that a `Date` can hold. */
const LAST_MS = 8.64e15;

const isoDate = z.iso.date();
const isoDateTime = z.iso.datetime({ offset: true });
const localDateTime = z.iso.datetime({ local: true });

/**
 * A moment as clients write it: UNIX seconds, whole or fractional; milliseconds; an ISO 8601 date
 * (its start in UTC) or date and time (in UTC where it names no offset). Answers epoch
 * milliseconds, undefined where it is none of these.
 */
export function readInstant(text: string): number | undefined {
  if (NUMBER.test(text)) return readNumber(Number(text));
  // An unescaped `+` of an offset arrives as a space.
  const iso = text.replace(/ (\d\d:\d\d)$/, '+$1');
  if (isoDate.safeParse(iso).success) return Date.parse(iso);
  if (isoDateTime.safeParse(iso).success) return Date.parse(iso);
  if (localDateTime.safeParse(iso).success) return Date.parse(`${iso}Z`);
  return undefined;
}

function readNumber(value: number): number | undefined {
  const ms = Math.round(value > FIRST_MILLISECONDS ? value : value * 1_000);
  return ms <= LAST_MS ? ms : undefined;
}
