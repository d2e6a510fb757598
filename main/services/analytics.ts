import type { AnalyticsAnswer, History, JsonText } from '#main/store/history/history.ts';
import { type BatchRow, batchMetrics, batchRow } from '#shared/analytics/batch.ts';
import { ANALYTICS_KINDS, type AnalyticsKind, kindOf } from '#shared/analytics/kinds.ts';
import { type AggregatedMetric, describeMetric, type Metric } from '#shared/analytics/metric.ts';
import {
  type AnalyticsQuery,
  namedMetrics,
  queryProblems,
  reportRange,
} from '#shared/analytics/query.ts';
import { type QuickRange, quickRangeAt } from '#shared/analytics/quick-range.ts';
import { PERCENTILE_KINDS, type ReportHead } from '#shared/analytics/report.ts';
import type { Row, Series, SeriesQuery } from '#shared/analytics/series.ts';
import { PERCENTILES } from '#shared/analytics/statistics.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import { type Check, isHeartbeat } from '#shared/checks/check.ts';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import { VITALS } from '#shared/playwright/web-vitals.ts';
import type { Checks } from './checks.ts';
import type { ServiceParts } from './resource.ts';
import { invalid, refuseProblems, type ServiceError } from './service-error.ts';

interface Parts extends ServiceParts {
  history: Pick<History, 'analyse' | 'analyseEvents'>;
  checks: Checks;
}

const MINUTE_MS = 60_000;

/** Reports on the runs of checks. Their series are JSON text already: they are never parsed here. */
export class Analytics {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws ServiceError NOT_FOUND, INVALID for a check of another kind or what the query asks for */
  async report(
    kind: AnalyticsKind,
    checkId: string,
    query: AnalyticsQuery,
  ): Promise<{ head: ReportHead; series: JsonText }> {
    const check = this.#checkOf(kind, checkId);
    const range = reportRange(query, this.#parts.clock.now());
    const metrics = namedMetrics(kind, query.metrics);
    refuseProblems({ source: 'query', problems: queryProblems(query, range, metrics) });
    const answer = await this.#series(check, range, seriesQuery(query, metrics), query);
    return { head: headOf(kind, check, { answer, query, metrics }), series: answer.series };
  }

  /**
   * Of a kind that no check is of.
   *
   * @param noun one of its checks in a sentence
   * @throws ServiceError always: NOT_FOUND, or INVALID for a check, which is of another kind
   */
  async reportOfNone(noun: string, checkId: string): Promise<never> {
    throw otherType(this.#parts.checks.find(checkId), noun);
  }

  /** A few numbers of each of many checks. @throws ServiceError INVALID where one does not exist */
  async batch(checkIds: readonly string[], quickRange: QuickRange): Promise<BatchRow[]> {
    const { clock, configuration } = this.#parts;
    const problems = checkIds.flatMap((id, index) =>
      configuration.checks.get(id) === undefined
        ? [{ path: `checkIds.${index}`, message: `no check ${id} exists` }]
        : [],
    );
    refuseProblems({ source: 'payload', problems });
    const range = quickRangeAt(quickRange, clock.now());
    return Promise.all(
      checkIds.map(async (id) => {
        const check = this.#parts.checks.find(id);
        const [row = {}] = await this.rows(check, range, batchMetrics(check.checkType));
        return batchRow(check, row);
      }),
    );
  }

  /** One row of the whole time, or one of each bucket. @param starts when buckets start, epoch ms */
  async rows(
    check: Check,
    range: TimeRange,
    names: readonly string[],
    starts: readonly number[] | null = null,
  ): Promise<readonly Row[]> {
    const query: SeriesQuery = {
      metrics: namedMetrics(kindOf(check.checkType), names),
      buckets: starts === null ? null : { starts },
      groupBy: null,
      filter: null,
      limit: starts?.length ?? 1,
      page: 1,
    };
    const answer = await this.#series(check, range, query, { filterByStatus: [] });
    const [series] = JSON.parse(new TextDecoder().decode(answer.series)) as Series[];
    return series?.data ?? [];
  }

  #checkOf(kind: AnalyticsKind, checkId: string): Check {
    const check = this.#parts.checks.find(checkId);
    const { checkType, noun } = ANALYTICS_KINDS[kind];
    if (check.checkType !== checkType) throw otherType(check, noun);
    return check;
  }

  /** @throws ServiceError INVALID where only the sums of days are left, which do not tell what is asked */
  async #series(
    check: Check,
    range: TimeRange,
    query: SeriesQuery,
    { filterByStatus }: Pick<AnalyticsQuery, 'filterByStatus'>,
  ): Promise<SeriesAnswer> {
    const answer = await this.#ask(check, range, query, filterByStatus);
    if ('series' in answer) return answer;
    refuseProblems({ source: 'query', problems: answer.problems });
    throw new Error('A series was refused without a reason.');
  }

