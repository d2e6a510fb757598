import { z } from 'zod';

/**
 * What clients of typed languages send for a member that nobody set: `null`, or the zero value of its
 * type. Where that is no value of the member, it says nothing, and must not fail the request.
 */
type Zero = '' | 0;

/** A member with a default, or one that may be missing: `null` and the zero value leave it out. */
export function orUnset<T extends z.ZodType>(schema: T, zero?: Zero) {
  return z.preprocess((sent) => (sent === null || sent === zero ? undefined : sent), schema);
}

/** A member for which `null` means none: so does the zero value, and answers show `null`. */
export function orNull<T extends z.ZodType>(schema: T, zero: Zero) {
  return z.preprocess((sent) => (sent === zero ? null : sent), schema.nullable());
}
