import { hasEnded, type SessionStatus } from '#shared/sessions/check-session.ts';
import type { BatchSummary, SessionSummary } from './session-summary.ts';

/** Of two versions of one session the later one: what was read may be older than what was told meanwhile. */
export function laterSession(one: SessionSummary, other: SessionSummary): SessionSummary {
  return progressOf(other) > progressOf(one) ? other : one;
}

function progressOf({ status, results }: SessionSummary): number {
  if (hasEnded(status)) return Number.POSITIVE_INFINITY;
  return results.length + Number(status !== 'STARTED');
}

const MAX_NAMES = 3;

/** One without its sessions yet. */
export function newBatchSummary({
  id,
  createdAt,
  runSource,
}: Pick<BatchSummary, 'id' | 'createdAt' | 'runSource'>): BatchSummary {
  const none = { count: 0, open: 0, passed: 0, degraded: 0, failed: 0, cancelled: 0 };
  return { id, createdAt, runSource, names: [], ...none };
}

/** Counts one more session. */
export function addToBatch(
  batch: BatchSummary,
  { status, name }: { status: SessionStatus; name: string },
): void {
  batch.count += 1;
  batch[ENDS[status] ?? 'open'] += 1;
  if (batch.names.length < MAX_NAMES) batch.names.push(name);
}

const ENDS: Partial<Record<SessionStatus, 'passed' | 'degraded' | 'failed' | 'cancelled'>> = {
  PASSED: 'passed',
  DEGRADED: 'degraded',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  CANCELLED: 'cancelled',
};
