import { uuidAt } from '#main/platform/uuid-at.ts';
import type { History } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { locationsOf } from '#shared/runs/locations.ts';
import { hasEnded, type StoredBatch, type StoredSession } from '#shared/sessions/check-session.ts';
import { withEnd, withResult, withRun } from '#shared/sessions/session-rules.ts';
import type { SessionRules } from './session.machine.ts';
import type { SessionKind } from './session-actors.ts';
import type { TriggerOptions } from './sessions-port.ts';

const MAX_ENDED = 1_000;

/** What events make of a check session: its results give its status. */
export const checkSessionRules: SessionRules<StoredSession> = {
  hasEnded: ({ status }) => hasEnded(status),
  deadlineOf: ({ deadlineAt }) => deadlineAt,
  withRun,
  withResult: (session, _runId, result) => withResult(session, result),
  // A session whose run ended without all of its results cannot pass.
  withRunEnded: (session, _runId, how, at) =>
    withEnd(session, how === 'settled' ? 'FAILED' : 'CANCELLED', at),
  withCancelled: (session, at) => withEnd(session, 'CANCELLED', at),
  withTimeout: (session, at) => withEnd(session, 'TIMED_OUT', at),
};

/** Sessions of one check each, whose results count for it. */
export function checkSessionKind(
  history: Pick<History, 'write' | 'findSession'>,
  { changed, ended }: Pick<SessionKind<StoredSession>, 'changed' | 'ended'>,
): SessionKind<StoredSession> {
  return {
    countsForCheck: true,
    maxEnded: MAX_ENDED,
    rules: checkSessionRules,
    write: (session) => history.write({ sessions: [session] }),
    find: (id) => history.findSession(id),
    recordsOf: (session) => ({ sessions: [session] }),
    pendingRuns: ({ id, checkId }) => [{ id, checkId }],
    changed,
    ended,
  };
}

/**
 * How many runs of one trigger are under way at a time where the request names no number: a trigger
 * of every check must not start every run at once.
 */
export const DEFAULT_CONCURRENCY = 20;

/** A session of a check, at `now` (epoch ms), before its run. */
export function newSession(
  check: RunnableCheck,
  { runSource, overrides = {} }: TriggerOptions,
  now: number,
): StoredSession {
  return {
    id: uuidAt(now),
    checkId: check.id,
    checkType: check.checkType,
    name: check.name,
    status: 'STARTED',
    runSource,
    createdAt: now,
    firstRunAt: null,
    deadlineAt: null,
    stoppedAt: null,
    // Which of several locations comes next is known only when the run begins.
    runLocations: overrides.location ? [overrides.location] : locationsOf(check, null).run,
    results: [],
    overrides,
  };
}

export function newBatch(
  sessions: readonly StoredSession[],
  { concurrency = DEFAULT_CONCURRENCY, groupId }: TriggerOptions,
  now: number,
): StoredBatch {
  return {
    id: uuidAt(now),
    concurrency: Math.max(1, concurrency),
    groupId,
    sessionIds: sessions.map(({ id }) => id),
  };
}
