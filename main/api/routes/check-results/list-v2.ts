import { z } from 'zod';
import { refuseProblems } from '#main/services/service-error.ts';
import { several } from '#shared/api/query.ts';
import { rangeProblems } from '#shared/api/time-range.ts';
import { checkResult, FOREIGN_FIELDS, RESULT_FIELDS } from '#shared/results/check-result.ts';
import { KEY, operation } from '../../operation.ts';
import { checkIdParams, findCheck } from '../checks/find-check.ts';
import { cursorPage, nextId, readCursor } from './cursor.ts';
import { resultFilters, withPrivateLocations } from './query.ts';

const selectedResult = checkResult
  .extend({
    createdAt: z.iso.datetime(),
    ...Object.fromEntries(FOREIGN_FIELDS.map((name) => [name, z.null()])),
  })
  .partial();

const query = z.object({
  ...resultFilters,
  nextId,
  fields: several(z.enum(RESULT_FIELDS))
    .optional()
    .meta({ description: 'Only these members of each entry' }),
});

/** 4.2: from the newest back to the oldest, by cursor. */
export const listResultsV2 = operation({
  id: 'listCheckResultsV2',
  method: 'get',
  path: '/v2/check-results/{checkId}',
  tag: 'Check results',
  summary: 'List check results, by cursor',
  description:
    'Newest first. `nextId` leads to the next page; it is null on the last one. Without `from` and `to`, all that is kept.',
  access: KEY,
  params: checkIdParams,
  query,
  chooseQuery: withPrivateLocations(query),
  status: 200,
  response: z.object({
    length: z.int(),
    entries: z.array(selectedResult),
    nextId: z.string().nullable(),
  }),
  handle: async ({ params: { checkId }, query }, context) => {
    const { name } = findCheck(checkId, context);
    const { nextId: cursor, fields, ...filters } = query;
    const { from = 0, to = Number.POSITIVE_INFINITY } = query;
    refuseProblems({ source: 'query', problems: rangeProblems({ from, to }) });
    const before = cursor === undefined ? undefined : readCursor(cursor);
    const selected = fields?.length ? { fields } : {};
    const asked = { ...filters, ...selected, checkId, name, before };
    return cursorPage(await context.history.listResults(asked));
  },
});
