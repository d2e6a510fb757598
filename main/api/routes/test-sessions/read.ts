import { notFound } from '#main/services/service-error.ts';
import { DETAIL_KEYS } from '#shared/runs/protocol.ts';
import type { TestSessionResult } from '#shared/sessions/test-session.ts';
import {
  endedTestSession,
  testSession,
  testSessionResult,
  viewTestResult,
  viewTestSession,
} from '#shared/sessions/test-session-view.ts';
import { stillRunning, waitQuery } from '../../long-poll.ts';
import { KEY, operation } from '../../operation.ts';
import { uuidParam } from '../checks/find-check.ts';
import { found, testSessionParams } from './find.ts';

export const readTestSession = operation({
  id: 'readTestSession',
  method: 'get',
  path: '/v1/test-sessions/{testSessionId}',
  tag: 'Test sessions',
  summary: 'Read a test session',
  description: 'With its results so far; those still to come are PENDING.',
  access: KEY,
  params: testSessionParams,
  status: 200,
  response: testSession,
  handle: async ({ params, baseUrl }, { testSessions, clock }) => {
    const session = found(await testSessions.find(params.testSessionId));
    return { content: { json: viewTestSession(session, { baseUrl, now: clock.now() }) } };
  },
});

export const awaitTestSession = operation({
  id: 'awaitTestSession',
  method: 'get',
  path: '/v1/test-sessions/{testSessionId}/completion',
  tag: 'Test sessions',
  summary: 'Wait for the end of a test session',
  description: 'Answers at once where it is over, and 408 where it is not after the time given.',
  access: KEY,
  params: testSessionParams,
  query: waitQuery,
  status: 200,
  response: endedTestSession,
  failures: [408],
  handle: async ({ params, query, baseUrl }, { testSessions, clock }) => {
    const waitMs = query.maxWaitSeconds * 1_000;
    const session = found(await testSessions.waitFor(params.testSessionId, waitMs));
    if (session.status === 'RUNNING') throw stillRunning('test session');
    return { content: { json: viewTestSession(session, { baseUrl, now: clock.now() }) } };
  },
});

export const readTestResult = operation({
  id: 'readTestSessionResult',
  method: 'get',
  path: '/v1/test-sessions/{testSessionId}/results/{testSessionResultId}',
  tag: 'Test sessions',
  summary: 'Read one result of a test session',
  description: 'With its detail, as a check result has it.',
  access: KEY,
  params: testSessionParams.extend({ testSessionResultId: uuidParam }),
  status: 200,
  response: testSessionResult,
  handle: async ({ params, baseUrl }, { history }) => {
    const { testSessionId: sessionId, testSessionResultId: resultId } = params;
    const kept = await history.findTestResult({ sessionId, resultId });
    if (kept === null) throw notFound('No such test session result.');
    const members = viewTestResult(kept.result, sessionId, baseUrl);
    return { content: { parts: withDetail(members, kept) } };
  },
});

/** Joins a result and its detail as texts: a detail may be long, and is never parsed here. */
function withDetail(members: object, kept: { result: TestSessionResult; detail: string | null }) {
  const own = /^\{"(\w+)":/.exec(kept.detail ?? '')?.[1];
  const others = DETAIL_KEYS.filter((name) => name !== own);
  const rest = { ...members, ...Object.fromEntries(others.map((name) => [name, null])) };
  const head = JSON.stringify(rest);
  if (kept.detail === null || own === undefined) return [Buffer.from(head)];
  return [Buffer.from(`${head.slice(0, -1)},`), Buffer.from(kept.detail.slice(1))];
}
