import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { limit } from '#shared/api/query.ts';
import {
  heartbeatEvent,
  heartbeatStats,
  viewHeartbeatEvent,
} from '#shared/results/heartbeat-event.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { checkIdParams, findHeartbeat, uuidParam } from '../checks/find-check.ts';
import { availabilityOf, DAY_MS, eventWindow, windowQuery } from './availability.ts';

/** 4.6: an array with one item for the check asked for. */
export const listEvents = operation({
  id: 'listHeartbeatEvents',
  method: 'get',
  path: '/v1/checks/heartbeats/{checkId}/events',
  tag: 'Heartbeats',
  summary: 'List the events of a heartbeat check',
  description: 'Newest first, at most 10, by default of the last 24 hours.',
  access: KEY,
  params: checkIdParams,
  query: windowQuery.extend({ limit: limit(10, 10) }),
  status: 200,
  response: z.array(z.object({ events: z.array(heartbeatEvent), stats: heartbeatStats })),
  handle: async ({ params: { checkId }, query }, context) => {
    findHeartbeat(checkId, context);
    const window = eventWindow(query, context.clock.now());
    const [events, stats] = await Promise.all([
      context.history.listHeartbeatEvents({ checkId, ...window, limit: query.limit }),
      statsOf(checkId, context),
    ]);
    return { content: { json: [{ events: events.map(viewHeartbeatEvent), stats }] } };
  },
});

export const readEvent = operation({
  id: 'readHeartbeatEvent',
  method: 'get',
  path: '/v1/checks/heartbeats/{checkId}/events/{id}',
  tag: 'Heartbeats',
  summary: 'Read one event of a heartbeat check',
  access: KEY,
  params: checkIdParams.extend({ id: uuidParam }),
  status: 200,
  response: z.object({ event: heartbeatEvent, stats: heartbeatStats }),
  handle: async ({ params: { checkId, id: eventId } }, context) => {
    findHeartbeat(checkId, context);
    const event = await context.history.findHeartbeatEvent({ checkId, eventId });
    if (event === null) throw notFound(`No event of this check has the id ${eventId}`);
    const stats = await statsOf(checkId, context);
    return { content: { json: { event: viewHeartbeatEvent(event), stats } } };
  },
});

async function statsOf(
  checkId: string,
  context: Context,
): Promise<z.output<typeof heartbeatStats>> {
  const to = context.clock.now() + 1;
  const lastDays = (days: number) =>
    availabilityOf(checkId, { from: to - days * DAY_MS, to }, context);
  const [last24Hours, last7Days] = await Promise.all([lastDays(1), lastDays(7)]);
  return { last24Hours, last7Days };
}
