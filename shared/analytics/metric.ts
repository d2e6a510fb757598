import { ANALYTICS_KINDS, type AnalyticsKind, type MetricUnit } from './kinds.ts';

/** How the numbers of many results become one; every base metric takes each as a suffix. */
export const AGGREGATIONS = [
  'avg',
  'max',
  'median',
  'min',
  'p50',
  'p90',
  'p95',
  'p99',
  'stddev',
  'sum',
] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/** Metrics of every kind, which take no suffix. */
export const RUN_METRICS = {
  availability: { unit: 'percentage', label: 'Availability' },
  retries: { unit: 'count', label: 'Retries' },
} as const satisfies Record<string, { unit: MetricUnit; label: string }>;
export type RunMetric = keyof typeof RUN_METRICS;

/** A metric as a query names it. */
export type Metric =
  | { name: string; kind: 'raw'; base: string }
  | AggregatedMetric
  | { name: RunMetric; kind: 'runs' };

export interface AggregatedMetric {
  name: string;
  kind: 'aggregated';
  base: string;
  aggregation: Aggregation;
}

export interface MetricDescriptor {
  name: string;
  unit: MetricUnit;
  label: string;
  type: 'Float' | 'Integer';
  aggregated: boolean;
}

/** Every metric of a kind, each base name before its aggregated ones. */
export function metricsOf(kind: AnalyticsKind): Metric[] {
  return metricsFrom(Object.keys(ANALYTICS_KINDS[kind].metrics));
}

/** The same of base names alone. */
export function metricsFrom(bases: readonly string[]): Metric[] {
  return [
    ...runMetrics(),
    ...bases.flatMap((base): Metric[] => [
      { name: base, kind: 'raw', base },
      ...AGGREGATIONS.map((aggregation) => aggregated(base, aggregation)),
    ]),
  ];
}

export function describeMetric(kind: AnalyticsKind, metric: Metric): MetricDescriptor {
  const { name } = metric;
  const base = metric.kind === 'runs' ? RUN_METRICS[metric.name] : baseOf(kind, metric.base);
  const type = base.unit === 'count' && metric.kind !== 'aggregated' ? 'Integer' : 'Float';
  return { name, unit: base.unit, label: base.label, type, aggregated: metric.kind !== 'raw' };
}

function baseOf(kind: AnalyticsKind, base: string) {
  const found = ANALYTICS_KINDS[kind].metrics[base];
  if (found === undefined) throw new Error(`${base} is no metric of ${kind}.`);
  return found;
}

function runMetrics(): Metric[] {
  return (Object.keys(RUN_METRICS) as RunMetric[]).map((name) => ({ name, kind: 'runs' }));
}

function aggregated(base: string, aggregation: Aggregation): Metric {
  return { name: `${base}_${aggregation}`, kind: 'aggregated', base, aggregation };
}
