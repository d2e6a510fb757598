import { isDeepStrictEqual } from 'node:util';
import type {
  AlertPort,
  AlertRecords,
  FinishedRun,
  PendingRecords,
} from '#main/alerting/alert-port.ts';
import type { Log } from '#main/platform/log.ts';
import type {
  History,
  HistoryRecords,
  KeptResult,
  KeptState,
  SkippedSlots,
} from '#main/store/history/history.ts';
import { RetryingWriter, type Write } from '#main/store/history/retrying-writer.ts';
import { type KeptAlertState, keptAlertState } from '#shared/alerting/kept-alert-state.ts';
import { suspended } from '#shared/alerting/moves.ts';
import type { Clock } from '#shared/clock.ts';
import {
  heartbeatStatusAfter,
  type KeptStatus,
  keptStatus,
  statusAfter,
} from '#shared/results/check-status.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import type { PeerCertificate } from '#shared/runs/protocol.ts';
import type { ResultListener, RunCounts } from './monitor-port.ts';

type Memory = KeptState['actor'];
type StateRecord = NonNullable<HistoryRecords['states']>[number];

interface RecorderParts {
  history: Pick<History, 'write'>;
  clock: Clock;
  log: Log;
  alerts: AlertPort;
  /** Called for each check whose alert state changed or is gone. */
  alertMoved(checkId: string): void;
}

/** A result with everything that is written in its transaction. */
interface SettledRun {
  kept: KeptResult;
  /** What changed of the check's persisted state. */
  memory: Memory;
  /** The certificate that counts for the check. */
  certificate: PeerCertificate | null;
  /** The records of the session that ordered the run. */
  also: HistoryRecords;
  /** Called once all of it is written, now or later. */
  onKept(): void;
  /** The whole run, where this was the last result of it and alerts are to be decided. */
  finished: FinishedRun | null;
}

/** Checks whose missed slots share a transaction: a few milliseconds, so that results have their turn. */
const MISSED_TOGETHER = 500;

/** What a record changes about its check, with the notifications that it causes. */
interface Step {
  state: KeptState;
  pending?: PendingRecords;
}

