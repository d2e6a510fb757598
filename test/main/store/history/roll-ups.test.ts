import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinGroups, type RollUpGroup, rollUp } from '#main/store/history/roll-up.ts';
import { packRollUp, unpackRollUp } from '#main/store/history/roll-up-body.ts';
import { namedMetrics } from '#shared/analytics/query.ts';
import { Summary } from '#shared/analytics/summary.ts';
import { HEARTBEAT_STATES } from '#shared/checks/enums.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';
import { makeEvent, makeResult, makeResults, NOON } from '../records.ts';
import { openAnalytics, recounted } from './open-analytics.ts';
import { runToEnd } from './open-writer.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Math.floor(NOON / DAY) * DAY;
const SOON = { resultDays: 3, heartbeatDays: 3, detailDays: 3 };
const PERCENTILE = /_(?:median|p\d\d)$/;

/** A history whose clock passed each day until `days` after the start: it is summed up and removed as it goes. */
function passDays({ writer, packAt }: ReturnType<typeof openAnalytics>, days: number) {
  for (let day = 0; day <= days; day += 0.5) {
    writer.stamp(START + day * DAY);
    packAt(START + day * DAY + HOUR);
  }
}

function expectSum(row: Record<string, unknown>, expected: Record<string, unknown>) {
  expect(Object.keys(row).toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [name, value] of Object.entries(expected)) {
    const actual = row[name] as number;
    if (typeof value !== 'number') expect(actual, name).toEqual(value);
    else if (PERCENTILE.test(name)) {
      expect(Math.abs(actual - value), name).toBeLessThanOrEqual(0.010_000_1 * value + 1e-6);
    } else {
      expect(Math.abs(actual - value), name).toBeLessThanOrEqual(1e-6 * Math.max(1, value));
    }
  }
}

const thousandths = fc.integer({ min: 0, max: 60_000_000 }).map((whole) => whole / 1_000);
const anyResult = fc.record({
  at: fc.integer({ min: START, max: START + 6 * DAY }),
  responseTime: fc.oneof(thousandths, fc.double({ min: 0, max: 1e9, noNaN: true })),
  dns: fc.option(thousandths, { nil: undefined }),
  hasFailures: fc.boolean(),
  isDegraded: fc.boolean(),
  hasErrors: fc.boolean(),
  isAttempt: fc.boolean(),
  attempts: fc.integer({ min: 0, max: 10 }),
  runLocation: fc.constantFrom('eu-west-1', 'us-east-1'),
});

