import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReportingRow } from '#shared/analytics/reporting.ts';
import type { Check } from '#shared/checks/check.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeResult } from '../store/records.ts';

const HOUR = 3_600_000;
const check = (type: 'API' | 'ICMP' | 'HEARTBEAT' | 'TCP', given: object) =>
  ({ ...makeCheck(type), id: randomUUID(), ...given }) as Check;
const CHECKS = [
  check('API', { name: 'shop', tags: ['shop', 'eu'] }),
  check('ICMP', { name: 'router', tags: ['net'], activated: false }),
  check('HEARTBEAT', { name: 'backup', tags: ['eu'] }),
  check('TCP', { name: 'idle', tags: [] }),
];
const [shop, router, backup, idle] = CHECKS.map(({ id }) => id) as [string, string, string, string];

let api: Harness;
beforeAll(async () => {
  api = await startApi();
  for (const one of CHECKS) await api.configuration.checks.put(one);
  const results = Array.from({ length: 30 }, (_, n) =>
    makeResult({
      checkId: shop,
      createdAt: NOW - (n + 0.5) * HOUR,
      responseTime: n + 1,
      hasFailures: n % 7 === 0,
    }),
  );
  const pings = [5, 7].map((latencyAvg, n) =>
    makeResult({
      checkId: router,
      checkType: 'ICMP',
      createdAt: NOW - (n + 1) * HOUR,
      responseTime: 1_000,
      metrics: { latencyAvg },
    }),
  );
  const heartbeatEvents = (['RECEIVED', 'FAILING', 'GRACE'] as const).map((state, n) => {
    const timestamp = NOW - (n + 1) * HOUR;
    const id = v7({ msecs: timestamp });
    return { id, checkId: backup, state, timestamp, source: null, userAgent: null };
  });
  await api.history.write({ results: [...results, ...pings], heartbeatEvents });
});
afterAll(() => api.close());

const report = async (query = '') => {
  const { status, body } = await api.call('GET', `/v1/reporting?${query}`);
  return { status, rows: body as ReportingRow[], message: (body as { message?: string }).message };
};

test('a report has a row for every check, with the numbers of those that ran', async () => {
  const { status, rows } = await report();
  expect(status).toBe(200);
  expect(rows).toEqual([
    {
      name: 'shop',
      checkId: shop,
      checkType: 'API',
      deactivated: false,
      tags: ['shop', 'eu'],
      // Runs 0 to 23, of which 0, 7, 14 and 21 failed.
      aggregate: { successRatio: 83.33, avg: 12.5, p95: 22.85, p99: 23.77 },
    },
    {
      name: 'router',
      checkId: router,
      checkType: 'ICMP',
      deactivated: true,
      tags: ['net'],
      aggregate: { successRatio: 100, avg: 6, p95: 6.9, p99: 6.98 },
    },
    {
      name: 'backup',
      checkId: backup,
      checkType: 'HEARTBEAT',
      deactivated: false,
      tags: ['eu'],
      aggregate: { successRatio: 66.67, avg: 0, p95: 0, p99: 0 },
    },
    { name: 'idle', checkId: idle, checkType: 'TCP', deactivated: false, tags: [] },
  ]);
});

test.each([
  ['deactivated=true', ['router']],
  ['deactivated=false', ['shop', 'backup', 'idle']],
  ['deactivated=null&filterByTags=net', ['router']],
  ['filterByTags=eu,net', ['shop', 'router', 'backup']],
  ['filterByTags[]=shop&filterByTags[]=none', ['shop']],
])('%s chooses checks', async (query, names) => {
  const { rows } = await report(query);
  expect(rows.map(({ name }) => name)).toEqual(names);
});

test('with a granularity it has the days of the zone in which something ran, clamped to the time', async () => {
  const query = 'filterByTags=shop&granularity=day&timezone=Asia/Kathmandu&quickRange=last7Days';
  const { rows } = await report(query);
  const [{ aggregate, aggregates = [] } = {} as ReportingRow] = rows;
  expect(aggregate).toBeUndefined();
  const starts = aggregates.map(({ from }) => from);
  // Midnight there is at 18:15 in UTC.
  for (const start of starts) expect(start).toMatch(/T18:15:00.000Z$/);
  expect(starts).toEqual(starts.toSorted());
  expect(starts.length).toBeGreaterThanOrEqual(2);
  expect(aggregates.slice(1).map(({ from }) => from)).toEqual(
    aggregates.slice(0, -1).map(({ to }) => to),
  );
  expect(aggregates.at(-1)?.to).toBe(new Date(NOW).toISOString());
  expect((await report(`${query}&filterByTags=none`)).rows[0]?.aggregates).toHaveLength(
    starts.length,
  );
  const idleRow = (await report('granularity=week')).rows.at(-1);
  expect(idleRow).toMatchObject({ name: 'idle', aggregates: [] });
});

test.each([
  ['from=2000&to=1000', 'to: expected a time that is not before from'],
  [`from=0&to=${401 * 86_400}`, 'to: expected at most 9600 hours after from'],
  [
    `from=0&to=${121 * 86_400}&granularity=day`,
    'granularity: expected a longer one, as the time has more than 120 of them',
  ],
  ['granularity=hour', 'granularity: '],
  ['timezone=Europe/Nowhere', 'timezone: expected an IANA time zone such as Europe/Berlin'],
  ['quickRange=last24Hours', 'quickRange: '],
  ['deactivated=perhaps', 'deactivated: '],
  [
    'from=8639999999999999&to=8640000000000000&granularity=week',
    'to: expected a year of four digits',
  ],
])('%s is refused', async (query, message) => {
  const answer = await report(query);
  expect(answer.status).toBe(400);
  expect(answer.message).toContain(message);
});

test('of many reports at once the last ones are told to come again', async () => {
  const analyse = api.history.analyse.bind(api.history);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  api.history.analyse = async (query) => {
    await held;
    return analyse(query);
  };
  const statuses: number[] = [];
  const all = Array.from({ length: 8 }, async () => {
    statuses.push((await report('filterByTags=shop')).status);
    // One is under way, and four wait.
    if (statuses.length === 3) letGo();
  });
  await Promise.all(all);
  api.history.analyse = analyse;
  expect(statuses).toEqual([429, 429, 429, 200, 200, 200, 200, 200]);
});
