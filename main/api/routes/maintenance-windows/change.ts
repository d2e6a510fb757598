import { nextNumericId } from '#main/services/next-id.ts';
import { refuseProblems } from '#main/services/service-error.ts';
import { changesThatRemain } from '#shared/maintenance/occurrences.ts';
import {
  MAX_WINDOWS,
  type MaintenanceWindow,
  viewWindow,
  windowCreate,
  windowUpdateOf,
  windowView,
} from '#shared/maintenance/window.ts';
import { windowProblems } from '#shared/maintenance/window-rules.ts';
import { ApiError } from '../../api-error.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { refuseUnknownIds } from '../checks/keep-check.ts';
import { WINDOWS } from './lock.ts';
import { findWindow, windowParams } from './read.ts';

export const createWindow = operation({
  id: 'createMaintenanceWindow',
  method: 'post',
  path: '/v1/maintenance-windows',
  tag: 'Maintenance windows',
  summary: 'Create a maintenance window',
  description: 'Dates are kept and answered as they came: see docs/guide/maintenance.md.',
  access: KEY,
  body: { schema: windowCreate },
  status: 201,
  response: windowView,
  failures: [409],
  handle: ({ body }, context) =>
    context.mutex(WINDOWS, async () => {
      refuseUnknownIds(body, context);
      const { maintenanceWindows } = context.configuration;
      const { size } = maintenanceWindows;
      if (size >= MAX_WINDOWS) throw new ApiError(409, `There are ${size} windows already`);
      const id = await nextNumericId(
        'maintenanceWindows',
        maintenanceWindows,
        context.configuration,
      );
      const window = {
        id: String(id),
        ...body,
        changes: [],
        created_at: timeOf(context),
        updated_at: null,
      };
      await maintenanceWindows.put(window);
      return { content: { json: viewWindow(window) } };
    }),
});

export const changeWindow = operation({
  id: 'updateMaintenanceWindow',
  method: 'put',
  path: '/v1/maintenance-windows/{id}',
  tag: 'Maintenance windows',
  summary: 'Change a maintenance window',
  description:
    'Members left out stay as they were; `statusPageVisibility` is replaced whole. What was changed of occurrences that the window no longer has is forgotten; others end when the window now says, but for those whose end was moved.',
  access: KEY,
  params: windowParams,
  body: {
    schema: windowUpdateOf({}),
    choose: ({ params }, context) => windowUpdateOf(findWindow(Number(params.id), context)),
  },
  status: 200,
  response: windowView,
  handle: ({ params: { id }, body }, context) =>
    context.mutex(WINDOWS, async () => {
      const before = findWindow(id, context);
      refuseUnknownIds(body, context);
      const changed = { ...before, ...body, updated_at: timeOf(context) };
      refuseContradictions(changed);
      await context.configuration.maintenanceWindows.put({
        ...changed,
        changes: changesThatRemain(before, changed),
      });
      return { content: { json: viewWindow(changed) } };
    }),
});

export const deleteWindow = operation({
  id: 'deleteMaintenanceWindow',
  method: 'delete',
  path: '/v1/maintenance-windows/{id}',
  tag: 'Maintenance windows',
  summary: 'Delete a maintenance window',
  description: 'One that is open closes with it.',
  access: KEY,
  params: windowParams,
  status: 204,
  response: null,
  handle: ({ params: { id } }, context) =>
    context.mutex(WINDOWS, async () => {
      const { id: found } = findWindow(id, context);
      await context.configuration.maintenanceWindows.delete(found);
      return {};
    }),
});

/** Another change may have come between the schema, which knew the window before it, and this one. */
function refuseContradictions(window: MaintenanceWindow): void {
  const problems = windowProblems({ ...window }).map(({ path, message }) => ({
    path: path.join('.'),
    message,
  }));
  refuseProblems({ source: 'payload', problems });
}

function timeOf({ clock }: Context): string {
  return new Date(clock.now()).toISOString();
}
