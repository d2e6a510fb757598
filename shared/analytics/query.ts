import { z } from 'zod';
import type { Problem } from '#shared/api/problems.ts';
import { instant, integer, limit, page, several } from '#shared/api/query.ts';
import { rangeProblems, type TimeRange } from '#shared/api/time-range.ts';
import { HEARTBEAT_STATES } from '#shared/checks/enums.ts';
import {
  ANALYTICS_KINDS,
  type AnalyticsKind,
  type Grouping,
  RESULT_STATUSES,
  SSL_KIND,
} from './kinds.ts';
import { type Metric, metricsFrom, metricsOf } from './metric.ts';
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
  const { checkType, noun, groupBy } = ANALYTICS_KINDS[kind];
  return querySchema({
    metrics: metricsOf(kind),
    defaults: isHeartbeat ? ['availability'] : [],
    error: `expected metrics of ${noun}: GET /v1/analytics/metrics?checkType=${checkType} lists them`,
    statuses: isHeartbeat ? HEARTBEAT_STATES : RESULT_STATUSES,
    groupBy,
  });
}

/** Taken like the others, though no check answers it. */
export const sslQuery = querySchema({
  metrics: metricsFrom(SSL_KIND.bases),
  defaults: [],
  error: `expected metrics of ${SSL_KIND.noun}`,
  statuses: RESULT_STATUSES,
  groupBy: SSL_KIND.groupBy,
});

interface QueryParts {
  metrics: readonly Metric[];
  defaults: string[];
  error: string;
  statuses: readonly string[];
  groupBy: readonly Grouping[];
}

function querySchema({ metrics, defaults, error, statuses, groupBy }: QueryParts) {
  const names = metrics.map(({ name }) => name) as [string, ...string[]];
  return z.object({
    ...common,
    metrics: several(z.enum(names, { error }))
      .default(defaults)
      .refine((list) => list.length > 0, { error }),
    filterByStatus: several(z.enum(statuses))
      .default([])
      .meta({ description: 'Only results of these statuses; none: all' }),
    ...(groupBy.length > 0 && { groupBy: z.enum(groupBy).optional() }),
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
