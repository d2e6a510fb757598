import { VITALS } from '#shared/playwright/web-vitals.ts';
import { type Buckets, bucketAt } from './buckets.ts';
import { countedAt, type DaySum, summaryOf } from './day-sum.ts';
import type { Grouping } from './kinds.ts';
import type { Metric } from './metric.ts';
import type { Samples } from './samples.ts';
import { Statistics } from './statistics.ts';
import type { Summary } from './summary.ts';

/** What a report is to show of the samples of its time. */
export interface SeriesQuery {
  /** All raw, or none. */
  metrics: readonly Metric[];
  /** Null: one row for the whole time. */
  buckets: Buckets | null;
  groupBy: Grouping | null;
  filter: 'success' | 'failure' | null;
  /** Rows of each series: how many, and which page of them from 1. */
  limit: number;
  page: number;
}

/** The numbers of one result, or of many, by metric. */
export type Row = Record<string, string | number | boolean | null>;

export interface Series {
  runLocation?: string;
  statusCode?: number;
  pageIndex?: number;
  data: Row[];
}

/** What a row is made of: some of the samples, and days before them of which only the sums are left. */
interface Part {
  indexes: Uint32Array;
  days: readonly DaySum[];
}

/**
 * The series of a report: one, or one for each group in the order of locations, status codes or pages.
 * Raw rows are the newest first; rows of buckets ascend, and empty buckets have none.
 * @param days ascending, all before the samples
 */
export function seriesOf(
  samples: Samples,
  query: SeriesQuery,
  days: readonly DaySum[] = [],
): Series[] {
  const part = wanted(samples, days, query.filter);
  const { groupBy } = query;
  if (groupBy === null) return [{ data: rowsOf(samples, part, query) }];
  if (groupBy === 'pageIndex') return pageSeries(samples, part, query);
  return groupsOf(samples, part, groupBy).map(({ group, part: own }) => ({
    ...group,
    data: rowsOf(samples, own, query),
  }));
}

function wanted({ failed }: Samples, days: readonly DaySum[], filter: SeriesQuery['filter']): Part {
  const indexes = new Uint32Array(failed.length);
  for (let index = 0; index < indexes.length; index++) indexes[index] = index;
  if (filter === null) return { indexes, days };
  const wantsFailed = filter === 'failure';
  return {
    indexes: indexes.filter((index) => (failed[index] === 1) === wantsFailed),
    days: days.filter((day) => day.failed === wantsFailed),
  };
}

interface Group {
  group: Omit<Series, 'data'>;
  part: Part;
}

/**
 * One for each page that a run has. Web vitals are those of the page; all other metrics are of the runs that have
 * it, as they are not measured for each page.
 */
function pageSeries(samples: Samples, { indexes }: Part, query: SeriesQuery): Series[] {
  const { later, urls } = samples.pages ?? { later: [], urls: [] };
  return [{}, ...later].flatMap((vitals, pageIndex) => {
    const values = { ...samples.values, ...vitals };
    const own = indexes.filter((index) =>
      VITALS.some((name) => !Number.isNaN(values[name]?.[index] ?? Number.NaN)),
    );
    if (own.length === 0) return [];
    const page = { pageUrl: urls[pageIndex] ?? null, pageIndex };
    const rows = rowsOf({ ...samples, values }, { indexes: own, days: [] }, query);
    return [{ pageIndex, data: rows.map((row) => ({ ...page, ...row })) }];
  });
}

function groupsOf(
  samples: Samples,
  { indexes, days }: Part,
  groupBy: Exclude<Grouping, 'pageIndex'>,
): Group[] {
  const isOfLocations = groupBy === 'runLocation';
  const column = isOfLocations ? samples.locations : samples.statusCodes;
  const keys = new Set(isOfLocations ? days.map(({ location }) => location) : []);
  for (const index of indexes) keys.add(column[index] ?? 0);
  if (!isOfLocations) keys.delete(0);
  const groups = [...keys].map((key) => ({
    group: isOfLocations
      ? { runLocation: samples.locationNames.get(key) ?? String(key) }
      : { statusCode: key },
    part: {
      indexes: indexes.filter((index) => column[index] === key),
      days: days.filter(({ location }) => location === key),
    },
  }));
  return groups.toSorted((a, b) => compareGroups(a.group, b.group));
}

