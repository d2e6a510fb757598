import { hasEnded, type SessionStatus } from '#shared/sessions/check-session.ts';
import type { CheckState } from '#shared/summaries/check-state.ts';
import { addToBatch, newBatchSummary } from '#shared/summaries/session-batch.ts';
import type { BatchSummary, SessionSummary } from '#shared/summaries/session-summary.ts';
import type { Shown } from './shown.ts';

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Those that failed first, each part by name. */
export function orderSessions(sessions: readonly SessionSummary[]): SessionSummary[] {
  return sessions.toSorted(
    (one, other) => rankOf(one.status) - rankOf(other.status) || compare(one.name, other.name),
  );
}

function rankOf(status: SessionStatus): number {
  return ['FAILED', 'TIMED_OUT', 'DEGRADED'].includes(status) ? 0 : 1;
}

export function isShown({ status }: SessionSummary, shown: Shown | undefined): boolean {
  switch (shown) {
    case 'failed':
      return ['FAILED', 'TIMED_OUT', 'PROGRESS_FAILED'].includes(status);
    case 'open':
      return !hasEnded(status);
    case 'passed':
      return status === 'PASSED' || status === 'DEGRADED';
    default:
      return true;
  }
}

/** How many of them stand how. @param sessions at least one */
export function countSessions(
  sessions: readonly [SessionSummary, ...SessionSummary[]],
): BatchSummary {
  const batch = newBatchSummary(sessions[0]);
  for (const session of sessions) addToBatch(batch, session);
  return batch;
}

export function stateOf(status: SessionStatus): CheckState {
  return STATES[status];
}

const STATES: Readonly<Record<SessionStatus, CheckState>> = {
  STARTED: 'pending',
  PROGRESS: 'pending',
  PROGRESS_DEGRADED: 'degraded',
  PROGRESS_FAILED: 'failing',
  PASSED: 'passing',
  DEGRADED: 'degraded',
  FAILED: 'failing',
  TIMED_OUT: 'failing',
  CANCELLED: 'inconclusive',
};
