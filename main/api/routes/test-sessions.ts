import { z } from 'zod';
import { flag, instant, limit, several } from '#shared/api/query.ts';
import { CHECK_TYPES, DETAIL_KEYS } from '#shared/checks/enums.ts';
import { CHECK_SCHEMAS } from '#shared/checks/schemas.ts';
import { TEST_SESSION_STATUSES } from '#shared/sessions/test-session.ts';
import { testSessionBody } from '#shared/sessions/test-session-body.ts';
import { testSessionList } from '#shared/sessions/test-session-entry.ts';
import {
  endedTestSession,
  testSession,
  testSessionResult,
  viewTestResult,
  viewTestSession,
} from '#shared/sessions/test-session-view.ts';
import { afterCursor, cursorPage, nextId } from '../cursor.ts';
import { KEY, type Operation, operation } from '../operation.ts';
import { uuidParam } from '../params.ts';
import { cancelBody, stillRunning, waitQuery } from '../session-requests.ts';

const tag = 'Test sessions';
const params = z.object({ testSessionId: uuidParam });

const triggerTestSession = operation({
  id: 'triggerTestSession',
  method: 'post',
  path: '/v1/test-sessions/trigger',
  tag,
  summary: 'Run checks once, apart from their schedule and history',
  description:
    'One run of each check that matches every member of `target`, with variables and retries of its own. Results are kept with the test session and change no check. A restart ends it CANCELLED. 429 while too many are open.',
  access: KEY,
  body: { schema: testSessionBody },
  status: 201,
  response: testSession,
  failures: [404, 503],
  handle: async ({ body, baseUrl }, { testSessions, clock }) => {
    const session = await testSessions.trigger(body);
    return { content: { json: viewTestSession(session, { baseUrl, now: clock.now() }) } };
  },
});

/** The providers of a test session that clients know; here it is always the API. */
const PROVIDERS = ['GITHUB', 'VERCEL', 'API', 'TRIGGER', 'PW_REPORTER'] as const;

/** The types that can be run: every one but HEARTBEAT. */
const RUNNABLE = CHECK_TYPES.filter((type) => type !== 'HEARTBEAT');
const runnable = z.object({ checkType: z.enum(RUNNABLE) });

const tryCheck = operation({
  id: 'tryCheck',
  method: 'post',
  path: '/app/checks/try',
  tag,
  summary: 'Run a check that is not saved, once',
  description:
    'The body is that of its creation, with `checkType`. It runs at the first of its locations, without retries, as a test session: read it, wait for it and cancel it as one.',
  access: KEY,
  internal: true,
  query: z.object({
    checkId: uuidParam
      .optional()
      .meta({ description: 'The check that it would be in place of: its secrets are kept' }),
  }),
  body: {
    schema: z.union(RUNNABLE.map((type) => CHECK_SCHEMAS[type].create)),
    choose: ({ body }) => {
      const named = runnable.safeParse(body);
      return named.success ? CHECK_SCHEMAS[named.data.checkType].create : runnable;
    },
  },
  status: 201,
  response: testSession,
  failures: [404, 503],
  handle: async ({ body, query, baseUrl }, { testSessions, clock }) => {
    const { checkType } = body as z.output<typeof runnable>;
    const session = await testSessions.tryCheck(checkType, body, query.checkId);
    return { content: { json: viewTestSession(session, { baseUrl, now: clock.now() }) } };
  },
});

const listQuery = z.object({
  limit: limit(100, 20),
  nextId,
  from: instant.optional(),
  to: instant.optional(),
  statuses: several(z.enum(TEST_SESSION_STATUSES)).default([...TEST_SESSION_STATUSES]),
  branches: several(z.string().max(2_000))
    .default([])
    .meta({ description: '`branchName` of the metadata; left out: any' }),
  textSearch: z
    .string()
    .min(3)
    .max(200)
    .optional()
    .meta({ description: 'Part of the name, in any case' }),
  providers: several(z.enum(PROVIDERS))
    .default([])
    .meta({ description: 'All test sessions here are of `API`; left out: any' }),
  users: several(z.string().max(500))
    .default([])
    .meta({ description: 'Test sessions have no user here, so any value matches nothing' }),
  noUsers: flag.default(false),
  errorGroupId: z
    .string()
    .max(500)
    .toLowerCase()
    .optional()
    .meta({ description: 'Only test sessions with a failure of this group' }),
});

