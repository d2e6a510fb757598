import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import type { History } from '#main/store/history/history.ts';
import type { SessionResult, StoredBatch, StoredSession } from '#shared/sessions/check-session.ts';
import type { StoredTestSession, TestSessionResult } from '#shared/sessions/test-session.ts';
import { NOON } from './records.ts';

/** A session that has just been made, but for what a test sets. */
export function makeSession(given: Partial<StoredSession> = {}): StoredSession {
  const createdAt = given.createdAt ?? NOON;
  return {
    id: v7({ msecs: createdAt }),
    checkId: randomUUID(),
    checkType: 'API',
    name: 'a check',
    status: 'STARTED',
    runSource: 'TRIGGER_API',
    createdAt,
    firstRunAt: null,
    deadlineAt: null,
    stoppedAt: null,
    runLocations: ['eu-west-1'],
    results: [],
    overrides: {},
    ...given,
  };
}

/** What a session shows of a passing run. */
export function makeSessionResult(given: Partial<SessionResult> = {}): SessionResult {
  return {
    checkResultId: v7({ msecs: NOON }),
    runLocation: 'eu-west-1',
    resultType: 'FINAL',
    sequenceId: v7({ msecs: NOON }),
    hasFailures: false,
    hasErrors: false,
    isDegraded: false,
    overMaxResponseTime: false,
    responseTime: 11.7,
    startedAt: NOON,
    stoppedAt: NOON + 12,
    ...given,
  };
}

export function makeBatch(
  sessions: readonly StoredSession[],
  given: Partial<StoredBatch> = {},
): StoredBatch {
  const sessionIds = sessions.map(({ id }) => id);
  return { id: v7({ msecs: NOON }), concurrency: 2, sessionIds, ...given };
}

/** All that is open, as a start of the appliance finds it. */
export async function loadOpen(
  history: Pick<History, 'loadOpenSessions' | 'loadOpenBatches'>,
): Promise<{ sessions: StoredSession[]; batches: StoredBatch[] }> {
  const sessions = await history.loadOpenSessions({ limit: 1_000 });
  return { sessions, batches: await history.loadOpenBatches({ limit: 1_000 }) };
}

/** A running test session, but for what a test sets. */
export function makeTestSession(given: Partial<StoredTestSession> = {}): StoredTestSession {
  const createdAt = given.createdAt ?? NOON;
  return {
    id: v7({ msecs: createdAt }),
    name: 'a test session',
    status: 'RUNNING',
    runLocation: 'eu-west-1',
    createdAt,
    stoppedAt: null,
    metadata: {},
    results: [],
    ...given,
  };
}

/** A pending run of a test session, but for what a test sets. */
export function makeTestResult(given: Partial<TestSessionResult> = {}): TestSessionResult {
  return {
    id: randomUUID(),
    position: 0,
    checkId: randomUUID(),
    checkType: 'API',
    name: 'a check',
    runLocation: 'eu-west-1',
    resultType: 'PENDING',
    status: 'RUNNING',
    hasFailures: false,
    hasErrors: false,
    isDegraded: false,
    overMaxResponseTime: false,
    attempts: 0,
    sequenceId: null,
    responseTime: null,
    startedAt: null,
    stoppedAt: null,
    createdAt: NOON,
    ...given,
  };
}
