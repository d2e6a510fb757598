import type { TimeRange } from '#shared/api/time-range.ts';
import type { Samples } from './samples.ts';
import type { RunCount } from './slo-rules.ts';

/** Which runs of a check are counted, and which of them are good. */
export interface RunCounting {
  /** One count is made of each. They may overlap. */
  ranges: readonly TimeRange[];
  /** Runs of these times do not count; in their order, and apart from each other. */
  excluded: readonly TimeRange[];
  /** Milliseconds that a good run is faster than; null: however long it takes. */
  underMs: number | null;
}

/** Counts the runs of each range. */
export function countRuns(
  samples: Samples,
  { ranges, excluded, underMs }: RunCounting,
): RunCount[] {
  const counts = ranges.map(() => ({ total: 0, good: 0 }));
  const times = samples.values.responseTime;
  let next = 0;
  for (const [index, at] of samples.at.entries()) {
    while ((excluded[next]?.to ?? Infinity) <= at) next++;
    if ((excluded[next]?.from ?? Infinity) <= at) continue;
    const isFast = underMs === null || (times?.[index] ?? Infinity) < underMs;
    const good = samples.failed[index] === 0 && isFast ? 1 : 0;
    for (const [place, { from, to }] of ranges.entries()) {
      const count = counts[place];
      if (count === undefined || at < from || at >= to) continue;
      count.total++;
      count.good += good;
    }
  }
  return counts;
}

/** The time that all of the ranges span. */
export function spanOf(ranges: readonly TimeRange[]): TimeRange {
  return {
    from: Math.min(...ranges.map(({ from }) => from)),
    to: Math.max(...ranges.map(({ to }) => to)),
  };
}
