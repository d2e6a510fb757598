import { z } from 'zod';
import { checkStatus } from '#shared/results/check-status.ts';
import { KEY, operation } from '../operation.ts';
import { checkIdParams } from '../params.ts';

const listStatuses = operation({
  id: 'listCheckStatuses',
  method: 'get',
  path: '/v1/check-statuses',
  tag: 'Check statuses',
  summary: 'Read the status of every check',
  description: 'The whole list, without pages. Checks without a result are left out.',
  access: KEY,
  status: 200,
  response: z.array(checkStatus),
  handle: (_input, { checkStatuses }) => ({
    content: { bytes: checkStatuses.pieces(), type: 'application/json; charset=utf-8' },
  }),
});

const readStatus = operation({
  id: 'readCheckStatus',
  method: 'get',
  path: '/v1/check-statuses/{checkId}',
  tag: 'Check statuses',
  summary: 'Read the status of one check',
  description: '404 for a check that has no result yet.',
  access: KEY,
  params: checkIdParams,
  status: 200,
  response: checkStatus,
  handle: ({ params: { checkId } }, { checkStatuses }) => ({
    content: { json: checkStatuses.find(checkId) },
  }),
});

export const statusOperations = [listStatuses, readStatus];
