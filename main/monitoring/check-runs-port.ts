import type { HistoryRecords, KeptResult } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { RetryStrategy } from '#shared/runs/retry.ts';
import type { RunVariable } from '#shared/variables/variable.ts';

/**
 * Runs off the schedule, which check sessions and test sessions order from the actors of checks. A
 * check never has two runs at once: an order waits for the run under way, and slots that pass
 * meanwhile are counted as skipped.
 */
export interface CheckRuns {
  /** Has a check run as soon as it can; also a deactivated one. False where there is no such check. */
  order(checkId: string, order: RequestedRun, follower: RunFollower): boolean;
  /**
   * Ends an order: one that waits never runs; one under way makes no further attempt, and the attempt
   * in flight is its last, which ends at once where it would take minutes. The follower's `ended` is called in either case.
   */
  cancel(checkId: string, orderId: string): void;
}

export interface RequestedRun {
  /** UUID of what the run is for; the same again after a restart takes up what was under way. */
  id: string;
  overrides: RunOverrides;
}

/** What an order changes about the check that it runs. A member left out changes nothing. */
export interface RunOverrides {
  /** Runs in place of the check that is saved under its id, if any: beside its actor, and at once. */
  check?: RunnableCheck | undefined;
  /** Where to run instead of the check's own locations. */
  location?: string | undefined;
  /** Null for no retries. */
  retryStrategy?: RetryStrategy | null | undefined;
  /** Variables inside those of the check: they win over every other. */
  variables?: readonly RunVariable[] | undefined;
  /** Whether kept packages of Playwright projects do not count. */
  refreshCache?: boolean | undefined;
  /** What asked for the run; left out: nobody, as it is a scheduled one. */
  runSource?: string | undefined;
  /** Built-in variables to add. */
  builtIns?: Readonly<Record<string, string>> | undefined;
}

/** What a session does with an ordered run. Called synchronously, in this order; never throws. */
export interface RunFollower {
  /**
   * Whether results count like scheduled ones: kept with the check's, changing its status. Otherwise
   * the follower alone keeps them.
   */
  readonly countsForCheck: boolean;
  /** The first attempt begins; after a restart, again. */
  started(run: StartedRun): void;
  /**
   * Answers what is to be kept in one transaction with the result.
   * @param isKept resolves with whether that is kept already; not, while the store fails
   */
  settled(kept: KeptResult, isKept: Promise<boolean>): WrittenWithResult;
  /** The run is over. `deleted`: with its check; `cancelled`: before its last FINAL result. */
  ended(how: 'settled' | 'cancelled' | 'deleted'): void;
}

/** The records that a follower writes in one transaction with a result. */
export interface WrittenWithResult {
  also: HistoryRecords;
  /** Called once it is kept, now or later; never where the store refuses it. */
  onKept(): void;
}

export interface StartedRun {
  /** Epoch ms. */
  startedAt: number;
  /** One for each location: each ends in one FINAL result. */
  sequences: readonly { id: string; location: string }[];
  /** The longest that all attempts and the waits between them can take, milliseconds. */
  atMostMs: number;
}