describe('once results are removed, a report is what a plain recount gave', () => {
  test('but for percentiles, which are within 1 %, whole, by days, by locations and by status', () => {
    fc.assert(
      fc.property(fc.array(anyResult, { maxLength: 40 }), fc.nat(3), (drawn, lateDay) => {
        const history = openAnalytics(SOON);
        const { writer, report } = history;
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
        // Half of them come when some days were rolled up already.
        const half = results.length >> 1;
        writer.write([{ results: results.slice(0, half) }]);
        passDays(history, lateDay);
        writer.write([{ results: results.slice(half) }]);
        passDays(history, 8);

        const all = results.map(({ result }) => result);
        const whole = { checkId, from: START, to: START + 7 * DAY };
        const hasOld = all.some(({ createdAt }) => createdAt < START + 5 * DAY + HOUR);
        expect(report(whole).isExact).toBe(!hasOld);
        expectSum(report(whole).series[0].data[0], recounted(all));

        const days = report({ ...whole, buckets: { everyMs: DAY } }).series[0].data;
        const counted = all.filter((one) => one.resultType === 'FINAL' && !one.hasErrors);
        const byDay = Map.groupBy(counted, ({ createdAt }) => Math.floor(createdAt / DAY) * DAY);
        expect(days.map(({ period }: { period: string }) => Date.parse(period))).toEqual(
          [...byDay.keys()].toSorted((a, b) => a - b),
        );
        for (const { period, ...row } of days) {
          expectSum(row, recounted(byDay.get(Date.parse(period)) ?? []));
        }
        for (const series of report({ ...whole, groupBy: 'runLocation' }).series) {
          const own = all.filter(({ runLocation }) => runLocation === series.runLocation);
          expectSum(series.data[0], recounted(own));
        }
        const [failed] = report({ ...whole, filter: 'failure' }).series;
        expectSum(failed.data[0], recounted(all.filter(({ hasFailures }) => hasFailures)));
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  test('of a heartbeat by its states', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(5 * DAY), fc.constantFrom(...HEARTBEAT_STATES)), {
          maxLength: 30,
        }),
        (drawn) => {
          const history = openAnalytics(SOON);
          const checkId = randomUUID();
          const events = drawn.map(([at, state]) =>
            makeEvent({ checkId, state, timestamp: START + at }),
          );
          history.writer.write([{ heartbeatEvents: events.slice(3) }]);
          passDays(history, 3);
          history.writer.write([{ heartbeatEvents: events.slice(0, 3) }]);
          passDays(history, 8);
          for (const states of [[], ['FAILING', 'GRACE']] as const) {
            const wanted = events.filter(
              ({ state }) => states.length === 0 || (states as readonly string[]).includes(state),
            );
            const answer = history.analytics.analyseEvents({
              checkId,
              from: START,
              to: START + 6 * DAY,
              states: [...states],
              metrics: namedMetrics('heartbeat-checks', ['availability']),
              buckets: null,
              groupBy: null,
              filter: null,
              limit: 1,
              page: 1,
            });
            if ('problems' in answer) throw new Error('refused');
            const [series] = JSON.parse(new TextDecoder().decode(answer.series));
            const success = wanted.filter(({ state }) => isPassing(state)).length;
            expect(series.data[0]).toMatchObject({ total: wanted.length, success });
          }
        },
      ),
      { numRuns: 20, endOnFailure: true },
    );
  });
});

describe('what is left of a day', () => {
  const checkId = randomUUID();
  const everyHour = () =>
    Array.from({ length: 6 * 24 }, (_, n) =>
      makeResult({ checkId, createdAt: START + n * HOUR + 60_000, responseTime: n }),
    );

  test('counts as a whole one, and the report says so', () => {
    const history = openAnalytics(SOON);
    history.writer.write([{ results: everyHour() }]);
    passDays(history, 6);
    const inside = { checkId, from: START + 5 * HOUR, to: START + 30 * HOUR };
    const { series, ...told } = history.report(inside);
    expect(told).toEqual({ from: START, to: START + 2 * DAY, isExact: false });
    expect(series[0].data[0]).toMatchObject({ total: 48, responseTime_max: 47 });
    const late = { checkId, from: START + 3.5 * DAY, to: START + 4.5 * DAY };
    expect(history.report(late)).toMatchObject({ from: late.from, to: late.to, isExact: true });
  });

  test('shows no parts of days and no status codes', () => {
    const history = openAnalytics(SOON);
    history.writer.write([{ results: everyHour() }]);
    passDays(history, 6);
    const since = new Date(START + 3 * DAY + HOUR).toISOString();
    const refused = { checkId, buckets: { everyMs: 25 * HOUR }, groupBy: 'statusCode' } as const;
    expect(() => history.report({ ...refused, from: START })).toThrow(
      JSON.stringify([
        {
          path: 'aggregationInterval',
          message: `expected a multiple of 1440 minutes, a day, for a time that begins before ${since}, as only the sums of days (UTC) remain of it`,
        },
        {
          path: 'groupBy',
          message: `expected runLocation or none for a time that begins before ${since}, as only the sums of days (UTC) remain of it`,
        },
      ]),
    );
  });

  test('is in the calendar day of a zone that has most of it', () => {
    const history = openAnalytics(SOON);
    history.writer.write([{ results: everyHour() }]);
    passDays(history, 6);
    // Days of New York, which begin at 5:00 UTC in January.
    const starts = [START + 5 * HOUR, START + 29 * HOUR];
    const { series } = history.report({
      checkId,
      from: START + 5 * HOUR,
      to: START + 2 * DAY,
      buckets: { starts },
    });
    expect(series[0].data).toMatchObject([
      { period: new Date(START + 5 * HOUR).toISOString(), total: 24 },
      { period: new Date(START + 29 * HOUR).toISOString(), total: 24 },
    ]);
  });

  test('goes after its own days, and with its check', () => {
    const history = openAnalytics({ ...SOON, rollUpDays: 5 });
    const { writer, database, packAt } = history;
    writer.write([{ results: everyHour() }, { results: makeResults(randomUUID(), 3) }]);
    const days = () => Number(database.prepare('SELECT count(*) AS n FROM roll_ups').get()?.n);
    passDays(history, 4);
    expect(days()).toBe(5);
    passDays(history, 7);
    expect(days()).toBe(4);
    writer.forget(checkId, START + 7 * DAY);
    packAt(START + 7 * DAY);
    expect(days()).toBe(0);
  });
});

