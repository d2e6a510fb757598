import { z } from 'zod';
import { ALERT_SAYINGS } from '#shared/alerting/alert-type.ts';
import { checkAlert, viewCheckAlert } from '#shared/alerting/check-alert.ts';
import { flag, instant, limit, page } from '#shared/api/query.ts';
import { toldAlert, viewToldAlert } from '#shared/notifications/told-alert.ts';
import { KEY, operation } from '../operation.ts';
import { listedPage } from '../pagination.ts';
import { checkIdParams, uuidParam } from '../params.ts';

const tag = 'Check alerts';
const query = z.object({
  limit: limit(100, 10),
  page,
  from: instant.optional(),
  to: instant.optional(),
});

const DESCRIPTION =
  'Newest first, of at most 6 hours. A bound left out is 6 hours from the other one; without both, the last 6 hours. Alerts of which nobody was told are listed too. The header `Content-Range` has the total.';

const listAlerts = operation({
  id: 'listCheckAlerts',
  method: 'get',
  path: '/v1/check-alerts',
  tag,
  summary: 'List the alerts of all checks',
  description: DESCRIPTION,
  access: KEY,
  query,
  status: 200,
  response: z.array(checkAlert),
  handle: async ({ query }, { checkAlerts }) =>
    listedPage(await checkAlerts.list(query), query, viewCheckAlert),
});

const listAlertsOfCheck = operation({
  id: 'listAlertsOfCheck',
  method: 'get',
  path: '/v1/check-alerts/{checkId}',
  tag,
  summary: 'List the alerts of a check',
  description: DESCRIPTION,
  access: KEY,
  params: checkIdParams,
  query,
  status: 200,
  response: z.array(checkAlert),
  handle: async ({ params: { checkId }, query }, { checkAlerts }) =>
    listedPage(await checkAlerts.listOfCheck(checkId, query), query, viewCheckAlert),
});

const listToldAlerts = operation({
  id: 'listToldAlerts',
  method: 'get',
  path: '/app/check-alerts',
  tag,
  summary: 'List alerts with what was sent for each',
  description:
    'Newest first, of all that is kept or of the time asked for, each with when its check passed again. The header `Content-Range` has the total.',
  access: KEY,
  internal: true,
  query: query.extend({
    checkId: uuidParam.optional(),
    says: z
      .enum(ALERT_SAYINGS)
      .optional()
      .meta({ description: 'Only alerts that say this of their check' }),
    isTold: flag
      .optional()
      .meta({ description: '`true`: only alerts that were sent; `false`: those that were not' }),
  }),
  status: 200,
  response: z.array(toldAlert),
  handle: async ({ query }, { checkAlerts }) =>
    listedPage(await checkAlerts.listTold(query), query, viewToldAlert),
});

export const checkAlertOperations = [listAlerts, listAlertsOfCheck, listToldAlerts];
