import type { RunnableCheck } from '#shared/checks/check.ts';
import type { RetryStrategy } from '#shared/runs/retry.ts';
import type { RunSource, SessionOverrides, StoredSession } from '#shared/sessions/check-session.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import type { RunVariable } from '#shared/variables/variable.ts';

/** The sessions of checks, as the services see them. What rejects does so as a StoreError. */
export interface CheckSessionsPort {
  /**
   * Makes a session for each check and starts them in the order given, `concurrency` at a time;
   * resolves once they are kept. Rejects with TooManySessions, and makes none, where too many are open.
   */
  trigger(checks: readonly RunnableCheck[], options: TriggerOptions): Promise<StoredSession[]>;
  find(sessionId: string): Promise<StoredSession | null>;
  /** One that is open or was a short while ago, as it stands, whether that is kept or not. */
  current(sessionId: string): StoredSession | undefined;
  /** Calls a listener for what happens from now on; to call the answer ends that. */
  listen(listener: SessionListener): () => void;
  /** The session once it is over, or as it stands after `waitMs` or at a stop; null: unknown. */
  waitFor(sessionId: string, waitMs: number): Promise<StoredSession | null>;
  /**
   * Cancels a session; resolves once that is kept. One that is over
   * stays as it is. False where it is unknown.
   */
  cancel(sessionId: string): Promise<boolean>;
}

/** What happens to check sessions. Called synchronously. */
export interface SessionListener {
  /** New ones, of one trigger. */
  triggered(sessions: readonly StoredSession[]): void;
  /** One began, has a result, or is over. */
  changed(session: StoredSession): void;
}

export interface TriggerOptions {
  runSource: RunSource;
  /** When it was asked for, epoch ms; left out: now. Sessions of one moment belong together. */
  at?: number;
  /** At most so many sessions at a time; a default where it is left out. */
  concurrency?: number | undefined;
  /** The group that is triggered: its sessions share its concurrency with those of earlier triggers. */
  groupId?: number | undefined;
  overrides?: SessionOverrides | undefined;
}

/** Test sessions, as the services see them; lists and results are read from the history. */
export interface TestSessionsPort {
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
  /** Whether packages of Playwright projects are installed anew. */
  refreshCache?: boolean | undefined;
  metadata: Readonly<Record<string, unknown>>;
  /** Whether the checks run as they are given, and not as they are saved. */
  isUnsaved?: boolean | undefined;
}

/** More sessions are open than may be: answered with 429. */
export class TooManySessions extends Error {
  constructor(open: number) {
    super(`${open} sessions are open already; wait until some are over.`);
  }
}
