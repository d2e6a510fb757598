import type { RunnableCheck } from '#shared/check/check.ts';
import { withTestCancelled } from '#shared/rules/test-session.ts';
import type { StoredTestSession } from '#shared/session/test-session.ts';
import type { TestOptions, TestSessions as TestSessionsPort } from '../api/services.ts';
import { TooManySessions } from '../api/services.ts';
import type { History } from '../store/history.ts';
import { StoreError } from '../store/store-error.ts';
import { newTestSession } from './new-test-session.ts';
import type { SessionParts } from './sessions.ts';
import { TestSessionActors } from './test-session-actors.ts';

export interface TestSessionParts extends Omit<SessionParts, 'history'> {
  history: Pick<History, 'write' | 'findTestSession' | 'listTestSessions'>;
}

/** Checks that one test session runs at most, and test sessions that may be open at once. */
export const MAX_TEST_CHECKS = 1_000;
export const MAX_OPEN_TESTS = 100;
/** Test sessions that a restart reads at a time. */
const PAGE = 100;

/** More checks than one test session may have. */
export class TooManyChecks extends TooManySessions {
  override message = `A test session runs ${MAX_TEST_CHECKS} checks at most.`;

  constructor() {
    super(MAX_TEST_CHECKS);
  }
}

/** The test sessions, as the API sees them: what is open is in memory, the rest in the history. */
export class TestSessions implements TestSessionsPort {
  readonly #parts: TestSessionParts;
  readonly #actors: TestSessionActors;
  /** Test sessions that are being kept for the first time. */
  #making = 0;
  #stopped = false;

  constructor(parts: TestSessionParts) {
    this.#parts = parts;
    this.#actors = new TestSessionActors(parts);
  }

  /** Ends the test sessions that a restart cut short. */
  async restore(): Promise<void> {
    const { history, clock } = this.#parts;
    const query = { limit: PAGE, statuses: ['RUNNING'] as const, branches: [] };
    for (let before: string | undefined; ; ) {
      const { entries, nextBefore } = await history.listTestSessions({ ...query, before });
      const testSessions = entries.map((session) => withTestCancelled(session, clock.now()));
      await history.write({ testSessions });
      if (nextBefore === null) return;
      before = nextBefore;
    }
  }

  /** Leaves every session as it stands: the next start ends it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#actors.stop();
  }

  async trigger(
    checks: readonly RunnableCheck[],
    options: TestOptions,
  ): Promise<StoredTestSession> {
    this.#refuseIfStopped();
    if (checks.length > MAX_TEST_CHECKS) throw new TooManyChecks();
    const open = this.#actors.size + this.#making;
    if (open >= MAX_OPEN_TESTS) throw new TooManySessions(open);
    const session = newTestSession(checks, options, this.#parts.clock.now());
    await this.#keepNew(session);
    const { runLocation: location, retryStrategy, variables } = options;
    if (!this.#stopped && session.status === 'RUNNING') {
      this.#actors.begin(session, { location, retryStrategy, variables });
    }
    return session;
  }

  async find(sessionId: string): Promise<StoredTestSession | null> {
    const known = await this.#actors.find(sessionId);
    return known ?? this.#parts.history.findTestSession(sessionId);
  }

  async waitFor(sessionId: string, waitMs: number): Promise<StoredTestSession | null> {
    await this.#actors.whenEnded(sessionId, waitMs);
    return this.find(sessionId);
  }

  async cancel(sessionId: string): Promise<boolean> {
    this.#refuseIfStopped();
    const outcome = await this.#actors.cancel(sessionId);
    if (!outcome.kept) throw outcome.error;
    return (await this.find(sessionId)) !== null;
  }

  async #keepNew(session: StoredTestSession): Promise<void> {
    this.#making++;
    try {
      await this.#parts.history.write({ testSessions: [session] });
    } finally {
      this.#making--;
    }
  }

  #refuseIfStopped(): void {
    if (this.#stopped) throw new StoreError('CLOSED', 'The appliance is stopping.');
  }
}
