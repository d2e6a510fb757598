import { describe, expect, test } from 'vitest';
import { makeCheck } from '../../fixtures/checks.ts';
import type { MemoryHistory } from '../../fixtures/memory-history.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

/** Heartbeats in a whole appliance that sleeps, is killed, and whose clock is set. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const START = Date.UTC(2026, 0, 1);
const PING = { source: null, userAgent: null };

const hourly = () =>
  makeCheck('HEARTBEAT', {
    heartbeat: { period: 60, periodUnit: 'minutes', grace: 10, graceUnit: 'minutes' },
  } as never);

/** A heartbeat that was pinged at the start; times are minutes after it. */
async function pinged() {
  const check = hourly();
  const monitor = await simulatedMonitor([check]);
  await monitor.root.ping(check.id, PING);
  const advanceTo = (minutes: number) =>
    monitor.clock.advance(START + minutes * MINUTE - monitor.clock.now());
  return { ...monitor, check, advanceTo };
}

/**
 * The next life of an appliance that was killed. Its clock is its own, so that the life before never
 * acts again.
 */
async function killed(
  life: Awaited<ReturnType<typeof simulatedMonitor>>,
  { downMinutes = 0 }: { downMinutes?: number } = {},
) {
  const clock = new SimulatedClock(life.clock.now() + downMinutes * MINUTE);
  const next = await simulatedMonitor([], { ...life, clock });
  const advanceTo = (minutes: number) => clock.advance(START + minutes * MINUTE - clock.now());
  return { ...next, advanceTo };
}

const eventsOf = ({ heartbeatEvents }: MemoryHistory) =>
  heartbeatEvents.map(({ state, timestamp }) => `${state} ${(timestamp - START) / MINUTE}`);

const gapsOf = ({ skips }: MemoryHistory) => skips.map(({ reason, count }) => `${reason} ${count}`);

describe('a machine that slept', () => {
  test('over many periods records one gap and blames nobody', async () => {
    const { clock, history } = await pinged();
    await clock.advance(30 * MINUTE);
    clock.jump(48 * 60 * MINUTE);
    await clock.advance(69 * MINUTE);
    expect(eventsOf(history)).toEqual(['RECEIVED 0']);
    expect(gapsOf(history)).toEqual(['asleep 1']);
  });

  test('fails a heartbeat that is silent for a whole period after the wake', async () => {
    const { clock, history } = await pinged();
    clock.jump(48 * 60 * MINUTE);
    await clock.advance(71 * MINUTE);
    expect(history.heartbeatEvents.map(({ state }) => state)).toEqual(['RECEIVED', 'FAILING']);
  });

  test('has no burst of failures of 200 heartbeats', async () => {
    const checks = Array.from({ length: 200 }, hourly);
    const { root, clock, history } = await simulatedMonitor(checks);
    await Promise.all(checks.map(({ id }) => root.ping(id, PING)));
    for (let night = 0; night < 3; night++) {
      await clock.advance(30 * MINUTE);
      clock.jump(12 * 60 * MINUTE);
      await clock.advance(30 * MINUTE);
      await Promise.all(checks.map(({ id }) => root.ping(id, PING)));
    }
    expect(new Set(history.heartbeatEvents.map(({ state }) => state))).not.toContain('FAILING');
    expect(history.skips).toHaveLength(600);
    expect(new Set(history.skips.map(({ checkId }) => checkId)).size).toBe(200);
  });

  test('and is killed before it noticed has the gap out of the way all the same', async () => {
    const life = await pinged();
    life.clock.jump(48 * 60 * MINUTE);
    const { clock, history } = await killed(life);
    await clock.advance(69 * MINUTE);
    expect(eventsOf(history)).toEqual(['RECEIVED 0']);
  });
});

describe('a clock that is set back', () => {
  test('blames nobody for longer than a period and its grace, and goes on', async () => {
    const { clock, history } = await pinged();
    await clock.advance(30 * MINUTE);
    clock.jump(-10 * 60 * MINUTE);
    await clock.advance(69 * MINUTE);
    expect(eventsOf(history)).toEqual(['RECEIVED 0']);
    await clock.advance(2 * MINUTE);
    expect(history.heartbeatEvents.map(({ state }) => state)).toEqual(['RECEIVED', 'FAILING']);
    expect(gapsOf(history)).toEqual([]);
  });

  test('across a kill delays a failure by no more than a period and its grace', async () => {
    const life = await pinged();
    const { clock, history } = await killed(life, { downMinutes: -600 });
    await clock.advance(71 * MINUTE);
    expect(history.heartbeatEvents.map(({ state }) => state)).toEqual(['RECEIVED', 'FAILING']);
  });
});

describe('killed and started again', () => {
  test('before the first ping, nothing fails', async () => {
    const life = await simulatedMonitor([hourly()]);
    const { clock, history } = await killed(life, { downMinutes: 300 });
    await clock.advance(300 * MINUTE);
    expect(history.heartbeatEvents).toEqual([]);
  });

  test('while it waits, it fails at the deadline where it was', async () => {
    const life = await pinged();
    await life.advanceTo(30);
    const { advanceTo, history } = await killed(life);
    await advanceTo(71);
    expect(eventsOf(history)).toEqual(['RECEIVED 0', 'FAILING 70']);
  });

  test('while a ping might be on its way, the deadline is nobody’s fault', async () => {
    const life = await pinged();
    await life.advanceTo(70);
    await life.clock.advance(SECOND);
    const { clock, history } = await killed(life);
    await clock.advance(69 * MINUTE);
    expect(eventsOf(history)).toEqual(['RECEIVED 0']);
  });

  test('right after a failure, the same deadline does not fail again', async () => {
    const life = await pinged();
    await life.advanceTo(71);
    const { advanceTo, history } = await killed(life);
    await advanceTo(141);
    expect(eventsOf(history)).toEqual(['RECEIVED 0', 'FAILING 70', 'FAILING 140']);
  });

  test('deactivated, it judges nothing', async () => {
    const life = await pinged();
    await life.configuration.checks.put({ ...life.check, activated: false });
    const { clock, history } = await killed(life, { downMinutes: 300 });
    await clock.advance(300 * MINUTE);
    expect(eventsOf(history)).toEqual(['RECEIVED 0']);
  });
});
