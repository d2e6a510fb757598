import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { instant, integer, limit, page } from '#shared/api/query.ts';
import { firstOccurrence, type Occurrence } from '#shared/maintenance/recurrence.ts';
import { type MaintenanceWindow, viewWindow, windowView } from '#shared/maintenance/window.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { pageOf } from '../../pagination.ts';

export const windowParams = z.object({ id: integer(1, 1_000_000_000) });

/** The maintenance window of an id; 404 where there is none. */
export function findWindow(id: number, { configuration }: Context): MaintenanceWindow {
  const window = configuration.maintenanceWindows.get(String(id));
  if (window === undefined) throw notFound(`No maintenance window has the id ${id}`);
  return window;
}

type Filter = (first: Occurrence, ms: number) => boolean;

/** Which windows a filter of the list lets through, by their first occurrence (contract 1.2). */
const FILTERS = {
  'startsAt[gt]': ({ startsAtMs }, ms) => startsAtMs > ms,
  'startsAt[gte]': ({ startsAtMs }, ms) => startsAtMs >= ms,
  'startsAt[lt]': ({ startsAtMs }, ms) => startsAtMs < ms,
  'startsAt[lte]': ({ startsAtMs }, ms) => startsAtMs <= ms,
  'endsAt[gt]': ({ endsAtMs }, ms) => endsAtMs > ms,
  'endsAt[gte]': ({ endsAtMs }, ms) => endsAtMs >= ms,
  'endsAt[lt]': ({ endsAtMs }, ms) => endsAtMs < ms,
  'endsAt[lte]': ({ endsAtMs }, ms) => endsAtMs <= ms,
  // Without a comparison: the windows within a time.
  startsAt: ({ startsAtMs }, ms) => startsAtMs >= ms,
  endsAt: ({ endsAtMs }, ms) => endsAtMs <= ms,
} satisfies Record<string, Filter>;
type FilterName = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

const listQuery = z.object({
  limit: limit(100, 10),
  page,
  ...(Object.fromEntries(FILTER_NAMES.map((name) => [name, instant.optional()])) as {
    [N in FilterName]: z.ZodOptional<typeof instant>;
  }),
});

export const listWindows = operation({
  id: 'listMaintenanceWindows',
  method: 'get',
  path: '/v1/maintenance-windows',
  tag: 'Maintenance windows',
  summary: 'List maintenance windows',
  description:
    'In the order of their ids; the filters go by the first occurrence of a window. The header `Content-Range` has the total.',
  access: KEY,
  query: listQuery,
  status: 200,
  response: z.array(windowView),
  handle: ({ query }, { configuration }) =>
    pageOf(configuration.maintenanceWindows.all().filter(filterOf(query)), query, viewWindow),
});

function filterOf(query: z.output<typeof listQuery>) {
  return (window: MaintenanceWindow): boolean => {
    const first = firstOccurrence(window);
    return FILTER_NAMES.every((name) => {
      const ms = query[name];
      return ms === undefined || FILTERS[name](first, ms);
    });
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
