import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { VERSION } from '#main/platform/version.ts';
import type { CheckGaugeSample } from '#main/services/check-metrics.ts';
import type { Labels } from '#shared/prometheus/check-labels.ts';

/** OTLP 1.x in its JSON form, as far as it is needed here. Whole numbers of 64 bits are texts. */

interface Point {
  attributes: { key: string; value: { stringValue: string } }[];
  timeUnixNano: string;
  startTimeUnixNano?: string;
  asDouble?: number;
  count?: string;
  sum?: number;
  explicitBounds?: number[];
  bucketCounts?: string[];
}

type Data =
  | { gauge: { dataPoints: Point[] } }
  | { sum: { isMonotonic: true; aggregationTemporality: number; dataPoints: Point[] } }
  | { histogram: { aggregationTemporality: number; dataPoints: Point[] } };

export type OtlpMetric = { name: string; description: string } & Data;

/** When the counters began, and when they were read: epoch ms. */
export interface OtlpTimes {
  startedAt: number;
  now: number;
}

/** Counted since the start, so that nothing is lost with a message that does not arrive. */
const CUMULATIVE = 2;

/** The body of one message. */
export function otlpDocument(metrics: readonly OtlpMetric[]): object {
  const attributes = attributesOf({ 'service.name': 'watchpost', 'service.version': VERSION });
  const scope = { name: 'watchpost', version: VERSION };
  return { resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ scope, metrics }] }] };
}

/** A metric of the appliance; null for a kind that OTLP says otherwise, of which there is none. */
export function otlpMetric(
  metric: MetricObjectWithValues<MetricValue<string>>,
  times: OtlpTimes,
): OtlpMetric | null {
  const { name, help: description, type, values } = metric;
  const points = values.map(({ labels, value }) => pointOf(labelsOf(labels), value, times));
  // The library has its kinds as an enumeration whose members are these words.
  switch (String(type)) {
    case 'gauge':
      return { name, description, gauge: { dataPoints: points } };
    case 'counter':
      return { name, description, sum: { ...MONOTONIC, dataPoints: sinceStart(points, times) } };
    case 'histogram': {
      const dataPoints = histogramPoints(values, times);
      return { name, description, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
    }
    default:
      return null;
  }
}

const MONOTONIC = { isMonotonic: true, aggregationTemporality: CUMULATIVE } as const;

/** The gauges of checks, each metric once. */
export function otlpCheckMetrics(
  samples: readonly CheckGaugeSample[],
  times: OtlpTimes,
): OtlpMetric[] {
  return [...Map.groupBy(samples, ({ name }) => name)].map(([name, own]) => ({
    name,
    description: own[0]?.help ?? '',
    gauge: { dataPoints: own.map(({ labels, value }) => pointOf(labels, value, times)) },
  }));
}

function sinceStart(points: readonly Point[], { startedAt }: OtlpTimes): Point[] {
  return points.map((point) => ({ ...point, startTimeUnixNano: nanoseconds(startedAt) }));
}

/** Of a histogram, the library says which of its series a value is of; its types do not. */
type NamedValue = MetricValue<string> & { metricName?: string };

/** Prometheus counts a value in every bucket that it fits, OTLP in the first alone. */
function histogramPoints(values: readonly NamedValue[], times: OtlpTimes): Point[] {
  const series = Map.groupBy(values, ({ labels }) => {
    const { le: _, ...own } = labels;
    return JSON.stringify(own);
  });
  const points = [...series].map(([key, own]): Point => {
    const buckets = own.filter(({ labels }) => labels.le !== undefined);
    const counts = buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0));
    const ofName = (ending: string) =>
      own.find(({ metricName = '' }) => metricName.endsWith(ending))?.value ?? 0;
    return {
      attributes: attributesOf(JSON.parse(key) as Labels),
      timeUnixNano: nanoseconds(times.now),
      count: String(ofName('_count')),
      sum: ofName('_sum'),
      explicitBounds: buckets.slice(0, -1).map(({ labels }) => Number(labels.le)),
      bucketCounts: counts.map(String),
    };
  });
  return sinceStart(points, times);
}

function pointOf(labels: Labels, value: number, { now }: OtlpTimes): Point {
  return {
    attributes: attributesOf(labels),
    timeUnixNano: nanoseconds(now),
    asDouble: value,
  };
}

function labelsOf(labels: MetricValue<string>['labels']): Labels {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function attributesOf(labels: Labels): Point['attributes'] {
  return Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: value } }));
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}
