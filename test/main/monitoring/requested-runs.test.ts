import { expect, test } from 'vitest';
import { makeCheck } from '../../fixtures/checks.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 60, sameRegion: true } as const;
const hourly = (members: Parameters<typeof makeCheck<'URL'>>[1] = {}) =>
  makeCheck('URL', { frequency: 60, frequencyOffset: 300, retryStrategy, ...members });

/** A check that had its first run and waits for its slot. */
async function waiting(members: Parameters<typeof makeCheck<'URL'>>[1] = {}) {
  const check = hourly(members);
  const monitor = await simulatedMonitor([check]);
  await monitor.clock.advance(10 * SECOND);
  monitor.runner.requests.length = 0;
  return { ...monitor, check, follower: new RecordingFollower() };
}

test('an ordered run begins at once, belongs to no slot and changes the status', async () => {
  const { check, root, runner, clock, follower, history } = await waiting();
  runner.outcome = { isDegraded: true };
  expect(root.order(check.id, order('a'), follower)).toBe(true);
  await clock.advance(SECOND);
  expect(runner.requests).toHaveLength(1);
  expect(follower.runs).toMatchObject([{ sequences: [{ location: 'local' }], atMostMs: 570_000 }]);
  expect(follower.results).toMatchObject([{ resultType: 'FINAL', slot: null }]);
  expect(follower.ends).toEqual(['settled']);
  expect(history.results).toHaveLength(2);
  expect(root.statusOf(check.id)?.isDegraded).toBe(true);
});

test('the schedule goes on where it was', async () => {
  const { check, root, runner, clock, follower, history } = await waiting();
  root.order(check.id, order('a'), follower);
  await clock.advance(3 * HOUR);
  expect(runner.requests).toHaveLength(4);
  expect(history.skips).toEqual([]);
});

test('a deactivated check runs when it is ordered, and sleeps again', async () => {
  const { check, root, runner, clock, follower, configuration } = await waiting();
  await configuration.checks.put({ ...check, activated: false });
  root.order(check.id, order('a'), follower);
  await clock.advance(5 * HOUR);
  expect(runner.requests).toHaveLength(1);
  expect(follower.ends).toEqual(['settled']);
});

test('orders wait for the run under way and for each other, oldest first', async () => {
  const { check, root, runner, clock } = await waiting();
  runner.durationMs = 10 * SECOND;
  const followers = ['a', 'b', 'c'].map((id) => {
    const follower = new RecordingFollower();
    root.order(check.id, order(id), follower);
    return follower;
  });
  await clock.advance(15 * SECOND);
  expect(runner.underWay).toBe(1);
  expect(followers.map(({ ends }) => ends.length)).toEqual([1, 0, 0]);
  await clock.advance(20 * SECOND);
  expect(followers.map(({ ends }) => ends.length)).toEqual([1, 1, 1]);
  expect(runner.requests).toHaveLength(3);
});

test('slots that pass while an ordered run is under way are counted, and none runs twice', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5, retryStrategy: null });
  const { clock, root, runner, history } = await simulatedMonitor([check]);
  await clock.advance(2 * MINUTE);
  const runs = runner.requests.length;
  runner.durationMs = 3 * MINUTE;
  root.order(check.id, order('a'), new RecordingFollower());
  await clock.advance(3 * MINUTE);
  runner.durationMs = 0;
  await clock.advance(MINUTE);
  expect(history.skips).toMatchObject([{ count: 3, reason: 'overlap' }]);
  expect(runner.requests).toHaveLength(runs + 2);
});

test('what a run changes of the check holds for that run only', async () => {
  const { check, root, runner, clock, follower } = await waiting({ locations: ['eu-west-1'] });
  runner.outcome = FAILING;
  root.order(check.id, order('a', { location: 'us-east-1', retryStrategy: null }), follower);
  await clock.advance(SECOND);
  expect(runner.requests.map(({ request }) => request.location)).toEqual(['us-east-1']);
  expect(follower.ends).toEqual(['settled']);
  await clock.advance(HOUR);
  expect(runner.requests.slice(1).map(({ request }) => request.location)).toEqual(
    Array(3).fill('eu-west-1'),
  );
});

test('results of a run that does not count leave the check as it was', async () => {
  const { check, root, runner, clock, history } = await waiting();
  const follower = new RecordingFollower({ countsForCheck: false });
  const kept = history.resultCount;
  runner.outcomes.push(FAILING);
  root.order(check.id, order('a'), follower);
  await clock.advance(2 * MINUTE);
  expect(follower.results.map(({ resultType }) => resultType)).toEqual(['ATTEMPT', 'FINAL']);
  expect(history.resultCount).toBe(kept);
  expect(root.statusOf(check.id)?.hasFailures).toBe(false);
});

test('an order that is cancelled while it waits never runs', async () => {
  const { check, root, runner, clock, follower } = await waiting();
  runner.durationMs = 10 * SECOND;
  root.order(check.id, order('a'), new RecordingFollower());
  root.order(check.id, order('b'), follower);
  root.cancel(check.id, 'b');
  await clock.advance(MINUTE);
  expect(runner.requests).toHaveLength(1);
  expect(follower.ends).toEqual(['cancelled']);
});

