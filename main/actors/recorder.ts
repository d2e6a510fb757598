import type { Clock } from '#shared/clock.ts';
import type { StoredResult } from '#shared/result/check-result.ts';
import { heartbeatStatusAfter, type KeptStatus, statusAfter } from '#shared/result/check-status.ts';
import type { StoredHeartbeatEvent } from '#shared/result/heartbeat-event.ts';
import type { RunCounts } from '../api/services.ts';
import type { Log } from '../log.ts';
import type { History, HistoryFacts, KeptState, SkippedSlots } from '../store/history.ts';

/** Batches that wait for a store that fails; the oldest go first when there are more. */
const MAX_BACKLOG = 20_000;
const RETRY_MS = 1_000;

type Memory = KeptState['actor'];

/**
 * Has what happened kept, together with the state that it leaves an actor in, and holds where every
 * check stands. While the store fails, facts wait here in their order and are tried again; nothing
 * that happens to the store is ever blamed on a target.
 */
export class Recorder {
  readonly #history: History;
  readonly #clock: Clock;
  readonly #log: Log;
  /** The checks there are; facts about any other are dropped. */
  readonly #states = new Map<string, KeptState>();
  #backlog: HistoryFacts[] = [];
  #retry: unknown;
  #lost = 0;
  #settled = 0;
  #skipped = 0;

  constructor(history: History, clock: Clock, log: Log) {
    this.#history = history;
    this.#clock = clock;
    this.#log = log;
  }

  /** Runs since the start. */
  get counts(): RunCounts {
    return { settled: this.#settled, retried: 0, skipped: this.#skipped };
  }

  /** Facts about this check are kept from now on. */
  open(checkId: string, state: KeptState | undefined): void {
    this.#states.set(checkId, state ?? { actor: {}, status: null });
  }

  /** The check is gone: facts about it that still arrive are dropped. */
  forget(checkId: string): void {
    this.#states.delete(checkId);
  }

  stateOf(checkId: string): KeptState | undefined {
    return this.#states.get(checkId);
  }

  statusOf(checkId: string): KeptStatus | undefined {
    return this.#states.get(checkId)?.status ?? undefined;
  }

  /** The results of one slot, one a location; resolves with whether they are kept already. */
  results(
    checkId: string,
    results: { result: StoredResult; detail: string }[],
    memory: Memory,
  ): Promise<boolean> {
    this.#settled += results.length;
    return this.#keep(checkId, { results }, (state) => ({
      actor: memory,
      status: results
        .filter(({ result }) => result.resultType === 'FINAL')
        .reduce<KeptStatus | null>(
          (status, { result }) => statusAfter(status, result),
          state.status,
        ),
    }));
  }

  heartbeat(event: StoredHeartbeatEvent, memory: Memory): Promise<boolean> {
    return this.#keep(event.checkId, { heartbeatEvents: [event] }, (state) => ({
      actor: memory,
      status: heartbeatStatusAfter(state.status, event),
    }));
  }

  skipped(skip: SkippedSlots): Promise<boolean> {
    this.#skipped += skip.count;
    return this.#keep(skip.checkId, { skips: [skip] }, ({ actor, status }) => ({
      actor: { ...actor, lastSlot: skip.toSlot },
      status,
    }));
  }

  #keep(
    checkId: string,
    facts: HistoryFacts,
    next: (state: KeptState) => KeptState,
  ): Promise<boolean> {
    const state = this.#states.get(checkId);
    if (!state) return Promise.resolve(false);
    const after = next(state);
    this.#states.set(checkId, after);
    return this.#write({ ...facts, states: [{ checkId, state: after }] });
  }

  async #write(facts: HistoryFacts): Promise<boolean> {
    if (this.#backlog.length > 0) {
      this.#wait(facts);
      return false;
    }
    try {
      await this.#history.write(facts);
      return true;
    } catch (error) {
      this.#log.error({ err: error }, 'The history store failed; what happened waits in memory.');
      this.#wait(facts);
      return false;
    }
  }

  #wait(facts: HistoryFacts): void {
    this.#backlog.push(facts);
    if (this.#backlog.length > MAX_BACKLOG) {
      this.#backlog.shift();
      this.#lost++;
    }
    this.#retry ??= this.#clock.setTimeout(() => void this.#drain(), RETRY_MS);
  }

  async #drain(): Promise<void> {
    this.#retry = undefined;
    while (this.#backlog[0]) {
      try {
        await this.#history.write(this.#backlog[0]);
      } catch (error) {
        this.#log.warn(
          { err: error, waiting: this.#backlog.length },
          'The history store still fails.',
        );
        this.#retry = this.#clock.setTimeout(() => void this.#drain(), RETRY_MS);
        return;
      }
      this.#backlog.shift();
    }
    this.#log.info({ lost: this.#lost }, 'The history store works again.');
    this.#lost = 0;
  }
}
