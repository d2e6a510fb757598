import { z } from 'zod';
import type { Monitor } from '#main/monitoring/monitor-port.ts';
import { notFound } from '#main/services/service-error.ts';
import type { Check } from '#shared/checks/check.ts';
import { type CheckStatus, checkStatus } from '#shared/results/check-status.ts';
import { KEY, operation } from '../operation.ts';
import { checkIdParams, findCheck } from './checks/find-check.ts';

export const listStatuses = operation({
  id: 'listCheckStatuses',
  method: 'get',
  path: '/v1/check-statuses',
  tag: 'Check statuses',
  summary: 'Where every check stands',
  description: 'All at once, without pages. A check that has no result yet is left out.',
  access: KEY,
  status: 200,
  response: z.array(checkStatus),
  handle: (_input, { configuration, monitor }) => ({
    content: { items: statusesOf(configuration.checks.all(), monitor) },
  }),
});

export const readStatus = operation({
  id: 'readCheckStatus',
  method: 'get',
  path: '/v1/check-statuses/{checkId}',
  tag: 'Check statuses',
  summary: 'Where one check stands',
  description: '404 for a check that has no result yet: nothing is known of it.',
  access: KEY,
  params: checkIdParams,
  status: 200,
  response: checkStatus,
  handle: ({ params: { checkId } }, context) => {
    const status = statusOf(findCheck(checkId, context), context.monitor);
    if (status === undefined) throw notFound('This check has no result yet');
    return { content: { json: status } };
  },
});

function* statusesOf(checks: readonly Check[], monitor: Monitor): Generator<CheckStatus> {
  for (const check of checks) {
    const status = statusOf(check, monitor);
    if (status !== undefined) yield status;
  }
}

function statusOf({ id, name }: Check, monitor: Monitor): CheckStatus | undefined {
  const kept = monitor.statusOf(id);
  return kept && { name, checkId: id, ...kept };
}
