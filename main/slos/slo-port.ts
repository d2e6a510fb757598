import type { Slo } from '#shared/analytics/slo.ts';
import type { RunCount } from '#shared/analytics/slo-rules.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import type { Check } from '#shared/checks/check.ts';

/** Changes of objectives wait for each other under this key: those of people and those of the watch. */
export const SLOS = 'slos';

/** The runs of an objective. */
export interface SloCounts {
  /** In the order of the ranges that were asked about. */
  counts: RunCount[];
  /** Time without published maintenance in each range, milliseconds: of several checks the mean. */
  monitoredMs: number[];
}

export interface SloCounting {
  /** The checks that an objective is of, as they are now. */
  checksOf(slo: Pick<Slo, 'target' | 'objective'>): Check[];
  /** Counts the runs of ranges, which may overlap. Rejects as the store. */
  count(slo: Pick<Slo, 'target' | 'objective'>, ranges: readonly TimeRange[]): Promise<SloCounts>;
}
