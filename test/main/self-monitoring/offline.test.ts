import { describe, expect, test } from 'vitest';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import type { ApplianceContent } from '#shared/notifications/notice.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import type { RunResult } from '#shared/runs/protocol.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { connectivityMonitorWith } from '../../fixtures/connectivity-monitor.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

type Monitor = Awaited<ReturnType<typeof simulatedMonitor>>;

/** A monitor of some checks that run every minute, with one canary, watched by a channel. */
async function watchedMonitor(checkCount: number, { isAlive = true } = {}) {
  const clock = new SimulatedClock();
  const configuration = new MemoryConfiguration();
  await configuration.channels.put(channelOf('1', true));
  await configuration.channels.put(channelOf('2', false));
  const { connectivityMonitor, probe, health } = connectivityMonitorWith({
    clock,
    channels: configuration.channels,
    tell: async (notifications) => monitor.outbox.enqueue(notifications),
  });
  probe.isAlive = isAlive;
  const checks = Array.from({ length: checkCount }, () =>
    makeCheck('URL', {
      frequency: 1,
      retryStrategy: null,
      request: { url: 'http://up.test/' },
    } as never),
  );
  const monitor: Monitor = await simulatedMonitor(checks, {
    clock,
    configuration,
    connectivity: connectivityMonitor,
  });
  const resultsSince = (at: number) =>
    monitor.history.results.map(({ result }) => result).filter(({ createdAt }) => createdAt >= at);
  const alertCount = async () =>
    (await monitor.history.listAlerts({ from: 0, to: Infinity, limit: 1, offset: 0 })).total;
  return { ...monitor, connectivityMonitor, probe, health, alertCount, resultsSince };
}

function channelOf(id: string, sendFailure: boolean): AlertChannel {
  return {
    id,
    type: 'EMAIL',
    config: { address: 'ops@example.com' },
    sendFailure,
    sendRecovery: true,
    sendDegraded: false,
    sslExpiry: false,
    sslExpiryThreshold: 30,
    autoSubscribe: false,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: null,
  } as AlertChannel;
}

const ownOf = (notifications: readonly StoredNotification[]) =>
  notifications.map(({ channelId, notice }) => {
    const { condition, isOver, lastedMs } = notice as ApplianceContent;
    return { channelId, condition, isOver, lastedMs };
  });

describe('500 checks, and the network of the monitor is cut for 10 minutes', () => {
  test('no target is blamed; one notice tells that it is blind, and one that it is over', async () => {
    const { clock, runner, probe, connectivityMonitor, outbox, resultsSince, alertCount } =
      await watchedMonitor(500);
    await clock.advance(3 * MINUTE);
    const cutAt = clock.now();
    probe.isAlive = false;
    runner.outcome = FAILING;
    await clock.advance(10 * MINUTE);
    expect(connectivityMonitor.view()).toMatchObject({ state: 'blind', reasons: ['NETWORK'] });
    runner.outcome = {};
    probe.isAlive = true;
    await clock.advance(3 * MINUTE);
    const results = resultsSince(cutAt);
    const blamed = results.filter(({ hasFailures }) => hasFailures);
    const inconclusive = results.filter(({ hasErrors }) => hasErrors);
    expect(blamed).toEqual([]);
    expect(inconclusive.length).toBeGreaterThan(4_900);
    expect(new Set(inconclusive.map(({ failure }) => failure?.cause))).toEqual(new Set(['BLIND']));
    expect(await alertCount()).toBe(0);
    expect(connectivityMonitor.view()).toMatchObject({ state: 'seeing', reasons: [], since: null });
    expect(ownOf(outbox.taken)).toEqual([
      { channelId: '1', condition: 'BLIND', isOver: false, lastedMs: null },
      { channelId: '1', condition: 'BLIND', isOver: true, lastedMs: expect.any(Number) },
    ]);
  });

  test.each([1, 3, 10])('nor with %i checks', async (count) => {
    const { clock, runner, probe, connectivityMonitor, outbox, resultsSince } =
      await watchedMonitor(count);
    await clock.advance(3 * MINUTE);
    const cutAt = clock.now();
    probe.isAlive = false;
    runner.outcome = FAILING;
    await clock.advance(10 * MINUTE);
    const results = resultsSince(cutAt);
    expect(results.filter(({ hasFailures }) => hasFailures)).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(9 * count);
    // One blindness from the first of them on, and not many short ones.
    expect(connectivityMonitor.view().since).toBe(results[0]?.createdAt);
    expect(ownOf(outbox.taken)).toMatchObject([{ condition: 'BLIND', isOver: false }]);
  });
});

