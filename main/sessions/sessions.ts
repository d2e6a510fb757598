import type { CheckRuns } from '#main/monitoring/check-runs-port.ts';
import { inSlices } from '#main/platform/in-slices.ts';
import type { Log } from '#main/platform/log.ts';
import type { History, OpenQuery } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredBatch, StoredSession } from '#shared/sessions/check-session.ts';
import { cancelAll } from './cancel-all.ts';
import { SessionLimits } from './limits.ts';
import { DEFAULT_CONCURRENCY, newBatch, newSession } from './new-session.ts';
import { SessionActors } from './session-actors.ts';
import type { CheckSessionsPort, TriggerOptions } from './sessions-port.ts';

/** Sessions that are made, and kept or taken up, in one turn of the event loop. */
const MADE_AT_ONCE = 100;
const KEPT_AT_ONCE = 250;
/** Batches that are read, and begun, in one turn: each may hold thousands of ids. */
const BATCHES_AT_ONCE = 1;

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
  readonly #actors: SessionActors;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const ended = ({ checkId }: StoredSession) => this.#admission.release(checkId);
    this.#actors = new SessionActors({ ...parts, ended });
  }

  /** Takes up the sessions from before a restart: what was under way at once, the rest in its turn. */
  async restore(): Promise<void> {
    const { history } = this.#parts;
    const stray = new Set<string>();
    for await (const page of pages(KEPT_AT_ONCE, (query) => history.loadOpenSessions(query))) {
      this.#admission.count(page.map(({ checkId }) => checkId));
      this.#actors.add(page);
      for (const { id } of page) stray.add(id);
    }
    for await (const page of pages(BATCHES_AT_ONCE, (query) => history.loadOpenBatches(query))) {
      for (const batch of page) {
        await this.#actors.begin(batch);
        for (const id of batch.sessionIds) stray.delete(id);
      }
    }
    await this.#actors.begin({ sessionIds: [...stray], concurrency: DEFAULT_CONCURRENCY });
  }

  /**
   * Leaves every session as it stands; what was under way is taken up by the next start. Before the
   * checks' actors stop: the results that they still keep belong to their sessions.
   */
  stop(): Promise<void> {
    return this.#actors.book.stop();
  }

  async trigger(
    checks: readonly RunnableCheck[],
    options: TriggerOptions,
  ): Promise<StoredSession[]> {
    this.#actors.book.refuseIfStopped();
    const now = this.#parts.clock.now();
    const sessions = await this.#make(checks, options, now);
    const batch = newBatch(sessions, options, now);
    await this.#keepNew(sessions, batch);
    await this.#actors.begin(batch);
    return sessions;
  }

  find(sessionId: string): Promise<StoredSession | null> {
    return this.#actors.book.find(sessionId);
  }

  waitFor(sessionId: string, waitMs: number): Promise<StoredSession | null> {
    return this.#actors.book.waitFor(sessionId, waitMs);
  }

  cancel(sessionId: string): Promise<boolean> {
    return this.#actors.book.cancel(sessionId, { type: 'CANCEL' });
  }

  /** All or none: where there is no room for some, those before them take up none. */
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
        this.#actors.add(slice);
      }
    } catch (error) {
      this.#releaseAll(sessions.slice(kept));
      await cancelAll(sessions.slice(0, kept), this);
      throw error;
    }
  }
}

/** What is read by pages of so many, page after page. */
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
