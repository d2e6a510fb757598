import type { Grouping } from './kinds.ts';
import type { Metric } from './metric.ts';
import type { Samples } from './samples.ts';
import { Statistics } from './statistics.ts';

/** What a report is to show of the samples of its time. */
export interface SeriesQuery {
  /** All raw, or none. */
  metrics: readonly Metric[];
  /** Milliseconds of a bucket; null: one row for the whole time. */
  intervalMs: number | null;
  groupBy: Grouping | null;
  filter: 'success' | 'failure' | null;
  /** Rows of each series: how many, and which page of them from 1. */
  limit: number;
  page: number;
}

type Row = Record<string, string | number | boolean | null>;

export interface Series {
  runLocation?: string;
  statusCode?: number;
  data: Row[];
}

/**
 * The series of a report: one, or one for each group in the order of locations and of status codes.
 * Raw rows are the newest first; rows of buckets ascend, and empty buckets have none.
 */
export function seriesOf(samples: Samples, query: SeriesQuery): Series[] {
  const indexes = wanted(samples, query.filter);
  const { groupBy } = query;
  if (groupBy === null) return [{ data: rowsOf(samples, indexes, query) }];
  return groupsOf(samples, indexes, groupBy).map(({ group, indexes: own }) => ({
    ...group,
    data: rowsOf(samples, own, query),
  }));
}

function wanted({ failed }: Samples, filter: SeriesQuery['filter']): Uint32Array {
  const all = new Uint32Array(failed.length);
  for (let index = 0; index < all.length; index++) all[index] = index;
  if (filter === null) return all;
  const wantedFlag = Number(filter === 'failure');
  return all.filter((index) => failed[index] === wantedFlag);
}

interface Group {
  group: Omit<Series, 'data'>;
  indexes: Uint32Array;
}

function groupsOf(samples: Samples, indexes: Uint32Array, groupBy: Grouping): Group[] {
  // Pages of browser checks are not measured yet: without any there is no group.
  if (groupBy === 'pageIndex') return [];
  const column = groupBy === 'runLocation' ? samples.locations : samples.statusCodes;
  const keys = new Set<number>();
  for (const index of indexes) keys.add(column[index] ?? 0);
  if (groupBy === 'statusCode') keys.delete(0);
  const groups = [...keys].map((key) => ({
    group:
      groupBy === 'runLocation'
        ? { runLocation: samples.locationNames.get(key) ?? String(key) }
        : { statusCode: key },
    indexes: indexes.filter((index) => column[index] === key),
  }));
  return groups.toSorted((a, b) => compareGroups(a.group, b.group));
}

function compareGroups(a: Group['group'], b: Group['group']): number {
  if (a.statusCode !== undefined && b.statusCode !== undefined) return a.statusCode - b.statusCode;
  return (a.runLocation ?? '') < (b.runLocation ?? '') ? -1 : 1;
}

function rowsOf(samples: Samples, indexes: Uint32Array, query: SeriesQuery): Row[] {
  const first = (query.page - 1) * query.limit;
  if (query.metrics.some(({ kind }) => kind === 'raw')) {
    const end = Math.max(0, indexes.length - first);
    const page = indexes.subarray(Math.max(0, end - query.limit), end).toReversed();
    return [...page].map((index) => rawRow(samples, index, query.metrics));
  }
  if (query.intervalMs === null) {
    return query.page === 1 ? [aggregatedRow(samples, indexes, query.metrics)] : [];
  }
  const buckets = bucketsOf(samples, indexes, query.intervalMs).slice(first, first + query.limit);
  return buckets.map(({ startMs, indexes: own }) => ({
    period: new Date(startMs).toISOString(),
    ...aggregatedRow(samples, own, query.metrics),
  }));
}

function rawRow(samples: Samples, index: number, metrics: readonly Metric[]): Row {
  const numbers = metrics.flatMap((metric) =>
    metric.kind === 'raw' ? [[metric.name, numberAt(samples, metric.base, index)] as const] : [],
  );
  return {
    startedAt: new Date(samples.at[index] ?? 0).toISOString(),
    runLocation: samples.locationNames.get(samples.locations[index] ?? 0) ?? null,
    hasFailures: samples.failed[index] === 1,
    attempts: samples.retries[index] ?? 0,
    ...Object.fromEntries(numbers),
  };
}

function numberAt({ values }: Samples, base: string, index: number): number | null {
  const value = values[base]?.[index] ?? Number.NaN;
  return Number.isNaN(value) ? null : value;
}

/** Samples of one bucket: the indexes are in the order of time, so they are a run of the list. */
function bucketsOf(samples: Samples, indexes: Uint32Array, intervalMs: number) {
  const buckets: { startMs: number; indexes: Uint32Array }[] = [];
  let from = 0;
  while (from < indexes.length) {
    const at = samples.at[indexes[from] ?? 0] ?? 0;
    const startMs = Math.floor(at / intervalMs) * intervalMs;
    let to = from + 1;
    while (to < indexes.length && (samples.at[indexes[to] ?? 0] ?? 0) < startMs + intervalMs) to++;
    buckets.push({ startMs, indexes: indexes.subarray(from, to) });
    from = to;
  }
  return buckets;
}

function aggregatedRow(samples: Samples, indexes: Uint32Array, metrics: readonly Metric[]): Row {
  const statistics = new Map<string, Statistics>();
  const row: Row = {};
  for (const metric of metrics) {
    if (metric.kind === 'runs') Object.assign(row, runNumbers(samples, indexes, metric.name));
    if (metric.kind !== 'aggregated') continue;
    const known = statistics.get(metric.base);
    const ofBase = known ?? new Statistics(valuesOf(samples, metric.base, indexes));
    statistics.set(metric.base, ofBase);
    row[metric.name] = ofBase.of(metric.aggregation);
  }
  return row;
}

function valuesOf({ values }: Samples, base: string, indexes: Uint32Array): Float64Array {
  const column = values[base];
  if (column === undefined) return new Float64Array();
  const picked = new Float64Array(indexes.length);
  let count = 0;
  for (const index of indexes) {
    const value = column[index] ?? Number.NaN;
    if (!Number.isNaN(value)) picked[count++] = value;
  }
  return picked.subarray(0, count);
}

/** `availability` is the passing part of all in percent; null of none. */
function runNumbers(samples: Samples, indexes: Uint32Array, name: 'availability' | 'retries'): Row {
  if (name === 'retries') {
    return { retries: sumOf(samples.retries, indexes) };
  }
  const total = indexes.length;
  const success = total - sumOf(samples.failed, indexes);
  return { availability: total === 0 ? null : (success / total) * 100, total, success };
}

function sumOf(column: Uint8Array, indexes: Uint32Array): number {
  let total = 0;
  for (const index of indexes) total += column[index] ?? 0;
  return total;
}
