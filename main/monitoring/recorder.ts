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
  readonly #listeners = new Set<ResultListener>();
  #settled = 0;
  #retried = 0;
  readonly #skipped = { overlap: 0, down: 0, asleep: 0, maintenance: 0, blind: 0 };

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
    for (const { reason, count } of skips) this.#skipped[reason] += count;
    const facts = skips.length > 0 ? { skips: [...skips] } : {};
    void this.#writeOfCheck(checkId, facts, (state) => ({ state: withMemory(state, memory) }));
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
    const records = { ...facts, ...pending, states: [{ checkId, state }] };
    const number = this.#records++;
    const write = () => this.#writeWithState(checkId, number, records);
    return this.#write({ write, content: records }, [
      () => this.#alerts.kept(pending),
      ...followers,
    ]);
  }

  /** Drops states of deleted checks, and those older than one that was written meanwhile. */
  async #writeWithState(checkId: string, number: number, records: HistoryRecords): Promise<void> {
    const written = () => this.#writtenStates.get(checkId) ?? 0;
    const isOld = !this.#states.has(checkId) || number < written();
    await this.#parts.history.write(isOld ? { ...records, states: [] } : records);
    if (this.#states.has(checkId)) this.#writtenStates.set(checkId, Math.max(number, written()));
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

function withMemory(state: KeptState, memory: Memory): KeptState {
  return { ...state, actor: { ...state.actor, ...memory } };
}
