import { z } from 'zod';
import { isOfPlainYear, NOT_OF_PLAIN_YEAR } from '#shared/api/dates.ts';

/** Longest text of a date: a bound of ours. */
const MAX_LENGTH = 40;

/** An ISO 8601 date, or date and time with or without an offset; kept and answered as it came. */
export const isoDate = z
  .union([z.iso.datetime({ offset: true, local: true }).max(MAX_LENGTH), z.iso.date()])
  .refine(isOfPlainYear, { error: NOT_OF_PLAIN_YEAR });
