import type { HistoryRecords } from '#main/store/history/history.ts';
import type { Standing } from '#shared/alerting/alert-type.ts';
import type { Check } from '#shared/checks/check.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import type { VariableName, VariableValue } from '#shared/notifications/variables.ts';

/**
 * The incidents that automation looks after, as people's changes see them. Automation changes them at any
 * time, with the results of their checks, so whoever changes one reads and hands it back within one turn.
 */
export interface AutomatedIncidents {
  /** How many there are. */
  readonly size: number;
  /**
   * The newest version of an incident that automation looks after, or of one whose last change by it is
   * not written yet; undefined of any other, whose newest version is in the history.
   */
  find(incidentId: string): StoredIncident | undefined;
  /**
   * Takes over what a person made of one, before it is written; automation lets go of it where its
   * `automation` is null. Returns how to take that back where the write fails.
   */
  change(incident: StoredIncident): () => void;
}

/** What opens, updates and resolves incidents as checks fail and recover, as the alert engine sees it. */
export interface IncidentAutomation {
  /** Decides about a conclusive run or heartbeat event. Throws by a fault of ours only. */
  after(outcome: CheckOutcome): IncidentDecision;
  /** The records are written: their mailings may be sent. */
  kept(records: IncidentRecords): void;
  /** A check was deleted: its incident is left to people. */
  deleted(check: Pick<Check, 'id' | 'name'>): void;
}

/** How a check stands after a run that came to a verdict, or after a heartbeat event. */
export interface CheckOutcome {
  /** With the settings of its group in it. */
  check: Check;
  standing: Standing;
  /** Epoch ms: when that was judged. */
  at: number;
  /** Where an alert tells receivers that the check fails, what templates may say of it; null elsewhere. */
  failureAlert: (() => AlertVariables) | null;
  isFlapping: boolean;
  /** The incident that was opened for the trouble that the check is in, whoever looks after it now. */
  incidentId: string | undefined;
}

export type AlertVariables = Readonly<Record<VariableName, VariableValue>>;

/** For the transaction of what caused them. */
export type IncidentRecords = Pick<HistoryRecords, 'incidents' | 'mailings'>;

export interface IncidentDecision {
  /** The incident of the trouble that the check is in; undefined where none was opened for it. */
  incidentId: string | undefined;
  records: IncidentRecords;
}
