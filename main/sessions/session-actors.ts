import { type ActorRefFrom, createActor } from 'xstate';
import type { Clock } from '#shared/clock.ts';
import type { StoredResult } from '#shared/result/check-result.ts';
import { withResult } from '#shared/rules/session.ts';
import { hasEnded, type StoredSession } from '#shared/session/check-session.ts';
import { actorClock } from '../actors/actor-clock.ts';
import type { CheckRuns, RunFollower } from '../actors/run-order.ts';
import type { Log } from '../log.ts';
import type { History, HistoryFacts } from '../store/history.ts';
import { type BatchActor, createBatch } from './batch.ts';
import { type Kept, LatestKeeper } from './latest-keeper.ts';
import { Recent } from './recent.ts';
import { type SessionEvent, sessionMachine } from './session.machine.ts';
import { WaitList } from './wait-list.ts';

export interface SessionActorsParts {
  history: Pick<History, 'write'>;
  runs: CheckRuns;
  clock: Clock;
  log: Log;
  /** Told of each session that is over. */
  ended(session: StoredSession): void;
}

/** A session that is open, or was a short while ago. */
interface KnownSession {
  /** As it stands. */
  session: StoredSession;
  /** What became of the last write of its own. */
  kept: Promise<Kept>;
  /** Made once there is something to follow: most of a large batch only waits. */
  actor?: ActorRefFrom<typeof sessionMachine> | undefined;
  batch?: BatchActor | undefined;
}

/** Sessions that are remembered after their end: the store may not show it yet. */
const MAX_ENDED = 1_000;

const END_EVENTS = {
  settled: { type: 'RUN_ENDED' },
  cancelled: { type: 'CANCEL' },
  deleted: { type: 'CHECK_DELETED' },
} as const satisfies { [How in Parameters<RunFollower['ended']>[0]]: SessionEvent };

/**
 * The sessions that are open: an actor for each that is under way, a batch for each trigger, and
 * where the ports of the session's machine are bound. Results count like scheduled ones: the check's
 * own actor keeps them, and the session with them.
 */
export class SessionActors {
  readonly #parts: SessionActorsParts;
  readonly #logic: typeof sessionMachine;
  readonly #keeper: LatestKeeper<StoredSession>;
  readonly #waits: WaitList;
  readonly #open = new Map<string, KnownSession>();
  readonly #ended = new Recent<KnownSession>(MAX_ENDED);
  #stopped = false;

