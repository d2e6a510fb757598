import { z } from 'zod';
import { instant, integer, limit, page } from '#shared/api/query.ts';
import { momentOf, zoneOf } from '#shared/maintenance/local-time.ts';
import { type MaintenanceWindow, viewWindow, windowView } from '#shared/maintenance/window.ts';
import { notFound } from '../api-error.ts';
import { type Context, KEY, operation } from '../operation.ts';
import { pageOf } from '../paged.ts';

export const windowParams = z.object({ id: integer(1, 1_000_000_000) });

/** The maintenance window of an id; 404 where there is none. */
export function findWindow(id: number, { configuration }: Context): MaintenanceWindow {
  const window = configuration.maintenanceWindows.get(String(id));
  if (window === undefined) throw notFound(`No maintenance window has the id ${id}`);
  return window;
}

const listQuery = z.object({
  limit: limit(100, 10),
  page,
  startsAt: instant
    .optional()
    .meta({ description: 'Windows whose first occurrence starts then or later' }),
  endsAt: instant
    .optional()
    .meta({ description: 'Windows whose first occurrence ends then or earlier' }),
});

export const listWindows = operation({
  id: 'listMaintenanceWindows',
  method: 'get',
  path: '/v1/maintenance-windows',
  tag: 'Maintenance windows',
  summary: 'List maintenance windows',
  description: 'In the order of their ids. The header `Content-Range` has the total.',
  access: KEY,
  query: listQuery,
  status: 200,
  response: z.array(windowView),
  handle: ({ query }, { configuration }) =>
    pageOf(configuration.maintenanceWindows.all().filter(filterOf(query)), query, viewWindow),
});

/** Which windows `startsAt` and `endsAt` let through, both in epoch milliseconds. */
function filterOf({ startsAt, endsAt }: z.output<typeof listQuery>) {
  return (window: MaintenanceWindow): boolean => {
    const zone = zoneOf(window.timezone);
    return (
      (startsAt === undefined || momentOf(window.startsAt, zone) >= startsAt) &&
      (endsAt === undefined || momentOf(window.endsAt, zone) <= endsAt)
    );
  };
}

export const readWindow = operation({
  id: 'readMaintenanceWindow',
  method: 'get',
  path: '/v1/maintenance-windows/{id}',
  tag: 'Maintenance windows',
  summary: 'Read a maintenance window',
  access: KEY,
  params: windowParams,
  status: 200,
  response: windowView,
  handle: ({ params: { id } }, context) => ({
    content: { json: viewWindow(findWindow(id, context)) },
  }),
});