function compareGroups(a: Group['group'], b: Group['group']): number {
  if (a.statusCode !== undefined && b.statusCode !== undefined) return a.statusCode - b.statusCode;
  return (a.runLocation ?? '') < (b.runLocation ?? '') ? -1 : 1;
}

function rowsOf(samples: Samples, part: Part, query: SeriesQuery): Row[] {
  const { indexes } = part;
  const first = (query.page - 1) * query.limit;
  if (query.metrics.some(({ kind }) => kind === 'raw')) {
    const end = Math.max(0, indexes.length - first);
    const page = indexes.subarray(Math.max(0, end - query.limit), end).toReversed();
    return [...page].map((index) => rawRow(samples, index, query.metrics));
  }
  if (query.buckets === null) {
    return query.page === 1 ? [aggregatedRow(samples, part, query.metrics)] : [];
  }
  const parts = partsOf(samples, part, query.buckets).slice(first, first + query.limit);
  return parts.map(([startMs, own]) => ({
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

/**
 * The part in each bucket, ascending. The indexes are in the order of time, so those of a bucket are a run of
 * the list; days come before them, and share at most the first of their buckets.
 */
function partsOf(samples: Samples, { indexes, days }: Part, buckets: Buckets): [number, Part][] {
  const inDays = Map.groupBy(days, (day) => bucketAt(buckets, countedAt(day)).startMs);
  const parts = new Map<number, Part>();
  for (const [startMs, own] of inDays)
    parts.set(startMs, { indexes: indexes.subarray(0, 0), days: own });
  let from = 0;
  while (from < indexes.length) {
    const { startMs, endMs } = bucketAt(buckets, samples.at[indexes[from] ?? 0] ?? 0);
    let to = from + 1;
    while (to < indexes.length && (samples.at[indexes[to] ?? 0] ?? 0) < endMs) to++;
    parts.set(startMs, { indexes: indexes.subarray(from, to), days: inDays.get(startMs) ?? [] });
    from = to;
  }
  return [...parts];
}

function aggregatedRow(samples: Samples, part: Part, metrics: readonly Metric[]): Row {
  const statistics = new Map<string, Statistics | Summary>();
  const row: Row = {};
  for (const metric of metrics) {
    if (metric.kind === 'runs') Object.assign(row, runNumbers(samples, part, metric.name));
    if (metric.kind !== 'aggregated') continue;
    const ofBase = statistics.get(metric.base) ?? statisticsOf(samples, part, metric.base);
    statistics.set(metric.base, ofBase);
    row[metric.name] = ofBase.of(metric.aggregation);
  }
  return row;
}

function statisticsOf(samples: Samples, { indexes, days }: Part, base: string) {
  const values = valuesOf(samples, base, indexes);
  return days.length === 0 ? new Statistics(values) : summaryOf(days, base, values);
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
function runNumbers(samples: Samples, part: Part, name: 'availability' | 'retries'): Row {
  const { indexes, days } = part;
  const inDays = (read: (day: DaySum) => number) => days.reduce((sum, day) => sum + read(day), 0);
  if (name === 'retries') {
    return { retries: sumOf(samples.retries, indexes) + inDays(({ retries }) => retries) };
  }
  const total = indexes.length + inDays(({ count }) => count);
  const failed =
    sumOf(samples.failed, indexes) + inDays(({ failed, count }) => (failed ? count : 0));
  const success = total - failed;
  return { availability: total === 0 ? null : (success / total) * 100, total, success };
}

function sumOf(column: Uint8Array, indexes: Uint32Array): number {
  let total = 0;
  for (const index of indexes) total += column[index] ?? 0;
  return total;
}
