import type { Clock } from '#shared/clock.ts';
import type { StoredResult } from '#shared/result/check-result.ts';
import { heartbeatStatusAfter, type KeptStatus, statusAfter } from '#shared/result/check-status.ts';
import type { StoredHeartbeatEvent } from '#shared/result/heartbeat-event.ts';
import type { RunCounts } from '../api/services.ts';
import type { Log } from '../log.ts';
import type { History, HistoryFacts, KeptState, SkippedSlots } from '../store/history.ts';
import { StoreError } from '../store/store-error.ts';

/** Batches that wait for a store that fails; the oldest go first when there are more. */
const MAX_BACKLOG = 20_000;
const RETRY_MS = 1_000;
const DRAINED_AT_ONCE = 500;

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
  #retried = 0;
  #skipped = 0;

  constructor(history: History, clock: Clock, log: Log) {
    this.#history = history;
    this.#clock = clock;
    this.#log = log;
  }

  /** Runs since the start. */
  get counts(): RunCounts {
    return { settled: this.#settled, retried: this.#retried, skipped: this.#skipped };
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

  /**
   * A result and, in the same transaction, what whoever ordered the run keeps of it; resolves with
   * whether they are kept already.
   */
  result(
    checkId: string,
    kept: { result: StoredResult; detail: string },
    memory: Memory,
    also: HistoryFacts = {},
  ): Promise<boolean> {
    const { result } = kept;
    const isFinal = result.resultType === 'FINAL';
    if (isFinal) this.#settled++;
    else this.#retried++;
    return this.#keep(checkId, { ...also, results: [kept] }, ({ status }) => ({
      actor: memory,
      status: isFinal ? statusAfter(status, result) : status,
    }));
  }

  /** What happened beside the checks. */
  beside(facts: HistoryFacts): Promise<boolean> {
    return this.#write(facts);
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
    return this.#try(facts);
  }

  /** Whether the facts are kept; where the store is to blame for that they are not, they wait. */
  async #try(facts: HistoryFacts): Promise<boolean> {
    try {
      await this.#history.write(facts);
      return true;
    } catch (error) {
      if (isRefused(error)) {
        this.#log.error({ err: error }, 'The history store refused what it was given; it is lost.');
      } else {
        this.#log.error({ err: error }, 'The history store failed; what happened waits in memory.');
        this.#wait(facts);
      }
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

  /** Tries what waits again, many at a time and in order; what fails waits on, before what came since. */
  async #drain(): Promise<void> {
    const tried = this.#backlog.splice(0, DRAINED_AT_ONCE);
    const outcomes = await Promise.allSettled(
      tried.map((facts) => this.#history.write(this.#withStatesOfNow(facts))),
    );
    const failed = tried.filter((_, index) => mayYetBeKept(outcomes[index]));
    this.#backlog.unshift(...failed);
    this.#retry = undefined;
    if (this.#backlog.length > 0) {
      this.#log.debug(
        { waiting: this.#backlog.length },
        'What happened still waits for the store.',
      );
      const delayMs = failed.length > 0 ? RETRY_MS : 0;
      this.#retry = this.#clock.setTimeout(() => void this.#drain(), delayMs);
      return;
    }
    this.#log.info({ lost: this.#lost }, 'The history store works again.');
    this.#lost = 0;
  }

  /** A state that waited may be older than one that was kept meanwhile. */
  #withStatesOfNow(facts: HistoryFacts): HistoryFacts {
    const states = facts.states?.flatMap(({ checkId }) => {
      const state = this.#states.get(checkId);
      return state ? [{ checkId, state }] : [];
    });
    return { ...facts, states };
  }
}

/** A fact that no store would ever take is our own fault: trying it again would block the others. */
function isRefused(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'INVALID';
}

function mayYetBeKept(outcome: PromiseSettledResult<void> | undefined): boolean {
  return outcome?.status === 'rejected' && !isRefused(outcome.reason);
}
