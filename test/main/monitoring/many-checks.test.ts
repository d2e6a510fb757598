import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const HOUR = 3_600_000;
const COUNT = 500;

/** Many checks of one group that wait for their slots, each in the location of the group. */
async function largeGroup() {
  const configuration = new MemoryConfiguration();
  const group = makeGroup('v1', { locations: ['eu-west-1'] });
  await configuration.groups.put(group);
  const checks = Array.from({ length: COUNT }, () =>
    makeCheck('URL', { frequency: 1_440, groupId: Number(group.id), retryStrategy: null }),
  );
  const monitor = await simulatedMonitor(checks, { configuration });
  await monitor.clock.advance(10_000);
  monitor.runner.requests.length = 0;
  const move = (location: string) =>
    configuration.groups.put({ ...group, locations: [location] } as typeof group);
  const runAll = async () => {
    for (const { id } of checks) monitor.root.order(id, order(id), new RecordingFollower());
    await monitor.clock.advance(1_000);
  };
  const places = () => monitor.runner.requests.map(({ request }) => request.location);
  return { ...monitor, checks, move, runAll, places };
}

test('whoever edits a group and runs its checks next runs them by the edit', async () => {
  const { move, runAll, places } = await largeGroup();
  await move('ap-south-1');
  await runAll();
  expect(new Set(places())).toEqual(new Set(['ap-south-1']));
  expect(places()).toHaveLength(COUNT);
});

test('an edit of a group reaches every check by itself, the last of several edits last', async () => {
  const { move, clock, places } = await largeGroup();
  await move('ap-south-1');
  await nextTurn();
  await move('us-west-2');
  // All are told within milliseconds; on a simulated clock none pass until then.
  for (let turn = 0; turn < COUNT; turn++) await nextTurn();
  await clock.advance(25 * HOUR);
  expect(places().length).toBeGreaterThanOrEqual(COUNT);
  expect(new Set(places())).toEqual(new Set(['us-west-2']));
});

test('after a jump of the clock every check looks at its slot anew', async () => {
  const { checks, clock, history } = await largeGroup();
  clock.jump(3 * 24 * HOUR);
  await clock.advance(HOUR);
  const asleep = history.skips.filter(({ reason }) => reason === 'asleep');
  expect(new Set(asleep.map(({ checkId }) => checkId)).size).toBe(checks.length);
});

test('a stop in the middle of telling all ends it', async () => {
  const { move, root, clock, places } = await largeGroup();
  await move('ap-south-1');
  const stopped = root.stop();
  await clock.advance(10_000);
  await stopped;
  expect(places()).toEqual([]);
});
