import { cancelAll } from '#main/sessions/cancel-all.ts';
import type { CheckSessionsPort } from '#main/sessions/sessions-port.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { Clock } from '#shared/clock.ts';
import type { RunSource, SessionOverrides, StoredSession } from '#shared/sessions/check-session.ts';
import type { Target } from '#shared/sessions/target.ts';
import type { BatchSummary } from '#shared/summaries/session-summary.ts';
import { type ChosenChecks, chooseChecks } from './choose-checks.ts';
import { notFound } from './service-error.ts';

interface CheckSessionParts {
  configuration: Pick<Configuration, 'checks' | 'groups'>;
  history: Pick<History, 'listBatches' | 'listBatch'>;
  clock: Pick<Clock, 'now'>;
  sessions: CheckSessionsPort;
}

export interface StartOptions {
  runSource: RunSource;
  overrides?: SessionOverrides;
}

/** Check sessions: one for each check that is triggered. */
export class CheckSessions {
  readonly #parts: CheckSessionParts;

  constructor(parts: CheckSessionParts) {
    this.#parts = parts;
  }

  /**
   * Runs the checks that match a target; with `refreshCache` packages of Playwright projects are installed
   * anew.
   *
   * @throws ServiceError NOT_FOUND where none matches; TooManySessions where too many are open
   */
  async trigger(target: Target, { refreshCache = false } = {}): Promise<StoredSession[]> {
    const chosen = await chooseChecks(target, this.#parts.configuration);
    const runSource = target.groupId === undefined ? 'TRIGGER_API' : 'GROUP_RUN_ALL';
    return this.start(chosen, { runSource, ...(refreshCache && { overrides: { refreshCache } }) });
  }

  /**
   * Makes the sessions of what a trigger chose, those of each group with the group's concurrency. All
   * or none: where a later group is refused, the sessions of the earlier ones are cancelled.
   */
  async start(
    chosen: readonly ChosenChecks[],
    { runSource, overrides }: StartOptions,
  ): Promise<StoredSession[]> {
    const started: StoredSession[] = [];
    const at = this.#parts.clock.now();
    try {
      for (const { checks, group } of chosen) {
        const concurrency = group?.concurrency;
        const groupId = group && Number(group.id);
        const options = { runSource, at, overrides, concurrency, groupId };
        started.push(...(await this.#parts.sessions.trigger(checks, options)));
      }
    } catch (error) {
      await cancelAll(started, this.#parts.sessions);
      throw error;
    }
    return started;
  }

  /** What was triggered lately, newest first. */
  listBatches(limit: number): Promise<BatchSummary[]> {
    return this.#parts.history.listBatches({ limit });
  }

  /**
   * All sessions of the trigger that made one of them, as they stand.
   *
   * @throws ServiceError NOT_FOUND
   */
  async batchOf(id: string): Promise<StoredSession[]> {
    const stored = await this.#parts.history.listBatch(id);
    if (!stored.some((session) => session.id === id)) found(null);
    return stored.map((session) => this.#parts.sessions.current(session.id) ?? session);
  }

  /** @throws ServiceError NOT_FOUND */
  async find(id: string): Promise<StoredSession> {
    return found(await this.#parts.sessions.find(id));
  }

  /**
   * The session once it is over, or as it stands after `waitMs`.
   *
   * @throws ServiceError NOT_FOUND
   */
  async waitFor(id: string, waitMs: number): Promise<StoredSession> {
    return found(await this.#parts.sessions.waitFor(id, waitMs));
  }

  /**
   * Ends a session; one that is over stays as it is.
   *
   * @param sequenceIds sequences that the session must have results of
   * @throws ServiceError NOT_FOUND for the session, and for a sequence that is not its own
   */
  async cancel(id: string, sequenceIds: readonly string[]): Promise<void> {
    const { results } = await this.find(id);
    refuseForeignSequences(sequenceIds, results);
    await this.#parts.sessions.cancel(id);
  }
}

/** @throws ServiceError NOT_FOUND where a sequence is named that no result belongs to */
export function refuseForeignSequences(
  named: readonly string[],
  results: readonly { sequenceId: string | null }[],
): void {
  const known = new Set(results.map(({ sequenceId }) => sequenceId));
  const foreign = named.find((id) => !known.has(id));
  if (foreign !== undefined)
    throw notFound(`No result of this session has the sequence ${foreign}`);
}

function found(session: StoredSession | null): StoredSession {
  if (session === null) throw notFound('No such check session.');
  return session;
}
