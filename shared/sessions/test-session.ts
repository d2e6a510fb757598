import type { CheckType } from '#shared/checks/enums.ts';
import type { ResultFlags } from '#shared/runs/protocol.ts';

/**
 * A test session: an ad-hoc recorded run of many checks, whose results are kept apart from those of
 * the checks. It does not outlive the process: a restart ends it CANCELLED,
 * for the variables it was given are kept nowhere.
 */

export const TEST_SESSION_STATUSES = ['RUNNING', 'FAILED', 'PASSED', 'CANCELLED'] as const;
export type TestSessionStatus = (typeof TEST_SESSION_STATUSES)[number];

/** One run of one check of a test session: pending, an attempt, or its end. */
export interface TestSessionResult extends ResultFlags {
  /** UUID: its own, also while it is pending. */
  id: string;
  /** Which check of the session it is of, from 0. Results stand in this order, attempts before the last. */
  position: number;
  checkId: string;
  checkType: CheckType;
  name: string;
  runLocation: string;
  resultType: 'PENDING' | 'ATTEMPT' | 'FINAL';
  status: TestSessionStatus;
  overMaxResponseTime: boolean;
  attempts: number;
  /** Null while it is pending. */
  sequenceId: string | null;
  responseTime: number | null;
  /** Of a failure, the group that it is in. */
  errorGroupId?: string;
  /** Epoch milliseconds. */
  startedAt: number | null;
  stoppedAt: number | null;
  createdAt: number;
}

/** A test session. Times are epoch milliseconds. */
export interface StoredTestSession {
  /** UUIDv7 of its creation. */
  id: string;
  name: string;
  status: TestSessionStatus;
  runLocation: string;
  createdAt: number;
  stoppedAt: number | null;
  /** As the caller gave it. */
  metadata: Readonly<Record<string, unknown>>;
  results: readonly TestSessionResult[];
}

/** A test session but for its results, which are kept each by itself. */
export type TestSessionHead = Omit<StoredTestSession, 'results'>;

/** A test session as lists show it: of its results, the ids of those that are no attempts, by status. */
export interface ListedTestSession extends TestSessionHead {
  resultIds: Readonly<Record<TestSessionStatus, readonly string[]>>;
  /** The groups of failures of its results, attempts included. */
  errorGroupIds: readonly string[];
}
