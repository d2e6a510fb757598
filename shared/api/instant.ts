import { z } from 'zod';

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
