import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packResults, unpackResults } from '#main/store/history/result-pack.ts';
import { ANALYTICS_KINDS } from '#shared/analytics/kinds.ts';
import { namedMetrics } from '#shared/analytics/query.ts';
import { MAX_MEASURED_PAGES } from '#shared/checks/enums.ts';
import { VITALS } from '#shared/playwright/web-vitals.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { makeResult, NOON } from '../records.ts';
import { everyNumberOf, openAnalytics, recounted } from './open-analytics.ts';

const HOUR = 3_600_000;

function expectRow(row: Record<string, unknown>, expected: Record<string, unknown>) {
  expect(Object.keys(row).toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [name, value] of Object.entries(expected)) {
    if (typeof value === 'number') expect(row[name], name).toBeCloseTo(value, 6);
    else expect(row[name], name).toEqual(value);
  }
}

const thousandths = fc.integer({ min: 0, max: 60_000_000 }).map((whole) => whole / 1_000);
const anyResult = fc.record({
  at: fc.integer({ min: NOON - HOUR, max: NOON + 26 * HOUR }),
  responseTime: fc.oneof(thousandths, fc.double({ min: 0, max: 1e9, noNaN: true })),
  dns: fc.option(thousandths, { nil: undefined }),
  hasFailures: fc.boolean(),
  hasErrors: fc.boolean(),
  isAttempt: fc.boolean(),
  attempts: fc.integer({ min: 0, max: 10 }),
  runLocation: fc.constantFrom('eu-west-1', 'us-east-1'),
  statusCode: fc.constantFrom(200, 404, 500, null),
});

const numberOrNone = fc.option(thousandths, { nil: undefined });
const anyVitals = fc.record(
  {
    TTFB: numberOrNone,
    FCP: numberOrNone,
    LCP: numberOrNone,
    TBT: numberOrNone,
    CLS: fc.double({ min: 0, max: 5, noNaN: true }),
  },
  { requiredKeys: [] },
);
const anyErrors = fc.record(
  {
    consoleErrors: fc.nat(9),
    networkErrors: fc.nat(9),
    userScriptErrors: fc.nat(9),
    documentErrors: fc.nat(9),
  },
  { requiredKeys: ['consoleErrors'] },
);
const anyBrowserResult = fc.record({
  at: fc.integer({ min: NOON - HOUR, max: NOON + 26 * HOUR }),
  responseTime: thousandths,
  metrics: fc
    .tuple(anyVitals, anyErrors)
    .map(([vitals, errors]) => ({ ...defined(vitals), ...errors })),
  laterPages: fc.option(fc.array(anyVitals.map(defined), { maxLength: 11 }), { nil: undefined }),
  hasFailures: fc.boolean(),
  hasErrors: fc.boolean(),
  attempts: fc.nat(3),
});

function defined(numbers: Record<string, number | undefined>): Record<string, number> {
  return JSON.parse(JSON.stringify(numbers));
}

const isConclusive = ({ hasErrors }: StoredResult) => !hasErrors;

/** A run as its page of an index measures it; none where it has no such page. */
function seenOn(result: StoredResult, pageIndex: number): StoredResult[] {
  const vitals = pageIndex === 0 ? result.metrics : result.laterPages?.[pageIndex - 1];
  const isMeasured = VITALS.some((name) => vitals?.[name] !== undefined);
  if (!isMeasured) return [];
  const errors = Object.entries(result.metrics).filter(([name]) => name.endsWith('Errors'));
  return [{ ...result, metrics: { ...Object.fromEntries(errors), ...vitals } }];
}

