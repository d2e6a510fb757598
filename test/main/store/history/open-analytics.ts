import { AnalyticsReader } from '#main/store/history/analytics-reader.ts';
import { openForReading } from '#main/store/history/database.ts';
import type { AnalyticsHistoryQuery } from '#main/store/history/history.ts';
import type { Retention } from '#main/store/history/retention.ts';
import { AGGREGATIONS } from '#shared/analytics/metric.ts';
import { namedMetrics } from '#shared/analytics/query.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { NOON } from '../records.ts';
import { openWriter, runToEnd } from './open-writer.ts';

const HOUR = 3_600_000;
const BASES = ['responseTime', 'dns'] as const;
const NAMES = [
  'availability',
  'retries',
  ...BASES.flatMap((base) => AGGREGATIONS.map((aggregation) => `${base}_${aggregation}`)),
];

/** A writer and what makes reports beside it. */
export function openAnalytics(retention: Partial<Retention> = {}, folder?: string) {
  const store = openWriter(retention, folder);
  const analytics = new AnalyticsReader(openForReading(store.folder));
  const report = (query: Partial<AnalyticsHistoryQuery> & { checkId: string }) => {
    const whole = {
      checkType: 'API' as const,
      from: NOON,
      to: NOON + 24 * HOUR,
      bases: BASES,
      metrics: namedMetrics('api-checks', NAMES),
      buckets: null,
      groupBy: null,
      filter: null,
      limit: 100,
      page: 1,
      ...query,
    };
    const answer = analytics.analyse(whole);
    if ('problems' in answer) throw new Error(JSON.stringify(answer.problems));
    const series = JSON.parse(new TextDecoder().decode(answer.series));
    return { ...answer, series };
  };
  const analyse = (query: Parameters<typeof report>[0]) => report(query).series;
  /** Packs all hours that ended by then. */
  const packAt = (now: number) => {
    runToEnd(store.writer.sumUp(now));
    runToEnd(store.writer.sweep(now));
  };
  return { ...store, analytics, report, analyse, packAt };
}

/** What stands in a row of a report, counted again from the results with nothing of the product's. */
export function recounted(results: readonly StoredResult[]) {
  const counted = results.filter((one) => one.resultType === 'FINAL' && !one.hasErrors);
  const success = counted.filter(({ hasFailures }) => !hasFailures).length;
  const row: Record<string, unknown> = {
    availability: counted.length === 0 ? null : (100 * success) / counted.length,
    total: counted.length,
    success,
    retries: counted.reduce((sum, { attempts }) => sum + attempts, 0),
  };
  const numbersOf = {
    responseTime: counted.map(({ responseTime }) => responseTime),
    dns: counted.flatMap(({ metrics }) => metrics.dns ?? []),
  };
  for (const base of BASES) {
    const sorted = numbersOf[base].toSorted((a, b) => a - b);
    const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
    const at = (part: number) => {
      const place = part * (sorted.length - 1);
      const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
      return low + (high - low) * (place % 1);
    };
    const variance = sorted.reduce((sum, one) => sum + (one - mean) ** 2, 0) / sorted.length;
    const numbers = {
      avg: mean,
      max: sorted.at(-1),
      median: at(0.5),
      min: sorted[0],
      p50: at(0.5),
      p90: at(0.9),
      p95: at(0.95),
      p99: at(0.99),
      stddev: Math.sqrt(variance),
      sum: sorted.reduce((sum, one) => sum + one, 0),
    };
    for (const [name, value] of Object.entries(numbers)) {
      row[`${base}_${name}`] = sorted.length === 0 ? null : value;
    }
  }
  return row;
}
