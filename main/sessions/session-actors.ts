import { createActor } from 'xstate';
import type { Clock } from '#shared/clock.ts';
import { withResult } from '#shared/rules/session.ts';
import type { StoredSession } from '#shared/session/check-session.ts';
import { actorClock } from '../actors/actor-clock.ts';
import type { CheckRuns, RunFollower } from '../actors/run-order.ts';
import type { Log } from '../log.ts';
import type { History } from '../store/history.ts';
import { Batch } from './batch.ts';
import { InTurns } from './in-turns.ts';
import { type SessionEvent, sessionMachine } from './session.machine.ts';
import { SessionBook } from './session-book.ts';

export interface SessionActorsParts {
  history: Pick<History, 'write' | 'findSession'>;
  runs: CheckRuns;
  clock: Clock;
  log: Log;
  /** Told of each session that is over. */
  ended(session: StoredSession): void;
}

const MAX_ENDED = 1_000;

const END_EVENTS = {
  settled: { type: 'RUN_ENDED' },
  cancelled: { type: 'CANCEL' },
  deleted: { type: 'CHECK_DELETED' },
} as const satisfies { [How in Parameters<RunFollower['ended']>[0]]: SessionEvent };

/**
 * The actors of check sessions, and the batches in which they start: where the ports of the session's
 * machine are bound. Results count like scheduled ones: the check's own actor keeps them, and the
 * session with them.
 */
export class SessionActors {
  readonly book: SessionBook<StoredSession, SessionEvent>;
  readonly #parts: SessionActorsParts;
  readonly #turns = new InTurns();
  /** By the session, the batch that it is in, until it is over. */
  readonly #batches = new Map<string, Batch>();

  constructor(parts: SessionActorsParts) {
    this.#parts = parts;
    const { history, runs, clock } = parts;
    const logic = sessionMachine.provide({
      actions: {
        keep: (_, { session }) => this.book.keep(session),
        cancelRun: (_, { session }) => runs.cancel(session.checkId, session.id),
      },
    });
    this.book = new SessionBook({
      ...parts,
      maxEnded: MAX_ENDED,
      write: (session) => history.write({ sessions: [session] }),
      find: (id) => history.findSession(id),
      follow: (session) =>
        createActor(logic, { clock: actorClock(clock), input: { session, clock } }),
      ended: (session) => this.#leave(session),
    });
  }

  /** A batch for sessions to be added to; it begins when it is told to. */
  batch(concurrency: number): Batch {
    const { clock, log } = this.#parts;
    const start = (id: string) => this.#order(id);
    return new Batch({ concurrency, start, turns: this.#turns, clock, log });
  }

  /** Takes in sessions that are kept. What was under way before a restart is ordered again at once. */
  add(sessions: readonly StoredSession[], batch: Batch): void {
    for (const session of sessions) {
      const { id } = session;
      const isUnderWay = session.status !== 'STARTED';
      this.book.add(session);
      this.#batches.set(id, batch);
      batch.add(id, { isUnderWay });
      if (!isUnderWay) continue;
      this.book.follow(id);
      this.#turns.add(() => this.#order(id));
    }
  }

  #order(id: string): void {
    const session = this.book.open(id);
    if (!session) return;
    const { checkId, overrides } = session;
    const isOrdered = this.#parts.runs.order(checkId, { id, overrides }, this.#follower(id));
    if (!isOrdered) this.book.send(id, { type: 'CHECK_DELETED' });
  }

  #follower(id: string): RunFollower {
    return {
      countsForCheck: true,
      started: (run) => this.book.send(id, { type: 'RUN_STARTED', run }),
      settled: ({ result }) => {
        const after = (session: StoredSession) => withResult(session, result);
        const session = this.book.settle(id, { type: 'RESULT', result }, after);
        return session ? { sessions: [session] } : {};
      },
      ended: (how) => this.book.send(id, END_EVENTS[how]),
    };
  }

  #leave(session: StoredSession): void {
    this.#batches.get(session.id)?.ended(session.id);
    this.#batches.delete(session.id);
    this.#parts.ended(session);
  }
}
