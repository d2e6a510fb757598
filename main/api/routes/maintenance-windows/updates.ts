import { v4 as uuid } from 'uuid';
import { z } from 'zod';
import { notFound, refuseProblems } from '#main/services/service-error.ts';
import { changedTimes } from '#shared/maintenance/changed-state.ts';
import {
  MAX_UPDATES,
  type MaintenanceChange,
  type MaintenanceStatus,
  type MaintenanceUpdate,
  type UpdateBody,
  updateCreate,
  updateEdit,
  updateView,
} from '#shared/maintenance/maintenance.ts';
import { movedBy, STATUSES_AFTER } from '#shared/maintenance/maintenance-status.ts';
import { statusOf, viewUpdate } from '#shared/maintenance/occurrences.ts';
import type { MaintenanceWindow } from '#shared/maintenance/window.ts';
import { ApiError } from '../../api-error.ts';
import { KEY, operation } from '../../operation.ts';
import { changeOccurrence, findOccurrence, occurrenceParams } from './occurrence.ts';

const updateParams = occurrenceParams.extend({ updateId: z.guid() });

export const createUpdate = operation({
  id: 'createMaintenanceUpdate',
  method: 'post',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates',
  tag: 'Maintenance windows',
  summary: 'Say how an occurrence of a maintenance window goes',
  description:
    'Its status is the one said. `IN_PROGRESS` before its start starts it now, `COMPLETED` before its end ends it now, `CANCELLED` makes the window not be open.',
  access: KEY,
  params: occurrenceParams,
  body: {
    schema: updateCreate,
    // What is not there is told before what is wrong with a body for it.
    choose: ({ params: { id, maintenanceId = '' } }, context) => {
      findOccurrence({ id: Number(id), maintenanceId }, context);
      return updateCreate;
    },
  },
  status: 201,
  response: updateView,
  failures: [409],
  handle: ({ params, body }, context) =>
    changeOccurrence(params, context, ({ window, maintenance, nowMs }) => {
      const { updates } = maintenance;
      if (updates.length >= MAX_UPDATES) {
        throw new ApiError(409, `The occurrence has ${updates.length} updates already`);
      }
      const { update, dates } = makeUpdate(body, maintenance, window, nowMs);
      return {
        maintenance: { ...maintenance, ...dates, updates: [...updates, update] },
        answer: (kept) => ({ content: { json: viewUpdate(update, kept, window) } }),
      };
    }),
});

/** The update that a body asks for, and the dates of the occurrence that it moves. */
function makeUpdate(
  body: UpdateBody,
  maintenance: MaintenanceChange,
  window: MaintenanceWindow,
  nowMs: number,
): { update: MaintenanceUpdate; dates: { startsAt?: string; endsAt?: string } } {
  const previousStatus = statusOf(maintenance, window, nowMs);
  refuseStep(previousStatus, body.status);
  const now = new Date(nowMs).toISOString();
  const moved = movedBy(body.status, changedTimes(maintenance, window), nowMs);
  const dates = moved === null ? {} : { [moved]: now };
  const update = {
    id: uuid(),
    ...body,
    created_at: now,
    previousStatus,
    previousStartsAt: moved === 'startsAt' ? maintenance.startsAt : null,
    previousEndsAt: moved === 'endsAt' ? maintenance.endsAt : null,
    dateAdjustments: moved === null ? null : dates,
  };
  return { update, dates };
}

function refuseStep(from: MaintenanceStatus, to: MaintenanceStatus): void {
  const allowed = STATUSES_AFTER[from];
  if (allowed.includes(to)) return;
  const message = `expected ${allowed.join(' or ')} after ${from}, got ${to}`;
  refuseProblems({ source: 'payload', problems: [{ path: 'status', message }] });
}

export const editUpdate = operation({
  id: 'updateMaintenanceUpdate',
  method: 'put',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates/{updateId}',
  tag: 'Maintenance windows',
  summary: 'Correct what was said of an occurrence',
  description: 'The dates of the occurrence stay, whatever the status is now.',
  access: KEY,
  params: updateParams,
  body: { schema: updateEdit },
  status: 200,
  response: updateView,
  failures: [409],
  handle: ({ params, body }, context) =>
    changeOccurrence(params, context, ({ window, maintenance }) => {
      const before = findUpdate(maintenance, params.updateId);
      const { status = before.status, description } = body;
      refuseStep(before.previousStatus, status);
      const edited = { ...before, status, description };
      const updates = maintenance.updates.map((one) => (one === before ? edited : one));
      return {
        maintenance: { ...maintenance, updates },
        answer: (kept) => ({ content: { json: viewUpdate(edited, kept, window) } }),
      };
    }),
});

export const deleteUpdate = operation({
  id: 'deleteMaintenanceUpdate',
  method: 'delete',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates/{updateId}',
  tag: 'Maintenance windows',
  summary: 'Take back what was said of an occurrence',
  description: 'The dates of the occurrence stay.',
  access: KEY,
  params: updateParams,
  status: 204,
  response: null,
  failures: [409],
  handle: ({ params }, context) =>
    changeOccurrence(params, context, ({ maintenance }) => {
      const gone = findUpdate(maintenance, params.updateId);
      const updates = maintenance.updates.filter((one) => one !== gone);
      return { maintenance: { ...maintenance, updates }, answer: () => ({}) };
    }),
});

function findUpdate({ updates }: MaintenanceChange, updateId: string): MaintenanceUpdate {
  const update = updates.find(({ id }) => id === updateId.toLowerCase());
  if (update === undefined) throw notFound(`The occurrence has no update ${updateId}`);
  return update;
}
