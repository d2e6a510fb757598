import { z } from 'zod';
import { WINDOW_FILTERS, type WindowFilter } from '#main/services/maintenance-windows.ts';
import { instant, integer, limit, page } from '#shared/api/query.ts';
import {
  viewWindow,
  windowCreate,
  windowUpdateOf,
  windowView,
} from '#shared/maintenance/window.ts';
import { KEY, operation } from '../operation.ts';
import { pageOf } from '../pagination.ts';

const tag = 'Maintenance windows';

export const windowParams = z.object({ id: integer(1, 1_000_000_000) });

const filters = Object.fromEntries(WINDOW_FILTERS.map((name) => [name, instant.optional()])) as {
  [F in WindowFilter]: z.ZodOptional<typeof instant>;
};

const createWindow = operation({
  id: 'createMaintenanceWindow',
  method: 'post',
  path: '/v1/maintenance-windows',
  tag,
  summary: 'Create a maintenance window',
  description: 'Dates are stored and answered exactly as they were sent.',
  access: KEY,
  body: { schema: windowCreate },
  status: 201,
  response: windowView,
  failures: [409],
  handle: async ({ body }, { maintenanceWindows }) => ({
    content: { json: viewWindow(await maintenanceWindows.create(body)) },
  }),
});

const listWindows = operation({
  id: 'listMaintenanceWindows',
  method: 'get',
  path: '/v1/maintenance-windows',
  tag,
  summary: 'List maintenance windows',
  description:
    'In the order of their ids; the filters go by the first occurrence of a window. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({ limit: limit(100, 10), page, ...filters }),
  status: 200,
  response: z.array(windowView),
  handle: ({ query }, { maintenanceWindows }) =>
    pageOf(maintenanceWindows.list(query), query, viewWindow),
});

const readWindow = operation({
  id: 'readMaintenanceWindow',
  method: 'get',
  path: '/v1/maintenance-windows/{id}',
  tag,
  summary: 'Read a maintenance window',
  access: KEY,
  params: windowParams,
  status: 200,
  response: windowView,
  handle: ({ params: { id } }, { maintenanceWindows }) => ({
    content: { json: viewWindow(maintenanceWindows.find(id)) },
  }),
});

const changeWindow = operation({
  id: 'updateMaintenanceWindow',
  method: 'put',
  path: '/v1/maintenance-windows/{id}',
  tag,
  summary: 'Change a maintenance window',
  description:
    'Members left out stay as they were; `statusPageVisibility` is replaced whole. What was changed of occurrences that the window no longer has is forgotten; others end when the window now says, but for those whose end was moved.',
  access: KEY,
  params: windowParams,
  body: {
    schema: windowUpdateOf({}),
    choose: ({ params }, { maintenanceWindows }) =>
      windowUpdateOf(maintenanceWindows.find(Number(params.id))),
  },
  status: 200,
  response: windowView,
  handle: async ({ params: { id }, body }, { maintenanceWindows }) => ({
    content: { json: viewWindow(await maintenanceWindows.change(id, body)) },
  }),
});

const deleteWindow = operation({
  id: 'deleteMaintenanceWindow',
  method: 'delete',
  path: '/v1/maintenance-windows/{id}',
  tag,
  summary: 'Delete a maintenance window',
  description: 'If the window is open, it closes.',
  access: KEY,
  params: windowParams,
  status: 204,
  response: null,
  handle: async ({ params: { id } }, { maintenanceWindows }) => {
    await maintenanceWindows.delete(id);
    return {};
  },
});

export const windowOperations = [createWindow, listWindows, readWindow, changeWindow, deleteWindow];
