import { z } from 'zod';
import { checkAlert, viewCheckAlert } from '#shared/alerting/check-alert.ts';
import { contentRange } from '#shared/api/content-range.ts';
import { instant, limit, page } from '#shared/api/query.ts';
import { RESULT_WINDOW_MS, type TimeRangeBounds } from '#shared/api/time-range.ts';
import { type Context, KEY, operation, type Reply } from '../../operation.ts';
import { timeRangeOf } from '../../time-range.ts';
import { checkIdParams, findCheck } from '../checks/find-check.ts';

const query = z.object({
  limit: limit(100, 10),
  page,
  from: instant.optional(),
  to: instant.optional(),
});

const DESCRIPTION =
  'Newest first, of at most 6 hours. A bound left out is 6 hours from the other one; without both, the last 6 hours. Alerts of which nobody was told are listed too. The header `Content-Range` has the total.';

export const listAlerts = operation({
  id: 'listCheckAlerts',
  method: 'get',
  path: '/v1/check-alerts',
  tag: 'Check alerts',
  summary: 'List the alerts of all checks',
  description: DESCRIPTION,
  access: KEY,
  query,
  status: 200,
  response: z.array(checkAlert),
  handle: ({ query }, context) => pageOfAlerts(undefined, query, context),
});

/** 4.3. */
export const listAlertsOfCheck = operation({
  id: 'listAlertsOfCheck',
  method: 'get',
  path: '/v1/check-alerts/{checkId}',
  tag: 'Check alerts',
  summary: 'List the alerts of a check',
  description: DESCRIPTION,
  access: KEY,
  params: checkIdParams,
  query,
  status: 200,
  response: z.array(checkAlert),
  handle: ({ params: { checkId }, query }, context) => {
    findCheck(checkId, context);
    return pageOfAlerts(checkId, query, context);
  },
});

async function pageOfAlerts(
  checkId: string | undefined,
  query: TimeRangeBounds & { page: number; limit: number },
  context: Context,
): Promise<Reply> {
  const { limit } = query;
  const offset = (query.page - 1) * limit;
  const window = timeRangeOf(query, RESULT_WINDOW_MS, context);
  const { alerts, total } = await context.history.listAlerts({ ...window, checkId, limit, offset });
  return {
    headers: { 'content-range': contentRange(offset, alerts.length, total) },
    content: { json: alerts.map(viewCheckAlert) },
  };
}
