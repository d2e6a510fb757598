import type { RunVariable } from '#main/monitoring/merge-variables.ts';
import type { ChannelTester } from '#main/notifications/channels/channel-tester.ts';
import type { OutboxPort } from '#main/notifications/outbox-port.ts';
import type { ConnectivityView } from '#main/self-monitoring/connectivity-port.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import type { Clock } from '#shared/clock.ts';
import type { KeptStatus } from '#shared/results/check-status.ts';
import type { RetryStrategy } from '#shared/runs/retry.ts';
import type { RunSource, SessionOverrides, StoredSession } from '#shared/sessions/check-session.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';

/** What the API stands on; built once in the composition root and passed down. */
export interface Services {
  clock: Clock;
  configuration: Configuration;
  history: History;
  monitor: Monitor;
  sessions: CheckSessions;
  testSessions: TestSessions;
  channels: ChannelTester;
  /** Whether the monitor itself can see. */
  connectivity: { view(): ConnectivityView };
  outbox: Pick<OutboxPort, 'resend'>;
}

/** The sessions of checks, as the API sees them. What rejects does so as a StoreError. */
export interface CheckSessions {
  /**
   * Makes a session for each check and starts them in the order given, `concurrency` at a time;
   * resolves once they are kept. Rejects with TooManySessions, and makes none, where too many are open.
   */
  trigger(checks: readonly RunnableCheck[], options: TriggerOptions): Promise<StoredSession[]>;
  find(sessionId: string): Promise<StoredSession | null>;
  /** The session once it is over, or as it stands after `waitMs` or at a stop; null: unknown. */
  waitFor(sessionId: string, waitMs: number): Promise<StoredSession | null>;
  /**
   * Cancels a session; resolves once that is kept. One that is over
   * stays as it is. False where it is unknown.
   */
  cancel(sessionId: string): Promise<boolean>;
}

export interface TriggerOptions {
  runSource: RunSource;
  /** At most so many sessions at a time; a default where it is left out. */
  concurrency?: number | undefined;
  /** The group that is triggered: its sessions share its concurrency with those of earlier triggers. */
  groupId?: number | undefined;
  overrides?: SessionOverrides | undefined;
}

/** Test sessions, as the API sees them; lists and results are read from the history. */
export interface TestSessions {
  trigger(checks: readonly RunnableCheck[], options: TestOptions): Promise<StoredTestSession>;
  find(sessionId: string): Promise<StoredTestSession | null>;
  waitFor(sessionId: string, waitMs: number): Promise<StoredTestSession | null>;
  cancel(sessionId: string): Promise<boolean>;
}

export interface TestOptions {
  name: string;
  /** Where every check of it runs. */
  runLocation: string;
  variables: readonly RunVariable[];
  /** Null: no retries; undefined: as each check has it. */
  retryStrategy: RetryStrategy | null | undefined;
  metadata: Readonly<Record<string, unknown>>;
}

/** More sessions are open than may be: answered with 429. */
export class TooManySessions extends Error {
  constructor(open: number) {
    super(`${open} sessions are open already; wait until some are over.`);
  }
}

/** The running actors, as the API sees them. */
export interface Monitor {
  /** Where a check stands; undefined before its first FINAL result. */
  statusOf(checkId: string): KeptStatus | undefined;
  /**
   * Takes a ping of a heartbeat check. Its time is that of the call; resolves with the state it
   * was given once it is kept. Undefined where the check is unknown or not a heartbeat.
   */
  ping(checkId: string, ping: Ping): Promise<HeartbeatState | undefined>;
  /** Whether what happened waits in memory, as the store fails. */
  readonly isStoreFailing: boolean;
  /** Runs since the start, for `/metrics`. */
  runCounts?(): RunCounts;
}

export interface RunCounts {
  /** Runs that ended in a FINAL result, retries that were made, and slots passed over. */
  settled: number;
  retried: number;
  skipped: number;
}

export interface Ping {
  source: string | null;
  userAgent: string | null;
}

/** A ping was taken and counts for its check, but could not be kept yet: answered with 503. */
export class StoreBusy extends Error {
  constructor() {
    super('The ping was taken but could not be stored yet.');
  }
}
