import type { Objective } from './slo.ts';

/** Rules of error budgets. A budget is the part of the runs that may be bad. */

/** Runs that count: neither inconclusive nor made during published maintenance. */
export interface RunCount {
  total: number;
  good: number;
}

const HOUR_MS = 3_600_000;

/** The times that burn rates are of, milliseconds back from now. */
export const BURN_WINDOWS_MS = { oneHour: HOUR_MS, sixHours: 6 * HOUR_MS } as const;

/** How many times as fast as it may an error budget burns; null where there were no runs. */
export type BurnRates = { [W in keyof typeof BURN_WINDOWS_MS]: number | null };

/** Rates at which 2 % of the budget of 30 days go within the hour, and 5 % within six. */
const FAST_BURN = { oneHour: 14.4, sixHours: 6 } as const;

/** The part of the runs that may be bad: 0.001 of 99.9 %, and not 0.0009999999999999432. */
export function allowedPart({ percent }: Pick<Objective, 'percent'>): number {
  return Number(((100 - percent) / 100).toPrecision(12));
}

/** To nine decimals, so that what is exactly a threshold is not below it by a rounding of divisions. */
export function burnRate({ total, good }: RunCount, objective: Objective): number | null {
  return total === 0 ? null : Number(((total - good) / total / allowedPart(objective)).toFixed(9));
}

/**
 * Whether a budget burns fast, after it did or did not. It begins where both rates are high, so that neither
 * a single bad run of many nor an outage that is long over alerts. It ends once the rate of an hour is below
 * the lower one of the two: rates that waver around the threshold cause one alert.
 *
 * A budget so large that no rate comes that high burns fast where all runs are bad.
 */
export function burnsFast(
  wasBurning: boolean,
  { oneHour, sixHours }: BurnRates,
  objective: Objective,
): boolean {
  const highest = 1 / allowedPart(objective);
  const [high, low] = [FAST_BURN.oneHour, FAST_BURN.sixHours].map((rate) =>
    Math.min(rate, highest),
  ) as [number, number];
  if (wasBurning) return (oneHour ?? 0) >= low;
  return (oneHour ?? 0) >= high && (sixHours ?? 0) >= low;
}

export interface Amount {
  allowed: number;
  used: number;
  /** Below 0 where more is used than allowed. */
  left: number;
}

export interface ErrorBudget {
  runs: Amount;
  /** Of the time that was monitored: a run that is bad stands for its part of it. */
  minutes: Amount;
  /** 100 where no run is bad; below 0 where more is used than allowed. */
  leftPercent: number;
}

/** @param monitoredMs the time that the runs are of */
export function errorBudget(
  { total, good }: RunCount,
  objective: Objective,
  monitoredMs: number,
): ErrorBudget {
  const allowed = allowedPart(objective);
  const bad = total - good;
  const usedPart = total === 0 ? 0 : bad / total / allowed;
  const minutes = (monitoredMs / 60_000) * allowed;
  return {
    runs: { allowed: total * allowed, used: bad, left: total * allowed - bad },
    minutes: { allowed: minutes, used: minutes * usedPart, left: minutes * (1 - usedPart) },
    leftPercent: 100 * (1 - usedPart),
  };
}

/** Milliseconds until a whole budget is gone at a rate; Infinity where it does not burn. */
export function exhaustedInMs(rate: number, windowDays: number): number {
  return (windowDays * 24 * HOUR_MS) / rate;
}

export function sumOfCounts(counts: readonly RunCount[]): RunCount {
  return counts.reduce(
    (sum, { total, good }) => ({ total: sum.total + total, good: sum.good + good }),
    { total: 0, good: 0 },
  );
}
