import { z } from 'zod';
import { refuseProblems } from '#main/services/service-error.ts';
import { instant } from '#shared/api/query.ts';
import { rangeProblems, type TimeRange } from '#shared/api/time-range.ts';
import { availability } from '#shared/checks/heartbeat-rules.ts';
import {
  type HeartbeatAvailability,
  heartbeatAvailability,
} from '#shared/results/heartbeat-event.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { checkIdParams, findHeartbeat } from '../checks/find-check.ts';

export const DAY_MS = 86_400_000;

/** The window that heartbeat queries name (4.6). */
export const windowQuery = z.object({ startTime: instant.optional(), endTime: instant.optional() });

export const readAvailability = operation({
  id: 'readHeartbeatAvailability',
  method: 'get',
  path: '/v1/checks/heartbeats/{checkId}/availability',
  tag: 'Heartbeats',
  summary: 'Read the availability of a heartbeat check',
  description:
    'Percent of passing events, 0 to 100, of the window (by default the last 24 hours) and of the one of the same length before it.',
  access: KEY,
  params: checkIdParams,
  query: windowQuery,
  status: 200,
  response: heartbeatAvailability,
  handle: async ({ params: { checkId }, query }, context) => {
    findHeartbeat(checkId, context);
    const window = eventWindow(query, context.clock.now());
    return { content: { json: await availabilityOf(checkId, window, context) } };
  },
});

/**
 * The window of events that a query means: by default the 24 hours before now. A start left out is
 * 24 hours before the end where the end is further back than that.
 */
export function eventWindow(query: z.output<typeof windowQuery>, nowMs: number): TimeRange {
  // The end is not part of a window, and an event of this very millisecond has happened.
  const end = nowMs + 1;
  const to = query.endTime ?? end;
  const dayAgo = end - DAY_MS;
  const from = query.startTime ?? (to > dayAgo ? dayAgo : to - DAY_MS);
  const names = { from: 'startTime', to: 'endTime' };
  refuseProblems({ source: 'query', problems: rangeProblems({ from, to }, { names }) });
  return { from, to };
}

/** Passing events of a window and of the one before it, in percent. */
export async function availabilityOf(
  checkId: string,
  { from, to }: TimeRange,
  { history }: Context,
): Promise<HeartbeatAvailability> {
  const before = { checkId, from: from - (to - from), to: from };
  const [current, previous] = await Promise.all([
    history.countHeartbeatEvents({ checkId, from, to }),
    history.countHeartbeatEvents(before),
  ]);
  return {
    successRatio: {
      previousPeriod: availability(previous.passing, previous.total),
      currentPeriod: availability(current.passing, current.total),
    },
    totalEntitiesCurrentPeriod: current.total,
  };
}
