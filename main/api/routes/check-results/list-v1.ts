import { z } from 'zod';
import { timeRangeOf } from '#main/services/time-range.ts';
import { contentRange } from '#shared/api/content-range.ts';
import { page } from '#shared/api/query.ts';
import { RESULT_WINDOW_MS } from '#shared/api/time-range.ts';
import { checkResult } from '#shared/results/check-result.ts';
import { KEY, operation } from '../../operation.ts';
import { checkIdParams, findCheck } from '../checks/find-check.ts';
import { resultFilters, withPrivateLocations } from './query.ts';

const query = z.object({ ...resultFilters, page });

/** 4.2: a window of at most 6 hours, page by page, newest first. */
export const listResultsV1 = operation({
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
  query,
  chooseQuery: withPrivateLocations(query),
  status: 200,
  response: z.array(checkResult),
  handle: async ({ params: { checkId }, query }, context) => {
    const { name } = findCheck(checkId, context);
    const { page: pageNumber, ...filters } = query;
    const window = timeRangeOf(query, RESULT_WINDOW_MS, context);
    const offset = (pageNumber - 1) * query.limit;
    const asked = { ...filters, ...window, checkId, name, offset, withTotal: true };
    const { entries, length, total } = await context.history.listResults(asked);
    return {
      headers: { 'content-range': contentRange(offset, length, total ?? length) },
      content: { parts: [entries] },
    };
  },
});