test('cancelled in an attempt, that attempt is the last', async () => {
  const { check, root, runner, clock, follower } = await waiting();
  runner.durationMs = 10 * SECOND;
  runner.outcome = FAILING;
  root.order(check.id, order('a'), follower);
  await clock.advance(5 * SECOND);
  root.cancel(check.id, 'a');
  await clock.advance(5 * MINUTE);
  expect(follower.results.map(({ resultType }) => resultType)).toEqual(['FINAL']);
  expect(follower.ends).toEqual(['settled']);
});

test('cancelled while it waits for a retry, it ends there', async () => {
  const { check, root, runner, clock, follower } = await waiting();
  runner.outcome = FAILING;
  root.order(check.id, order('a'), follower);
  await clock.advance(5 * SECOND);
  root.cancel(check.id, 'a');
  await clock.advance(5 * MINUTE);
  expect(follower.results.map(({ resultType }) => resultType)).toEqual(['ATTEMPT']);
  expect(follower.ends).toEqual(['cancelled']);
});

test('to cancel an order that is over, or another, changes nothing', async () => {
  const { check, root, runner, clock, follower } = await waiting();
  runner.outcome = FAILING;
  root.order(check.id, order('a'), follower);
  await clock.advance(5 * SECOND);
  root.cancel(check.id, 'another');
  await clock.advance(5 * MINUTE);
  root.cancel(check.id, 'a');
  expect(follower.results).toHaveLength(3);
  expect(follower.ends).toEqual(['settled']);
});

test('when the check is deleted, all who follow a run of it are told', async () => {
  const { check, root, runner, clock, follower, configuration } = await waiting();
  const second = new RecordingFollower();
  runner.durationMs = 10 * SECOND;
  root.order(check.id, order('a'), follower);
  root.order(check.id, order('b'), second);
  await clock.advance(5 * SECOND);
  await configuration.checks.delete(check.id);
  await clock.advance(MINUTE);
  expect([...follower.ends, ...second.ends]).toEqual(['deleted', 'deleted']);
  expect(follower.results).toEqual([]);
});

test('an order for a check that is not there, or for a heartbeat, is refused', async () => {
  const heartbeat = makeCheck('HEARTBEAT');
  const { root } = await simulatedMonitor([heartbeat]);
  expect(root.order('nobody', order('a'), new RecordingFollower())).toBe(false);
  expect(root.order(heartbeat.id, order('a'), new RecordingFollower())).toBe(false);
});

test('after a restart an order takes up the attempts that it had made', async () => {
  const first = await waiting();
  first.runner.outcome = FAILING;
  first.root.order(first.check.id, order('a'), first.follower);
  await first.clock.advance(5 * SECOND);
  await first.root.stop();
  const second = await simulatedMonitor([], first);
  const follower = new RecordingFollower();
  second.root.order(first.check.id, order('a'), follower);
  await second.clock.advance(MINUTE);
  expect(follower.runs[0]?.sequences).toEqual(first.follower.runs[0]?.sequences);
  expect(follower.results).toMatchObject([
    { resultType: 'FINAL', attempts: 1, sequenceId: first.follower.results[0]?.sequenceId },
  ]);
});

test('a check that is not saved runs at once beside the one that is, whose runs and status it leaves alone', async () => {
  const { check, root, runner, clock, history } = await waiting();
  runner.durationMs = 10 * SECOND;
  root.order(check.id, order('a'), new RecordingFollower());
  const follower = new RecordingFollower({ countsForCheck: false });
  const changed = { ...check, name: 'As it would be' };
  runner.outcomes.push({}, FAILING);
  const overrides = { check: changed, retryStrategy: null };
  expect(root.order(check.id, order('b', overrides), follower)).toBe(true);
  await clock.advance(SECOND);
  expect(runner.underWay).toBe(2);
  await clock.advance(10 * SECOND);
  expect(runner.requests[1]?.request.check).toEqual(changed);
  expect(follower.results).toMatchObject([{ resultType: 'FINAL', hasFailures: true }]);
  expect(follower.ends).toEqual(['settled']);
  expect(root.statusOf(check.id)?.hasFailures).toBe(false);
  expect(history.results).toHaveLength(2);
});

test('a run of a check that was never saved is cancelled like any other', async () => {
  const { root, runner, clock, history } = await simulatedMonitor([]);
  const check = makeCheck('URL', { retryStrategy });
  const follower = new RecordingFollower({ countsForCheck: false });
  runner.durationMs = 10 * SECOND;
  runner.outcome = FAILING;
  root.order(check.id, order('a', { check }), follower);
  await clock.advance(SECOND);
  root.cancel(check.id, 'a');
  await clock.advance(10 * SECOND);
  expect(follower.ends).toHaveLength(1);
  expect(runner.requests).toHaveLength(1);
  expect(history.results).toHaveLength(0);
});
