import { z } from 'zod';
import type { TimeRange } from '#shared/api/time-range.ts';
import type { Check } from '#shared/checks/check.ts';
import type { Slo } from './slo.ts';
import { BURN_WINDOWS_MS, burnRate, errorBudget, type RunCount } from './slo-rules.ts';

const DAY_MS = 86_400_000;

const amount = z.object({ allowed: z.number(), used: z.number(), left: z.number() });

/** How an objective stands (`GET /app/slos/{id}/report`). */
export const sloReport = z.object({
  /** The time that counts: the days of the objective, or since the first of its checks was created. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  checks: z.int(),
  /** Runs that count. */
  total: z.int(),
  good: z.int(),
  /** The good part of all in percent, and whether that is enough; null of no runs. */
  percent: z.number().nullable(),
  isMet: z.boolean().nullable(),
  errorBudget: z.object({ runs: amount, minutes: amount, leftPercent: z.number() }),
  /** Minutes of published maintenance, which do not count: of several checks the mean. */
  maintenanceMinutes: z.number(),
  /** 1: the budget is gone exactly at the end of the time; null of no runs. */
  burnRates: z.object({ oneHour: z.number().nullable(), sixHours: z.number().nullable() }),
  burningSince: z.iso.datetime().nullable(),
});
export type SloReport = z.output<typeof sloReport>;

/** What a report counts: the whole time, an hour and six, epoch ms. */
export function reportRanges(
  { windowDays }: Pick<Slo, 'windowDays'>,
  checks: readonly Pick<Check, 'created_at'>[],
  now: number,
): TimeRange[] {
  const begun = Math.min(...checks.map(({ created_at }) => Date.parse(created_at)));
  const start = now - windowDays * DAY_MS;
  const from = Math.min(now, checks.length === 0 ? start : Math.max(start, begun));
  const { oneHour, sixHours } = BURN_WINDOWS_MS;
  return [from, now - oneHour, now - sixHours].map((each) => ({ from: each, to: now }));
}

interface Counted {
  /** Those of {@link reportRanges}, and what was counted in each. */
  ranges: readonly TimeRange[];
  counts: readonly RunCount[];
  monitoredMs: readonly number[];
}

export function reportOf(
  slo: Slo,
  checks: number,
  { ranges, counts, monitoredMs }: Counted,
): SloReport {
  const { objective, burningSince } = slo;
  const [range = { from: 0, to: 0 }] = ranges;
  const [whole = NONE, hour = NONE, sixHours = NONE] = counts;
  const [monitored = 0] = monitoredMs;
  const percent = whole.total === 0 ? null : (whole.good / whole.total) * 100;
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    checks,
    ...whole,
    percent,
    isMet: percent === null ? null : percent >= objective.percent,
    errorBudget: errorBudget(whole, objective, monitored),
    maintenanceMinutes: checks === 0 ? 0 : (range.to - range.from - monitored) / 60_000,
    burnRates: { oneHour: burnRate(hour, objective), sixHours: burnRate(sixHours, objective) },
    burningSince,
  };
}

const NONE: RunCount = { total: 0, good: 0 };
