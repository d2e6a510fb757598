import type { History } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import { withTestCancelled } from '#shared/sessions/test-session-rules.ts';
import { newTestSession } from './new-test-session.ts';
import type { SessionParts } from './sessions.ts';
import type { TestOptions, TestSessionsPort } from './sessions-port.ts';
import { TooManySessions } from './sessions-port.ts';
import { TestSessionActors } from './test-session-actors.ts';
import { wholeRecords } from './test-session-records.ts';

export interface TestSessionParts extends Omit<SessionParts, 'history'> {
  history: Pick<History, 'write' | 'findTestSession' | 'loadOpenTestSessions'>;
}

/** Checks that one test session runs at most, and test sessions that may be open at once. */
export const MAX_TEST_CHECKS = 1_000;
export const MAX_OPEN_TESTS = 100;

/** More checks than one test session may have. */
export class TooManyChecks extends TooManySessions {
  override message = `A test session runs ${MAX_TEST_CHECKS} checks at most.`;

  constructor() {
    super(MAX_TEST_CHECKS);
  }
}

/** The test sessions, as the API sees them. */
export class TestSessions implements TestSessionsPort {
  readonly #parts: TestSessionParts;
  readonly #actors: TestSessionActors;
  /** Test sessions that are being kept for the first time. */
  #making = 0;

  constructor(parts: TestSessionParts) {
    this.#parts = parts;
    this.#actors = new TestSessionActors(parts);
  }

  /** Ends the test sessions that a restart cut short. */
  async restore(): Promise<void> {
    const { history } = this.#parts;
    const limit = MAX_OPEN_TESTS;
    for (let after: string | undefined; ; ) {
      const ids = await history.loadOpenTestSessions({ after, limit });
      for (const id of ids) await this.#cutShort(await history.findTestSession(id));
      if (ids.length < limit) return;
      after = ids.at(-1);
    }
  }

  /** Leaves every session as it stands: the next start ends it. */
  stop(): Promise<void> {
    return this.#actors.book.stop();
  }

  async trigger(
    checks: readonly RunnableCheck[],
    options: TestOptions,
  ): Promise<StoredTestSession> {
    this.#actors.book.refuseIfStopped();
    if (checks.length > MAX_TEST_CHECKS) throw new TooManyChecks();
    const open = this.#actors.book.size + this.#making;
    if (open >= MAX_OPEN_TESTS) throw new TooManySessions(open);
    const session = newTestSession(checks, options, this.#parts.clock.now());
    await this.#keepNew(session);
    const { runLocation: location, retryStrategy, variables } = options;
    if (session.status === 'RUNNING') {
      this.#actors.begin(session, { location, retryStrategy, variables });
    }
    return session;
  }

  find(sessionId: string): Promise<StoredTestSession | null> {
    return this.#actors.book.find(sessionId);
  }

  waitFor(sessionId: string, waitMs: number): Promise<StoredTestSession | null> {
    return this.#actors.book.waitFor(sessionId, waitMs);
  }

  cancel(sessionId: string): Promise<boolean> {
    return this.#actors.book.cancel(sessionId, { type: 'CANCEL' });
  }

  async #cutShort(session: StoredTestSession | null): Promise<void> {
    const { history, clock } = this.#parts;
    if (session) await history.write(wholeRecords(withTestCancelled(session, clock.now())));
  }

  async #keepNew(session: StoredTestSession): Promise<void> {
    this.#making++;
    try {
      await this.#parts.history.write(wholeRecords(session));
    } finally {
      this.#making--;
    }
  }
}
