import { z } from 'zod';
import { orUnset } from '#shared/checks/unset.ts';
import { hasEnded } from '#shared/sessions/check-session.ts';
import {
  SESSION_SCHEMAS,
  type SessionVersion,
  viewSession,
  viewSessionWithResults,
} from '#shared/sessions/check-session-view.ts';
import { targetV1, targetV2 } from '#shared/sessions/target.ts';
import {
  batchSummary,
  sessionSummary,
  summarizeSession,
} from '#shared/summaries/session-summary.ts';
import { KEY, type Operation, operation } from '../operation.ts';
import { uuidParam } from '../params.ts';
import { cancelBody, stillRunning, waitQuery, wholeWaitQuery } from '../session-requests.ts';

const tag = 'Check sessions';
const VERSIONS = ['v1', 'v2'] as const satisfies readonly SessionVersion[];
const params = z.object({ checkSessionId: uuidParam });

const bodyOf = <T extends z.ZodObject>(target: T) =>
  z
    .strictObject({ target: target.nullish(), refreshCache: orUnset(z.boolean().default(false)) })
    .prefault({});

const BODIES = {
  v1: bodyOf(targetV1),
  v2: bodyOf(targetV2),
} satisfies { [V in SessionVersion]: z.ZodType };

const triggerSessions = VERSIONS.map((version) =>
  operation({
    id: `triggerCheckSessions${version.toUpperCase()}`,
    method: 'post',
    path: `/${version}/check-sessions/trigger`,
    tag,
    summary: `Run checks now (${version})`,
    deprecated: version === 'v1',
    description:
      'A session for each check that matches every member of `target`; without any, for every activated check but heartbeats. 404 where none matches, 429 while too many sessions are open.',
    access: KEY,
    body: { schema: BODIES[version] },
    status: 201,
    response: SESSION_SCHEMAS[version].triggered,
    failures: [404, 503],
    handle: async ({ body, baseUrl }, { checkSessions, clock }) => {
      const { target, refreshCache } = body;
      const sessions = await checkSessions.trigger(target ?? {}, { refreshCache });
      const shown = { version, baseUrl, now: clock.now() };
      const items = sessions.values().map((session) => viewSession(session, shown));
      return { content: { items, member: 'sessions' } };
    },
  }),
);

const readSession = VERSIONS.map((version) =>
  operation({
    id: `readCheckSession${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/check-sessions/{checkSessionId}`,
    tag,
    summary: `Read a check session (${version})`,
    deprecated: version === 'v1',
    description: 'The results are incomplete until the session is over.',
    access: KEY,
    params,
    status: 200,
    response: SESSION_SCHEMAS[version].session,
    handle: async ({ params, baseUrl }, { checkSessions, clock }) => {
      const session = await checkSessions.find(params.checkSessionId);
      const shown = { version, baseUrl, now: clock.now() };
      return { content: { json: viewSessionWithResults(session, shown) } };
    },
  }),
);

const awaitSession = VERSIONS.map((version) =>
  operation({
    id: `awaitCheckSession${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/check-sessions/{checkSessionId}/completion`,
    tag,
    summary: `Wait for the end of a check session (${version})`,
    deprecated: version === 'v1',
    description:
      'Answers as soon as the session is over, or 408 if it is not over after `maxWaitSeconds`.',
    access: KEY,
    params,
    query: version === 'v1' ? waitQuery : wholeWaitQuery,
    status: 200,
    response: SESSION_SCHEMAS[version].ended,
    failures: [408],
    handle: async ({ params, query, baseUrl }, { checkSessions, clock }) => {
      const waitMs = query.maxWaitSeconds * 1_000;
      const session = await checkSessions.waitFor(params.checkSessionId, waitMs);
      if (!hasEnded(session.status)) throw stillRunning('check session');
      const shown = { version, baseUrl, now: clock.now() };
      return { content: { json: viewSessionWithResults(session, shown) } };
    },
  }),
);

const cancelSession = operation({
  id: 'cancelCheckSession',
  method: 'post',
  path: '/v1/check-sessions/{checkSessionId}/cancel',
  tag,
  summary: 'Cancel a check session',
  description:
    'What waits never runs; of what is under way the attempt in flight is the last, and one of a Playwright check is ended at once. A session that is over stays as it is.',
  access: KEY,
  params,
  body: { schema: cancelBody },
  status: 204,
  response: null,
  failures: [503],
  handle: async ({ params, body }, { checkSessions }) => {
    await checkSessions.cancel(params.checkSessionId, body.sequenceId ?? []);
    return {};
  },
});

const BATCHES_LISTED = 50;

const listBatches = operation({
  id: 'listBatches',
  method: 'get',
  path: '/app/check-sessions',
  tag,
  summary: 'What was triggered lately, newest first',
  description: 'The sessions that one trigger made are one entry, with the id of one of them.',
  access: KEY,
  internal: true,
  status: 200,
  response: z.array(batchSummary),
  handle: async (_input, { checkSessions }) => ({
    content: { json: await checkSessions.listBatches(BATCHES_LISTED) },
  }),
});

const readBatch = operation({
  id: 'readBatch',
  method: 'get',
  path: '/app/check-sessions/{checkSessionId}',
  tag,
  summary: 'Every check session of the trigger that made this one',
  access: KEY,
  internal: true,
  params,
  status: 200,
  response: z.array(sessionSummary),
  handle: async ({ params }, { checkSessions }) => {
    const sessions = await checkSessions.batchOf(params.checkSessionId);
    return { content: { items: sessions.values().map(summarizeSession) } };
  },
});

export const checkSessionOperations: readonly Operation[] = [
  ...triggerSessions,
  ...readSession,
  ...awaitSession,
  cancelSession,
  listBatches,
  readBatch,
];
