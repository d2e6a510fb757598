import { z } from 'zod';
import type { Problem } from '#shared/api/problems.ts';
import { instant, integer, limit, page, several } from '#shared/api/query.ts';
import { rangeProblems, type TimeRange } from '#shared/api/time-range.ts';
import { HEARTBEAT_STATES } from '#shared/checks/enums.ts';
import { ANALYTICS_KINDS, type AnalyticsKind, type Grouping, RESULT_STATUSES } from './kinds.ts';
import { type Metric, metricsOf } from './metric.ts';
import { QUICK_RANGES, quickRangeAt } from './quick-range.ts';

/** The longest time of a report, days: a bound of ours. */
const MAX_DAYS = 400;
/** Most buckets that a time may be cut into, of which a page shows a hundred. */
const MAX_BUCKETS = 50_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What every kind takes. Dates override `quickRange`. */
const common = {
  from: instant.optional(),
  to: instant.optional(),
  quickRange: z.enum(QUICK_RANGES).default('last24Hours'),
  aggregationInterval: integer(1, 43_200)
    .optional()
    .meta({ description: 'Minutes of a bucket. Without it one row sums up the whole time.' }),
  limit: limit(100, 10),
  page,
};

/** The schema of a kind's query (4.7). */
export function analyticsQuery(kind: AnalyticsKind) {
  const isHeartbeat = kind === 'heartbeat-checks';
  const names = metricsOf(kind).map(({ name }) => name) as [string, ...string[]];
  const { checkType, noun } = ANALYTICS_KINDS[kind];
  const error = `expected metrics of a ${noun}: GET /v1/analytics/metrics?checkType=${checkType} lists them`;
  const metrics = several(z.enum(names, { error }))
    .default(isHeartbeat ? ['availability'] : [])
    .refine((list) => list.length > 0, { error });
  const groupings: readonly Grouping[] = ANALYTICS_KINDS[kind].groupBy;
  return z.object({
    ...common,
    metrics,
    filterByStatus: several(z.enum(isHeartbeat ? HEARTBEAT_STATES : RESULT_STATUSES))
      .default([])
      .meta({ description: 'Only results of these statuses; none: all' }),
    ...(groupings.length > 0 && { groupBy: z.enum(groupings).optional() }),
  });
}
export type AnalyticsQuery = Omit<z.output<ReturnType<typeof analyticsQuery>>, 'groupBy'> & {
  groupBy?: Grouping | undefined;
};

/** The time that a query means: a bound left out is now, or a day before the other one. */
export function reportRange(
  { from, to, quickRange }: Pick<AnalyticsQuery, 'from' | 'to' | 'quickRange'>,
  now: number,
): TimeRange {
  if (from === undefined && to === undefined) return quickRangeAt(quickRange, now);
  const end = to ?? now;
  return { from: from ?? end - DAY_MS, to: end };
}

/** The metrics that a query names, each once. */
export function namedMetrics(kind: AnalyticsKind, names: readonly string[]): Metric[] {
  const wanted = new Set(names);
  return metricsOf(kind).filter(({ name }) => wanted.has(name));
}

/** What no schema of one member sees: a time too long, too many buckets, raw among aggregated metrics. */
export function queryProblems(
  { aggregationInterval }: Pick<AnalyticsQuery, 'aggregationInterval'>,
  range: TimeRange,
  metrics: readonly Metric[],
): Problem[] {
  const isRaw = metrics.some(({ kind }) => kind === 'raw');
  const isMixed = isRaw && metrics.some(({ kind }) => kind !== 'raw');
  const least = Math.ceil((range.to - range.from) / MAX_BUCKETS / MINUTE_MS);
  const problems = rangeProblems(range, { maxMs: MAX_DAYS * DAY_MS });
  if (isMixed) {
    const message =
      'expected only names of single results, or only aggregated ones and availability';
    problems.push({ path: 'metrics', message });
  }
  if (aggregationInterval === undefined) return problems;
  if (isRaw) {
    const message = 'expected none beside metrics of single results, such as responseTime';
    problems.push({ path: 'aggregationInterval', message });
  } else if (aggregationInterval < least) {
    const message = `expected at least ${least} minutes for a time of this length`;
    problems.push({ path: 'aggregationInterval', message });
  }
  return problems;
}
