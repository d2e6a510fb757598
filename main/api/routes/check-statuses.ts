import { z } from 'zod';
import { checkStatus } from '#shared/results/check-status.ts';
import { KEY, operation } from '../operation.ts';
import { checkIdParams } from '../params.ts';

const listStatuses = operation({
  id: 'listCheckStatuses',
  method: 'get',
  path: '/v1/check-statuses',
  tag: 'Check statuses',
  summary: 'Where every check stands',
  description: 'All at once, without pages. A check that has no result yet is left out.',
  access: KEY,
  status: 200,
  response: z.array(checkStatus),
  handle: (_input, { checkStatuses }) => ({ content: { items: checkStatuses.all() } }),
});

const readStatus = operation({
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
  handle: ({ params: { checkId } }, { checkStatuses }) => ({
    content: { json: checkStatuses.find(checkId) },
  }),
});

export const statusOperations = [listStatuses, readStatus];
