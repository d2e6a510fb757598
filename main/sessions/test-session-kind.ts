import { randomUUID } from 'node:crypto';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { History, HistoryRecords } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { StoredTestSession, TestSessionResult } from '#shared/sessions/test-session.ts';
import {
  pendingResult,
  testResultId,
  testStatusOf,
  withTestCancelled,
  withTestResult,
  withTestRunEnded,
} from '#shared/sessions/test-session-rules.ts';
import type { SessionRules } from './session.machine.ts';
import type { SessionKind } from './session-actors.ts';
import type { TestOptions } from './sessions-port.ts';

const MAX_ENDED = 20;

/** What events make of a test session: it is over once none of its checks is pending. */
export const testSessionRules: SessionRules<StoredTestSession> = {
  hasEnded: ({ status }) => status !== 'RUNNING',
  // A test session has no time-out but those of its runs.
  deadlineOf: () => null,
  withRun: (session) => session,
  withResult: withTestResult,
  // A run that ended without its FINAL result cannot pass.
  withRunEnded: (session, runId, how, at) =>
    withTestRunEnded(session, runId, how === 'settled' ? 'FAILED' : 'CANCELLED', at),
  withCancelled: withTestCancelled,
  withTimeout: withTestCancelled,
};

/** Sessions of many checks, whose results are written here alone and do not count for the checks. */
export function testSessionKind(
  history: Pick<History, 'write' | 'findTestSession'>,
  changes: TestSessionChanges,
): SessionKind<StoredTestSession> {
  return {
    countsForCheck: false,
    maxEnded: MAX_ENDED,
    rules: testSessionRules,
    write: async (session) => {
      const records = changes.of(session);
      await history.write(records);
      changes.written(records.testResults);
    },
    find: (id) => history.findTestSession(id),
    recordsOf: (session, runId, { result, detail, artifacts }) => {
      const records = changes.of(session);
      changes.written(records.testResults);
      const id = testResultId(runId, result);
      const testResults = records.testResults.map((one) =>
        one.result.id === id ? { ...one, detail, artifacts, error: errorOf(result) } : one,
      );
      return { ...records, testResults };
    },
    pendingRuns: ({ results }) => results.filter(({ resultType }) => resultType === 'PENDING'),
    changed: () => undefined,
    ended: () => undefined,
  };
}

function errorOf({ hasFailures, failure }: StoredResult): string | undefined {
  return hasFailures ? failure?.message : undefined;
}

/** A test session of these checks, at `now` (epoch ms), with everything pending. */
export function newTestSession(
  checks: readonly RunnableCheck[],
  { name, runLocation, metadata }: TestOptions,
  now: number,
): StoredTestSession {
  const results = checks.map(({ id: checkId, checkType, name: checkName }, position) => {
    const check = { checkId, checkType, name: checkName, position };
    return pendingResult(randomUUID(), check, runLocation, now);
  });
  const status = testStatusOf(results);
  const stoppedAt = status === 'RUNNING' ? null : now;
  return {
    id: uuidAt(now),
    name,
    status,
    runLocation,
    createdAt: now,
    stoppedAt,
    metadata,
    results,
  };
}

type TestRecords = Required<Pick<HistoryRecords, 'testSessions' | 'testResults'>>;

/** A test session whole, with all its results. */
export function wholeRecords({ results, ...head }: StoredTestSession): TestRecords {
  const testResults = results.map((result) => ({ sessionId: head.id, result }));
  return { testSessions: [head], testResults };
}

/**
 * What changed of test sessions since it was written last. A result costs the bytes of its own: a
 * session may have a thousand, and whole it would be written a thousand times.
 */
export class TestSessionChanges {
  /** Results are never changed, only replaced: one that was written is known by itself. */
  readonly #written = new WeakSet<TestSessionResult>();

  /** What is not written yet. While a session runs, only its results change. */
  of(session: StoredTestSession): TestRecords {
    const results = session.results.filter((result) => !this.#written.has(result));
    const { testSessions, testResults } = wholeRecords({ ...session, results });
    return { testSessions: session.status === 'RUNNING' ? [] : testSessions, testResults };
  }

  /** These changes are written, or the retrying writer has them. */
  written(records: TestRecords['testResults']): void {
    for (const { result } of records) this.#written.add(result);
  }
}