  constructor(parts: SessionActorsParts) {
    this.#parts = parts;
    const { history, runs } = parts;
    this.#waits = new WaitList(parts.clock);
    this.#keeper = new LatestKeeper({
      ...parts,
      write: (session) => history.write({ sessions: [session] }),
    });
    this.#logic = sessionMachine.provide({
      actions: {
        keep: (_, { session }) => this.#keep(session),
        cancelRun: (_, { session }) => runs.cancel(session.checkId, session.id),
      },
    });
  }

  /** Takes in sessions that are kept; the batch that they belong to is to {@link begin} then. */
  add(sessions: readonly StoredSession[]): void {
    for (const session of sessions) {
      const known = { session, kept: Promise.resolve<Kept>({ kept: true }) };
      this.#open.set(session.id, known);
      if (session.status !== 'STARTED') this.#actorOf(known);
    }
  }

  /** Has sessions run, so many at a time; what was under way before a restart at once. */
  begin(sessionIds: readonly string[], concurrency: number): void {
    const members = sessionIds.flatMap((id) => this.#open.get(id) ?? []);
    const isWaiting = ({ session }: KnownSession) => session.status === 'STARTED';
    const underWay = idsOf(members.filter((known) => !isWaiting(known)));
    const batch = createBatch(
      { concurrency, waiting: idsOf(members.filter(isWaiting)), underWay },
      { ...this.#parts, start: (id) => this.#order(id) },
    );
    for (const member of members) member.batch = batch;
    for (const id of underWay) this.#order(id);
    batch.start();
  }

  /** A session as it stands; undefined where it is over for long, or unknown. */
  find(id: string): StoredSession | undefined {
    return this.#known(id)?.session;
  }

  /** Resolves when the session is over and kept, after `waitMs`, or at a stop. */
  async whenEnded(id: string, waitMs: number): Promise<void> {
    if (this.#open.has(id)) await this.#waits.wait(id, waitMs);
  }

  /** Cancels a session that is not over; resolves with whether its end is kept. */
  async cancel(id: string): Promise<Kept> {
    this.#send(id, { type: 'CANCEL' });
    return this.#known(id)?.kept ?? { kept: true };
  }

  /** Leaves every session as it stands. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { actor, batch } of this.#open.values()) {
      actor?.stop();
      batch?.stop();
    }
    this.#waits.close();
    await this.#keeper.close();
  }

  #known(id: string): KnownSession | undefined {
    return this.#open.get(id) ?? this.#ended.get(id);
  }

  #order(id: string): void {
    const session = this.#open.get(id)?.session;
    if (!session || this.#stopped) return;
    const { checkId, overrides } = session;
    const isOrdered = this.#parts.runs.order(checkId, { id, overrides }, this.#follower(id));
    if (!isOrdered) this.#send(id, { type: 'CHECK_DELETED' });
  }

  #follower(id: string): RunFollower {
    return {
      countsForCheck: true,
      started: (run) => this.#send(id, { type: 'RUN_STARTED', run }),
      settled: ({ result }) => this.#settle(id, result),
      ended: (how) => {
        this.#send(id, END_EVENTS[how]);
        this.#wakeAfterWrites(id);
      },
    };
  }

  /** The session as the result leaves it, to be kept with the result. */
  #settle(id: string, result: StoredResult): HistoryFacts {
    const known = this.#open.get(id);
    if (!known) return {};
    this.#keeper.supersede(id);
    // A result that arrives while the appliance stops belongs to the session no less.
    if (this.#stopped) known.session = withResult(known.session, result);
    else this.#send(id, { type: 'RESULT', result });
    return { sessions: [known.session] };
  }

  #send(id: string, event: SessionEvent): void {
    const known = this.#open.get(id);
    if (known && !this.#stopped) this.#actorOf(known).send(event);
  }

  #actorOf(known: KnownSession): ActorRefFrom<typeof sessionMachine> {
    if (known.actor) return known.actor;
    const { clock, log } = this.#parts;
    const { session } = known;
    const actor = createActor(this.#logic, { clock: actorClock(clock), input: { session, clock } });
    known.actor = actor;
    actor.subscribe({
      next: ({ context }) => {
        known.session = context.session;
      },
      complete: () => this.#close(known),
      error: (err) => {
        log.error({ err, sessionId: session.id }, 'A session failed; a restart takes it up.');
        this.#close(known);
      },
    });
    return actor.start();
  }

  #keep(session: StoredSession): void {
    const known = this.#open.get(session.id);
    if (!known) return;
    known.kept = this.#keeper.keep(session);
    if (hasEnded(session.status)) void known.kept.then(() => this.#waits.wake(session.id));
  }

  #close({ session, kept, batch }: KnownSession): void {
    // Actors that are stopped are complete as well, but their sessions are not over.
    if (this.#stopped) return;
    this.#open.delete(session.id);
    this.#ended.set(session.id, { session, kept });
    this.#parts.ended(session);
    batch?.send({ type: 'MEMBER_ENDED', id: session.id });
  }

  /** Whoever waited for an end may read its result at once: what was written before is kept then. */
  #wakeAfterWrites(id: string): void {
    const wake = () => this.#waits.wake(id);
    this.#parts.history.write({}).then(wake, wake);
  }
}

function idsOf(members: readonly KnownSession[]): string[] {
  return members.map(({ session }) => session.id);
}
