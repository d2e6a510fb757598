import { createActor } from 'xstate';
import type { RunFollower, RunOverrides } from '#main/monitoring/check-runs-port.ts';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { History, HistoryRecords } from '#main/store/history/history.ts';
import type { StoredTestSession, TestSessionResult } from '#shared/sessions/test-session.ts';
import { testResultId, withTestResult } from '#shared/sessions/test-session-rules.ts';
import { InTurns } from './in-turns.ts';
import { RunQueue } from './run-queue.ts';
import type { SessionActorsParts } from './session-actors.ts';
import { SessionRegistry } from './session-registry.ts';
import { type TestSessionEvent, testSessionMachine } from './test-session.machine.ts';
import { TestSessionChanges } from './test-session-records.ts';

interface TestSessionActorsParts extends Pick<SessionActorsParts, 'runs' | 'clock' | 'log'> {
  history: Pick<History, 'write' | 'findTestSession'>;
}

/** What the runs of one session share. */
interface Runs {
  sessionId: string;
  batch: RunQueue;
  overrides: RunOverrides;
}

/** Runs of one test session that are under way at a time. */
const CONCURRENCY = 20;
const MAX_ENDED = 20;

/**
 * The actors of test sessions, each with a batch for its runs: where the ports of its machine are
 * bound. Their results do not count for the checks: they are kept here alone.
 */
export class TestSessionActors {
  readonly book: SessionRegistry<StoredTestSession, TestSessionEvent>;
  readonly #parts: TestSessionActorsParts;
  readonly #changes = new TestSessionChanges();
  readonly #turns = new InTurns();
  /** Ids of results whose runs are ordered, and not over. */
  readonly #ordered = new Set<string>();

  constructor(parts: TestSessionActorsParts) {
    this.#parts = parts;
    const { history, clock } = parts;
    const logic = testSessionMachine.provide({
      actions: {
        keep: (_, { session }) => this.book.keep(session),
        cancelRuns: (_, { session }) => this.#cancelRuns(session.results),
      },
    });
    this.book = new SessionRegistry({
      ...parts,
      maxEnded: MAX_ENDED,
      write: (session) => this.#write(session),
      find: (id) => history.findTestSession(id),
      follow: (session) =>
        createActor(logic, { clock: actorClock(clock), input: { session, clock } }),
      ended: () => undefined,
    });
  }

  /** Has the checks of a session that is kept run; what is changed about them is kept nowhere. */
  begin(session: StoredTestSession, overrides: RunOverrides): void {
    this.#changes.written(session.results);
    this.book.add(session);
    // Not with its first result: that comes in an action of another actor, where none may be made.
    this.book.follow(session.id);
    const rows = new Map(session.results.map((row) => [row.id, row]));
    const batch = new RunQueue({
      ...this.#parts,
      turns: this.#turns,
      start: (id) => this.#order(rows.get(id), { sessionId: session.id, batch, overrides }),
    });
    batch.join({ waiting: [...rows.keys()] }, CONCURRENCY);
  }

  #order(row: TestSessionResult | undefined, runs: Runs): void {
    if (!row || this.book.isStopped || !this.book.open(runs.sessionId)) return;
    const { id, checkId } = row;
    const follower = this.#follower(id, runs);
    this.#ordered.add(id);
    const isRequested = this.#parts.runs.order(
      checkId,
      { id, overrides: runs.overrides },
      follower,
    );
    if (!isRequested) follower.ended('deleted');
  }

  #follower(resultId: string, { sessionId, batch }: Runs): RunFollower {
    return {
      countsForCheck: false,
      started: () => undefined,
      settled: ({ result, detail }, isKept) => {
        const after = (session: StoredTestSession) => withTestResult(session, resultId, result);
        const event = { type: 'RESULT', resultId, result } as const;
        const session = this.book.settle(sessionId, { event, after, isKept });
        const rowId = testResultId(resultId, result);
        return {
          also: session ? this.#takeChanges(session, rowId, detail) : {},
          onKept: () => session && this.book.isKept(session),
        };
      },
      ended: (how) => {
        const type = how === 'settled' ? 'RUN_ENDED' : 'RUN_CANCELLED';
        this.#ordered.delete(resultId);
        batch.ended(resultId);
        this.book.send(sessionId, { type, resultId });
      },
    };
  }

  #cancelRuns(results: readonly TestSessionResult[]): void {
    for (const { resultType, checkId, id } of results) {
      // Most of a thousand were never ordered: their checks need not hear of it.
      const isUnderWay = resultType === 'PENDING' && this.#ordered.has(id);
      if (isUnderWay) this.#parts.runs.cancel(checkId, id);
    }
  }

  async #write(session: StoredTestSession): Promise<void> {
    const facts = this.#changes.of(session);
    await this.#parts.history.write(facts);
    this.#changes.written(facts.testResults.map(({ result }) => result));
  }

  /** What a result changed, to be kept with its detail by whoever carried its run out. */
  #takeChanges(session: StoredTestSession, resultId: string, detail: string): HistoryRecords {
    const facts = this.#changes.of(session);
    this.#changes.written(facts.testResults.map(({ result }) => result));
    const testResults = facts.testResults.map((one) =>
      one.result.id === resultId ? { ...one, detail } : one,
    );
    return { ...facts, testResults };
  }
}
