import { AnalyticsReader } from '#main/store/history/analytics-reader.ts';
import { openForReading } from '#main/store/history/database.ts';
import type { AnalyticsHistoryQuery } from '#main/store/history/history.ts';
import type { Retention } from '#main/store/history/retention.ts';
import { ANALYTICS_KINDS, type AnalyticsKind } from '#shared/analytics/kinds.ts';
import { AGGREGATIONS } from '#shared/analytics/metric.ts';
import { namedMetrics } from '#shared/analytics/query.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { NOON } from '../records.ts';
import { openWriter, runToEnd } from './open-writer.ts';

const HOUR = 3_600_000;
const BASES = ['responseTime', 'dns'] as const;

/** What asks for all numbers of these metrics. */
export function everyNumberOf(kind: AnalyticsKind, bases: readonly string[]) {
  const names = bases.flatMap((base) => AGGREGATIONS.map((part) => `${base}_${part}`));
  const metrics = namedMetrics(kind, ['availability', 'retries', ...names]);
  return { checkType: ANALYTICS_KINDS[kind].checkType, bases, metrics };
}

/** A writer and what makes reports beside it. */
export function openAnalytics(retention: Partial<Retention> = {}, folder?: string) {
  const store = openWriter(retention, folder);
  const analytics = new AnalyticsReader(openForReading(store.folder));
  const report = (query: Partial<AnalyticsHistoryQuery> & { checkId: string }) => {
    const whole = {
      ...everyNumberOf('api-checks', BASES),
      from: NOON,
      to: NOON + 24 * HOUR,
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
export function recounted(
  results: readonly StoredResult[],
  bases: readonly string[] = BASES,
): Record<string, unknown> {
  const counted = results.filter((one) => one.resultType === 'FINAL' && !one.hasErrors);
  const success = counted.filter(({ hasFailures }) => !hasFailures).length;
  const row: Record<string, unknown> = {
    availability: counted.length === 0 ? null : (100 * success) / counted.length,
    total: counted.length,
    success,
    retries: counted.reduce((sum, { attempts }) => sum + attempts, 0),
  };
  const numberOf = (base: string) => (one: StoredResult) =>
    base === 'responseTime' ? one.responseTime : (one.metrics[base] ?? []);
  for (const base of bases) {
    const sorted = counted.flatMap(numberOf(base)).toSorted((a, b) => a - b);
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
