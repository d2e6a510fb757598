import { expect, test } from 'vitest';
import { windowCreate } from '#shared/maintenance/window.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const MINUTE = 60_000;

/** A window that pauses checks with a tag, from one minute after a time to before another. */
function windowFrom(start: number, from: number, to: number) {
  const at = (minute: number) => new Date(start + minute * MINUTE).toISOString();
  return {
    id: '1',
    changes: [],
    created_at: at(0),
    updated_at: null,
    ...windowCreate.parse({
      name: 'Upgrade',
      tags: ['eu'],
      startsAt: at(from),
      endsAt: at(to),
    }),
  };
}

test('a paused check skips its slots, runs what is ordered, and goes on when it is over', async () => {
  const paused = makeCheck('URL', { frequency: 1, frequencyOffset: 5, tags: ['eu'] });
  const other = makeCheck('URL', { frequency: 1, frequencyOffset: 5, tags: ['us'] });
  const { clock, runner, history, configuration, root } = await simulatedMonitor([paused, other]);
  const start = clock.now();
  await clock.advance(5 * MINUTE);
  await configuration.maintenanceWindows.put(windowFrom(start, 5, 15));
  const runsOf = (id: string, from: number, to: number) =>
    runner.requests.filter(
      ({ at, request }) =>
        request.check.id === id && at >= start + from * MINUTE && at < start + to * MINUTE,
    ).length;
  await clock.advance(5 * MINUTE);
  root.order(paused.id, order('by hand'), new RecordingFollower());
  await clock.advance(10 * MINUTE);
  expect(runsOf(paused.id, 5, 15)).toBe(1);
  expect(runsOf(other.id, 5, 15)).toBe(10);
  expect(runsOf(paused.id, 15, 20)).toBe(5);
  const skips = history.skips.filter(({ checkId }) => checkId === paused.id);
  expect(skips.map(({ reason, count }) => `${reason} ${count}`)).toEqual(
    Array.from({ length: 10 }, () => 'maintenance 1'),
  );
});

test('a window that is deleted pauses nothing any more', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5, tags: ['eu'] });
  const { clock, runner, configuration } = await simulatedMonitor([check]);
  await configuration.maintenanceWindows.put(windowFrom(clock.now(), 0, 600));
  await clock.advance(10 * MINUTE);
  expect(runner.requests).toEqual([]);
  await configuration.maintenanceWindows.delete('1');
  await clock.advance(10 * MINUTE);
  expect(runner.requests).toHaveLength(10);
});
