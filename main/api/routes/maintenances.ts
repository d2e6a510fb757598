import { z } from 'zod';
import { limit, page } from '#shared/api/query.ts';
import {
  maintenancePatch,
  maintenanceView,
  updateCreate,
  updateEdit,
  updateView,
} from '#shared/maintenance/maintenance.ts';
import { viewMaintenance, viewUpdate } from '#shared/maintenance/occurrences.ts';
import { KEY, operation } from '../operation.ts';
import { pageOf } from '../pagination.ts';
import { windowParams } from './maintenance-windows.ts';

const tag = 'Maintenance windows';
const params = windowParams.extend({ maintenanceId: z.guid() });
const updateParams = params.extend({ updateId: z.guid() });

const listMaintenances = operation({
  id: 'listMaintenances',
  method: 'get',
  path: '/v1/maintenance-windows/{id}/maintenances',
  tag,
  summary: 'List the occurrences of a maintenance window',
  description:
    'In the order of their planned starts, from a month ago to a year ahead, and one that is open longer than that; of a window that has none then, the next or else the last one. The header `Content-Range` has the total.',
  access: KEY,
  params: windowParams,
  query: z.object({ limit: limit(50, 10), page }),
  status: 200,
  response: z.array(maintenanceView),
  handle: ({ params: { id }, query }, { maintenances }) =>
    pageOf(maintenances.list(id), query, viewMaintenance),
});

const readMaintenance = operation({
  id: 'readMaintenance',
  method: 'get',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}',
  tag,
  summary: 'Read an occurrence of a maintenance window',
  access: KEY,
  params,
  status: 200,
  response: maintenanceView,
  handle: ({ params }, { maintenances }) => ({
    content: { json: viewMaintenance(maintenances.find(params)) },
  }),
});

const changeMaintenance = operation({
  id: 'updateMaintenance',
  method: 'patch',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}',
  tag,
  summary: 'Move an occurrence of a maintenance window',
  description: 'The id does not change. 409 if the occurrence is over or cancelled.',
  access: KEY,
  params,
  body: { schema: maintenancePatch },
  status: 200,
  response: maintenanceView,
  failures: [409],
  handle: async ({ params, body }, { maintenances }) => ({
    content: { json: viewMaintenance(await maintenances.move(params, body)) },
  }),
});

const deleteMaintenance = operation({
  id: 'deleteMaintenance',
  method: 'delete',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}',
  tag,
  summary: 'Delete an occurrence of a maintenance window',
  description: 'The window does not open for this occurrence. Its other occurrences do not change.',
  access: KEY,
  params,
  status: 204,
  response: null,
  failures: [409],
  handle: async ({ params }, { maintenances }) => {
    await maintenances.delete(params);
    return {};
  },
});

const createUpdate = operation({
  id: 'createMaintenanceUpdate',
  method: 'post',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates',
  tag,
  summary: 'Add an update to an occurrence of a maintenance window',
  description:
    'Its status is the one said. `IN_PROGRESS` before its start starts it now, `COMPLETED` before its end ends it now, `CANCELLED` makes the window not be open.',
  access: KEY,
  params,
  body: {
    schema: updateCreate,
    // 404 for an occurrence that does not exist comes before 400 for its body.
    choose: ({ params: { id, maintenanceId = '' } }, { maintenances }) => {
      maintenances.find({ id: Number(id), maintenanceId });
      return updateCreate;
    },
  },
  status: 201,
  response: updateView,
  failures: [409],
  handle: async ({ params, body }, { maintenances }) => ({
    content: { json: viewUpdate(await maintenances.addUpdate(params, body)) },
  }),
});

const editUpdate = operation({
  id: 'updateMaintenanceUpdate',
  method: 'put',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates/{updateId}',
  tag,
  summary: 'Correct an update of an occurrence',
  description: 'The dates of the occurrence do not change, whatever the new status is.',
  access: KEY,
  params: updateParams,
  body: { schema: updateEdit },
  status: 200,
  response: updateView,
  failures: [409],
  handle: async ({ params, body }, { maintenances }) => ({
    content: { json: viewUpdate(await maintenances.editUpdate(params, params.updateId, body)) },
  }),
});

const deleteUpdate = operation({
  id: 'deleteMaintenanceUpdate',
  method: 'delete',
  path: '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates/{updateId}',
  tag,
  summary: 'Delete an update of an occurrence',
  description: 'The dates of the occurrence do not change.',
  access: KEY,
  params: updateParams,
  status: 204,
  response: null,
  failures: [409],
  handle: async ({ params }, { maintenances }) => {
    await maintenances.deleteUpdate(params, params.updateId);
    return {};
  },
});

export const maintenanceOperations = [
  listMaintenances,
  readMaintenance,
  changeMaintenance,
  deleteMaintenance,
  createUpdate,
  editUpdate,
  deleteUpdate,
];
