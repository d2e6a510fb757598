import { randomUUID } from 'node:crypto';
import type { CheckRuns } from '#main/monitoring/check-runs-port.ts';
import type { Log } from '#main/platform/log.ts';
import { inSlices } from '#main/platform/yielding.ts';
import type { History, OpenQuery } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredBatch, StoredSession } from '#shared/sessions/check-session.ts';
import { cancelAll } from './cancel-all.ts';
import {
  checkSessionKind,
  DEFAULT_CONCURRENCY,
  newBatch,
  newSession,
} from './check-session-kind.ts';
import { SessionActors, type SessionRun } from './session-actors.ts';
import {
  type CheckSessionsPort,
  type SessionListener,
  TooManySessions,
  type TriggerOptions,
} from './sessions-port.ts';

/** Check sessions that may be open at once: in all, and for one check. */
export const MAX_OPEN = 20_000;
export const MAX_OPEN_PER_CHECK = 50;

/** Sessions that are made, and kept or taken up, in one turn of the event loop. */
const MADE_AT_ONCE = 100;
const KEPT_AT_ONCE = 250;
/** Batches that are read, and begun, in one turn: each may hold thousands of ids. */
const BATCHES_AT_ONCE = 1;
/** Sessions that join their queue in one turn of the event loop. */
const JOINED_AT_ONCE = 1_000;

export interface SessionParts {
  history: Pick<History, 'write' | 'loadOpenSessions' | 'loadOpenBatches' | 'findSession'>;
  /** The checks' actors, which are to run before {@link Sessions.restore}. */
  runs: CheckRuns;
  clock: Clock;
  log: Log;
}

/** The check sessions, as the API sees them. */
export class Sessions implements CheckSessionsPort {
  readonly #parts: SessionParts;
  readonly #admission = new SessionLimits();
  readonly #actors: SessionActors<StoredSession>;
  readonly #listeners = new Set<SessionListener>();
  /** Resolves once the batches so far have joined their queues. */
  #lastBegun: Promise<void> = Promise.resolve();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const ended = ({ checkId }: StoredSession) => this.#admission.release(checkId);
    const changed = (session: StoredSession) => {
      for (const listener of this.#listeners) listener.changed(session);
    };
    this.#actors = new SessionActors(checkSessionKind(parts.history, { changed, ended }), parts);
  }

