import { z } from 'zod';
import { isToken } from '#main/services/keys.ts';
import { notFound, tooMany } from '#main/services/service-error.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import {
  hasEnded,
  type SessionOverrides,
  type StoredSession,
} from '#shared/sessions/check-session.ts';
import { type Trigger, type TriggerTarget, triggerOutcome } from '#shared/sessions/trigger.ts';
import { ApiError } from '../../api-error.ts';
import { type Context, type Operation, openTo, operation, type Reply } from '../../operation.ts';
import { refuseUnknownLocation } from '../../run-location.ts';
import { chooseChecks } from '../check-sessions/choose-checks.ts';
import { startSessions } from '../check-sessions/start-sessions.ts';
import { TRIGGERS, triggerOf } from './find-trigger.ts';

/** Calls a minute of one trigger. */
export const MAX_TRIGGER_CALLS = 10;

/** Contract 15.2: what a call may take in total. */
const MAX_CALL_MS = 30_000;

const text = z.string().max(2_048).optional();

/** What deployment hooks send along (contract 15.2). Most of it is taken and says nothing here. */
const query = z.object({
  deployment: text,
  repository: text,
  sha: text,
  deploymentId: text,
  environmentUrl: text.meta({ description: 'Variable `ENVIRONMENT_URL` of the runs' }),
  environmentName: text.meta({ description: 'Variable `ENVIRONMENT_NAME` of the runs' }),
  runLocation: text.meta({ description: 'Where to run instead of the locations of the checks' }),
});
type CallQuery = z.output<typeof query>;

const CALLS = [
  {
    id: 'callCheckTrigger',
    noun: 'check',
    path: '/checks/{id}/trigger/{token}',
    targetOf: (id: string): TriggerTarget => ({ checkId: id.toLowerCase() }),
  },
  {
    id: 'callCheckGroupTrigger',
    noun: 'check group',
    path: '/check-groups/{id}/trigger/{token}',
    // Only as a group is written: `1.0` and `0x1` are ids of nothing.
    targetOf: (id: string): TriggerTarget => ({ groupId: /^\d+$/.test(id) ? Number(id) : 0 }),
  },
] as const;

/** The URLs of triggers: run, wait for the end, tell how it went. */
export const callOperations: readonly Operation[] = CALLS.map(({ id, noun, path, targetOf }) =>
  operation({
    id,
    method: 'get',
    path,
    tag: 'Triggers',
    summary: `Run a ${noun} by the URL of its trigger`,
    description: `Waits for the end: 200 where all passed, 503 with the same body where something failed, 408 where it takes more than 30 seconds (the runs go on). At most ${MAX_TRIGGER_CALLS} calls a minute. An unknown id and a wrong token are told alike.`,
    access: openTo('the token in the path is the secret; deployment hooks call it with plain curl'),
    refusesHead: true,
    // Plain texts: what is no id is answered as an id that nothing has.
    params: z.object({ id: z.string(), token: z.string() }),
    query,
    status: 200,
    response: triggerOutcome,
    failures: [408, 503],
    handle: ({ params, query }, context) => {
      const trigger = findTrigger(targetOf(params.id), params.token, context);
      const waitMs = context.triggerCalls.take(trigger.id, context.clock.now());
      if (waitMs > 0) {
        throw tooMany(
          `More than ${MAX_TRIGGER_CALLS} calls of this trigger within a minute`,
          waitMs,
        );
      }
      return call(trigger, query, context);
    },
  }),
);

/** What a token is compared with where there is no trigger, so that both take the same time. */
const NO_TOKEN = '';

function findTrigger(target: TriggerTarget, token: string, { configuration }: Context): Trigger {
  const trigger = triggerOf(target, configuration);
  const isRight = isToken(trigger?.token ?? NO_TOKEN, token);
  if (trigger === undefined || !isRight) throw notFound('No trigger has this URL');
  return trigger;
}

async function call(trigger: Trigger, query: CallQuery, context: Context): Promise<Reply> {
  const { clock, sessions } = context;
  const endsAt = clock.now() + MAX_CALL_MS;
  const chosen = await chooseChecks(wanted(trigger), context);
  const overrides = overridesOf(
    query,
    chosen.flatMap(({ checks }) => checks),
  );
  await rememberCall(trigger, context);
  const runSource = 'LEGACY_TRIGGER';
  const started = await startSessions(chosen, { runSource, overrides }, context);
  const waitMs = endsAt - clock.now();
  const ended = await Promise.all(
    started.map(async (session) => (await sessions.waitFor(session.id, waitMs)) ?? session),
  );
  return answer(ended);
}

function wanted({ target }: Trigger) {
  return 'checkId' in target ? { checkId: [target.checkId] } : { groupId: [target.groupId] };
}

/** A parameter that is sent empty is as one left out: scripts write `?environmentUrl=$URL`. */
function overridesOf(query: CallQuery, checks: readonly RunnableCheck[]): SessionOverrides {
  const { environmentUrl, environmentName, runLocation } = query;
  if (runLocation) refuseUnknownLocation(runLocation, checks, 'query');
  return {
    ...(runLocation && { location: runLocation }),
    builtIns: {
      ...(environmentUrl && { ENVIRONMENT_URL: environmentUrl }),
      ...(environmentName && { ENVIRONMENT_NAME: environmentName }),
    },
  };
}

async function rememberCall({ id }: Trigger, { mutex, configuration, clock }: Context) {
  const { triggers } = configuration;
  await mutex(TRIGGERS, async () => {
    const current = triggers.get(id);
    if (current === undefined) throw notFound('No trigger has this URL');
    await triggers.put({ ...current, called_at: new Date(clock.now()).toISOString() });
  });
}

/** Everything but a pass is a failure: nobody may deploy on a run that told nothing. */
function answer(sessions: readonly StoredSession[]): Reply {
  if (!sessions.every(({ status }) => hasEnded(status))) {
    throw new ApiError(408, 'The runs are not over; they go on, and count.');
  }
  const hasFailures = sessions.some(({ status }) => status !== 'PASSED' && status !== 'DEGRADED');
  const json = { hasFailures, ...responseTimeOf(sessions) };
  return { ...(hasFailures && { status: 503 }), content: { json } };
}

function responseTimeOf([only, ...others]: readonly StoredSession[]) {
  if (only?.checkType !== 'API' || others.length > 0) return {};
  const finals = only.results.filter(({ resultType }) => resultType === 'FINAL');
  const times = finals.map(({ responseTime }) => Math.round(responseTime));
  return { responseTime: times.length === 0 ? null : Math.max(...times) };
}
