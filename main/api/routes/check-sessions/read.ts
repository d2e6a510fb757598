import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { hasEnded, type StoredSession } from '#shared/sessions/check-session.ts';
import {
  SESSION_SCHEMAS,
  type SessionVersion,
  viewSessionWithResults,
} from '#shared/sessions/check-session-view.ts';
import { stillRunning, waitQuery, wholeWaitQuery } from '../../long-poll.ts';
import { type Context, KEY, type Operation, operation } from '../../operation.ts';
import { uuidParam } from '../checks/find-check.ts';

export const sessionParams = z.object({ checkSessionId: uuidParam });

const VERSIONS = ['v1', 'v2'] as const satisfies readonly SessionVersion[];

/** 4.4. */
export const readOperations: readonly Operation[] = VERSIONS.map((version) =>
  operation({
    id: `readCheckSession${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/check-sessions/{checkSessionId}`,
    tag: 'Check sessions',
    summary: `Read a check session (${version})`,
    deprecated: version === 'v1',
    description: 'Its results are partial until it is over.',
    access: KEY,
    params: sessionParams,
    status: 200,
    response: SESSION_SCHEMAS[version].session,
    handle: async ({ params, baseUrl }, context) => {
      const session = found(await context.sessions.find(params.checkSessionId));
      return { content: { json: view(session, { version, baseUrl }, context) } };
    },
  }),
);

/** `…/completion`: answers when the session is over (contract 11). */
export const completionOperations: readonly Operation[] = VERSIONS.map((version) =>
  operation({
    id: `awaitCheckSession${version.toUpperCase()}`,
    method: 'get',
    path: `/${version}/check-sessions/{checkSessionId}/completion`,
    tag: 'Check sessions',
    summary: `Wait for the end of a check session (${version})`,
    deprecated: version === 'v1',
    description: 'Answers at once where it is over, and 408 where it is not after the time given.',
    access: KEY,
    params: sessionParams,
    query: version === 'v1' ? waitQuery : wholeWaitQuery,
    status: 200,
    response: SESSION_SCHEMAS[version].ended,
    failures: [408],
    handle: async ({ params, query, baseUrl }, context) => {
      const waitMs = query.maxWaitSeconds * 1_000;
      const session = found(await context.sessions.waitFor(params.checkSessionId, waitMs));
      if (!hasEnded(session.status)) throw stillRunning('check session');
      return { content: { json: view(session, { version, baseUrl }, context) } };
    },
  }),
);

/** The session, where there is one; 404 with the contract's words (2.2). */
export function found(session: StoredSession | null): StoredSession {
  if (session === null) throw notFound('No such check session.');
  return session;
}

function view(
  session: StoredSession,
  shown: { version: SessionVersion; baseUrl: string },
  { clock }: Context,
) {
  return viewSessionWithResults(session, { ...shown, now: clock.now() });
}