  /** Continues the sessions from before a restart: runs under way at once, the others in their turn. */
  async restore(): Promise<void> {
    const { history } = this.#parts;
    const stray = new Set<string>();
    for await (const page of pages(KEPT_AT_ONCE, (query) => history.loadOpenSessions(query))) {
      this.#admission.count(page.map(({ checkId }) => checkId));
      this.#add(page);
      for (const { id } of page) stray.add(id);
    }
    for await (const page of pages(BATCHES_AT_ONCE, (query) => history.loadOpenBatches(query))) {
      for (const batch of page) {
        await this.#begin(batch);
        for (const id of batch.sessionIds) stray.delete(id);
      }
    }
    await this.#begin({
      id: randomUUID(),
      sessionIds: [...stray],
      concurrency: DEFAULT_CONCURRENCY,
    });
  }

  /**
   * Leaves every session as it stands; what was under way is taken up by the next start. Before the
   * checks' actors stop: the results that they still keep belong to their sessions.
   */
  stop(): Promise<void> {
    return this.#actors.registry.stop();
  }

  async trigger(
    checks: readonly RunnableCheck[],
    options: TriggerOptions,
  ): Promise<StoredSession[]> {
    this.#actors.registry.refuseIfStopped();
    const now = options.at ?? this.#parts.clock.now();
    const sessions = await this.#make(checks, options, now);
    const batch = newBatch(sessions, options, now);
    await this.#keepNew(sessions, batch);
    for (const listener of this.#listeners) listener.triggered(sessions);
    await this.#begin(batch);
    return sessions;
  }

  current(sessionId: string): StoredSession | undefined {
    return this.#actors.registry.current(sessionId);
  }

  listen(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  find(sessionId: string): Promise<StoredSession | null> {
    return this.#actors.registry.find(sessionId);
  }

  waitFor(sessionId: string, waitMs: number): Promise<StoredSession | null> {
    return this.#actors.registry.waitFor(sessionId, waitMs);
  }

  cancel(sessionId: string): Promise<boolean> {
    return this.#actors.registry.cancel(sessionId);
  }

  /** Registers stored sessions; those under way before a restart are followed in their turn. */
  #add(sessions: readonly StoredSession[]): void {
    for (const session of sessions) {
      this.#actors.registry.add(session);
      if (!isWaiting(session)) this.#actors.follow(session.id);
    }
  }

  /** Has sessions run, one batch after another, as each takes several turns: they never mix. */
  #begin(batch: StoredBatch): Promise<void> {
    const begun = this.#lastBegun.then(() => this.#join(batch));
    // A failure reaches the caller of its batch; the next batch begins all the same.
    this.#lastBegun = begun.catch(() => undefined);
    return begun;
  }

  async #join({ id, sessionIds, concurrency, groupId }: StoredBatch): Promise<void> {
    // The concurrency of a group is that of all its triggers.
    const queue = groupId === undefined ? `batch ${id}` : `group ${groupId}`;
    for await (const ids of inSlices(sessionIds, JOINED_AT_ONCE)) {
      const sessions = ids.flatMap((id) => this.#actors.registry.open(id) ?? []);
      this.#actors.join(queue, sessions.map(runOf), concurrency);
    }
  }

  /** Admits all sessions or none, so that a refused trigger takes up no room. */
  async #make(
    checks: readonly RunnableCheck[],
    options: TriggerOptions,
    now: number,
  ): Promise<StoredSession[]> {
    const sessions: StoredSession[] = [];
    try {
      for await (const slice of inSlices(checks, MADE_AT_ONCE)) {
        this.#admission.admit(slice.map(({ id }) => id));
        sessions.push(...slice.map((check) => newSession(check, options, now)));
      }
      return sessions;
    } catch (error) {
      this.#releaseAll(sessions);
      throw error;
    }
  }

  #releaseAll(sessions: readonly StoredSession[]): void {
    for (const { checkId } of sessions) this.#admission.release(checkId);
  }

  /**
   * All or none: where some cannot be kept, those before them are cancelled. The batch comes first, so
   * that a crash in between leaves no session outside of it.
   */
  async #keepNew(sessions: readonly StoredSession[], batch: StoredBatch): Promise<void> {
    let kept = 0;
    try {
      for await (const slice of inSlices(sessions, KEPT_AT_ONCE)) {
        const batches = kept === 0 ? [batch] : [];
        await this.#parts.history.write({ sessions: slice, batches });
        kept += slice.length;
        this.#add(slice);
      }
    } catch (error) {
      this.#releaseAll(sessions.slice(kept));
      await cancelAll(sessions.slice(0, kept), this);
      throw error;
    }
  }
}

/** Counts the open sessions and refuses more than the bounds. */
class SessionLimits {
  readonly #openOf = new Map<string, number>();
  #open = 0;

  /**
   * Admits one session for each check id.
   * @throws TooManySessions where there is no room for them all; then none is let in
   */
  admit(checkIds: readonly string[]): void {
    if (this.#open + checkIds.length > MAX_OPEN) throw new TooManySessions(this.#open);
    for (const [index, checkId] of checkIds.entries()) {
      const open = this.#openOf.get(checkId) ?? 0;
      if (open >= MAX_OPEN_PER_CHECK) {
        for (const admitted of checkIds.slice(0, index)) this.release(admitted);
        throw new TooManySessions(open);
      }
      this.#add(checkId, 1);
    }
  }

  /** Counts sessions that are open already, however many. */
  count(checkIds: readonly string[]): void {
    for (const checkId of checkIds) this.#add(checkId, 1);
  }

  release(checkId: string): void {
    this.#add(checkId, -1);
  }

  #add(checkId: string, change: 1 | -1): void {
    const open = (this.#openOf.get(checkId) ?? 0) + change;
    if (open > 0) this.#openOf.set(checkId, open);
    else this.#openOf.delete(checkId);
    this.#open += change;
  }
}

function isWaiting({ status }: StoredSession): boolean {
  return status === 'STARTED';
}

function runOf(session: StoredSession): SessionRun {
  const { id, checkId, runSource } = session;
  const overrides = { ...session.overrides, runSource };
  return { id, sessionId: id, checkId, overrides, isUnderWay: !isWaiting(session) };
}

/** Reads all pages of a list, each of so many items. */
async function* pages<T extends { id: string }>(
  limit: number,
  load: (query: OpenQuery) => Promise<T[]>,
): AsyncGenerator<T[], void> {
  for (let after: string | undefined; ; ) {
    const page = await load({ after, limit });
    yield page;
    if (page.length < limit) return;
    after = page.at(-1)?.id;
  }
}
