import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openForReading } from '#main/store/history/database.ts';
import { WindowReader } from '#main/store/history/window-reader.ts';
import { runState } from '#shared/summaries/check-state.ts';
import { RunWindow, windowStart } from '#shared/summaries/run-window.ts';
import { makeEvent, makeResult, NOON } from '../records.ts';
import { openAnalytics } from './open-analytics.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = NOON + 26 * HOUR;

/** Two days of runs, some of which fail or cannot be made. */
function runsOf(checkId: string) {
  return Array.from({ length: 280 }, (_, index) =>
    makeResult({
      checkId,
      createdAt: NOW - (280 - index) * 10 * MINUTE,
      responseTime: 100 + index,
      hasFailures: index % 7 === 0 && index % 11 !== 0,
      hasErrors: index % 11 === 0,
      isDegraded: index % 5 === 0,
      ...(index === 279 && {
        hasFailures: true,
        failure: { cause: 'ASSERTION' as const, message: 'status 502' },
      }),
    }),
  );
}

test('a window is the one that is made run by run, whether hours are packed or not', async () => {
  const store = openAnalytics();
  const checkId = randomUUID();
  const results = runsOf(checkId);
  store.writer.write([{ results }]);
  const expected = new RunWindow();
  for (const { result } of results) {
    const run = {
      at: result.createdAt,
      state: runState(result),
      responseTime: result.responseTime,
    };
    expected.show(run);
    if (run.at >= windowStart(NOW)) expected.count(run);
  }
  const read = () => {
    const reader = new WindowReader(openForReading(store.folder));
    return reader.readWindows({ checkIds: [checkId, randomUUID()], now: NOW });
  };
  const none = { window: new RunWindow().kept(), cause: null };
  expect(read()).toEqual([{ window: expected.kept(), cause: 'status 502' }, none]);
  store.packAt(NOW);
  expect(read()).toEqual([{ window: expected.kept(), cause: 'status 502' }, none]);
});

test('a heartbeat has its last events, however old, and counts those of the day', async () => {
  const store = openAnalytics();
  const checkId = randomUUID();
  const days = [-9, -5, -1 / 24, 0];
  const heartbeatEvents = days.map((day, index) =>
    makeEvent({
      checkId,
      timestamp: NOW + day * 24 * HOUR,
      state: index % 2 === 0 ? 'FAILING' : 'RECEIVED',
    }),
  );
  store.writer.write([{ heartbeatEvents }]);
  const reader = new WindowReader(openForReading(store.folder));
  const [read] = reader.readWindows({ checkIds: [checkId], now: NOW });
  const window = new RunWindow(read?.window);
  expect(window.codes.replaceAll('#', '')).toBe('fpfp');
  expect([window.availability(NOW), window.p95(NOW), window.lastAt]).toEqual([50, null, NOW]);
});
