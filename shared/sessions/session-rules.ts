import type { StoredResult } from '#shared/results/check-result.ts';
import type { ResultFlags } from '#shared/runs/protocol.ts';
import {
  hasEnded,
  type SessionResult,
  type SessionStatus,
  type StoredSession,
} from './check-session.ts';

/**
 * What becomes of a session as its run goes on (specification 3): the worst FINAL
 * result so far, and at the end the worst of all. A session that is over never changes.
 */

/** What a session learns when its run begins; epoch ms and milliseconds. */
export interface BegunRun {
  startedAt: number;
  /** One for each location, also after a restart: each ends in one FINAL result. */
  sequences: readonly { id: string; location: string }[];
  atMostMs: number;
}

/** What a run may take beyond its limits before its session is given up: judging and keeping it. */
export const DEADLINE_MARGIN_MS = 30_000;

/** A first try and as many retries as a strategy can ask for. */
const MAX_RESULTS_PER_LOCATION = 11;

/**
 * The session once its run has begun. After a restart it begins again, where it was or anew: results
 * of a run that was given up are no longer the session's; its deadline stays.
 */
export function withRun(session: StoredSession, run: BegunRun): StoredSession {
  const listed = new Set(run.sequences.map(({ id }) => id));
  const begun = {
    ...session,
    firstRunAt: session.firstRunAt ?? run.startedAt,
    deadlineAt: session.deadlineAt ?? run.startedAt + run.atMostMs + DEADLINE_MARGIN_MS,
    runLocations: run.sequences.map(({ location }) => location),
    results: session.results.filter(({ sequenceId }) => listed.has(sequenceId)),
  };
  return judged(begun, run.startedAt);
}

/** The session with one more result of its run; the same object where it takes no more. */
export function withResult(session: StoredSession, result: StoredResult): StoredSession {
  if (!takes(session, result)) return session;
  const results = [...session.results, sessionResult(result)];
  return judged({ ...session, results }, result.createdAt);
}

/** The session ended in a status that no result gave it. */
export function withEnd(
  session: StoredSession,
  status: 'FAILED' | 'TIMED_OUT' | 'CANCELLED',
  stoppedAt: number,
): StoredSession {
  return hasEnded(session.status) ? session : { ...session, status, stoppedAt };
}

/** The status that results give a session whose run has so many locations. */
export function statusAfter(
  results: readonly SessionResult[],
  locations: number,
): Exclude<SessionStatus, 'STARTED' | 'TIMED_OUT' | 'CANCELLED'> {
  const finals = results.filter(({ resultType }) => resultType === 'FINAL');
  const isOver = finals.length >= locations;
  if (finals.some(isBad)) return isOver ? 'FAILED' : 'PROGRESS_FAILED';
  if (finals.some(({ isDegraded }) => isDegraded)) return isOver ? 'DEGRADED' : 'PROGRESS_DEGRADED';
  return isOver ? 'PASSED' : 'PROGRESS';
}

/** An inconclusive run told nothing: nobody may read PASSED from it. */
export function isBad({ hasFailures, hasErrors }: ResultFlags): boolean {
  return hasFailures || hasErrors;
}

function judged(session: StoredSession, at: number): StoredSession {
  const status = statusAfter(session.results, session.runLocations.length);
  return { ...session, status, stoppedAt: hasEnded(status) ? at : null };
}

/** One FINAL result for a sequence and nothing after it; no result twice; attempts within bounds. */
function takes({ status, results, runLocations }: StoredSession, result: StoredResult): boolean {
  if (hasEnded(status)) return false;
  const { id, sequenceId, resultType } = result;
  const isKnown = results.some(
    (known) =>
      known.checkResultId === id ||
      (known.sequenceId === sequenceId && known.resultType === 'FINAL'),
  );
  const isFull = results.length >= runLocations.length * MAX_RESULTS_PER_LOCATION;
  return !isKnown && (resultType === 'FINAL' || !isFull);
}

function sessionResult(result: StoredResult): SessionResult {
  return {
    checkResultId: result.id,
    runLocation: result.runLocation,
    resultType: result.resultType,
    sequenceId: result.sequenceId,
    responseTime: result.responseTime,
    startedAt: result.startedAt,
    stoppedAt: result.stoppedAt,
    hasFailures: result.hasFailures,
    hasErrors: result.hasErrors,
    isDegraded: result.isDegraded,
    overMaxResponseTime: result.overMaxResponseTime,
  };
}
