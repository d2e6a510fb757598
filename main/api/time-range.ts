import { refuseProblems } from '#main/services/service-error.ts';
import {
  rangeOf,
  rangeProblems,
  type TimeRange,
  type TimeRangeBounds,
} from '#shared/api/time-range.ts';
import type { Context } from './operation.ts';

/** The window that a query means, which may be `maxMs` wide (contract 1.1); 400 where it is wider. */
export function timeRangeOf(query: TimeRangeBounds, maxMs: number, { clock }: Context): TimeRange {
  const window = rangeOf(query, clock.now(), maxMs);
  refuseProblems({ source: 'query', problems: rangeProblems(window, { maxMs }) });
  return window;
}
