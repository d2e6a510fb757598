import { expect, test } from 'vitest';
import { scheduleOf, slotsBetween } from '#shared/checks/schedule.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A check every 20 seconds, which had its first runs, and whose next attempt fails by our own fault. */
async function aboutToFail() {
  const locations = ['eu-west-1', 'us-east-1'];
  const check = makeCheck('URL', {
    frequency: 0,
    frequencyOffset: 20,
    runParallel: true,
    locations: locations as never,
  });
  const monitor = await simulatedMonitor([check]);
  await monitor.clock.advance(MINUTE);
  const { runner } = monitor;
  const run = runner.run.bind(runner);
  let isBroken = true;
  runner.run = (request) => {
    if (!isBroken || request.location !== 'eu-west-1') return run(request);
    isBroken = false;
    return Promise.reject(new Error('A fault of our own.'));
  };
  return { ...monitor, check };
}

test('who follows the run that fails, or waits behind it, is told that it is over', async () => {
  const { root, clock, check, runner } = await aboutToFail();
  runner.durationMs = 5 * SECOND;
  const followers = ['a', 'b'].map((id) => {
    const follower = new RecordingFollower();
    root.order(check.id, order(id), follower);
    return follower;
  });
  await clock.advance(MINUTE);
  expect(followers.map(({ ends }) => ends)).toEqual([['cancelled'], ['cancelled']]);
  expect(followers.flatMap(({ results }) => results)).toEqual([]);
});

test('the check comes back after a minute, and the slots between are counted', async () => {
  const { clock, check, history } = await aboutToFail();
  const from = clock.now();
  await clock.advance(5 * MINUTE);
  const { results, skips } = history;
  expect(skips).toMatchObject([{ reason: 'down' }]);
  const run = new Set(
    results.map(({ result }) => result.slot).filter((slot) => slot !== null && slot >= from),
  );
  const all = slotsBetween(scheduleOf(check), from, clock.now() + 1);
  expect(run.size + (skips[0]?.count ?? 0)).toBe(all);
});

test('a check that is deleted meanwhile does not come back', async () => {
  const { clock, check, configuration, runner } = await aboutToFail();
  await clock.advance(30 * SECOND);
  await configuration.checks.delete(check.id);
  const before = runner.requests.length;
  await clock.advance(5 * MINUTE);
  expect(runner.requests).toHaveLength(before);
});

test('nothing comes back after a stop', async () => {
  const { clock, root, runner } = await aboutToFail();
  await clock.advance(30 * SECOND);
  await root.stop();
  const before = runner.requests.length;
  await clock.advance(5 * MINUTE);
  expect(runner.requests).toHaveLength(before);
});

test.each([
  ['a memory of another shape', { actor: { lastSlot: 'yesterday' }, status: null }],
  ['a schedule without a period', { actor: { schedule: { periodMs: 0, phaseMs: 0 } } }],
  ['a memory that is none', { actor: null, status: null }],
  ['a status of another shape', { actor: {}, status: { hasFailures: 'perhaps' } }],
  ['an alert of another shape', { actor: {}, status: null, alert: { standing: 7 } }],
])('a check that is kept with %s begins anew, beside others', async (_what, state) => {
  const [broken, heartbeat, other] = [makeCheck('URL'), makeCheck('HEARTBEAT'), makeCheck('URL')];
  const history = new MemoryHistory();
  history.states.set(broken.id, state as never);
  history.states.set(heartbeat.id, state as never);
  const { root, clock } = await simulatedMonitor([broken, heartbeat, other], { history });
  await clock.advance(20 * MINUTE);
  for (const { id } of [broken, other])
    expect(root.statusOf(id)).toMatchObject({ hasFailures: false });
  expect(await root.ping(heartbeat.id, { source: null, userAgent: null })).toBe('RECEIVED');
  expect(history.states.get(broken.id)).toMatchObject({ status: { hasFailures: false } });
});

test('the history of a check that cannot be read is not taken for that of a deleted one', async () => {
  const [history, configuration] = [new MemoryHistory(), new MemoryConfiguration()];
  history.states.set('of-a-check', { actor: {}, status: null });
  configuration.checks.unreadable = 1;
  await simulatedMonitor([], { history, configuration });
  expect([...history.states.keys()]).toEqual(['of-a-check']);
  configuration.checks.unreadable = 0;
  await simulatedMonitor([], { history, configuration });
  expect([...history.states.keys()]).toEqual([]);
});
