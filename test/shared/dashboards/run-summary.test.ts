import { expect, test } from 'vitest';
import { MAX_BARS, type RunRow, summariseRuns } from '#shared/dashboards/run-summary.ts';

const run = (members: Partial<RunRow> = {}): RunRow => ({
  responseTime: 100,
  hasFailures: false,
  hasErrors: false,
  isDegraded: false,
  ...members,
});

test('without a run there is no number', () => {
  const none = { checkId: 'a', availability: null, p95: null, p99: null, bars: [] };
  expect(summariseRuns('a', [])).toEqual(none);
});

test('availability counts degraded runs as good, and leaves out those that could not be made', () => {
  const rows = [
    run(),
    run({ isDegraded: true }),
    run({ hasFailures: true }),
    run({ hasFailures: true, hasErrors: true }),
    run({ hasErrors: true, responseTime: 30_000 }),
  ];
  const { availability, p99, bars } = summariseRuns('a', rows);
  expect([availability, p99]).toEqual([50, 100]);
  expect(bars.map(({ standing }) => standing)).toEqual([
    'unknown',
    'failing',
    'failing',
    'degraded',
    'passing',
  ]);
});

test('percentiles are those of all runs, between two of them by interpolation', () => {
  const rows = Array.from({ length: 101 }, (_, index) => run({ responseTime: (index * 37) % 101 }));
  expect(summariseRuns('a', rows)).toMatchObject({ p95: 95, p99: 99 });
  const two = [run({ responseTime: 10 }), run({ responseTime: 20 })];
  expect(summariseRuns('a', two)).toMatchObject({ p95: 19.5, p99: 19.9 });
});

test('bars are the last runs, oldest first', () => {
  const rows = Array.from({ length: MAX_BARS + 5 }, (_, index) => run({ responseTime: index }));
  const { bars } = summariseRuns('a', rows);
  expect([bars.length, bars[0]?.responseTime, bars.at(-1)?.responseTime]).toEqual([
    MAX_BARS,
    MAX_BARS - 1,
    0,
  ]);
});
