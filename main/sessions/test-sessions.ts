import type { History } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import { withTestCancelled } from '#shared/sessions/test-session-rules.ts';
import { SessionActors } from './session-actors.ts';
import type { SessionParts } from './sessions.ts';
import type { TestOptions, TestSessionsPort } from './sessions-port.ts';
import { TooManySessions } from './sessions-port.ts';
import {
  newTestSession,
  TestSessionChanges,
  testSessionKind,
  wholeRecords,
} from './test-session-kind.ts';

export interface TestSessionParts extends Omit<SessionParts, 'history'> {
  history: Pick<History, 'write' | 'findTestSession' | 'loadOpenTestSessions'>;
}

/** Checks that one test session runs at most, and test sessions that may be open at once. */
export const MAX_TEST_CHECKS = 1_000;
export const MAX_OPEN_TESTS = 100;

/** Runs of one test session that are under way at a time. */
const CONCURRENCY = 20;

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
  readonly #actors: SessionActors<StoredTestSession>;
  readonly #changes = new TestSessionChanges();
  /** How many test sessions are being written for the first time. */
  #making = 0;

  constructor(parts: TestSessionParts) {
    this.#parts = parts;
    this.#actors = new SessionActors(testSessionKind(parts.history, this.#changes), parts);
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

  /** Stops; open test sessions are ended by the next start. */
  stop(): Promise<void> {
    return this.#actors.registry.stop();
  }

  async trigger(
    checks: readonly RunnableCheck[],
    options: TestOptions,
  ): Promise<StoredTestSession> {
    this.#actors.registry.refuseIfStopped();
    if (checks.length > MAX_TEST_CHECKS) throw new TooManyChecks();
    const open = this.#actors.registry.size + this.#making;
    if (open >= MAX_OPEN_TESTS) throw new TooManySessions(open);
    const session = newTestSession(checks, options, this.#parts.clock.now());
    await this.#keepNew(session);
    if (session.status === 'RUNNING') this.#begin(session, checks, options);
    return session;
  }

  find(sessionId: string): Promise<StoredTestSession | null> {
    return this.#actors.registry.find(sessionId);
  }

  waitFor(sessionId: string, waitMs: number): Promise<StoredTestSession | null> {
    return this.#actors.registry.waitFor(sessionId, waitMs);
  }

  cancel(sessionId: string): Promise<boolean> {
    return this.#actors.registry.cancel(sessionId);
  }

  /** Starts the runs of a stored session; changes of its checks are for these runs only. */
  #begin(
    session: StoredTestSession,
    checks: readonly RunnableCheck[],
    { runLocation: location, retryStrategy, variables, refreshCache, isUnsaved }: TestOptions,
  ): void {
    const overrides = {
      ...{ location, retryStrategy, variables, refreshCache },
      runSource: 'TRIGGER_RECORD',
    };
    const runs = session.results.map(({ id, checkId, position }) => {
      const check = isUnsaved ? checks[position] : undefined;
      return { id, checkId, sessionId: session.id, overrides: { ...overrides, check } };
    });
    this.#actors.registry.add(session);
    // The actor is made here: its first result comes in an action of another actor, where none can be made.
    this.#actors.registry.follow(session.id);
    this.#actors.join(session.id, runs, CONCURRENCY);
  }

  async #cutShort(session: StoredTestSession | null): Promise<void> {
    const { history, clock } = this.#parts;
    if (session) await history.write(wholeRecords(withTestCancelled(session, clock.now())));
  }

  async #keepNew(session: StoredTestSession): Promise<void> {
    this.#making++;
    try {
      const records = wholeRecords(session);
      await this.#parts.history.write(records);
      this.#changes.written(records.testResults);
    } finally {
      this.#making--;
    }
  }
}
