import type { IncidentRecords } from '#main/incidents/incident-port.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import type { FinalRun } from '#shared/alerting/final-run.ts';
import type { KeptAlertState } from '#shared/alerting/kept-alert-state.ts';
import type { SeenCertificate } from '#shared/alerting/ssl.ts';
import type { Check } from '#shared/checks/check.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';

/**
 * What the recorder asks, so that an alert is kept with the result that caused it. Each
 * answer goes by the check, its group and the account as they are when it is asked.
 */
export interface AlertPort {
  /** Decides about a run that is over at all of its locations. */
  afterRun(run: FinishedRun, state: KeptAlertState | undefined): AlertRecords;
  afterHeartbeat(event: StoredHeartbeatEvent, state: KeptAlertState | undefined): AlertRecords;
  /** The reminder that is due now; null where none is. */
  reminder(checkId: string, state: KeptAlertState): AlertRecords | null;
  /** When a reminder is due, epoch ms; null where none is, as things are now. */
  nextReminderAt(checkId: string, state: KeptAlertState): number | null;
  /** Whether the appliance is offline, so that a reminder may be no longer true. */
  isOffline(): boolean;
  /** The check was deleted; `state` is what was kept of its alerts. */
  deleted(check: Check, state: KeptAlertState | undefined): void;
  /** The records are written, so that their notifications may be sent. */
  kept(facts: PendingRecords): void;
}

/** A run with its retries over, at all of its locations. */
export interface FinishedRun {
  checkId: string;
  /** One for each location, at least one. */
  finals: readonly FinalRun[];
  /** The details of its results as JSON text, by result id; those from before a restart are missing. */
  details: ReadonlyMap<string, string>;
  certificates: readonly SeenCertificate[];
}

/** Alerts, notifications and what becomes of incidents, for the transaction of what caused them. */
export type PendingRecords = Pick<HistoryRecords, 'alerts' | 'notifications'> & IncidentRecords;

export interface AlertRecords {
  /**
   * To be kept with the check's other state; the very one that was given where nothing changed, and
   * undefined where there is nothing to know.
   */
  state: KeptAlertState | undefined;
  facts: PendingRecords;
}
