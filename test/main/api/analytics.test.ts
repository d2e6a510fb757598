import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANALYTICS_KIND_NAMES, ANALYTICS_KINDS } from '#shared/analytics/kinds.ts';
import { AGGREGATIONS } from '#shared/analytics/metric.ts';
import type { Check } from '#shared/checks/check.ts';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeResult } from '../store/records.ts';

const HOUR = 3_600_000;
const CHECKS = CHECK_TYPES.map((type) => makeCheck(type) as Check);
const idOf = (type: string) => CHECKS.find(({ checkType }) => checkType === type)?.id ?? '';
const url = idOf('URL');

let api: Harness;
beforeAll(async () => {
  api = await startApi();
  for (const check of CHECKS) await api.configuration.checks.put(check);
  // Twelve runs within six hours: 10 ms to 120 ms, the last of each three failed with 500.
  const results = Array.from({ length: 12 }, (_, n) =>
    makeResult({
      checkId: url,
      checkType: 'URL',
      createdAt: NOW - 6 * HOUR + n * 0.5 * HOUR,
      responseTime: (n + 1) * 10,
      hasFailures: n % 3 === 2,
      statusCode: n % 3 === 2 ? 500 : 200,
      runLocation: n % 2 === 0 ? 'eu-west-1' : 'us-east-1',
      attempts: n % 3 === 2 ? 2 : 0,
    }),
  );
  const heartbeatEvents = (['RECEIVED', 'FAILING', 'GRACE', 'EARLY'] as const).map((state, n) => {
    const timestamp = NOW - (n + 1) * HOUR;
    const id = v7({ msecs: timestamp });
    return { id, checkId: idOf('HEARTBEAT'), state, timestamp, source: null, userAgent: null };
  });
  await api.history.write({ results, heartbeatEvents });
});
afterAll(() => api.close());

const read = async (kind: string, id: string, query: string) => {
  const { status, body } = await api.call('GET', `/v1/analytics/${kind}/${id}?${query}`);
  return { status, body: body as Record<string, never> };
};

test('a report has its check, its window, its series and what each metric is', async () => {
  const { status, body } = await read('url-monitors', url, 'metrics=availability,responseTime_p50');
  const check = CHECKS.find(({ id }) => id === url);
  expect(check).toBeDefined();
  expect(status).toBe(200);
  expect(body).toEqual({
    checkId: url,
    name: check?.name,
    checkType: 'URL',
    activated: check?.activated,
    muted: check?.muted,
    frequency: expect.any(Number),
    from: new Date(NOW - 24 * HOUR).toISOString(),
    to: new Date(NOW).toISOString(),
    tags: check?.tags,
    pagination: { page: 1, limit: 10 },
    metadata: {
      availability: { unit: 'percentage', label: 'Availability' },
      responseTime_p50: {
        unit: 'milliseconds',
        label: 'Response time',
        aggregation: 'p50',
        percentiles: 'exact',
      },
    },
    series: [
      { data: [{ availability: (8 / 12) * 100, total: 12, success: 8, responseTime_p50: 65 }] },
    ],
  });
});

const SERIES: [query: string, series: unknown][] = [
  [
    'metrics=responseTime_sum&aggregationInterval=120',
    [
      {
        data: [
          { period: at(6), responseTime_sum: 100 },
          { period: at(4), responseTime_sum: 260 },
          { period: at(2), responseTime_sum: 420 },
        ],
      },
    ],
  ],
  [
    'metrics=responseTime_max&aggregationInterval=60&limit=2&page=2',
    [
      {
        data: [
          { period: at(4), responseTime_max: 60 },
          { period: at(3), responseTime_max: 80 },
        ],
      },
    ],
  ],
  [
    'metrics[]=responseTime_min&metrics[]=retries&groupBy=statusCode',
    [
      { statusCode: 200, data: [{ retries: 0, responseTime_min: 10 }] },
      { statusCode: 500, data: [{ retries: 8, responseTime_min: 30 }] },
    ],
  ],
  [
    'metrics=availability&groupBy=runLocation&filterByStatus=failure',
    [
      { runLocation: 'eu-west-1', data: [{ availability: 0, total: 2, success: 0 }] },
      { runLocation: 'us-east-1', data: [{ availability: 0, total: 2, success: 0 }] },
    ],
  ],
  ['metrics=responseTime_avg&from=0&to=3600', [{ data: [{ responseTime_avg: null }] }]],
];

