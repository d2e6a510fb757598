import type { CheckType, RunnableCheckType } from '#shared/checks/enums.ts';
import type { Cause } from './protocol.ts';
import { NETWORK_CAUSES, RUN_SILENCE_MS, RUN_TIMEOUTS_MS } from './protocol.ts';

/** When a failed run is tried again (specification 2.4). */
export interface RetryStrategy {
  type: 'FIXED' | 'LINEAR' | 'EXPONENTIAL' | 'SINGLE_RETRY';
  baseBackoffSeconds: number;
  /** Whether a retry runs where the attempt before it ran. */
  sameRegion: boolean;
  maxRetries?: number | undefined;
  maxDurationSeconds?: number | undefined;
  onlyOn?: readonly 'NETWORK_ERROR'[] | undefined;
}

/** Where a strategy is silent. */
const DEFAULT_MAX_RETRIES = 2;
const DEFAULT_MAX_DURATION_SECONDS = 600;

/** What `doubleCheck` stood for before there were strategies. */
export const DOUBLE_CHECK: RetryStrategy = {
  type: 'FIXED',
  baseBackoffSeconds: 0,
  sameRegion: false,
  maxRetries: 1,
  maxDurationSeconds: 600,
};

interface RetriedCheck {
  checkType: CheckType;
  /** Missing where {@link retryStrategy} is. */
  doubleCheck?: boolean;
  /** Undefined: none was set; null: no retries. Missing in types that are never tried again. */
  retryStrategy?: RetryStrategy | null | undefined;
}

/**
 * The strategy of a check, its group's settings already in it: its own, else the account's default,
 * else what the older `doubleCheck` says.
 */
export function retryStrategyOf(
  check: RetriedCheck,
  accountDefault: RetryStrategy | null | undefined,
): RetryStrategy | null {
  if (check.retryStrategy !== undefined) return check.retryStrategy;
  if (accountDefault !== undefined) return accountDefault;
  return check.doubleCheck ? DOUBLE_CHECK : null;
}

/** How many retries a strategy allows at most. */
export function maxRetriesOf({ type, maxRetries }: RetryStrategy): number {
  return type === 'SINGLE_RETRY' ? 1 : (maxRetries ?? DEFAULT_MAX_RETRIES);
}

/** Milliseconds to wait before a retry, counted from 1, from the end of the attempt before it. */
export function backoffMs({ type, baseBackoffSeconds: base }: RetryStrategy, retry: number) {
  const seconds = {
    FIXED: base,
    SINGLE_RETRY: base,
    LINEAR: base * retry,
    EXPONENTIAL: base ** retry,
  }[type];
  return seconds * 1_000;
}

/** An attempt that is over. */
export interface EndedAttempt {
  /** Retries made before it. */
  attempts: number;
  hasFailures: boolean;
  cause: Cause | null;
  /** When the first attempt of the run began, and when this one ended; epoch ms. */
  firstStartedAt: number;
  stoppedAt: number;
}

/**
 * When the next attempt is due, epoch ms; null where this one was the last. Only failures of the
 * target are tried again; a retry whose wait would pass the time allowed is not made.
 */
export function retryAt(strategy: RetryStrategy | null, attempt: EndedAttempt): number | null {
  if (strategy === null || !attempt.hasFailures) return null;
  if (attempt.attempts >= maxRetriesOf(strategy)) return null;
  if (strategy.onlyOn?.length && !isNetworkError(attempt.cause)) return null;
  const dueAt = attempt.stoppedAt + backoffMs(strategy, attempt.attempts + 1);
  return dueAt <= attempt.firstStartedAt + maxDurationMs(strategy) ? dueAt : null;
}

/**
 * The longest that a run with its retries can take, milliseconds: each attempt may wait for a busy
 * runner, and answer just before it counts as lost.
 */
export function longestRunMs(type: RunnableCheckType, strategy: RetryStrategy | null): number {
  const attemptMs = RUN_SILENCE_MS + RUN_TIMEOUTS_MS[type];
  if (strategy === null) return attemptMs;
  const retries = maxRetriesOf(strategy);
  const waits = Array.from({ length: retries }, (_, n) => backoffMs(strategy, n + 1));
  const waitsMs = waits.reduce((sum, ms) => sum + ms, 0);
  // The last retry is due within the time allowed, which counts from when the first attempt began.
  const lastDueAt = Math.min(
    retries * attemptMs + waitsMs,
    RUN_SILENCE_MS + maxDurationMs(strategy),
  );
  return lastDueAt + attemptMs;
}

function maxDurationMs({ maxDurationSeconds }: RetryStrategy): number {
  return (maxDurationSeconds ?? DEFAULT_MAX_DURATION_SECONDS) * 1_000;
}

function isNetworkError(cause: Cause | null): boolean {
  return cause !== null && NETWORK_CAUSES.includes(cause);
}
