import type { SkippedSlots } from '#main/store/history/history.ts';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { KeptStatus } from '#shared/results/check-status.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';

/** The running actors, as the services see them. */
export interface Monitor {
  /** Where a check stands; undefined before its first FINAL result. */
  statusOf(checkId: string): KeptStatus | undefined;
  /** When a check last stopped passing, epoch ms; null while it passes. */
  troubleSince(checkId: string): number | null;
  /**
   * Takes a ping of a heartbeat check. Its time is that of the call; resolves with the state it
   * was given once it is kept. Undefined where the check is unknown or not a heartbeat.
   */
  ping(checkId: string, ping: Ping): Promise<HeartbeatState | undefined>;
  /** Whether records wait in memory, as the store fails. */
  readonly isStoreFailing: boolean;
  /** Whether slots are skipped, as results come faster than the history can write them. */
  readonly isOverloaded: boolean;
  /** Runs since the start, for `/metrics`. */
  runCounts(): RunCounts;
  /** Calls a listener for what is kept from now on; to call the answer ends that. */
  listen(listener: ResultListener): () => void;
}

/** What counts for checks, once it is kept. Called synchronously; one that throws disturbs nobody. */
export interface ResultListener {
  /** Also ATTEMPT results. */
  result(result: StoredResult): void;
  heartbeat(event: StoredHeartbeatEvent): void;
}

export interface RunCounts {
  /** Runs that ended in a FINAL result, retries that were made, and slots passed over. */
  settled: number;
  retried: number;
  skipped: Record<SkipReason, number>;
}

type SkipReason = SkippedSlots['reason'];

export interface Ping {
  source: string | null;
  userAgent: string | null;
}

/** A ping counts for its check but could not be written yet: answered with 503. */
export class StoreBusy extends Error {
  constructor() {
    super('The ping was taken but could not be stored yet.');
  }
}
