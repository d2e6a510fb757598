import { z } from 'zod';
import { orUnset } from '#shared/checks/unset.ts';
import {
  SESSION_SCHEMAS,
  type SessionVersion,
  viewSession,
} from '#shared/sessions/check-session-view.ts';
import { type Target, targetV1, targetV2 } from '#shared/sessions/target.ts';
import { type Context, KEY, type Operation, operation, type Reply } from '../../operation.ts';
import { chooseChecks } from './choose-checks.ts';
import { startSessions } from './start-sessions.ts';

const bodyOf = <T extends z.ZodObject>(target: T) =>
  z
    .strictObject({ target: target.nullish(), refreshCache: orUnset(z.boolean().default(false)) })
    .prefault({});

const BODIES = {
  v1: bodyOf(targetV1),
  v2: bodyOf(targetV2),
} satisfies { [V in SessionVersion]: z.ZodType };

/** `POST /v1/check-sessions/trigger`, and the same in v2 (contract 11). */
export const triggerOperations: readonly Operation[] = (['v1', 'v2'] as const).map((version) =>
  operation({
    id: `triggerCheckSessions${version.toUpperCase()}`,
    method: 'post',
    path: `/${version}/check-sessions/trigger`,
    tag: 'Check sessions',
    summary: `Run checks now (${version})`,
    deprecated: version === 'v1',
    description:
      'A session for each check that matches every member of `target`; without any, for every activated check but heartbeats. 404 where none matches, 429 while too many sessions are open.',
    access: KEY,
    body: { schema: BODIES[version] },
    status: 201,
    response: SESSION_SCHEMAS[version].triggered,
    failures: [404, 503],
    handle: ({ body, baseUrl }, context) =>
      trigger(body.target ?? {}, { version, baseUrl }, context),
  }),
);

async function trigger(
  target: Target,
  shown: { version: SessionVersion; baseUrl: string },
  context: Context,
): Promise<Reply> {
  const chosen = await chooseChecks(target, context);
  const runSource = target.groupId === undefined ? 'TRIGGER_API' : 'GROUP_RUN_ALL';
  const sessions = await startSessions(chosen, { runSource }, context);
  const options = { ...shown, now: context.clock.now() };
  const items = sessions.values().map((session) => viewSession(session, options));
  return { content: { items, member: 'sessions' } };
}
