import {
  rangeOf,
  rangeProblems,
  type TimeRange,
  type TimeRangeBounds,
} from '#shared/api/time-range.ts';
import type { Clock } from '#shared/clock.ts';
import { refuseProblems } from './service-error.ts';

/** A page of what happened in a time range. */
export interface RangePageQuery extends TimeRangeBounds {
  /** From 1. */
  page: number;
  limit: number;
}

/**
 * The time range that a query means, which may be `maxMs` wide (specification 8).
 * @throws ServiceError INVALID where it is wider
 */
export function timeRangeOf(
  query: TimeRangeBounds,
  maxMs: number,
  { clock }: { clock: Clock },
): TimeRange {
  const range = rangeOf(query, clock.now(), maxMs);
  refuseProblems({ source: 'query', problems: rangeProblems(range, { maxMs }) });
  return range;
}

/** What the history is asked for a page of a time range. */
export function rangePageOf(query: RangePageQuery, maxMs: number, parts: { clock: Clock }) {
  const { page, limit } = query;
  return { ...timeRangeOf(query, maxMs, parts), limit, offset: (page - 1) * limit };
}
