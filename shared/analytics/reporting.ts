import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import type { Problem } from '#shared/api/problems.ts';
import { flag, instant, several } from '#shared/api/query.ts';
import { rangeProblems, type TimeRange } from '#shared/api/time-range.ts';
import type { Check } from '#shared/checks/check.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { isTimezone } from '#shared/maintenance/local-time.ts';
import { SPEED_METRICS } from './batch.ts';
import { type QuickRange, quickRangeAt } from './quick-range.ts';
import type { Row } from './series.ts';

/** The report over all checks: its query, its rows and the calendar that it is cut by. */

export const MAX_REPORT_DAYS = 400;
/** Most rows of one check. */
export const MAX_AGGREGATES = 120;
const DAY_MS = 86_400_000;
const LAST_MS = Date.UTC(10_000, 0);

const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** The spelling of clients for the time of a report, which is not that of analytics. */
const QUICK_RANGES = {
  last24Hrs: 'last24Hours',
  last7Days: 'last7Days',
  last30Days: 'last30Days',
  thisWeek: 'thisWeek',
  thisMonth: 'thisMonth',
  lastWeek: 'lastWeek',
  lastMonth: 'lastMonth',
} as const satisfies Record<string, QuickRange>;
const RANGE_NAMES = Object.keys(QUICK_RANGES) as (keyof typeof QUICK_RANGES)[];

export const reportingQuery = z.object({
  from: instant.optional(),
  to: instant.optional(),
  quickRange: z.enum(RANGE_NAMES).default('last24Hrs'),
  filterByTags: several(z.string())
    .default([])
    .meta({ description: 'Only checks that have one of these tags' }),
  deactivated: z
    .preprocess((value) => (value === 'null' || value === '' ? null : value), flag.nullable())
    .default(null)
    .meta({ description: 'Only checks that are deactivated, or that are not' }),
  granularity: z.enum(GRANULARITIES).optional(),
  timezone: z
    .string()
    .refine(isTimezone, { error: 'expected an IANA time zone such as Europe/Berlin' })
    .default('UTC')
    .meta({ description: 'Of days, weeks and months' }),
});
export type ReportingQuery = z.output<typeof reportingQuery>;

const aggregate = z.object({
  successRatio: z.number().min(0).meta({ description: 'Percent, with two decimals' }),
  avg: z.number().min(0),
  p95: z.number().min(0),
  p99: z.number().min(0),
});

export const reportingRow = z.object({
  name: z.string(),
  checkId: z.guid(),
  checkType: z.enum(CHECK_TYPES),
  deactivated: z.boolean(),
  tags: z.array(z.string()),
  aggregate: aggregate.optional().meta({ description: 'Left out where nothing ran' }),
  aggregates: z
    .array(aggregate.extend({ from: z.iso.datetime(), to: z.iso.datetime() }))
    .optional()
    .meta({ description: 'With `granularity`; ascending, without those in which nothing ran' }),
});
export type ReportingRow = z.output<typeof reportingRow>;
type Aggregate = z.output<typeof aggregate>;

/** The time of a report, epoch ms. A bound left out is now, or a day before the other one. */
export function reportingRange(
  { from, to, quickRange, timezone }: ReportingQuery,
  now: number,
): TimeRange {
  if (from === undefined && to === undefined) {
    return quickRangeAt(QUICK_RANGES[quickRange], now, timezone);
  }
  const end = to ?? now;
  return { from: from ?? end - DAY_MS, to: end };
}

export function reportingProblems(range: TimeRange, starts: readonly number[] | null): Problem[] {
  const problems = rangeProblems(range, { maxMs: MAX_REPORT_DAYS * DAY_MS });
  // Calendars end some days before the last moment that there is.
  if (range.to > LAST_MS) problems.push({ path: 'to', message: 'expected a year of four digits' });
  if (starts !== null && starts.length > MAX_AGGREGATES) {
    const message = `expected a longer one, as the time has more than ${MAX_AGGREGATES} of them`;
    problems.push({ path: 'granularity', message });
  }
  return problems;
}

/**
 * When the calendar days, weeks (from Monday) or months of a time start, epoch ms, ascending; the first one with
 * the time itself. A day of a zone may have 23 or 25 hours. Of too many one more than may be is answered.
 */
export function calendarStarts(
  { from, to }: TimeRange,
  granularity: Granularity,
  timeZone: string,
): number[] {
  const day = Temporal.Instant.fromEpochMilliseconds(from)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const first = firstOf(day, granularity);
  const starts = [from];
  for (let step = 1; starts.length <= MAX_AGGREGATES; step++) {
    const start = first.add({ [`${granularity}s`]: step }).toZonedDateTime(timeZone);
    if (start.epochMilliseconds >= to) break;
    starts.push(start.epochMilliseconds);
  }
  return starts;
}

function firstOf(day: Temporal.PlainDate, granularity: Granularity): Temporal.PlainDate {
  if (granularity === 'day') return day;
  return granularity === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });
}

/** Whether a check is in the report. */
export function isReported(
  { tags, activated }: Pick<Check, 'tags' | 'activated'>,
  { filterByTags, deactivated }: ReportingQuery,
): boolean {
  const isOfTags = filterByTags.length === 0 || filterByTags.some((tag) => tags.includes(tag));
  return isOfTags && (deactivated === null || deactivated === !activated);
}

/** The names of the metrics that a row comes from. */
export function reportingMetrics({ checkType }: Pick<Check, 'checkType'>): string[] {
  const speed = SPEED_METRICS[checkType];
  return ['availability', ...(speed === null ? [] : PARTS.map((part) => `${speed}_${part}`))];
}

const PARTS = ['avg', 'p95', 'p99'] as const;

/** @param rows of the time, or of each bucket with its start as `period` */
export function reportingRowOf(
  check: Pick<Check, 'name' | 'id' | 'checkType' | 'activated' | 'tags'>,
  rows: readonly Row[],
  { range, starts }: { range: TimeRange; starts: readonly number[] | null },
): ReportingRow {
  const { name, id: checkId, checkType, activated, tags } = check;
  const head = { name, checkId, checkType, deactivated: !activated, tags: [...tags] };
  const ran = rows.filter(({ availability }) => availability !== null);
  if (starts === null) {
    const [whole] = ran;
    return whole === undefined ? head : { ...head, aggregate: aggregateOf(check, whole) };
  }
  const aggregates = ran.map((row) => {
    const from = Date.parse(String(row.period));
    const to = starts.find((start) => start > from) ?? range.to;
    return { ...aggregateOf(check, row), from: iso(from), to: iso(to) };
  });
  return { ...head, aggregates };
}

/** Clients expect a number of each; a heartbeat, which measures no time, has 0. */
function aggregateOf({ checkType }: Pick<Check, 'checkType'>, row: Row): Aggregate {
  const speed = SPEED_METRICS[checkType];
  const of = (part: (typeof PARTS)[number]) => rounded(row[`${speed}_${part}`]);
  return {
    successRatio: rounded(row.availability),
    avg: of('avg'),
    p95: of('p95'),
    p99: of('p99'),
  };
}

const rounded = (value: Row[string] | undefined) => Math.round(Number(value ?? 0) * 100) / 100;
const iso = (ms: number) => new Date(ms).toISOString();
