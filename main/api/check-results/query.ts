import { z } from 'zod';
import { flag, instant, limit } from '#shared/api/query.ts';
import { CHECK_TYPES, LOCATIONS, RESULT_TYPES } from '#shared/check/enums.ts';

/** What both versions of the list of results take (4.2). */
export const resultFilters = {
  limit: limit(100, 10),
  from: instant.optional(),
  to: instant.optional(),
  location: z.enum(LOCATIONS).optional(),
  checkType: z.enum(CHECK_TYPES).optional(),
  hasFailures: flag.optional(),
  resultType: z.enum(RESULT_TYPES).default('FINAL'),
};
