import { z } from 'zod';
import { MAX_PINGS } from '#main/services/heartbeats.ts';
import { instant, limit } from '#shared/api/query.ts';
import { HEARTBEAT_STATES } from '#shared/checks/enums.ts';
import {
  heartbeatAvailability,
  heartbeatEvent,
  heartbeatStats,
  viewHeartbeatEvent,
} from '#shared/results/heartbeat-event.ts';
import { ApiError } from '../api-error.ts';
import { KEY, openTo, operation } from '../operation.ts';
import { checkIdParams, uuidParam } from '../params.ts';

const tag = 'Heartbeats';

/** Programs that open links in messages to show a preview: no job sends its pings with them. */
const PREVIEW_BOTS = [
  'twitterbot',
  'slackbot',
  'googlebot',
  'discordbot',
  'facebot',
  'telegrambot',
  'whatsapp',
  'linkedinbot',
];

const MAX_HEADER_LENGTH = 500;

/** GET and POST are a ping; any other verb is an error and counts nothing. */
const pings = (['get', 'post'] as const).map((method) =>
  operation({
    id: `ping${method === 'get' ? 'Get' : 'Post'}`,
    method,
    path: '/ping/{token}',
    tag,
    summary: `Send a ping (${method.toUpperCase()})`,
    description: `Answers once the ping is kept, with the state that it was given. A body is ignored. \`Origin\`, else \`Referer\`, is kept as the source. At most ${MAX_PINGS} pings of one check a minute: one that is refused counts nothing, and the ones before it were enough.`,
    access: openTo('the token in the path is the secret; jobs send pings with plain curl'),
    refusesHead: method === 'get',
    params: z.object({ token: z.string() }),
    status: 200,
    response: z.object({ state: z.enum(HEARTBEAT_STATES) }),
    handle: async ({ params: { token }, header }, { heartbeats }) => {
      const userAgent = header('user-agent');
      refusePreviews(userAgent);
      const source = cut(header('origin') ?? header('referer'));
      const state = await heartbeats.ping(token, { source, userAgent: cut(userAgent) });
      return { content: { json: { state } } };
    },
  }),
);

function refusePreviews(userAgent = ''): void {
  const name = userAgent.toLowerCase();
  if (!PREVIEW_BOTS.some((bot) => name.includes(bot))) return;
  throw new ApiError(403, 'Link previews do not count as pings');
}

function cut(header: string | undefined): string | null {
  return header === undefined ? null : header.slice(0, MAX_HEADER_LENGTH);
}

/** The time that queries name (4.6). */
const rangeQuery = z.object({ startTime: instant.optional(), endTime: instant.optional() });

/** 4.6: an array with one item for the check asked for. */
const listEvents = operation({
  id: 'listHeartbeatEvents',
  method: 'get',
  path: '/v1/checks/heartbeats/{checkId}/events',
  tag,
  summary: 'List the events of a heartbeat check',
  description: 'Newest first, at most 10, by default of the last 24 hours.',
  access: KEY,
  params: checkIdParams,
  query: rangeQuery.extend({ limit: limit(10, 10) }),
  status: 200,
  response: z.array(z.object({ events: z.array(heartbeatEvent), stats: heartbeatStats })),
  handle: async ({ params: { checkId }, query }, { heartbeats }) => {
    const { events, stats } = await heartbeats.events(checkId, query);
    return { content: { json: [{ events: events.map(viewHeartbeatEvent), stats }] } };
  },
});

const readEvent = operation({
  id: 'readHeartbeatEvent',
  method: 'get',
  path: '/v1/checks/heartbeats/{checkId}/events/{id}',
  tag,
  summary: 'Read one event of a heartbeat check',
  access: KEY,
  params: checkIdParams.extend({ id: uuidParam }),
  status: 200,
  response: z.object({ event: heartbeatEvent, stats: heartbeatStats }),
  handle: async ({ params: { checkId, id } }, { heartbeats }) => {
    const { event, stats } = await heartbeats.event(checkId, id);
    return { content: { json: { event: viewHeartbeatEvent(event), stats } } };
  },
});

const readAvailability = operation({
  id: 'readHeartbeatAvailability',
  method: 'get',
  path: '/v1/checks/heartbeats/{checkId}/availability',
  tag,
  summary: 'Read the availability of a heartbeat check',
  description:
    'Percent of passing events, 0 to 100, of the window (by default the last 24 hours) and of the one of the same length before it.',
  access: KEY,
  params: checkIdParams,
  query: rangeQuery,
  status: 200,
  response: heartbeatAvailability,
  handle: async ({ params: { checkId }, query }, { heartbeats }) => ({
    content: { json: await heartbeats.availability(checkId, query) },
  }),
});

export const heartbeatOperations = [...pings, listEvents, readEvent, readAvailability];