test.each(['goes on', 'is cut short'])(
  'a day that results come late for while it is rolled up is complete in the end: the work %s',
  (how) => {
    const folder = openAnalytics().folder;
    const checks = Array.from({ length: 6 }, () => randomUUID());
    let history = openAnalytics(SOON, folder);
    // More than one slice reads, so that there is something in between.
    for (const checkId of checks) {
      history.writer.write([{ results: makeResults(checkId, 1_500, { createdAt: START }) }]);
    }
    for (const days of [0, 0.5, 1]) history.writer.stamp(START + days * DAY);
    const late = (n: number) =>
      checks.map((checkId) => ({
        results: [makeResult({ checkId, createdAt: START + 12 * HOUR + n, slot: null })],
      }));
    const summing = history.writer.sumUp(START + DAY + HOUR);
    const rolled = () =>
      Number(history.database.prepare('SELECT count(*) AS n FROM roll_ups').get()?.n);
    while (rolled() < 3 && !summing.next().done);
    expect(rolled()).toBe(3);
    history.writer.write(late(1));
    if (how === 'goes on') runToEnd(summing);
    else {
      history.database.close();
      history = openAnalytics(SOON, folder);
    }
    history.writer.write(late(2));
    passDays(history, 6);
    history.writer.write(late(3));
    for (const checkId of checks) {
      const { series, isExact } = history.report({ checkId, from: START, to: START + DAY });
      expect(isExact).toBe(false);
      expect(series[0].data[0]).toMatchObject({ total: 1_503 });
    }
  },
);

test('of a day within which its type got a metric all is summed up, also what comes late', () => {
  const stretch = (...values: number[]) => ({
    offsets: Uint32Array.of(0),
    outcomes: Uint8Array.of(0),
    retries: Uint8Array.of(0),
    locations: Uint32Array.of(1),
    statusCodes: Uint16Array.of(0),
    values: values.map((value) => Float64Array.of(value)),
    laterPages: [],
  });
  const sumsOf = (groups: readonly RollUpGroup[]) =>
    groups.map(({ values }) => values.map(({ moments }) => moments.sum));
  expect(sumsOf(rollUp([stretch(5), stretch(5, 7)]))).toEqual([[10, 7]]);
  expect(sumsOf(joinGroups(rollUp([stretch(5)]), rollUp([stretch(5, 7)])))).toEqual([[10, 7]]);
});

test('the bytes of a roll-up hold all of it', () => {
  const summary = fc
    .array(fc.double({ min: 0, max: 1e12, noNaN: true }))
    .map((values) => Summary.of(Float64Array.from(values)));
  const group = fc.record({
    location: fc.nat(),
    outcome: fc.nat(4),
    count: fc.nat(),
    retries: fc.nat(),
    values: fc.array(summary, { maxLength: 7 }),
  });
  const shown = (groups: readonly RollUpGroup[]) =>
    groups.map(({ values, ...rest }) => ({
      ...rest,
      values: values.map(({ moments, sketch }) => [moments, sketch.zeros, sketch.bins()]),
    }));
  fc.assert(
    fc.property(fc.array(group, { maxLength: 4 }), (groups) => {
      const packed = packRollUp(groups);
      expect(shown(unpackRollUp(packed, 'all'))).toEqual(shown(groups));
      const [only] = unpackRollUp(packed, new Set([1]));
      expect(only?.values[1]?.moments).toEqual(groups[0]?.values[1]?.moments);
    }),
  );
});
