import type { RunnableCheck } from '#shared/check/check.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredBatch, StoredSession } from '#shared/session/check-session.ts';
import type { CheckRuns } from '../actors/run-order.ts';
import type { CheckSessions, TriggerOptions } from '../api/services.ts';
import type { Log } from '../log.ts';
import type { History } from '../store/history.ts';
import { StoreError } from '../store/store-error.ts';
import { Admission } from './admission.ts';
import { inSlices } from './in-slices.ts';
import { DEFAULT_CONCURRENCY, newBatch, newSession } from './new-session.ts';
import { SessionActors } from './session-actors.ts';

export interface SessionParts {
  history: Pick<History, 'write' | 'loadOpenSessions' | 'findSession'>;
  /** The checks' actors, which are to run before {@link Sessions.restore}. */
  runs: CheckRuns;
  clock: Clock;
  log: Log;
}

/** The check sessions, as the API sees them: what is open is in memory, the rest in the history. */
export class Sessions implements CheckSessions {
  readonly #parts: SessionParts;
  readonly #admission = new Admission();
  readonly #actors: SessionActors;
  #stopped = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const ended = ({ checkId }: StoredSession) => this.#admission.release(checkId);
    this.#actors = new SessionActors({ ...parts, ended });
  }

  /** Takes up the sessions from before a restart: what was under way at once, the rest in its turn. */
  async restore(): Promise<void> {
    const { sessions, batches } = await this.#parts.history.loadOpenSessions();
    this.#admission.count(sessions.map(({ checkId }) => checkId));
    this.#actors.add(sessions);
    for (const { sessionIds, concurrency } of batches) this.#actors.begin(sessionIds, concurrency);
    const inBatch = new Set(batches.flatMap(({ sessionIds }) => sessionIds));
    const stray = sessions.map(({ id }) => id).filter((id) => !inBatch.has(id));
    this.#actors.begin(stray, DEFAULT_CONCURRENCY);
  }

  /**
   * Leaves every session as it stands; what was under way is taken up by the next start. Before the
   * checks' actors stop: the results that they still keep belong to their sessions.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#actors.stop();
  }

  async trigger(
    checks: readonly RunnableCheck[],
    options: TriggerOptions,
  ): Promise<StoredSession[]> {
    this.#refuseIfStopped();
    this.#admission.admit(checks.map(({ id }) => id));
    const now = this.#parts.clock.now();
    const sessions: StoredSession[] = [];
    for await (const slice of inSlices(checks)) {
      sessions.push(...slice.map((check) => newSession(check, options, now)));
    }
    const batch = newBatch(sessions, options.concurrency, now);
    await this.#keepNew(sessions, batch);
    if (!this.#stopped) this.#actors.begin(batch.sessionIds, batch.concurrency);
    return sessions;
  }

  async find(sessionId: string): Promise<StoredSession | null> {
    return this.#actors.find(sessionId) ?? this.#parts.history.findSession(sessionId);
  }

  async waitFor(sessionId: string, waitMs: number): Promise<StoredSession | null> {
    await this.#actors.whenEnded(sessionId, waitMs);
    return this.find(sessionId);
  }

  async cancel(sessionId: string): Promise<boolean> {
    this.#refuseIfStopped();
    const outcome = await this.#actors.cancel(sessionId);
    if (!outcome.kept) throw outcome.error;
    return (await this.find(sessionId)) !== null;
  }

  /**
   * All or none: where some cannot be kept, those before them are cancelled. The batch comes first, so
   * that a crash in between leaves no session outside of it.
   */
  async #keepNew(sessions: readonly StoredSession[], batch: StoredBatch): Promise<void> {
    let kept = 0;
    try {
      for await (const slice of inSlices(sessions)) {
        const batches = kept === 0 ? [batch] : [];
        await this.#parts.history.write({ sessions: slice, batches });
        kept += slice.length;
        if (!this.#stopped) this.#actors.add(slice);
      }
    } catch (error) {
      for (const { checkId } of sessions.slice(kept)) this.#admission.release(checkId);
      await Promise.all(sessions.slice(0, kept).map(({ id }) => this.#actors.cancel(id)));
      throw error;
    }
  }

  #refuseIfStopped(): void {
    if (this.#stopped) throw new StoreError('CLOSED', 'The appliance is stopping.');
  }
}