/**
 * Writes results, pings and skipped slots, each in one transaction with the alerts that it causes and
 * the state that it leaves the check in, and holds the state of every check. A failure of the store is
 * never blamed on a target.
 */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #writer: RetryingWriter;
  /** State by check id; records of any other check are dropped. */
  readonly #states = new Map<string, KeptState>();
  /** By check, the number of the record whose state was written last. */
  readonly #writtenStates = new Map<string, number>();
  #records = 0;
  /** By check, slots that passed while the appliance was stopped or in an overload, and that are not written yet. */
  readonly #missed = new Map<string, readonly SkippedSlots[]>();
  #isWritingMissed = false;
  #isStopped = false;
  readonly #listeners = new Set<ResultListener>();
  #settled = 0;
  #retried = 0;
  readonly #skipped = { overlap: 0, down: 0, asleep: 0, maintenance: 0, overload: 0, blind: 0 };

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#writer = new RetryingWriter(parts);
  }

  /** Runs since the start. */
  get counts(): RunCounts {
    return { settled: this.#settled, retried: this.#retried, skipped: { ...this.#skipped } };
  }

  /** Whether records wait in memory, as the store fails. */
  get isStoreFailing(): boolean {
    return this.#writer.waiting > 0;
  }

  /** Calls a listener for what is kept from now on; to call the answer ends that. */
  listen(listener: ResultListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Records of this check are written from now on. */
  open(checkId: string, state: KeptState | undefined): void {
    const known = state && {
      ...state,
      status: this.#readStatus(checkId, state),
      alert: this.#readAlert(checkId, state),
    };
    this.#states.set(checkId, known ?? { actor: {}, status: null });
    if (known?.alert) this.#parts.alertMoved(checkId);
  }

  /** Records of a deleted check that still arrive are dropped. */
  forget(checkId: string): void {
    this.#states.delete(checkId);
    this.#writtenStates.delete(checkId);
    this.#missed.delete(checkId);
    this.#parts.alertMoved(checkId);
  }

  stateOf(checkId: string): KeptState | undefined {
    return this.#states.get(checkId);
  }

  statusOf(checkId: string): KeptStatus | undefined {
    return this.#states.get(checkId)?.status ?? undefined;
  }

  /** Writes a result of a check; resolves with whether it is written already. */
  result(checkId: string, settled: SettledRun): Promise<boolean> {
    const { kept, memory, certificate, also, onKept, finished } = settled;
    const { result } = kept;
    const isFinal = result.resultType === 'FINAL';
    if (isFinal) this.#settled++;
    else this.#retried++;
    const step = ({ actor, status, alert }: KeptState): Step => {
      const decided =
        finished && this.#decide(checkId, () => this.#alerts.afterRun(finished, alert));
      return {
        state: {
          actor: { ...actor, ...memory },
          status: isFinal ? statusAfter(status, result, certificate) : status,
          alert: decided ? decided.state : alert,
        },
        pending: decided?.facts,
      };
    };
    const notify = () => this.#notifyListeners((listener) => listener.result(result));
    return this.#writeOfCheck(checkId, { ...also, results: [kept] }, step, [onKept, notify]);
  }

  /** Writes records that change no check. */
  beside(facts: HistoryRecords, onKept = () => {}): Promise<boolean> {
    const write = () => this.#parts.history.write(facts);
    return this.#write({ write, content: facts }, [() => this.#alerts.kept(facts), onKept]);
  }

  heartbeat(event: StoredHeartbeatEvent, memory: Memory): Promise<boolean> {
    const { checkId } = event;
    const step = ({ status, alert }: KeptState): Step => {
      const decided = this.#decide(checkId, () => this.#alerts.afterHeartbeat(event, alert));
      return {
        state: {
          actor: memory,
          status: heartbeatStatusAfter(status, event),
          alert: decided ? decided.state : alert,
        },
        pending: decided?.facts,
      };
    };
    const notify = () => this.#notifyListeners((listener) => listener.heartbeat(event));
    return this.#writeOfCheck(checkId, { heartbeatEvents: [event] }, step, [notify]);
  }

  /** Holds what the machine of a check needs after a restart; it is written with the next record of the check. */
  remember(checkId: string, memory: Memory): void {
    const state = this.#states.get(checkId);
    if (state) this.#states.set(checkId, withMemory(state, memory));
  }

  /** Persists a state at once, with slots that are counted as skipped. */
  writeState(checkId: string, memory: Memory, skips: readonly SkippedSlots[] = []): void {
    this.#count(skips);
    const facts = skips.length > 0 ? { skips: [...skips] } : {};
    void this.#writeOfCheck(checkId, facts, (state) => ({ state: withMemory(state, memory) }));
  }

  /**
   * Persists a state with the slots that passed while the appliance was stopped: soon, together with those of other
   * checks, or with the next record of the check. Until then another start finds them missed again.
   */
  writeMissed(checkId: string, memory: Memory, skips: readonly SkippedSlots[]): void {
    this.#count(skips);
    this.remember(checkId, memory);
    this.#missed.set(checkId, [...this.#takeMissed(checkId), ...skips]);
    if (!this.#isWritingMissed) void this.#writeAllMissed();
  }

  /**
   * Holds a state with slots that an overload skipped until the next record of the check: a write of their own would
   * add to it. Until then another start finds them missed.
   */
  holdSkip(memory: Memory, skipped: SkippedSlots): void {
    const { checkId } = skipped;
    this.#count([skipped]);
    this.remember(checkId, memory);
    this.#missed.set(checkId, joined(this.#takeMissed(checkId), skipped));
  }

  /** What was missed and is not written yet is left to the next start. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Writes the alert state of a check after a reminder or a deactivation, which no result caused. */
  writeAlert(checkId: string, { state: alert, facts }: AlertRecords): void {
    void this.#writeOfCheck(checkId, {}, (state) => ({
      state: { ...state, alert },
      pending: facts,
    }));
  }

  /** A deactivated check has no alert; to call it again changes nothing. */
  suspend(checkId: string): void {
    const alert = this.#states.get(checkId)?.alert;
    if (!alert) return;
    const after = suspended(alert) as KeptAlertState;
    if (!isDeepStrictEqual(after, alert)) this.writeAlert(checkId, { state: after, facts: {} });
  }

  get #alerts(): AlertPort {
    return this.#parts.alerts;
  }

  #count(skips: readonly SkippedSlots[]): void {
    for (const { reason, count } of skips) this.#skipped[reason] += count;
  }

  async #writeAllMissed(): Promise<void> {
    this.#isWritingMissed = true;
    // A start restores all checks in one turn.
    await Promise.resolve();
    while (this.#missed.size > 0 && !this.#isStopped) {
      const checkIds = [...this.#missed.keys().take(MISSED_TOGETHER)];
      const skips = checkIds.flatMap((checkId) => this.#takeMissed(checkId));
      const states = checkIds.flatMap((checkId) => {
        const state = this.#states.get(checkId);
        return state ? [{ checkId, state }] : [];
      });
      // Not before it is written: whatever waits while the store fails has a bound.
      await this.#writer.write(this.#writeWithStates({ skips, states })).written;
    }
    this.#isWritingMissed = false;
  }

  #takeMissed(checkId: string): readonly SkippedSlots[] {
    const skips = this.#missed.get(checkId) ?? [];
    this.#missed.delete(checkId);
    return skips;
  }

  #writeOfCheck(
    checkId: string,
    facts: HistoryRecords,
    stepFrom: (state: KeptState) => Step,
    followers: readonly (() => void)[] = [],
  ): Promise<boolean> {
    const before = this.#states.get(checkId);
    if (!before) return Promise.resolve(false);
    const { state, pending = {} } = stepFrom(before);
    this.#states.set(checkId, state);
    if (state.alert !== before.alert) this.#parts.alertMoved(checkId);
    const missed = this.#takeMissed(checkId);
    const skips = missed.length > 0 && { skips: [...missed, ...(facts.skips ?? [])] };
    const records = { ...facts, ...pending, ...skips, states: [{ checkId, state }] };
    return this.#write(this.#writeWithStates(records), [
      () => this.#alerts.kept(pending),
      ...followers,
    ]);
  }

  /** States of deleted checks are dropped, and those older than one that was written meanwhile. */
  #writeWithStates(records: HistoryRecords & { states: StateRecord[] }): Write {
    const number = this.#records++;
    const written = (checkId: string) => this.#writtenStates.get(checkId) ?? 0;
    const isKnown = ({ checkId }: StateRecord) => this.#states.has(checkId);
    const write = async () => {
      const known = records.states.filter(isKnown);
      const states = known.filter(({ checkId }) => number >= written(checkId));
      await this.#parts.history.write({ ...records, states });
      for (const { checkId } of known.filter(isKnown)) {
        this.#writtenStates.set(checkId, Math.max(number, written(checkId)));
      }
    };
    return { write, content: records };
  }

  /** Resolves with whether it is written already; followers are notified once it is, now or later. */
  async #write(write: Write, followers: readonly (() => void)[]): Promise<boolean> {
    const { tried, written } = this.#writer.write(write);
    void written.then(() => this.#notifyAll(followers));
    return (await tried).kept;
  }

  #notifyListeners(notify: (listener: ResultListener) => void): void {
    this.#notifyAll([...this.#listeners].map((listener) => () => notify(listener)));
  }

  /** A follower that throws does not keep the others from being notified. */
  #notifyAll(followers: readonly (() => void)[]): void {
    for (const notify of followers) {
      try {
        notify();
      } catch (error) {
        const message = 'Whoever follows what is kept failed; it is kept all the same.';
        this.#parts.log.error({ err: error }, message);
      }
    }
  }

  /** Null where deciding an alert fails by a fault of ours: the result must be written all the same. */
  #decide(checkId: string, decide: () => AlertRecords): AlertRecords | null {
    try {
      return decide();
    } catch (error) {
      const message = 'An alert could not be decided; the check stays as it was told last.';
      this.#parts.log.error({ err: error, checkId }, message);
      return null;
    }
  }

  /** It comes from a file: one that no version of ours wrote is unknown until the next result. */
  #readStatus(checkId: string, { status }: KeptState): KeptStatus | null {
    if (status === null) return null;
    const read = keptStatus.safeParse(status);
    if (read.success) return read.data;
    const message = 'The status of a check cannot be read; its next result makes it anew.';
    this.#parts.log.error({ err: read.error, checkId }, message);
    return null;
  }

  /** It comes from a file: one that no version of ours wrote starts anew. */
  #readAlert(checkId: string, { alert }: KeptState): KeptAlertState | undefined {
    if (alert === undefined) return undefined;
    const read = keptAlertState.safeParse(alert);
    if (read.success) return read.data;
    const message = 'What was told of a check cannot be read; its alerts start anew.';
    this.#parts.log.error({ err: read.error, checkId }, message);
    return undefined;
  }
}

/** Slots with later ones; those that go on with what was skipped last make one gap with it, unless the clock was set back. */
function joined(skips: readonly SkippedSlots[], later: SkippedSlots): readonly SkippedSlots[] {
  const last = skips.at(-1);
  if (last?.reason !== later.reason || later.fromSlot <= last.toSlot) return [...skips, later];
  const gap = { ...later, fromSlot: last.fromSlot, count: last.count + later.count };
  return [...skips.slice(0, -1), gap];
}

function withMemory(state: KeptState, memory: Memory): KeptState {
  return { ...state, actor: { ...state.actor, ...memory } };
}
