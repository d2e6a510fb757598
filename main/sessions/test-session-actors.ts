import { type ActorRefFrom, createActor } from 'xstate';
import { testResultId } from '#shared/rules/test-session.ts';
import type { StoredTestSession, TestSessionResult } from '#shared/session/test-session.ts';
import { actorClock } from '../actors/actor-clock.ts';
import type { RunFollower, RunOverrides } from '../actors/run-order.ts';
import { type BatchActor, createBatch } from './batch.ts';
import { type Kept, LatestKeeper } from './latest-keeper.ts';
import { Recent } from './recent.ts';
import type { SessionActorsParts } from './session-actors.ts';
import { type TestSessionEvent, testSessionMachine } from './test-session.machine.ts';
import { WaitList } from './wait-list.ts';

type Parts = Omit<SessionActorsParts, 'ended'>;

/** A test session that is open, or was a short while ago. */
interface KnownTest {
  /** As it stands. */
  session: StoredTestSession;
  /** What became of its last write. */
  kept: Promise<Kept>;
}

interface OpenTest extends KnownTest {
  actor: ActorRefFrom<typeof testSessionMachine>;
  batch: BatchActor;
}

/** Runs of one test session that are under way at a time. */
const CONCURRENCY = 20;
/** Test sessions that are remembered after their end: the store may not show it yet. */
const MAX_ENDED = 20;

/**
 * The test sessions that are open: an actor and a batch for each, and where the ports of its machine
 * are bound. Their results do not count for the checks: they are kept here alone.
 */
export class TestSessionActors {
  readonly #parts: Parts;
  readonly #logic: typeof testSessionMachine;
  readonly #keeper: LatestKeeper<StoredTestSession>;
  readonly #waits: WaitList;
  readonly #open = new Map<string, OpenTest>();
  readonly #ended = new Recent<KnownTest>(MAX_ENDED);
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { history, clock } = parts;
    this.#waits = new WaitList(clock);
    this.#keeper = new LatestKeeper({
      ...parts,
      write: (session) => history.write({ testSessions: [session] }),
    });
    this.#logic = testSessionMachine.provide({
      actions: {
        keep: (_, { session }) => this.#keep(session),
        cancelRuns: (_, { session }) => this.#cancelRuns(session.results),
      },
    });
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Has the checks of a session that is kept run; what is changed about them is kept nowhere. */
  begin(session: StoredTestSession, overrides: RunOverrides): void {
    const rows = new Map(session.results.map((row) => [row.id, row]));
    const batch = createBatch(
      { concurrency: CONCURRENCY, waiting: [...rows.keys()], underWay: [] },
      { ...this.#parts, start: (id) => this.#order(session.id, rows.get(id), overrides) },
    );
    const actor = this.#createActor(session);
    this.#open.set(session.id, { session, kept: Promise.resolve({ kept: true }), actor, batch });
    actor.start();
    batch.start();
  }

  /** A session as it stands; undefined where it is over for long, or unknown. */
  async find(id: string): Promise<StoredTestSession | undefined> {
    const open = this.#open.get(id);
    if (open) return open.session;
    const ended = this.#ended.get(id);
    // Its results are read from the store: whoever sees the end finds them there.
    await ended?.kept;
    return ended?.session;
  }

  /** Resolves when the session is over and kept, after `waitMs`, or at a stop. */
  async whenEnded(id: string, waitMs: number): Promise<void> {
    if (this.#open.has(id)) await this.#waits.wait(id, waitMs);
  }

  /** Cancels a session that is not over; resolves with whether its end is kept. */
  async cancel(id: string): Promise<Kept> {
    this.#send(id, { type: 'CANCEL' });
    return this.#ended.get(id)?.kept ?? { kept: true };
  }

  /** Leaves every session as it stands. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { actor, batch } of this.#open.values()) {
      actor.stop();
      batch.stop();
    }
    this.#waits.close();
    await this.#keeper.close();
  }

  #createActor(session: StoredTestSession): OpenTest['actor'] {
    const { clock, log } = this.#parts;
    const { id } = session;
    const actor = createActor(this.#logic, { clock: actorClock(clock), input: { session, clock } });
    actor.subscribe({
      complete: () => this.#close(id),
      error: (err) => {
        log.error({ err, sessionId: id }, 'A test session failed; a restart ends it.');
        this.#close(id);
      },
    });
    return actor;
  }

  #order(sessionId: string, row: TestSessionResult | undefined, overrides: RunOverrides): void {
    if (!row || this.#stopped || !this.#open.has(sessionId)) return;
    const follower = this.#follower(sessionId, row.id);
    const isOrdered = this.#parts.runs.order(row.checkId, { id: row.id, overrides }, follower);
    if (!isOrdered) follower.ended('deleted');
  }

  #follower(sessionId: string, resultId: string): RunFollower {
    return {
      countsForCheck: false,
      started: () => undefined,
      settled: ({ result, detail }) => {
        if (!this.#send(sessionId, { type: 'RESULT', resultId, result })) return {};
        const id = testResultId(resultId, result);
        return { testDetails: [{ sessionId, resultId: id, detail }] };
      },
      ended: (how) => {
        const type = how === 'settled' ? 'RUN_ENDED' : 'RUN_CANCELLED';
        this.#open.get(sessionId)?.batch.send({ type: 'MEMBER_ENDED', id: resultId });
        this.#send(sessionId, { type, resultId });
      },
    };
  }

  /** Whether the session takes the event: not once it is over. */
  #send(id: string, event: TestSessionEvent): boolean {
    const open = this.#open.get(id);
    if (!open || this.#stopped) return false;
    open.actor.send(event);
    return true;
  }

  #cancelRuns(results: readonly TestSessionResult[]): void {
    for (const { resultType, checkId, id } of results) {
      if (resultType === 'PENDING') this.#parts.runs.cancel(checkId, id);
    }
  }

  #keep(session: StoredTestSession): void {
    const open = this.#open.get(session.id);
    if (!open) return;
    open.session = session;
    open.kept = this.#keeper.keep(session);
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    // Actors that are stopped are complete as well, but their sessions are not over.
    if (!open || this.#stopped) return;
    const { session, kept } = open;
    this.#open.delete(id);
    this.#ended.set(id, { session, kept });
    void kept.then(() => this.#waits.wake(id));
  }
}
