import type { CheckType, StoredResultType } from '#shared/checks/enums.ts';
import type { ResultFlags } from '#shared/runs/protocol.ts';

/** A check session: one run of one check that somebody asked for (specification 2.9). */

/** Statuses of a session (specification 3); CANCELLED is shown by v2 only, v1 shows TIMED_OUT. */
export const SESSION_STATUSES = [
  'STARTED',
  'PROGRESS',
  'PROGRESS_DEGRADED',
  'PROGRESS_FAILED',
  'PASSED',
  'DEGRADED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Statuses in which a session is over and never changes again. */
export const ENDED_STATUSES = [
  'PASSED',
  'DEGRADED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
] as const satisfies readonly SessionStatus[];

export function hasEnded(status: SessionStatus): boolean {
  return (ENDED_STATUSES as readonly SessionStatus[]).includes(status);
}

/** Who asked for the run, as far as it can happen here. */
export const RUN_SOURCES = [
  'TRIGGER_API',
  'GROUP_RUN_ALL',
  'LEGACY_TRIGGER',
  'SCHEDULE_NOW',
] as const;
export type RunSource = (typeof RUN_SOURCES)[number];

/** What a session shows of one result; the result itself is kept with the check's others. */
export interface SessionResult extends ResultFlags {
  checkResultId: string;
  runLocation: string;
  resultType: StoredResultType;
  /** Groups the attempts at one location. */
  sequenceId: string;
  /** Milliseconds. */
  responseTime: number;
  /** Epoch milliseconds. */
  startedAt: number;
  stoppedAt: number;
}

/** A session as it is kept. Times are epoch milliseconds. */
export interface StoredSession {
  /** UUIDv7 of its creation. */
  id: string;
  checkId: string;
  /** Never HEARTBEAT. */
  checkType: CheckType;
  /** The check's name when the session was made. */
  name: string;
  status: SessionStatus;
  runSource: RunSource;
  createdAt: number;
  /** When its first run began; null while it waits. */
  firstRunAt: number | null;
  /** When it times out; null until its first run begins, from which the time counts. */
  deadlineAt: number | null;
  /** Null until it is over. */
  stoppedAt: number | null;
  /** Where it runs: at most one FINAL result each. Before its first run, where it is going to. */
  runLocations: readonly string[];
  /** In the order of their arrival; partial until the session is over. */
  results: readonly SessionResult[];
  overrides: SessionOverrides;
}

/** What the caller of a trigger asked for beside the check itself; plain JSON, kept with the session. */
export interface SessionOverrides {
  /** Where to run instead of the check's own locations. */
  location?: string | undefined;
  /** Whether packages of Playwright projects are installed anew; left out: they are not. */
  refreshCache?: boolean | undefined;
  /** Built-in variables to add: `ENVIRONMENT_URL`, `ENVIRONMENT_NAME`. */
  builtIns?: Readonly<Record<string, string>> | undefined;
}

/** The sessions that one trigger made: started in their order, only so many at a time. */
export interface StoredBatch {
  /** UUIDv7. */
  id: string;
  /** How many may be under way at once (2.6 `concurrency` of a triggered group). */
  concurrency: number;
  /** The group that was triggered, whose sessions of all triggers share its concurrency. */
  groupId?: number | undefined;
  /** In the order in which they start. */
  sessionIds: readonly string[];
}
