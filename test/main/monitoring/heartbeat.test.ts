import { expect, test } from 'vitest';
import { StoreBusy } from '#main/monitoring/monitor-port.ts';
import { StoreError } from '#main/store/store-error.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 1);
const PING = { source: null, userAgent: 'curl/8' };

const hourly = () =>
  makeCheck('HEARTBEAT', {
    heartbeat: { period: 60, periodUnit: 'minutes', grace: 10, graceUnit: 'minutes' },
  } as never);

/** States with the minutes after the start at which each was recorded. */
function eventsOf(history: { heartbeatEvents: { state: string; timestamp: number }[] }) {
  return history.heartbeatEvents.map(({ state, timestamp }) => [
    state,
    (timestamp - START) / MINUTE,
  ]);
}

test('nothing fails before the first ping, however long it takes', async () => {
  const { clock, history } = await simulatedMonitor([hourly()]);
  await clock.advance(90 * 24 * HOUR);
  expect(history.heartbeatEvents).toEqual([]);
});

test('the day of the official diagram: grace, early, a missed deadline that resets the timer', async () => {
  const check = hourly();
  const { root, clock, history } = await simulatedMonitor([check]);
  const pingAt = async (minutes: number) => {
    await clock.advance(START + minutes * MINUTE - clock.now());
    return root.ping(check.id, PING);
  };
  await pingAt(0);
  expect(await pingAt(65)).toBe('GRACE');
  expect(await pingAt(132)).toBe('GRACE');
  expect(await pingAt(181)).toBe('EARLY');
  await clock.advance(START + 251 * MINUTE + 5_000 - clock.now());
  expect(root.statusOf(check.id)?.hasFailures).toBe(true);
  expect(await pingAt(253)).toBe('EARLY');
  expect(root.statusOf(check.id)?.hasFailures).toBe(false);
  expect(eventsOf(history)).toEqual([
    ['RECEIVED', 0],
    ['GRACE', 65],
    ['GRACE', 132],
    ['EARLY', 181],
    ['FAILING', 251],
    ['EARLY', 253],
  ]);
});

test('every missed deadline is one FAILING event', async () => {
  const check = hourly();
  const { root, clock, history } = await simulatedMonitor([check]);
  await root.ping(check.id, PING);
  await clock.advance(220 * MINUTE);
  expect(eventsOf(history)).toEqual([
    ['RECEIVED', 0],
    ['FAILING', 70],
    ['FAILING', 140],
    ['FAILING', 210],
  ]);
});

test('a ping just after the deadline is LATE and no failure is recorded', async () => {
  const check = hourly();
  const { root, clock, history } = await simulatedMonitor([check]);
  await root.ping(check.id, PING);
  await clock.advance(70 * MINUTE + 1_000);
  expect(await root.ping(check.id, PING)).toBe('LATE');
  await clock.advance(30 * MINUTE);
  expect(history.heartbeatEvents.map(({ state }) => state)).toEqual(['RECEIVED', 'LATE']);
});

test('a deactivated heartbeat judges nothing, and its timer starts anew when it is activated', async () => {
  const check = hourly();
  const { root, clock, configuration, history } = await simulatedMonitor([check]);
  await root.ping(check.id, PING);
  await configuration.checks.put({ ...check, activated: false });
  await clock.advance(5 * HOUR);
  await configuration.checks.put({ ...check, activated: true });
  await clock.advance(69 * MINUTE);
  expect(history.heartbeatEvents).toHaveLength(1);
  await clock.advance(2 * MINUTE);
  expect(eventsOf(history)).toEqual([
    ['RECEIVED', 0],
    ['FAILING', 370],
  ]);
});

test('a restart in which no ping was due goes on with the timer where it was', async () => {
  const check = hourly();
  const first = await simulatedMonitor([check]);
  await first.root.ping(check.id, PING);
  await first.clock.advance(30 * MINUTE);
  await first.root.stop();
  const { clock, history } = await simulatedMonitor([], { ...first });
  await clock.advance(45 * MINUTE);
  expect(eventsOf(history)).toEqual([
    ['RECEIVED', 0],
    ['FAILING', 70],
  ]);
});

test('no target is blamed for pings that fell into a time when the appliance was down', async () => {
  const check = hourly();
  const first = await simulatedMonitor([check]);
  await first.root.ping(check.id, PING);
  await first.root.stop();
  first.clock.jump(10 * HOUR);
  const { clock, history } = await simulatedMonitor([], { ...first });
  await clock.advance(69 * MINUTE);
  expect(history.heartbeatEvents).toHaveLength(1);
  await clock.advance(2 * MINUTE);
  expect(eventsOf(history)[1]).toEqual(['FAILING', 670]);
});

test('200 pings at once are all kept', async () => {
  const check = hourly();
  const { root, history } = await simulatedMonitor([check]);
  const states = await Promise.all(Array.from({ length: 200 }, () => root.ping(check.id, PING)));
  expect(states.filter((state) => state === undefined)).toEqual([]);
  expect(history.heartbeatEvents).toHaveLength(200);
});

test('a ping of a check that is no heartbeat is unknown', async () => {
  const check = makeCheck('URL');
  const { root } = await simulatedMonitor([check]);
  expect(await root.ping(check.id, PING)).toBeUndefined();
});

test('a ping that cannot be kept is refused to its sender, but counts', async () => {
  const check = hourly();
  const history = new MemoryHistory();
  const { root, clock } = await simulatedMonitor([check], { history });
  history.write = () => Promise.reject(new StoreError('FULL', 'The disk is full.'));
  await expect(root.ping(check.id, PING)).rejects.toThrow(StoreBusy);
  await clock.advance(69 * MINUTE);
  expect(root.statusOf(check.id)).toMatchObject({ hasFailures: false });
});