test('dead targets are blamed within 3 seconds where a canary answers, all 500 of them', async () => {
  const { clock, runner, probe, alertCount, resultsSince } = await watchedMonitor(500);
  await clock.advance(3 * MINUTE);
  const cutAt = clock.now();
  const asked = probe.asked;
  runner.outcome = FAILING;
  await clock.advance(2 * MINUTE);
  const results = resultsSince(cutAt);
  expect(results.length).toBeGreaterThan(950);
  expect(results.every(({ hasFailures, hasErrors }) => hasFailures && !hasErrors)).toBe(true);
  const delays = results.map(({ createdAt, stoppedAt }) => createdAt - stoppedAt);
  expect(Math.max(...delays)).toBeLessThan(3 * SECOND);
  expect(probe.asked - asked).toBeLessThanOrEqual(121);
  expect(await alertCount()).toBe(500);
});

test('dead canaries alone change nothing: results that pass are kept at once', async () => {
  const { clock, probe, outbox, resultsSince } = await watchedMonitor(20);
  await clock.advance(3 * MINUTE);
  const cutAt = clock.now();
  probe.isAlive = false;
  await clock.advance(20 * MINUTE);
  const results = resultsSince(cutAt);
  expect(results.length).toBeGreaterThan(390);
  expect(results.every(({ hasFailures, hasErrors }) => !hasFailures && !hasErrors)).toBe(true);
  expect(results.every(({ createdAt, stoppedAt }) => createdAt === stoppedAt)).toBe(true);
  expect(outbox.taken).toEqual([]);
});

test('a canary that never answered excuses nothing', async () => {
  const { clock, runner, connectivityMonitor, resultsSince } = await watchedMonitor(10, {
    isAlive: false,
  });
  await clock.advance(2 * SECOND);
  runner.outcome = FAILING;
  const failsAt = clock.now();
  await clock.advance(5 * MINUTE);
  expect(connectivityMonitor.view().probes).toEqual([
    { kind: 'gateway', name: '192.0.2.1', lastAnswerAt: null },
  ]);
  const results = resultsSince(failsAt);
  expect(results.length).toBeGreaterThan(45);
  expect(
    results.filter(({ startedAt }) => startedAt > failsAt).every(({ hasFailures }) => hasFailures),
  ).toBe(true);
});

test('one dead target among living ones is blamed, though the canaries died meanwhile', async () => {
  const { clock, runner, probe, configuration, resultsSince } = await watchedMonitor(10);
  await clock.advance(3 * MINUTE);
  probe.isAlive = false;
  const [dead] = configuration.checks.all();
  runner.outcomeOf = ({ check }) => (check.id === dead?.id ? FAILING : {});
  const failsAt = clock.now();
  await clock.advance(20 * MINUTE);
  const others = resultsSince(failsAt).filter(({ checkId }) => checkId !== dead?.id);
  expect(others.every(({ hasErrors, hasFailures }) => !hasErrors && !hasFailures)).toBe(true);
  const own = resultsSince(failsAt).filter(({ checkId }) => checkId === dead?.id);
  expect(own.at(-1)).toMatchObject({ hasFailures: true });
});

const answeredWrong: Partial<RunResult> = {
  hasFailures: true,
  failure: { cause: 'STATUS', message: 'Expected a status below 400, but got 500' },
};

test('an answer that is wrong is blamed also by a blind monitor', async () => {
  const { clock, runner, probe, resultsSince } = await watchedMonitor(10);
  await clock.advance(3 * MINUTE);
  probe.isAlive = false;
  runner.outcome = FAILING;
  await clock.advance(MINUTE);
  const wrongAt = clock.now();
  runner.outcomes.push(answeredWrong);
  await clock.advance(MINUTE);
  const failing = resultsSince(wrongAt).filter(({ hasFailures }) => hasFailures);
  expect(failing.map(({ failure }) => failure?.cause)).toEqual(['STATUS']);
});

test('a run that began while the monitor was blind, and ends when it is not, says nothing', async () => {
  const { clock, runner, probe, connectivityMonitor, resultsSince } = await watchedMonitor(100);
  await clock.advance(3 * MINUTE);
  probe.isAlive = false;
  runner.outcome = FAILING;
  await clock.advance(MINUTE);
  runner.durationMs = 20 * SECOND;
  await clock.advance(10 * SECOND);
  probe.isAlive = true;
  while (connectivityMonitor.isOffline()) await clock.advance(100);
  const seenAt = clock.now();
  await clock.advance(15 * SECOND);
  const ended = resultsSince(seenAt).filter(({ startedAt }) => startedAt < seenAt);
  expect(ended.length).toBeGreaterThan(0);
  expect(ended.every(({ hasErrors }) => hasErrors)).toBe(true);
});

