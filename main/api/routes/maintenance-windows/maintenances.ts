import { z } from 'zod';
import { refuseProblems } from '#main/services/service-error.ts';
import { limit, page } from '#shared/api/query.ts';
import { momentOf, zoneOf } from '#shared/maintenance/local-time.ts';
import { maintenancePatch, maintenanceView } from '#shared/maintenance/maintenance.ts';
import { listedMaintenances, statusOf, viewMaintenance } from '#shared/maintenance/occurrences.ts';
import { ApiError } from '../../api-error.ts';
import { KEY, operation } from '../../operation.ts';
import { pageOf } from '../../pagination.ts';
import { changeOccurrence, findOccurrence, occurrenceParams } from './occurrence.ts';
import { findWindow, windowParams } from './read.ts';

export const listMaintenances = operation({
  id: 'listMaintenances',
  method: 'get',
  path: '/v1/maintenance-windows/{id}/maintenances',
  tag: 'Maintenance windows',
  summary: 'List the occurrences of a maintenance window',
  description:
    'In the order of their planned starts, from a month ago to a year ahead, and one that is open longer than that; of a window that has none then, the next or else the last one. The header `Content-Range` has the total.',
  access: KEY,
  params: windowParams,
  query: z.object({ limit: limit(50, 10), page }),
  status: 200,
  response: z.array(maintenanceView),
  handle: ({ params: { id }, query }, context) => {
    const window = findWindow(id, context);
    const now = context.clock.now();
    const listed = listedMaintenances(window, now);
    return pageOf(listed, query, (one) => viewMaintenance(one, window, now));
  },
});

export const readMaintenance = operation({
  id: 'readMaintenance',
  method: 'get',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}',
  tag: 'Maintenance windows',
  summary: 'Read an occurrence of a maintenance window',
  access: KEY,
  params: occurrenceParams,
  status: 200,
  response: maintenanceView,
  handle: ({ params }, context) => {
    const { window, maintenance } = findOccurrence(params, context);
    return { content: { json: viewMaintenance(maintenance, window, context.clock.now()) } };
  },
});

export const changeMaintenance = operation({
  id: 'updateMaintenance',
  method: 'patch',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}',
  tag: 'Maintenance windows',
  summary: 'Move an occurrence of a maintenance window',
  description: 'Its id stays. 409 where it is over or cancelled.',
  access: KEY,
  params: occurrenceParams,
  body: { schema: maintenancePatch },
  status: 200,
  response: maintenanceView,
  failures: [409],
  handle: ({ params, body }, context) =>
    changeOccurrence(params, context, ({ window, maintenance, nowMs }) => {
      const status = statusOf(maintenance, window, nowMs);
      if (status === 'COMPLETED' || status === 'CANCELLED') {
        throw new ApiError(409, `The occurrence is ${status} and cannot be moved`);
      }
      const changed = { ...maintenance, ...body };
      refuseBackwards(changed, zoneOf(window.timezone));
      return {
        maintenance: changed,
        answer: (kept) => ({ content: { json: viewMaintenance(kept, window, nowMs) } }),
      };
    }),
});

function refuseBackwards(dates: { startsAt: string; endsAt: string }, zone: string): void {
  if (momentOf(dates.endsAt, zone) >= momentOf(dates.startsAt, zone)) return;
  const problems = [{ path: 'endsAt', message: 'expected a moment not before startsAt' }];
  refuseProblems({ source: 'payload', problems });
}

export const deleteMaintenance = operation({
  id: 'deleteMaintenance',
  method: 'delete',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}',
  tag: 'Maintenance windows',
  summary: 'Delete an occurrence of a maintenance window',
  description: 'The window is not open then; its other occurrences stay.',
  access: KEY,
  params: occurrenceParams,
  status: 204,
  response: null,
  failures: [409],
  handle: ({ params }, context) =>
    changeOccurrence(params, context, ({ maintenance }) => ({
      maintenance: { ...maintenance, isDeleted: true, updates: [] },
      answer: () => ({}),
    })),
});
