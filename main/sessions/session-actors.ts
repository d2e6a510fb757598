import { createActor } from 'xstate';
import type { CheckRuns, RunFollower } from '#main/monitoring/check-runs-port.ts';
import { actorClock } from '#main/platform/actor-clock.ts';
import { inSlices } from '#main/platform/in-slices.ts';
import type { Log } from '#main/platform/log.ts';
import type { History } from '#main/store/history/history.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredBatch, StoredSession } from '#shared/sessions/check-session.ts';
import { withResult } from '#shared/sessions/session-rules.ts';
import { InTurns } from './in-turns.ts';
import { RunQueue } from './run-queue.ts';
import { type SessionEvent, sessionMachine } from './session.machine.ts';
import { SessionRegistry } from './session-registry.ts';

export interface SessionActorsParts {
  history: Pick<History, 'write' | 'findSession'>;
  runs: CheckRuns;
  clock: Clock;
  log: Log;
  /** Told of each session that is over. */
  ended(session: StoredSession): void;
}

const MAX_ENDED = 1_000;
/** Sessions that join their batch in one turn of the event loop. */
const JOINED_AT_ONCE = 1_000;

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
  readonly book: SessionRegistry<StoredSession, SessionEvent>;
  readonly #parts: SessionActorsParts;
  readonly #turns = new InTurns();
  /** By the session, the batch that it is in, until it is over. */
  readonly #batches = new Map<string, RunQueue>();
  /** By the group, the one batch of all its sessions: its concurrency is that of all its triggers. */
  readonly #ofGroups = new Map<number, RunQueue>();

  /** Over once the batches so far have joined. */
  #lastBegun: Promise<void> = Promise.resolve();

  constructor(parts: SessionActorsParts) {
    this.#parts = parts;
    const { history, runs, clock } = parts;
    const logic = sessionMachine.provide({
      actions: {
        keep: (_, { session }) => this.book.keep(session),
        cancelRun: (_, { session }) => runs.cancel(session.checkId, session.id),
      },
    });
    this.book = new SessionRegistry({
      ...parts,
      maxEnded: MAX_ENDED,
      write: (session) => history.write({ sessions: [session] }),
      find: (id) => history.findSession(id),
      follow: (session) =>
        createActor(logic, { clock: actorClock(clock), input: { session, clock } }),
      ended: (session) => this.#leave(session),
    });
  }

  /** Takes in sessions that are kept; what was under way before a restart is followed in its turn. */
  add(sessions: readonly StoredSession[]): void {
    for (const session of sessions) {
      this.book.add(session);
      if (!isWaiting(session)) this.#turns.add(() => this.book.follow(session.id));
    }
  }

  /**
   * Has sessions run in this order, after those of their group; what was under way goes on, however
   * much that is. One batch after another, as each takes several turns: their sessions never mix.
   */
  begin(stored: Omit<StoredBatch, 'id'>): Promise<void> {
    const begun = this.#lastBegun.then(() => this.#joinAll(stored));
    // Whoever asked is told of a failure; the next batch begins all the same.
    this.#lastBegun = begun.catch(() => undefined);
    return begun;
  }

  async #joinAll({ sessionIds, concurrency, groupId }: Omit<StoredBatch, 'id'>): Promise<void> {
    const batch = this.#batchOf(groupId);
    for await (const ids of inSlices(sessionIds, JOINED_AT_ONCE)) {
      this.#join(batch, ids, concurrency);
    }
  }

  #join(batch: RunQueue, ids: readonly string[], concurrency: number): void {
    const sessions = ids.flatMap((id) => this.book.open(id) ?? []);
    for (const { id } of sessions) this.#batches.set(id, batch);
    const underWay = idsOf(sessions.filter((session) => !isWaiting(session)));
    batch.join({ waiting: idsOf(sessions.filter(isWaiting)), underWay }, concurrency);
    for (const id of underWay) this.#turns.add(() => this.#order(id, batch));
  }

  #batchOf(groupId: number | undefined): RunQueue {
    for (const [id, batch] of this.#ofGroups) if (batch.isEmpty) this.#ofGroups.delete(id);
    const known = groupId === undefined ? undefined : this.#ofGroups.get(groupId);
    if (known) return known;
    const { clock, log } = this.#parts;
    const start = (id: string) => this.#order(id, batch);
    const batch: RunQueue = new RunQueue({ start, turns: this.#turns, clock, log });
    if (groupId !== undefined) this.#ofGroups.set(groupId, batch);
    return batch;
  }

  #order(id: string, batch: RunQueue): void {
    // What waits at a stop, waits for the next start.
    if (this.book.isStopped) return;
    const session = this.book.open(id);
    const follower = this.#follower(id, batch);
    const isRequested =
      session !== undefined &&
      this.#parts.runs.order(session.checkId, { id, overrides: session.overrides }, follower);
    if (!isRequested) follower.ended('deleted');
  }

  #follower(id: string, batch: RunQueue): RunFollower {
    return {
      countsForCheck: true,
      started: (run) => this.book.send(id, { type: 'RUN_STARTED', run }),
      settled: ({ result }, isKept) => {
        const after = (session: StoredSession) => withResult(session, result);
        const event = { type: 'RESULT', result } as const;
        const session = this.book.settle(id, { event, after, isKept });
        return {
          also: session ? { sessions: [session] } : {},
          onKept: () => session && this.book.isKept(session),
        };
      },
      ended: (how) => {
        this.book.send(id, END_EVENTS[how]);
        // Not with the session: the attempt of one that is cancelled still takes up its room.
        batch.ended(id);
      },
    };
  }

  #leave(session: StoredSession): void {
    this.#batches.get(session.id)?.left(session.id);
    this.#batches.delete(session.id);
    this.#parts.ended(session);
  }
}

function isWaiting({ status }: StoredSession): boolean {
  return status === 'STARTED';
}

function idsOf(sessions: readonly StoredSession[]): string[] {
  return sessions.map(({ id }) => id);
}
