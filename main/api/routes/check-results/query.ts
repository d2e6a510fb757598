import { z } from 'zod';
import { flag, instant, limit } from '#shared/api/query.ts';
import { CHECK_TYPES, LOCATIONS, RESULT_TYPES } from '#shared/checks/enums.ts';
import { DEFAULT_LOCATION } from '#shared/runs/locations.ts';
import type { Context } from '../../operation.ts';

const PLACES = [...LOCATIONS, DEFAULT_LOCATION] as const;

/** What both versions of the list of results take (4.2). */
export const resultFilters = {
  limit: limit(100, 10),
  from: instant.optional(),
  to: instant.optional(),
  location: z
    .enum(PLACES)
    .meta({ description: 'Where the run was asked for; a private location of the check, too' })
    .optional(),
  checkType: z.enum(CHECK_TYPES).optional(),
  hasFailures: flag.optional(),
  resultType: z.enum(RESULT_TYPES).default('FINAL'),
};

/** Lets a query of results also name the private locations that its check runs at. */
export function withPrivateLocations<S extends z.ZodObject>(query: S) {
  return ({ checkId = '' }: Record<string, string>, { configuration }: Context) => {
    const check = configuration.checks.get(checkId);
    if (check === undefined || !('privateLocations' in check)) return undefined;
    const slugs = check.privateLocations ?? [];
    if (slugs.length === 0) return undefined;
    return query.extend({ location: z.enum([...PLACES, ...slugs]).optional() });
  };
}
