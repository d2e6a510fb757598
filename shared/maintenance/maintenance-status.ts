import type { MaintenanceStatus } from './maintenance.ts';

/** What decides the status of an occurrence. */
export interface StatusFacts {
  startsAtMs: number;
  endsAtMs: number;
  /** What people said last; undefined where they said nothing. */
  said: MaintenanceStatus | undefined;
  /** Whether it begins and ends when its time has come, or when people say so. */
  autoStart: boolean;
  autoEnd: boolean;
}

/** The status of an occurrence at a moment (epoch milliseconds). */
export function statusAt(facts: StatusFacts, nowMs: number): MaintenanceStatus {
  const { startsAtMs, endsAtMs, said = 'SCHEDULED', autoStart, autoEnd } = facts;
  if (said === 'COMPLETED' || said === 'CANCELLED') return said;
  if (autoEnd && nowMs >= endsAtMs) return 'COMPLETED';
  if (said === 'SCHEDULED' && autoStart && nowMs >= startsAtMs) return 'IN_PROGRESS';
  return said;
}

/** What may be said of an occurrence of a status: the same again, or what comes after (15.4). */
export const STATUSES_AFTER: Readonly<Record<MaintenanceStatus, readonly MaintenanceStatus[]>> = {
  SCHEDULED: ['SCHEDULED', 'IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['IN_PROGRESS', 'VERIFYING', 'COMPLETED', 'CANCELLED'],
  VERIFYING: ['VERIFYING', 'COMPLETED', 'CANCELLED'],
  COMPLETED: ['COMPLETED'],
  CANCELLED: ['CANCELLED'],
};

/**
 * Which date saying a status moves to the present (epoch milliseconds): one that starts before its
 * time starts now, one that is completed before its end ends now. Null where none.
 */
export function movedBy(
  status: MaintenanceStatus,
  { startsAtMs, endsAtMs }: { startsAtMs: number; endsAtMs: number },
  nowMs: number,
): 'startsAt' | 'endsAt' | null {
  if (status === 'IN_PROGRESS' && nowMs < startsAtMs) return 'startsAt';
  if (status === 'COMPLETED' && nowMs < endsAtMs) return 'endsAt';
  return null;
}
