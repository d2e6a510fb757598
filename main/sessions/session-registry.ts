import { type ActorRefFrom, createActor } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { Log } from '#main/platform/log.ts';
import { LruMap } from '#main/platform/lru-map.ts';
import { type Kept, RetryingWriter } from '#main/store/history/retrying-writer.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { createSessionMachine, type SessionEvent, type SessionRules } from './session.machine.ts';

interface SessionRegistryParts<S> {
  rules: SessionRules<S>;
  clock: Clock;
  log: Log;
  /** How many sessions are remembered after their end: the store may not show it yet. */
  maxEnded: number;
  /** Writes a session as it stands. */
  write(session: S): Promise<void>;
  /** A session in the history. */
  find(sessionId: string): Promise<S | null>;
  /** Cancels the runs that a session still waits for. */
  cancelRuns(session: S): void;
  /** Called with each session that is another now: it began, has a result, or is over. */
  changed(session: S): void;
  /** Called for each session that is over. */
  ended(session: S): void;
}

type SessionActor<S> = ActorRefFrom<ReturnType<typeof createSessionMachine<S>>>;

const KEPT: Promise<Kept> = Promise.resolve({ kept: true });

/** A result of a run of a session. */
interface SettledResult {
  runId: string;
  result: StoredResult;
  /** Resolves with whether the session is written with it already. */
  isKept: Promise<boolean>;
}

/** A session that is open, or was a short while ago. */
interface Entry<S> {
  /** As it stands. */
  session: S;
  /** The outcome of its last write: one that failed is tried again. */
  kept: Promise<Kept>;
  /** Made when its run begins: most sessions of a large batch only wait. */
  actor?: SessionActor<S> | undefined;
}

/**
 * The sessions of one kind: open and recent ones are held here, the rest is in the history. Events go
 * to the actors of sessions, changes to the store; a request that waits for the end of a session is
 * answered once that end is written.
 */
export class SessionRegistry<S extends { id: string }> {
  readonly #parts: SessionRegistryParts<S>;
  readonly #writer: RetryingWriter;
  readonly #waits: Waiters;
  readonly #machine: ReturnType<typeof createSessionMachine<S>>;
  readonly #open = new Map<string, Entry<S>>();
  readonly #ended: LruMap<Entry<S>>;
  #stopped = false;