const listTestSessions = operation({
  id: 'listTestSessions',
  method: 'get',
  path: '/v1/test-sessions',
  tag,
  summary: 'List test sessions, by cursor',
  description: 'Newest first. `nextId` leads to the next page; it is null on the last one.',
  access: KEY,
  query: listQuery,
  status: 200,
  response: testSessionList,
  handle: async ({ query, account }, { testSessions }) => {
    const before = afterCursor(query);
    return cursorPage(await testSessions.list({ ...query, before }, account.id));
  },
});

const readTestSession = operation({
  id: 'readTestSession',
  method: 'get',
  path: '/v1/test-sessions/{testSessionId}',
  tag,
  summary: 'Read a test session',
  description: 'With the results so far; those of runs that are not over are `PENDING`.',
  access: KEY,
  params,
  status: 200,
  response: testSession,
  handle: async ({ params, baseUrl }, { testSessions, clock }) => {
    const session = await testSessions.find(params.testSessionId);
    return { content: { json: viewTestSession(session, { baseUrl, now: clock.now() }) } };
  },
});

const awaitTestSession = operation({
  id: 'awaitTestSession',
  method: 'get',
  path: '/v1/test-sessions/{testSessionId}/completion',
  tag,
  summary: 'Wait for the end of a test session',
  description:
    'Answers as soon as the session is over, or 408 if it is not over after `maxWaitSeconds`.',
  access: KEY,
  params,
  query: waitQuery,
  status: 200,
  response: endedTestSession,
  failures: [408],
  handle: async ({ params, query, baseUrl }, { testSessions, clock }) => {
    const waitMs = query.maxWaitSeconds * 1_000;
    const session = await testSessions.waitFor(params.testSessionId, waitMs);
    if (session.status === 'RUNNING') throw stillRunning('test session');
    return { content: { json: viewTestSession(session, { baseUrl, now: clock.now() }) } };
  },
});

const readTestResult = operation({
  id: 'readTestSessionResult',
  method: 'get',
  path: '/v1/test-sessions/{testSessionId}/results/{testSessionResultId}',
  tag,
  summary: 'Read one result of a test session',
  description: 'With the same details as a check result.',
  access: KEY,
  params: params.extend({ testSessionResultId: uuidParam }),
  status: 200,
  response: testSessionResult,
  handle: async ({ params, baseUrl }, { testSessions }) => {
    const { testSessionId, testSessionResultId } = params;
    const found = await testSessions.findResult(testSessionId, testSessionResultId, baseUrl);
    const members = viewTestResult(found.result, testSessionId, baseUrl);
    return { content: { parts: withDetail(members, found.detail) } };
  },
});

/** Joins a result and its detail as texts: a detail may be long, and is never parsed here. */
function withDetail(members: object, detail: string | null) {
  const own = /^\{"(\w+)":/.exec(detail ?? '')?.[1];
  const others = DETAIL_KEYS.filter((name) => name !== own);
  const rest = { ...members, ...Object.fromEntries(others.map((name) => [name, null])) };
  const head = JSON.stringify(rest);
  if (detail === null || own === undefined) return [Buffer.from(head)];
  return [Buffer.from(`${head.slice(0, -1)},`), Buffer.from(detail.slice(1))];
}

const cancelTestSession = operation({
  id: 'cancelTestSession',
  method: 'post',
  path: '/v1/test-sessions/{testSessionId}/cancel',
  tag,
  summary: 'Cancel a test session',
  description:
    'What waits never runs; of what is under way the attempt in flight is the last. A test session that is over stays as it is.',
  access: KEY,
  params,
  body: { schema: cancelBody },
  status: 204,
  response: null,
  failures: [503],
  handle: async ({ params, body }, { testSessions }) => {
    await testSessions.cancel(params.testSessionId, body.sequenceId ?? []);
    return {};
  },
});

export const testSessionOperations: readonly Operation[] = [
  triggerTestSession,
  tryCheck,
  listTestSessions,
  readTestSession,
  awaitTestSession,
  readTestResult,
  cancelTestSession,
];
