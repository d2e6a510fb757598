import { uuidAt } from '#main/platform/uuid-at.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { locationsOf } from '#shared/runs/locations.ts';
import type { StoredBatch, StoredSession } from '#shared/sessions/check-session.ts';
import type { TriggerOptions } from './sessions-port.ts';

/**
 * How many runs of one trigger are under way at a time where nobody says: no limit is documented,
 * and whoever triggers everything must not have everything run at once.
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
    // Whose turn it is among several locations shows only when the run begins.
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
