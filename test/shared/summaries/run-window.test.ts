import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunWindow, type WindowRun, windowStart } from '#shared/summaries/run-window.ts';

const NOW = Date.UTC(2026, 0, 15, 12, 34);
const HOUR = 3_600_000;

const run = (at: number, part: Partial<WindowRun> = {}): WindowRun => ({
  at,
  state: 'passing',
  responseTime: 100,
  ...part,
});

function windowOf(runs: readonly WindowRun[]): RunWindow {
  const window = new RunWindow();
  for (const one of runs) window.add(one);
  return window;
}

describe('the numbers of a day', () => {
  test('of no run there are none', () => {
    const window = new RunWindow();
    expect([window.availability(NOW), window.p95(NOW), window.lastAt]).toEqual([null, null, null]);
  });

  test('availability counts runs that did not fail, and none that could not be made', () => {
    const states = ['passing', 'degraded', 'failing', 'inconclusive', 'passing'] as const;
    const runs = states.map((state, index) => run(NOW - 1_000 + index, { state }));
    expect(windowOf(runs).availability(NOW)).toBe(75);
  });

  test('the 95th percentile is within 2 % of the one that is counted', () => {
    const anyTimes = fc.array(fc.double({ min: 1, max: 100_000, noNaN: true }), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(anyTimes, (times) => {
        const window = windowOf(times.map((responseTime) => run(NOW, { responseTime })));
        const sorted = times.toSorted((one, other) => one - other);
        const exact = sorted[Math.ceil(times.length * 0.95) - 1] ?? 0;
        expect(Math.abs((window.p95(NOW) ?? 0) - exact)).toBeLessThanOrEqual(0.021 * exact);
      }),
    );
  });

  test('events have no response time', () => {
    expect(windowOf([run(NOW, { responseTime: null })]).p95(NOW)).toBeNull();
  });

  test('runs of a day ago count no more, and take no room', () => {
    const window = windowOf([run(NOW - 25 * HOUR, { state: 'failing' }), run(NOW - HOUR)]);
    expect(window.availability(NOW)).toBe(100);
    for (let minutes = 0; minutes < 10_000; minutes++) window.add(run(NOW + minutes * 60_000));
    const { outcomes, times } = window.kept();
    expect(outcomes.length).toBeLessThanOrEqual(24 * 4 + 1);
    expect(times.length).toBeLessThanOrEqual(24 + 1);
  });

  test.each([0, 1, 449_000, 899_999])(
    'the window is no more than a day, and less than a quarter of an hour shorter, %i ms after one began',
    (after) => {
      const now = Date.UTC(2026, 0, 15, 12, 15) + after;
      const start = windowStart(now);
      expect(now - start).toBeGreaterThan(23.75 * HOUR);
      expect(now - start).toBeLessThanOrEqual(24 * HOUR);
      expect(windowOf([run(start)]).availability(now)).toBe(100);
      expect(windowOf([run(start - 1)]).availability(now)).toBeNull();
    },
  );

  test('availability is that of the runs of the day, however many fail at its edge', () => {
    const now = Date.UTC(2026, 0, 15, 12, 14);
    const minutes = Array.from({ length: 26 * 60 }, (_, minute) => now - minute * 60_000);
    // All of the hours before the window fail: two of 23.9.
    const states = minutes.map((at) =>
      run(at, { state: at < now - 22 * HOUR ? 'failing' : 'passing' }),
    );
    const counted = minutes.filter((at) => at >= windowStart(now)).length;
    expect(counted).toBe(24 * 60);
    const good = 22 * 60 + 1;
    expect(windowOf(states.toReversed()).availability(now)).toBeCloseTo((100 * good) / counted, 9);
  });
});

describe('since when', () => {
  test('is the first run of those that ended alike', () => {
    const window = windowOf([run(1), run(2, { state: 'failing' }), run(3, { state: 'failing' })]);
    expect([window.since, window.lastAt]).toEqual([2, 3]);
  });

  test('is not known where all that is known ended alike', () => {
    expect(windowOf([run(1), run(2)]).since).toBeNull();
  });
});

test('a window that another thread made goes on', () => {
  const runs = [run(NOW - HOUR, { state: 'failing' }), run(NOW - 5), run(NOW, { responseTime: 9 })];
  const made = windowOf(runs.slice(0, 2));
  const moved = new RunWindow(structuredClone(made.kept()));
  moved.add(runs[2] as WindowRun);
  expect(moved.kept()).toEqual(windowOf(runs).kept());
});
