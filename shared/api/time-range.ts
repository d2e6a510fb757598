import type { Problem } from './problems.ts';

const HOUR_MS = 3_600_000;

/** How much of the past one answer of v1 check results and of check alerts may hold (section 8). */
export const RESULT_WINDOW_MS = 6 * HOUR_MS;

/** How much of the past one answer of the delivery log may hold. */
export const NOTIFICATION_WINDOW_MS = 24 * HOUR_MS;

/** Bounds in epoch milliseconds; `from` belongs to the window, `to` does not. */
export interface TimeRange {
  from: number;
  to: number;
}

export type TimeRangeBounds = { from?: number | undefined; to?: number | undefined };

/**
 * The window that a query means: a bound left out is `spanMs` from the other one, and
 * `to` is now where both are.
 */
export function rangeOf({ from, to }: TimeRangeBounds, nowMs: number, spanMs: number): TimeRange {
  if (from === undefined) {
    const end = to ?? nowMs;
    return { from: end - spanMs, to: end };
  }
  return { from, to: to ?? from + spanMs };
}

export interface WindowLimits {
  /** What the query calls the bounds. */
  names?: { from: string; to: string };
  /** How wide the window may be; no limit by default. */
  maxMs?: number;
}

/** What is wrong with a window. */
export function rangeProblems(window: TimeRange, limits: WindowLimits = {}): Problem[] {
  const { names = { from: 'from', to: 'to' }, maxMs = Number.POSITIVE_INFINITY } = limits;
  const widthMs = window.to - window.from;
  if (widthMs < 0) {
    return [{ path: names.to, message: `expected a time that is not before ${names.from}` }];
  }
  if (widthMs <= maxMs) return [];
  return [
    { path: names.to, message: `expected at most ${maxMs / HOUR_MS} hours after ${names.from}` },
  ];
}
