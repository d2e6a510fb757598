import {
  calendarStarts,
  isReported,
  type ReportingQuery,
  type ReportingRow,
  reportingMetrics,
  reportingProblems,
  reportingRange,
  reportingRowOf,
} from '#shared/analytics/reporting.ts';
import type { Check } from '#shared/checks/check.ts';
import type { Analytics } from './analytics.ts';
import { clientGone, HeavyRequests } from './heavy-requests.ts';
import type { ServiceParts } from './resource.ts';
import { refuseProblems } from './service-error.ts';

interface ReportingParts extends Pick<ServiceParts, 'configuration' | 'clock'> {
  analytics: Analytics;
}

/** The report over all checks: one at a time, made while it is sent, a check at a time. */
export class Reporting {
  readonly #parts: ReportingParts;
  readonly #reports = new HeavyRequests('reports');

  constructor(parts: ReportingParts) {
    this.#parts = parts;
  }

  /**
   * The rows throw ServiceError TOO_MANY where too many reports wait, TIMED_OUT once the client is gone.
   * @throws ServiceError INVALID for a time that is too long or cut into too many parts
   */
  read(query: ReportingQuery, isGone: () => boolean): AsyncIterable<ReportingRow> {
    const { granularity, timezone } = query;
    const range = reportingRange(query, this.#parts.clock.now());
    refuseProblems({ source: 'query', problems: reportingProblems(range, null) });
    const starts = granularity === undefined ? null : calendarStarts(range, granularity, timezone);
    refuseProblems({ source: 'query', problems: reportingProblems(range, starts) });
    const checks = this.#parts.configuration.checks
      .all()
      .filter((check) => isReported(check, query));
    return this.#rows(checks, { range, starts }, isGone);
  }

  async *#rows(
    checks: readonly Check[],
    time: Parameters<typeof reportingRowOf>[2],
    isGone: () => boolean,
  ): AsyncGenerator<ReportingRow, void> {
    using _turn = await this.#reports.begin(isGone);
    for (const check of checks) {
      if (isGone()) throw clientGone();
      const names = reportingMetrics(check);
      const rows = await this.#parts.analytics.rows(check, time.range, names, time.starts);
      yield reportingRowOf(check, rows, time);
    }
  }
}