function at(hoursAgo: number): string {
  return new Date(NOW - hoursAgo * HOUR).toISOString();
}

test.each(SERIES)('%s', async (query, series) => {
  expect((await read('url-monitors', url, query)).body.series).toEqual(series);
});

test('single results are newest first, with the number of each', async () => {
  const { body } = await read('url-monitors', url, 'metrics=responseTime,dns&limit=1');
  expect(body.series).toEqual([
    {
      data: [
        {
          startedAt: at(0.5),
          runLocation: 'us-east-1',
          hasFailures: true,
          attempts: 2,
          responseTime: 120,
          dns: 2,
        },
      ],
    },
  ]);
});

test('a heartbeat has the availability of its events, also without naming a metric', async () => {
  const { body } = await read('heartbeat-checks', idOf('HEARTBEAT'), 'aggregationInterval=1440');
  expect(body.series).toEqual([
    { data: [{ period: expect.any(String), availability: 75, total: 4, success: 3 }] },
  ]);
  const late = await read('heartbeat-checks', idOf('HEARTBEAT'), 'filterByStatus=GRACE,FAILING');
  expect(late.body.series).toEqual([{ data: [{ availability: 50, total: 2, success: 1 }] }]);
});

test('a browser check is told of by the pages of its runs, and what was measured of none is null', async () => {
  const checkId = idOf('BROWSER');
  const pages = ['https://shop.example/', 'https://shop.example/cart'].map((url) => ({ url }));
  const run = (hours: number, members: object) =>
    makeResult({
      checkId,
      checkType: 'BROWSER',
      createdAt: NOW - hours * HOUR,
      metrics: {},
      ...members,
      detail: JSON.stringify({ browserCheckResult: { pages } }),
    });
  const metrics = { LCP: 900, CLS: 0.02, networkErrors: 2 };
  const results = [run(1, { metrics, laterPages: [{ LCP: 400 }] }), run(2, {})];
  await api.history.write({ results });
  const asked = 'metrics=LCP_avg,CLS_max,networkErrors_sum,availability';
  const whole = await read('browser-checks', checkId, asked);
  const measured = { LCP_avg: 900, CLS_max: 0.02, networkErrors_sum: 2 };
  expect(whole.body.series).toEqual([
    { data: [{ availability: 100, total: 2, success: 2, ...measured }] },
  ]);
  expect(whole.body.metadata).toMatchObject({
    LCP_avg: { unit: 'milliseconds', label: 'Largest contentful paint' },
    CLS_max: { unit: 'score' },
    networkErrors_sum: { unit: 'count' },
  });
  const runs = { availability: 100, total: 1, success: 1 };
  const { body } = await read('browser-checks', checkId, `${asked}&groupBy=pageIndex`);
  expect(body.series).toEqual([
    {
      pageIndex: 0,
      data: [{ pageUrl: 'https://shop.example/', pageIndex: 0, ...runs, ...measured }],
    },
    {
      pageIndex: 1,
      data: [
        {
          ...{ pageUrl: 'https://shop.example/cart', pageIndex: 1, ...runs },
          ...{ ...measured, LCP_avg: 400, CLS_max: null },
        },
      ],
    },
  ]);
});

test('a browser check has its pages whatever is asked of them', async () => {
  const query = 'metrics=availability&groupBy=pageIndex';
  const { body } = await read('browser-checks', idOf('BROWSER'), query);
  expect(body.series).toMatchObject([{ pageIndex: 0 }, { pageIndex: 1 }]);
});

