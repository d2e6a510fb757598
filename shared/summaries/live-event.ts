import type { CheckState } from './check-state.ts';
import type { CheckSummary, GroupSummary } from './check-summary.ts';
import type { SessionSummary } from './session-summary.ts';

/**
 * What happened, as `/app/events` tells it. Each message holds a list of these, in their order:
 * `event: deltas`. A message `event: refetch` says that some were lost: whoever shows anything reads it anew.
 */
export type LiveEvent =
  /** A check is new, or was changed. */
  | { kind: 'check'; check: CheckSummary }
  | { kind: 'check-gone'; id: string }
  | RunEvent
  /** The last runs and the last day of checks are known now; of any other check they are not told here. */
  | { kind: 'windows'; checks: CheckWindow[] }
  | { kind: 'group'; group: GroupSummary }
  | { kind: 'group-gone'; id: number }
  /** A check session began, has one more result, or is over. */
  | { kind: 'session'; session: SessionSummary }
  /** A record of another collection is new, was changed or is gone. */
  | { kind: 'changed'; what: WatchedKind; id: string };

/** What `changed` may be said of. */
export type WatchedKind =
  | 'alert-channels'
  /** Alerts, or what became of what was sent for them; of one or many, so its id is empty. */
  | 'alerts'
  | 'check-sessions'
  | 'dashboards'
  | 'incidents'
  | 'maintenance-windows'
  | 'mutes'
  | 'snippets'
  | 'status-pages'
  | 'status-page-services'
  | 'variables';

/** What of a summary is known late: it is read from the history. */
export type CheckWindow = Pick<
  CheckSummary,
  'id' | 'state' | 'since' | 'cause' | 'lastRunAt' | 'runs' | 'availability' | 'p95'
>;

/** A run of a check was settled, or a heartbeat had an event: what of its summary is another now. */
export interface RunEvent {
  kind: 'run';
  id: string;
  /** Of the result or the event. */
  resultId: string;
  state: CheckState;
  since: number | null;
  cause: string | null;
  /** Epoch ms. One that is not later than what is known was told already. */
  lastRunAt: number;
  /** One more for `runs`. */
  run: string;
  availability: number | null;
  p95: number | null;
}