describe('a report is what a plain recount of the results gives', () => {
  test('whole, by buckets, by groups and by status, whatever of it is packed', () => {
    const { writer, analyse, packAt } = openAnalytics();
    fc.assert(
      fc.property(
        fc.array(anyResult, { maxLength: 60 }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 500 }),
        (drawn, packed, minutes) => {
          const checkId = randomUUID();
          const results = drawn.map(({ at, dns, isAttempt, ...given }) =>
            makeResult({
              ...given,
              checkId,
              createdAt: at,
              slot: null,
              resultType: isAttempt ? 'ATTEMPT' : 'FINAL',
              metrics: dns === undefined ? {} : { dns },
            }),
          );
          // Half of them come after the hours were packed.
          const half = results.length >> 1;
          writer.write([{ results: results.slice(0, half) }]);
          packAt(NOON + packed * 7 * HOUR);
          writer.write([{ results: results.slice(half) }]);
          const inside = results
            .map(({ result }) => result)
            .filter(({ createdAt }) => createdAt >= NOON && createdAt < NOON + 24 * HOUR);
          const [whole] = analyse({ checkId });
          expectRow(whole.data[0], recounted(inside));

          const intervalMs = minutes * 60_000;
          const [buckets] = analyse({ checkId, buckets: { everyMs: intervalMs } });
          const counted = inside.filter((one) => one.resultType === 'FINAL' && !one.hasErrors);
          const byBucket = Map.groupBy(
            counted.toSorted((a, b) => a.createdAt - b.createdAt),
            ({ createdAt }) => Math.floor(createdAt / intervalMs) * intervalMs,
          );
          const starts = [...byBucket.keys()].slice(0, 100);
          expect(buckets.data.map((row: { period: string }) => Date.parse(row.period))).toEqual(
            starts,
          );
          for (const [index, start] of starts.entries()) {
            const { period, ...row } = buckets.data[index];
            expectRow(row, recounted(byBucket.get(start) ?? []));
          }

          for (const series of analyse({ checkId, groupBy: 'statusCode' })) {
            const own = inside.filter(({ statusCode }) => statusCode === series.statusCode);
            expectRow(series.data[0], recounted(own));
          }
          for (const series of analyse({ checkId, groupBy: 'runLocation' })) {
            const own = inside.filter(({ runLocation }) => runLocation === series.runLocation);
            expectRow(series.data[0], recounted(own));
          }
          const [failed] = analyse({ checkId, filter: 'failure' });
          expectRow(failed.data[0], recounted(inside.filter(({ hasFailures }) => hasFailures)));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of browser checks, by pages too, whatever of it is packed', () => {
    const { writer, analyse, packAt } = openAnalytics();
    fc.assert(
      fc.property(fc.array(anyBrowserResult, { maxLength: 30 }), fc.nat(4), (drawn, packed) => {
        const checkId = randomUUID();
        const results = drawn.map(({ at, ...given }) =>
          makeResult({ ...given, checkId, checkType: 'BROWSER', createdAt: at, slot: null }),
        );
        const half = results.length >> 1;
        writer.write([{ results: results.slice(0, half) }]);
        packAt(NOON + packed * 7 * HOUR);
        writer.write([{ results: results.slice(half) }]);
        const inside = results
          .map(({ result }) => result)
          .filter(({ createdAt }) => createdAt >= NOON && createdAt < NOON + 24 * HOUR);
        const bases = Object.keys(ANALYTICS_KINDS['browser-checks'].metrics);
        const asked = { checkId, ...everyNumberOf('browser-checks', bases) };
        expectRow(analyse(asked)[0].data[0], recounted(inside, bases));

        const byPage = Array.from({ length: MAX_MEASURED_PAGES }, (_, pageIndex) => ({
          pageIndex,
          runs: inside.filter(isConclusive).flatMap((one) => seenOn(one, pageIndex)),
        })).filter(({ runs }) => runs.length > 0);
        const series = analyse({ ...asked, groupBy: 'pageIndex' });
        expect(series).toHaveLength(byPage.length);
        for (const [index, { pageIndex, runs }] of byPage.entries()) {
          expect(series[index].pageIndex).toBe(pageIndex);
          const { pageUrl: _, ...row } = series[index].data[0];
          expectRow(row, { pageIndex, ...recounted(runs, bases) });
        }
      }),
      { numRuns: 60 },
    );
  });

  test('of nothing', () => {
    const { analyse } = openAnalytics();
    const [series] = analyse({ checkId: randomUUID() });
    expectRow(series.data[0], recounted([]));
    expect(analyse({ checkId: randomUUID(), buckets: { everyMs: 60_000 } })).toEqual([
      { data: [] },
    ]);
    expect(analyse({ checkId: randomUUID(), groupBy: 'runLocation' })).toEqual([]);
  });

  test('raw numbers are of one result each, newest first, by pages', () => {
    const { writer, analyse, packAt } = openAnalytics();
    const checkId = randomUUID();
    const results = Array.from({ length: 5 }, (_, n) =>
      makeResult({ checkId, createdAt: NOON + n * 4 * HOUR, responseTime: n, attempts: n }),
    );
    writer.write([{ results }]);
    packAt(NOON + 15 * HOUR);
    const raw = { checkId, metrics: namedMetrics('api-checks', ['responseTime', 'wait']) };
    const bases = ['responseTime', 'wait'];
    expect(analyse({ ...raw, bases, limit: 2, page: 2 })).toEqual([
      {
        data: [2, 1].map((n) => ({
          startedAt: new Date(NOON + n * 4 * HOUR).toISOString(),
          runLocation: 'eu-west-1',
          hasFailures: false,
          attempts: n,
          responseTime: n,
          wait: 1,
        })),
      },
    ]);
    expect(analyse({ ...raw, bases, limit: 2, page: 4 })).toEqual([{ data: [] }]);
  });
});

test('the packs of removed results and of forgotten checks go with them', () => {
  const { writer, database, packAt } = openAnalytics();
  const [old, forgotten] = [randomUUID(), randomUUID()];
  writer.write([{ results: [makeResult({ checkId: old }), makeResult({ checkId: forgotten })] }]);
  packAt(NOON + 12 * HOUR);
  const packs = () => Number(database.prepare('SELECT count(*) AS n FROM packs').get()?.n);
  expect(packs()).toBe(2);
  writer.forget(forgotten, NOON + 12 * HOUR);
  packAt(NOON + 12 * HOUR);
  expect(packs()).toBe(1);
  for (let day = 5; day <= 35; day += 5) {
    writer.stamp(NOON + day * 24 * HOUR);
    packAt(NOON + day * 24 * HOUR);
  }
  expect(packs()).toBe(0);
});

test('packed columns come out as they went in, to the last bit', () => {
  const column = <T>(one: fc.Arbitrary<T>, length: number) =>
    fc.array(one, { minLength: length, maxLength: length });
  const anyNumber = fc.oneof(
    thousandths,
    fc.double(),
    fc.constant(Number.NaN),
    fc.constant(2_147_484),
    fc.constant(-0.5),
    fc.constant(-0),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40 }).chain((length) =>
        fc.record({
          offsets: column(fc.nat(0xffffffff), length).map((list) => Uint32Array.from(list)),
          outcomes: column(fc.nat(2), length).map((list) => Uint8Array.from(list)),
          retries: column(fc.nat(255), length).map((list) => Uint8Array.from(list)),
          locations: column(fc.nat(0xffffffff), length).map((list) => Uint32Array.from(list)),
          statusCodes: column(fc.nat(999), length).map((list) => Uint16Array.from(list)),
          values: fc.array(
            fc
              .oneof(column(anyNumber, length), column(thousandths, length))
              .map((list) => Float64Array.from(list)),
            { maxLength: 10 },
          ),
          laterPages: fc.array(
            column(anyNumber, length).map((list) => Float64Array.from(list)),
            {
              maxLength: 45,
            },
          ),
        }),
      ),
      (rows) => {
        const wanted = new Set(rows.values.keys());
        expect(unpackResults(packResults(rows), wanted, true)).toEqual(rows);
      },
    ),
  );
});