const MONTHS = `from=${NOW / 1_000 - 90 * 86_400}&to=${NOW / 1_000}`;
const REFUSALS: [what: string, kind: string, id: string, query: string, message: string][] = [
  [
    'a metric of another kind',
    'url-monitors',
    url,
    'metrics=LCP_avg',
    'metrics.0: expected metrics of a URL monitor: GET /v1/analytics/metrics?checkType=URL lists them',
  ],
  ['no metric', 'url-monitors', url, '', 'metrics: expected metrics of a URL monitor: '],
  [
    'a check of another kind than SSL, which none is of',
    'ssl',
    url,
    'metrics=handshakeTimeMs_avg&groupBy=runLocation&filterByStatus=failure',
    `id: expected an SSL check: this is another type of check, see /v1/analytics/url-monitors/${url}`,
  ],
  [
    'a metric of no SSL check',
    'ssl',
    url,
    'metrics=LCP_avg',
    'metrics.0: expected metrics of an SSL check',
  ],
  [
    'a group of another kind',
    'dns',
    idOf('DNS'),
    'metrics=retries&groupBy=statusCode',
    'groupBy: ',
  ],
  [
    'an end before its start',
    'url-monitors',
    url,
    'metrics=retries&from=2000&to=1000',
    'to: expected a time that is not before from',
  ],
  [
    'more than 400 days',
    'url-monitors',
    url,
    'metrics=retries&from=0',
    'to: expected at most 9600 hours after from',
  ],
  [
    'months by the minute',
    'url-monitors',
    url,
    `metrics=retries&${MONTHS}&aggregationInterval=1`,
    'aggregationInterval: expected at least 3 minutes for a time of this length',
  ],
  [
    'single results among sums',
    'url-monitors',
    url,
    'metrics=responseTime,availability',
    'metrics: expected only names of single results, or only aggregated ones and availability',
  ],
  [
    'buckets of single results',
    'url-monitors',
    url,
    'metrics=responseTime&aggregationInterval=5',
    'aggregationInterval: expected none beside metrics of single results, such as responseTime',
  ],
  [
    'an interval of none',
    'url-monitors',
    url,
    'metrics=retries&aggregationInterval=0',
    'aggregationInterval: ',
  ],
  [
    'a check of another kind',
    'url-monitors',
    idOf('TCP'),
    'metrics=retries',
    `id: expected a URL monitor: this is another type of check, see /v1/analytics/tcp-checks/${idOf('TCP')}`,
  ],
];

test.each(REFUSALS)('%s is refused by name', async (_what, kind, id, query, message) => {
  const { status, body } = await read(kind, id, query);
  expect(status).toBe(400);
  expect(body.message).toContain(message);
});

test.each(['dns', 'ssl'])('an unknown check is not found by %s', async (kind) => {
  expect((await read(kind, randomUUID(), 'metrics=retries')).status).toBe(404);
});

describe('of every kind', () => {
  test.each(ANALYTICS_KIND_NAMES)('%s answers every metric that it lists', async (kind) => {
    const { checkType } = ANALYTICS_KINDS[kind];
    const { body } = await api.call('GET', `/v1/analytics/metrics?checkType=${checkType}`);
    const listed = body as { name: string; unit: string; aggregated: boolean }[];
    const bases = Object.keys(ANALYTICS_KINDS[kind].metrics).length;
    expect(listed).toHaveLength(2 + bases * (1 + AGGREGATIONS.length));
    const names = listed.filter(({ aggregated }) => aggregated).map(({ name }) => name);
    const answer = await read(kind, idOf(checkType), `metrics=${names.slice(0, 100).join(',')}`);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.metadata ?? {}).toSorted()).toEqual(
      names.slice(0, 100).toSorted(),
    );
  });
});

test('the batch gives a few numbers of each check, and none that its type has not', async () => {
  const checkIds = [url, idOf('ICMP'), idOf('HEARTBEAT')];
  const { status, body } = await api.call('POST', '/v1/analytics/checks', { body: { checkIds } });
  expect(status).toBe(200);
  expect(body).toEqual([
    {
      checkId: url,
      checkType: 'URL',
      availability: (8 / 12) * 100,
      responseTime_avg: 65,
      responseTime_p50: 65,
      responseTime_p95: 114.5,
      responseTime_p99: expect.closeTo(118.9),
    },
    {
      checkId: idOf('ICMP'),
      checkType: 'ICMP',
      availability: null,
      latency_avg: null,
      latency_p50: null,
      latency_p95: null,
      latency_p99: null,
      packetLoss_avg: null,
      packetLoss_p95: null,
      packetLoss_p99: null,
    },
    { checkId: idOf('HEARTBEAT'), checkType: 'HEARTBEAT', availability: 75 },
  ]);
});

test('the batch refuses checks that do not exist, by their places', async () => {
  const unknown = randomUUID();
  const { status, body } = await api.call('POST', '/v1/analytics/checks', {
    body: { checkIds: [url, unknown] },
  });
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { message: `checkIds.1: no check ${unknown} exists` },
  });
});