test('after a sleep, runs say nothing of their targets for a while', async () => {
  const { clock, runner, connectivityMonitor, resultsSince } = await watchedMonitor(10);
  await clock.advance(3 * MINUTE);
  clock.jump(60 * MINUTE);
  const wokeAt = clock.now();
  runner.outcome = FAILING;
  await clock.advance(10 * SECOND);
  expect(connectivityMonitor.view().reasons).toEqual(['ASLEEP']);
  expect(resultsSince(wokeAt).every(({ hasErrors }) => hasErrors)).toBe(true);
  await clock.advance(2 * MINUTE);
  expect(connectivityMonitor.isOffline()).toBe(false);
  expect(resultsSince(wokeAt).at(-1)).toMatchObject({ hasFailures: true });
});

test('while the store fails, runs say nothing of their targets', async () => {
  const { clock, runner, health, connectivityMonitor, resultsSince } = await watchedMonitor(10);
  await clock.advance(3 * MINUTE);
  health.isStoreFailing = true;
  await clock.advance(2 * SECOND);
  const failsAt = clock.now();
  runner.outcome = FAILING;
  await clock.advance(MINUTE);
  expect(connectivityMonitor.view().reasons).toEqual(['STORE']);
  expect(resultsSince(failsAt).every(({ hasErrors }) => hasErrors)).toBe(true);
  health.isStoreFailing = false;
  await clock.advance(2 * MINUTE);
  expect(resultsSince(failsAt).at(-1)).toMatchObject({ hasFailures: true });
});

test('a stop lets no run wait for ever, and blames nobody', async () => {
  const { clock, runner, probe, connectivityMonitor, root, resultsSince } = await watchedMonitor(1);
  await clock.advance(3 * MINUTE);
  probe.isAlive = false;
  runner.outcome = FAILING;
  const before = resultsSince(0).length;
  while (connectivityMonitor.view().state === 'seeing') await clock.advance(100);
  connectivityMonitor.stop();
  await clock.advance(1);
  expect(resultsSince(0).slice(before)).toMatchObject([{ hasErrors: true }]);
  await root.stop();
});

const heartbeatOfMinutes = (period: number) =>
  makeCheck('HEARTBEAT', {
    heartbeat: { period, periodUnit: 'minutes', grace: 0, graceUnit: 'minutes' },
  } as never);

test('a heartbeat whose deadline falls into blindness is not missed; one after it is', async () => {
  const { clock, runner, probe, configuration, root, history } = await watchedMonitor(10);
  const heartbeat = heartbeatOfMinutes(5);
  await configuration.checks.put(heartbeat);
  await root.ping(heartbeat.id, { source: null, userAgent: null });
  await clock.advance(3 * MINUTE);
  probe.isAlive = false;
  runner.outcome = FAILING;
  await clock.advance(4 * MINUTE);
  probe.isAlive = true;
  runner.outcome = {};
  await clock.advance(MINUTE);
  expect(history.skips.map(({ reason }) => reason)).toEqual(['blind']);
  expect(history.heartbeatEvents.map(({ state }) => state)).toEqual(['RECEIVED']);
  await clock.advance(6 * MINUTE);
  expect(history.heartbeatEvents.map(({ state }) => state)).toEqual(['RECEIVED', 'FAILING']);
});

test.each([1, 2, 8])(
  'where there are only heartbeats, %i of them, a cut network is noticed before one is missed',
  async (count) => {
    const { clock, probe, connectivityMonitor, configuration, root, history } =
      await watchedMonitor(0);
    const heartbeats = Array.from({ length: count }, () => heartbeatOfMinutes(5));
    for (const heartbeat of heartbeats) {
      await configuration.checks.put(heartbeat);
      await root.ping(heartbeat.id, { source: null, userAgent: null });
    }
    const statesSeen = () => new Set(history.heartbeatEvents.map(({ state }) => state));
    await clock.advance(3 * MINUTE);
    probe.isAlive = false;
    await clock.advance(3 * MINUTE);
    expect(connectivityMonitor.view()).toMatchObject({ state: 'blind', reasons: ['NETWORK'] });
    probe.isAlive = true;
    await clock.advance(MINUTE);
    expect(connectivityMonitor.isOffline()).toBe(false);
    expect(history.skips.map(({ reason }) => reason)).toEqual(heartbeats.map(() => 'blind'));
    expect(statesSeen()).toEqual(new Set(['RECEIVED']));
    // The network works, and still nobody pings.
    await clock.advance(6 * MINUTE);
    expect(statesSeen()).toEqual(new Set(['RECEIVED', 'FAILING']));
  },
);
