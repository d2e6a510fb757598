import type { AlertState } from '#shared/alert/alert-state.ts';
import type { HeartbeatCheck, RunnableCheck } from '#shared/check/check.ts';
import type { StoredResult } from '#shared/result/check-result.ts';
import type { StoredHeartbeatEvent } from '#shared/result/heartbeat-event.ts';
import type { HistoryFacts } from '../store/history.ts';

/** What the recorder asks, so that an alert is kept with the result that caused it (threats 23). */
export interface AlertPort {
  /** Decides about a run that is over: the FINAL results of all its locations. */
  afterRun(run: FinishedRun, state: AlertState | undefined): AlertFacts;
  afterHeartbeat(
    check: HeartbeatCheck,
    event: StoredHeartbeatEvent,
    state: AlertState | undefined,
  ): AlertFacts;
  /** What {@link AlertFacts} asked to be kept is kept: what is owed may be sent. */
  kept(facts: AlertFacts): void;
}

export interface FinishedRun {
  /** With the settings of its group in it. */
  check: RunnableCheck;
  /** At least one; each with its detail as JSON text. */
  finals: readonly { result: StoredResult; detail: string }[];
}

export interface AlertFacts {
  /** To be kept with the check's other state. */
  state: AlertState;
  /** Alerts and notifications, for the same transaction. */
  facts: Pick<HistoryFacts, 'alerts' | 'notifications'>;
}
