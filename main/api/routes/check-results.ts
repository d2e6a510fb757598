import { z } from 'zod';
import { contentRange } from '#shared/api/content-range.ts';
import { flag, instant, limit, page, several } from '#shared/api/query.ts';
import { CHECK_TYPES, LOCATIONS, RESULT_TYPES } from '#shared/checks/enums.ts';
import { checkResult, FOREIGN_FIELDS, RESULT_FIELDS } from '#shared/results/check-result.ts';
import { DEFAULT_LOCATION } from '#shared/runs/locations.ts';
import { cursorPage, nextId, readCursor } from '../cursor.ts';
import { type Context, KEY, operation } from '../operation.ts';
import { checkIdParams, uuidParam } from '../params.ts';

const PLACES = [...LOCATIONS, DEFAULT_LOCATION] as const;

/** What both versions of the list take (4.2). */
const filters = {
  limit: limit(100, 10),
  from: instant.optional(),
  to: instant.optional(),
  location: z
    .enum(PLACES)
    .meta({ description: 'The requested location; may be a private location of the check' })
    .optional(),
  checkType: z.enum(CHECK_TYPES).optional(),
  hasFailures: flag.optional(),
  resultType: z.enum(RESULT_TYPES).default('FINAL'),
};

/** Lets a query also name the private locations that the check runs at. */
function withPrivateLocations<S extends z.ZodObject>(query: S) {
  return ({ checkId = '' }: Record<string, string>, { checkResults }: Context) => {
    const slugs = checkResults.privateLocationsOf(checkId);
    if (slugs.length === 0) return undefined;
    return query.extend({ location: z.enum([...PLACES, ...slugs]).optional() });
  };
}

const pageQuery = z.object({ ...filters, page });

/** 4.2: a time of at most 6 hours, page by page, newest first. */
const listResultsV1 = operation({
  id: 'listCheckResultsV1',
  method: 'get',
  path: '/v1/check-results/{checkId}',
  tag: 'Check results',
  summary: 'List check results, by page',
  deprecated: true,
  description:
    'Newest first, of at most 6 hours. A bound left out is 6 hours from the other one; without both, the last 6 hours.',
  access: KEY,
  params: checkIdParams,
  query: pageQuery,
  chooseQuery: withPrivateLocations(pageQuery),
  status: 200,
  response: z.array(checkResult),
  handle: async ({ params: { checkId }, query: { page, ...query }, baseUrl }, { checkResults }) => {
    const offset = (page - 1) * query.limit;
    const asked = { ...query, offset, baseUrl };
    const { entries, length, total } = await checkResults.inRange(checkId, asked);
    return {
      headers: { 'content-range': contentRange(offset, length, total ?? length) },
      content: { parts: [entries] },
    };
  },
});

const selectedResult = checkResult
  .extend({
    createdAt: z.iso.datetime(),
    ...Object.fromEntries(FOREIGN_FIELDS.map((name) => [name, z.null()])),
  })
  .partial();

const cursorQuery = z.object({
  ...filters,
  nextId,
  fields: several(z.enum(RESULT_FIELDS))
    .optional()
    .meta({ description: 'Only these members of each entry' }),
});

/** 4.2: from the newest back to the oldest, by cursor. */
const listResultsV2 = operation({
  id: 'listCheckResultsV2',
  method: 'get',
  path: '/v2/check-results/{checkId}',
  tag: 'Check results',
  summary: 'List check results, by cursor',
  description:
    'Newest first. `nextId` leads to the next page; it is null on the last one. Without `from` and `to`, all that is kept.',
  access: KEY,
  params: checkIdParams,
  query: cursorQuery,
  chooseQuery: withPrivateLocations(cursorQuery),
  status: 200,
  response: z.object({
    length: z.int(),
    entries: z.array(selectedResult),
    nextId: z.string().nullable(),
  }),
  handle: async (
    { params: { checkId }, query: { nextId, ...query }, baseUrl },
    { checkResults },
  ) => {
    const before = nextId === undefined ? undefined : readCursor(nextId);
    return cursorPage(await checkResults.before(checkId, { ...query, before, baseUrl }));
  },
});

const readResult = operation({
  id: 'readCheckResult',
  method: 'get',
  path: '/v1/check-results/{checkId}/{checkResultId}',
  tag: 'Check results',
  summary: 'Read one check result',
  access: KEY,
  params: checkIdParams.extend({ checkResultId: uuidParam }),
  status: 200,
  response: checkResult,
  handle: async ({ params: { checkId, checkResultId }, baseUrl }, { checkResults }) => ({
    content: { parts: [await checkResults.find(checkId, checkResultId, baseUrl)] },
  }),
});

export const resultOperations = [listResultsV1, listResultsV2, readResult];
