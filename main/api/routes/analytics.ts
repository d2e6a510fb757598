import { z } from 'zod';
import { BATCH_RANGES, batchBody, batchRowView } from '#shared/analytics/batch.ts';
import {
  ANALYTICS_KIND_NAMES,
  ANALYTICS_KINDS,
  type AnalyticsKind,
  kindOf,
  SSL_KIND,
} from '#shared/analytics/kinds.ts';
import { describeMetric, metricsOf } from '#shared/analytics/metric.ts';
import { type AnalyticsQuery, analyticsQuery, sslQuery } from '#shared/analytics/query.ts';
import { analyticsReport, metricView, type ReportHead } from '#shared/analytics/report.ts';
import { reportingQuery, reportingRow } from '#shared/analytics/reporting.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { KEY, operation } from '../operation.ts';
import { uuidParam } from '../params.ts';

const tag = 'Analytics';

/** 4.7: one for each kind of check. */
const reports = ANALYTICS_KIND_NAMES.map((kind) =>
  operation({
    id: `read${pascal(kind)}Analytics`,
    method: 'get',
    path: `/v1/analytics/${kind}/{id}`,
    tag,
    summary: `Read the analytics of ${ANALYTICS_KINDS[kind].noun}`,
    description: descriptionOf(kind),
    access: KEY,
    params: z.object({ id: uuidParam }),
    query: analyticsQuery(kind),
    status: 200,
    response: analyticsReport,
    handle: async ({ params: { id }, query }, { analytics }) => {
      const { head, series } = await analytics.report(kind, id, query as AnalyticsQuery);
      return { content: { parts: reportParts(head, series) } };
    },
  }),
);

const readSslReport = operation({
  id: 'readSslAnalytics',
  method: 'get',
  path: '/v1/analytics/ssl/{id}',
  tag,
  summary: `Read the analytics of ${SSL_KIND.noun}`,
  description: 'There are no SSL checks: of any other check this is a 400, which names its path.',
  access: KEY,
  params: z.object({ id: uuidParam }),
  query: sslQuery,
  status: 200,
  response: analyticsReport,
  handle: ({ params: { id } }, { analytics }) => analytics.reportOfNone(SSL_KIND.noun, id),
});

function descriptionOf(kind: AnalyticsKind): string {
  const counted =
    kind === 'heartbeat-checks'
      ? 'Events count at their time; every one but FAILING is a success.'
      : 'FINAL results count at the time when they were settled; inconclusive ones, with `hasErrors`, do not.';
  return `${counted} Percentiles are by linear interpolation, exact as long as results are there; of a time of which only the sums of days (UTC) are left they are within 1 %, as \`metadata\` says, buckets are whole days, and groups those of \`runLocation\`. Buckets begin at multiples of \`aggregationInterval\` since 1970 in UTC, ascend, and are left out where nothing happened. Metrics without a suffix are of single results, newest first, and go with no others.`;
}

/** The series are JSON text already. */
function reportParts(head: ReportHead, series: Uint8Array): Uint8Array[] {
  const encoder = new TextEncoder();
  const start = `${JSON.stringify(head).slice(0, -1)},"series":`;
  return [encoder.encode(start), series, encoder.encode('}')];
}

function pascal(kind: string): string {
  return kind.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const listMetrics = operation({
  id: 'listAnalyticsMetrics',
  method: 'get',
  path: '/v1/analytics/metrics',
  tag,
  summary: 'List the metrics of a type of check',
  access: KEY,
  query: z.object({ checkType: z.enum(CHECK_TYPES) }),
  status: 200,
  response: z.array(metricView),
  handle: ({ query: { checkType } }) => {
    const kind = kindOf(checkType);
    return { content: { json: metricsOf(kind).map((metric) => describeMetric(kind, metric)) } };
  },
});

const readBatch = operation({
  id: 'readAnalyticsBatch',
  method: 'post',
  path: '/v1/analytics/checks',
  tag,
  summary: 'Read a few numbers of each of many checks',
  description:
    'At most 100 checks. A number is null where there are no runs, and left out where checks of the type have none.',
  access: KEY,
  query: z.object({ quickRange: z.enum(BATCH_RANGES).default('last24Hours') }),
  body: { schema: batchBody },
  status: 200,
  response: z.array(batchRowView),
  handle: async ({ body: { checkIds }, query: { quickRange } }, { analytics }) => ({
    content: { json: await analytics.batch(checkIds, quickRange) },
  }),
});

const readReport = operation({
  id: 'readReport',
  method: 'get',
  path: '/v1/reporting',
  tag,
  summary: 'Read how all checks did',
  description:
    'Availability and response times in milliseconds: of TCP and DNS checks all of the exchange, of ICMP checks the mean round trip. Runs count as in analytics. With `granularity` in calendar days, weeks from Monday or months of `timezone`, clamped to the time; at most 400 days and 120 of them. One report is made at a time, and sent while it is made.',
  access: KEY,
  query: reportingQuery,
  status: 200,
  response: z.array(reportingRow),
  failures: [408, 429],
  handle: ({ query, isGone }, { reporting }) => ({
    content: { items: reporting.read(query, isGone) },
  }),
});

export const analyticsOperations = [...reports, readSslReport, listMetrics, readBatch, readReport];
