import type { Problem } from '#shared/api/problems.ts';
import type { Buckets } from './buckets.ts';
import type { Grouping } from './kinds.ts';
import { Summary } from './summary.ts';

export const DAY_MS = 86_400_000;

/** What remains of the results of a day (UTC) at one location that ended alike, once they are removed. */
export interface DaySum {
  /** The start of the day, epoch ms. */
  dayMs: number;
  /** A key of `locationNames` of the samples. */
  location: number;
  failed: boolean;
  count: number;
  retries: number;
  /** By base metric. */
  values: Readonly<Record<string, Summary>>;
}

/** The time that a day counts at: its middle is in the bucket that has most of the day, in any zone. */
export function countedAt({ dayMs }: DaySum): number {
  return dayMs + DAY_MS / 2;
}

/** One base metric of many days, together with the numbers of results that are still there. */
export function summaryOf(days: readonly DaySum[], base: string, exact: Float64Array): Summary {
  const summary = Summary.of(exact);
  for (const { values } of days) if (values[base]) summary.merge(values[base]);
  return summary;
}

/** What a report that needs the sums of days cannot show. @param rawFromMs from when on results are there */
export function daySumProblems(
  { buckets, groupBy }: { buckets: Buckets | null; groupBy: Grouping | null },
  rawFromMs: number,
): Problem[] {
  const since = `for a time that begins before ${new Date(rawFromMs).toISOString()}, as only the sums of days (UTC) remain of it`;
  const problems: Problem[] = [];
  if (buckets !== null && 'everyMs' in buckets && buckets.everyMs % DAY_MS !== 0) {
    const message = `expected a multiple of 1440 minutes, a day, ${since}`;
    problems.push({ path: 'aggregationInterval', message });
  }
  if (groupBy !== null && groupBy !== 'runLocation') {
    problems.push({ path: 'groupBy', message: `expected runLocation or none ${since}` });
  }
  return problems;
}