  constructor(parts: SessionRegistryParts<S>) {
    this.#parts = parts;
    this.#waits = new Waiters(parts.clock);
    this.#writer = new RetryingWriter(parts);
    this.#ended = new LruMap(parts.maxEnded);
    this.#machine = createSessionMachine({ ...parts, write: (session) => this.#keep(session) });
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes in a session that is kept. */
  add(session: S): void {
    this.#open.set(session.id, { session, kept: KEPT });
  }

  /** Whether the appliance stops: only results that still arrive change a session. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  /** A session as it stands; undefined where it is not open. */
  open(id: string): S | undefined {
    return this.#open.get(id)?.session;
  }

  /** A session as it stands, also one that was open a short while ago. */
  current(id: string): S | undefined {
    return this.#known(id)?.session;
  }

  /**
   * A session as it stands now, once that is kept: whoever sees a result in it finds it in the store.
   * Where that could not be kept yet, as the store has it. Null where there is none.
   */
  async find(id: string): Promise<S | null> {
    const known = this.#known(id);
    if (!known) return this.#parts.find(id);
    const { session, kept } = known;
    return (await kept).kept ? session : this.#parts.find(id);
  }

  /** As {@link find}, once the end of the session is kept; after `waitMs`, and at a stop, as it is. */
  async waitFor(id: string, waitMs: number): Promise<S | null> {
    const ended = this.#ended.get(id);
    const mayWait = this.#open.has(id) || (ended && !(await ended.kept).kept);
    if (mayWait) await this.#waits.wait(id, waitMs);
    return this.find(id);
  }

  /**
   * Cancels a session, unless it is over; resolves once its end is kept. False where there is none.
   * @throws StoreError where its end is not kept, and once the appliance stops
   */
  async cancel(id: string): Promise<boolean> {
    this.refuseIfStopped();
    this.send(id, { type: 'CANCEL' });
    const known = this.#known(id);
    if (!known) return (await this.#parts.find(id)) !== null;
    const outcome = await known.kept;
    if (!outcome.kept) throw outcome.error;
    return true;
  }

  /** Sends an event to a session; false once the session is over. */
  send(id: string, event: SessionEvent): boolean {
    const entry = this.#open.get(id);
    if (!entry || this.#stopped) return false;
    this.#actorOf(entry).send(event);
    return true;
  }

  /** Makes the actor of a session that is under way, with its deadline. */
  follow(id: string): void {
    const entry = this.#open.get(id);
    if (entry && !this.#stopped) this.#actorOf(entry);
  }

  /**
   * Gives a session a result. Answers it as the result leaves it, for the caller to have it kept with
   * the result before anything else, and to say once it is: {@link SessionRegistry.isKept}; undefined where
   * it is over. A result that arrives while the appliance stops belongs to the session no less.
   */
  settle(id: string, { runId, result, isKept }: SettledResult): S | undefined {
    const entry = this.#open.get(id);
    if (!entry) return undefined;
    this.#writer.supersede(id);
    entry.kept = isKept.then((kept) => (kept ? { kept } : { kept, error: waitsForStore() }));
    if (this.#stopped) entry.session = this.#parts.rules.withResult(entry.session, runId, result);
    else this.#actorOf(entry).send({ type: 'RESULT', runId, result });
    return entry.session;
  }

  /** This version of a session is written, maybe after several tries: waits for its end are over. */
  isKept(version: S): void {
    const entry = this.#known(version.id);
    if (entry?.session !== version) return;
    entry.kept = KEPT;
    if (!this.#open.has(version.id)) this.#waits.wake(version.id);
  }

  /** @throws StoreError once the appliance stops */
  refuseIfStopped(): void {
    if (this.#stopped) throw new StoreError('CLOSED', 'The appliance is stopping.');
  }

  /** Leaves every session as it stands; resolves once the writes under way are over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { actor } of this.#open.values()) actor?.stop();
    this.#waits.close();
    await this.#writer.close();
  }

  #known(id: string): Entry<S> | undefined {
    return this.#open.get(id) ?? this.#ended.get(id);
  }

  #actorOf(entry: Entry<S>): SessionActor<S> {
    if (entry.actor) return entry.actor;
    const { clock, log } = this.#parts;
    const { session } = entry;
    const { id: sessionId } = session;
    const actor = createActor(this.#machine, { clock: actorClock(clock), input: { session } });
    entry.actor = actor;
    actor.subscribe({
      next: ({ context }) => {
        if (context.session === entry.session) return;
        entry.session = context.session;
        this.#parts.changed(context.session);
      },
      complete: () => this.#close(entry),
      error: (err) => {
        log.error({ err, sessionId }, 'A session failed; a restart takes it up.');
        this.#close(entry);
        this.#waits.wake(sessionId);
      },
    });
    actor.start();
    return actor;
  }

  #close(entry: Entry<S>): void {
    // Actors that are stopped are complete as well, but their sessions are not over.
    if (this.#stopped) return;
    const { session } = entry;
    entry.actor = undefined;
    this.#open.delete(session.id);
    this.#ended.set(session.id, entry);
    this.#parts.ended(session);
  }

  #keep(session: S): void {
    const entry = this.#open.get(session.id);
    if (!entry) return;
    const write = () => this.#parts.write(session);
    const { tried, written } = this.#writer.write({ key: session.id, write, content: session });
    entry.kept = tried;
    void written.then(() => this.isKept(session));
  }
}

function waitsForStore(): StoreError {
  return new StoreError('BUSY', 'The result of the session is not kept yet.');
}

/** Calls that wait for the same event, each with a time limit of its own. */
class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves at the {@link wake} of this id, after `waitMs`, or at once when the list is closed. */
  async wait(id: string, waitMs: number): Promise<void> {
    if (this.#closed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.setTimeout(resolve, waitMs);
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(resolve));
    await promise;
    this.#clock.clearTimeout(timer);
    waiting.delete(resolve);
    if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
  }

  wake(id: string): void {
    for (const resolve of this.#waiting.get(id) ?? []) resolve();
  }

  /** Ends every wait, and any later one at once. */
  close(): void {
    this.#closed = true;
    for (const id of this.#waiting.keys()) this.wake(id);
  }
}
