import { errorGroupKey, TEST_SESSIONS } from '#shared/error-groups/error-group.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { isBad } from './session-rules.ts';
import type { StoredTestSession, TestSessionResult, TestSessionStatus } from './test-session.ts';

/**
 * What becomes of a test session as its runs go on: each check has one result that
 * is pending until its end, and one more for each attempt before it. What is over never changes.
 */

/** The result of a check that no run has begun for. `id` is also that of its order. */
export function pendingResult(
  id: string,
  check: Pick<TestSessionResult, 'checkId' | 'checkType' | 'name' | 'position'>,
  runLocation: string,
  createdAt: number,
): TestSessionResult {
  return {
    id,
    ...check,
    runLocation,
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
    createdAt,
  };
}

/** The id under which a run's result is found: the pending one's at its end, its own before. */
export function testResultId(pendingId: string, result: StoredResult): string {
  return result.resultType === 'FINAL' ? pendingId : result.id;
}

/** Whether the result of a check is still awaited. */
export function isPending(session: StoredTestSession, pendingId: string): boolean {
  return session.status === 'RUNNING' && session.results.some(isPendingOf(pendingId));
}

/** The session with one more result of the run that a pending result waits for. */
export function withTestResult(
  session: StoredTestSession,
  pendingId: string,
  result: StoredResult,
): StoredTestSession {
  if (result.resultType === 'FINAL') {
    return withSettled(session, pendingId, result.createdAt, (row) => ({
      ...row,
      ...measured(result),
      resultType: 'FINAL',
    }));
  }
  const index = session.results.findIndex(isPendingOf(pendingId));
  const pending = session.results[index];
  if (!pending || session.results.some(({ id }) => id === result.id)) return session;
  const attempt: TestSessionResult = {
    ...pending,
    ...measured(result),
    id: result.id,
    resultType: 'ATTEMPT',
    createdAt: result.createdAt,
  };
  return { ...session, results: session.results.toSpliced(index, 0, attempt) };
}

/** The session when a run ends without its FINAL result: given up, or for trouble of our own. */
export function withTestRunEnded(
  session: StoredTestSession,
  pendingId: string,
  status: 'CANCELLED' | 'FAILED',
  at: number,
): StoredTestSession {
  return withSettled(session, pendingId, at, (row) => ended(row, status, at));
}

/** The session with everything that is pending given up. */
export function withTestCancelled(session: StoredTestSession, at: number): StoredTestSession {
  if (session.status !== 'RUNNING') return session;
  const results = session.results.map((row) =>
    row.resultType === 'PENDING' ? ended(row, 'CANCELLED', at) : row,
  );
  return { ...session, status: 'CANCELLED', stoppedAt: at, results };
}

/** The status that results give a test session: PASSED only where every check has passed. */
export function testStatusOf(results: readonly TestSessionResult[]): TestSessionStatus {
  const last = results.filter(({ resultType }) => resultType !== 'ATTEMPT');
  const has = (status: TestSessionStatus) => last.some((row) => row.status === status);
  return (['RUNNING', 'FAILED', 'CANCELLED'] as const).find(has) ?? 'PASSED';
}

function withSettled(
  session: StoredTestSession,
  pendingId: string,
  at: number,
  settle: (pending: TestSessionResult) => TestSessionResult,
): StoredTestSession {
  const index = session.results.findIndex(isPendingOf(pendingId));
  const pending = session.results[index];
  if (!pending || session.status !== 'RUNNING') return session;
  const results = session.results.with(index, settle(pending));
  const status = testStatusOf(results);
  return { ...session, results, status, stoppedAt: status === 'RUNNING' ? null : at };
}

function isPendingOf(id: string) {
  return (row: TestSessionResult) => row.id === id && row.resultType === 'PENDING';
}

function ended(
  row: TestSessionResult,
  status: 'CANCELLED' | 'FAILED',
  at: number,
): TestSessionResult {
  return { ...row, resultType: 'FINAL', status, hasErrors: status === 'FAILED', stoppedAt: at };
}

function measured(result: StoredResult) {
  const { hasFailures, failure } = result;
  return {
    ...(hasFailures &&
      failure && { errorGroupId: errorGroupKey(TEST_SESSIONS, failure.message).id }),
    status: isBad(result) ? ('FAILED' as const) : ('PASSED' as const),
    runLocation: result.runLocation,
    hasFailures: result.hasFailures,
    hasErrors: result.hasErrors,
    isDegraded: result.isDegraded,
    overMaxResponseTime: result.overMaxResponseTime,
    attempts: result.attempts,
    sequenceId: result.sequenceId,
    responseTime: result.responseTime,
    startedAt: result.startedAt,
    stoppedAt: result.stoppedAt,
  };
}