  #ask(
    check: Check,
    range: TimeRange,
    query: SeriesQuery,
    filterByStatus: AnalyticsQuery['filterByStatus'],
  ): Promise<AnalyticsAnswer> {
    const { history } = this.#parts;
    const common = { ...query, ...range, checkId: check.id };
    if (isHeartbeat(check)) {
      return history.analyseEvents({ ...common, states: filterByStatus as HeartbeatState[] });
    }
    const bases = new Set<string>(query.groupBy === 'pageIndex' ? VITALS : []);
    for (const metric of query.metrics) if (metric.kind !== 'runs') bases.add(metric.base);
    return history.analyse({ ...common, checkType: check.checkType, bases: [...bases] });
  }
}

function otherType({ id, checkType }: Check, noun: string): ServiceError {
  const other = `/v1/analytics/${kindOf(checkType)}/${id}`;
  const message = `expected ${noun}: this is another type of check, see ${other}`;
  return invalid({ source: 'params', problems: [{ path: 'id', message }] });
}

function seriesQuery(query: AnalyticsQuery, metrics: readonly Metric[]): SeriesQuery {
  const { aggregationInterval, groupBy, filterByStatus, limit, page } = query;
  const [only, ...others] = filterByStatus;
  const isOne = (only === 'success' || only === 'failure') && others.length === 0;
  return {
    metrics,
    buckets:
      aggregationInterval === undefined ? null : { everyMs: aggregationInterval * MINUTE_MS },
    groupBy: groupBy ?? null,
    filter: isOne ? only : null,
    limit,
    page,
  };
}

type SeriesAnswer = Extract<AnalyticsAnswer, { series: JsonText }>;

interface Asked {
  answer: SeriesAnswer;
  query: AnalyticsQuery;
  metrics: readonly Metric[];
}

function headOf(kind: AnalyticsKind, check: Check, { answer, query, metrics }: Asked): ReportHead {
  const { id: checkId, name, checkType, activated, muted, tags } = check;
  const metadata = metrics.map((metric) => {
    const { unit, label } = describeMetric(kind, metric);
    const aggregation = metric.kind === 'aggregated' ? aggregationOf(metric, answer) : {};
    return [metric.name, { unit, label, ...aggregation }] as const;
  });
  return {
    checkId,
    name,
    checkType,
    activated,
    muted,
    ...('frequency' in check && { frequency: check.frequency }),
    from: new Date(answer.from).toISOString(),
    to: new Date(answer.to).toISOString(),
    tags: [...tags],
    pagination: { page: query.page, limit: query.limit },
    metadata: Object.fromEntries(metadata),
  };
}

function aggregationOf({ aggregation }: AggregatedMetric, { isExact }: SeriesAnswer) {
  if (!(aggregation in PERCENTILES)) return { aggregation };
  return { aggregation, percentiles: isExact ? PERCENTILE_KINDS[0] : PERCENTILE_KINDS[1] };
}
