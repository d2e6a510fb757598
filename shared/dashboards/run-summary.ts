import { Statistics } from '#shared/analytics/statistics.ts';
import { type Standing, standingOf } from '#shared/results/standing.ts';

/** What a summary needs of a FINAL result. */
export interface RunRow {
  /** Milliseconds. */
  responseTime: number;
  hasFailures: boolean;
  hasErrors: boolean;
  isDegraded: boolean;
}

export interface RunBar {
  standing: Standing;
  /** Milliseconds. */
  responseTime: number;
}

/** The last runs of a check in a few numbers. */
export interface RunSummary {
  checkId: string;
  /** 0 to 100; null where no run says anything of the target. */
  availability: number | null;
  /** Milliseconds. */
  p95: number | null;
  p99: number | null;
  /** The last ones, oldest first. */
  bars: RunBar[];
}

/** Most bars of a summary. */
export const MAX_BARS = 40;

const ACTIVE = { activated: true };

/** @param rows newest first; runs that could not be made count for no number */
export function summariseRuns(checkId: string, rows: readonly RunRow[]): RunSummary {
  const made = rows.filter(({ hasErrors, hasFailures }) => hasFailures || !hasErrors);
  const good = made.filter(({ hasFailures }) => !hasFailures).length;
  const times = new Statistics(Float64Array.from(made, ({ responseTime }) => responseTime));
  const bars = rows.slice(0, MAX_BARS).map((row) => ({
    standing: standingOf(ACTIVE, undefined, row),
    responseTime: row.responseTime,
  }));
  return {
    checkId,
    availability: made.length === 0 ? null : (100 * good) / made.length,
    p95: times.of('p95'),
    p99: times.of('p99'),
    bars: bars.reverse(),
  };
}
