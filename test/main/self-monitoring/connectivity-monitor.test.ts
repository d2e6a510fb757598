import { describe, expect, test } from 'vitest';
import type { RunRequest, RunResult } from '#shared/runs/protocol.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { connectivityMonitorWith } from '../../fixtures/connectivity-monitor.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { passingRun } from '../../fixtures/passing-run.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING } from '../../fixtures/simulated-monitor.ts';

/** A clock of a busy machine: a millisecond goes by between any two looks at it. */
class RestlessClock extends SimulatedClock {
  override now(): number {
    const shown = super.now();
    this.jump(1);
    return shown;
  }
}

const ofHost = () => makeCheck('URL', { request: { url: 'http://up.test/' } } as never);

const request = (check = ofHost()): RunRequest =>
  ({
    runId: 'run',
    check,
    location: 'local',
    timeoutMs: 5_000,
    deniedRanges: [],
  }) as RunRequest;

/** A lookout with one canary, which has answered. */
async function calmConnectivityMonitor(clock: SimulatedClock, onlineAgain = () => {}) {
  const { channels } = new MemoryConfiguration();
  const parts = connectivityMonitorWith({
    clock,
    channels,
    tell: async () => undefined,
    onlineAgain,
  });
  await clock.advance(2_000);
  const judge = (check = ofHost()): Promise<RunResult> =>
    parts.connectivityMonitor.judge(request(check), {
      ...passingRun({ runId: 'run' }),
      ...FAILING,
    });
  return { ...parts, judge };
}

/** Whether a run is judged before any time passes. */
async function isJudgedAtOnce(judged: Promise<RunResult>): Promise<boolean> {
  const later = Symbol('later');
  const turn = new Promise((resolve) => setImmediate(() => resolve(later)));
  return (await Promise.race([judged, turn])) !== later;
}

test('a lone run in doubt counts, however late the lookout hears of it', async () => {
  const clock = new RestlessClock();
  const { connectivityMonitor, probe, judge } = await calmConnectivityMonitor(clock);
  probe.isAlive = false;
  const judged = judge();
  await clock.advance(5_000);
  expect((await judged).failure?.cause).toBe('BLIND');
  connectivityMonitor.stop();
});

test('a run that comes while the canaries still answer counts by their next word', async () => {
  const clock = new SimulatedClock();
  const { connectivityMonitor, probe, judge } = await calmConnectivityMonitor(clock);
  probe.answerMs = 100;
  const first = judge();
  await clock.advance(50);
  const second = judge();
  probe.isAlive = false;
  await clock.advance(5_000);
  expect((await first).failure?.cause).not.toBe('BLIND');
  expect((await second).failure?.cause).toBe('BLIND');
  connectivityMonitor.stop();
});

test('what could not leave while the network was dead is tried once it is back', async () => {
  const clock = new SimulatedClock();
  const calls: string[] = [];
  const { connectivityMonitor, probe, judge } = await calmConnectivityMonitor(clock, () =>
    calls.push('online again'),
  );
  probe.isAlive = false;
  const judged = judge();
  expect(connectivityMonitor.isNetworkDown()).toBe(false);
  await clock.advance(5_000);
  expect((await judged).failure?.cause).toBe('BLIND');
  expect([connectivityMonitor.isNetworkDown(), calls]).toEqual([true, []]);
  probe.isAlive = true;
  await clock.advance(10_000);
  expect([connectivityMonitor.isNetworkDown(), calls]).toEqual([false, ['online again']]);
  connectivityMonitor.stop();
});

test('blindness for another reason keeps nothing from leaving', async () => {
  const clock = new SimulatedClock();
  const calls: string[] = [];
  const { connectivityMonitor, health } = await calmConnectivityMonitor(clock, () =>
    calls.push('online again'),
  );
  health.isStoreFailing = true;
  await clock.advance(5_000);
  expect([connectivityMonitor.isOffline(), connectivityMonitor.isNetworkDown()]).toEqual([
    true,
    false,
  ]);
  health.isStoreFailing = false;
  await clock.advance(5_000);
  expect([connectivityMonitor.isOffline(), calls]).toEqual([false, []]);
  connectivityMonitor.stop();
});

describe('a check that fails on', () => {
  test('waits for the canaries once: their last word serves its next runs', async () => {
    const clock = new SimulatedClock();
    const { connectivityMonitor, judge } = await calmConnectivityMonitor(clock);
    const check = ofHost();
    const first = judge(check);
    expect(await isJudgedAtOnce(first)).toBe(false);
    await clock.advance(2_000);
    for (let attempt = 0; attempt < 5; attempt++) {
      const judged = judge(check);
      expect(await isJudgedAtOnce(judged)).toBe(true);
      expect((await judged).hasFailures).toBe(true);
      await clock.advance(3_000);
    }
    connectivityMonitor.stop();
  });

  test('waits again where the last word is older than a few seconds', async () => {
    const clock = new SimulatedClock();
    const { connectivityMonitor, judge } = await calmConnectivityMonitor(clock);
    const check = ofHost();
    judge(check);
    await clock.advance(10_000);
    expect(await isJudgedAtOnce(judge(check))).toBe(false);
    connectivityMonitor.stop();
  });

  // The network died between that word and this run: whatever was fine by then must not be blamed.
  test('serves no other check: one that was fine waits for a word that is newer than its run', async () => {
    const clock = new SimulatedClock();
    const { connectivityMonitor, probe, judge } = await calmConnectivityMonitor(clock);
    judge();
    await clock.advance(1_500);
    probe.isAlive = false;
    const judged = judge();
    expect(await isJudgedAtOnce(judged)).toBe(false);
    await clock.advance(5_000);
    expect((await judged).failure?.cause).toBe('BLIND');
    connectivityMonitor.stop();
  });

  test('waits as well while the canaries are being asked: they may be silent by now', async () => {
    const clock = new SimulatedClock();
    const { connectivityMonitor, probe, judge } = await calmConnectivityMonitor(clock);
    const check = ofHost();
    judge(check);
    await clock.advance(1_500);
    probe.isAlive = false;
    // Served by the word of before, which is asked for anew behind its back.
    expect((await judge(check)).hasFailures).toBe(true);
    const next = judge(check);
    expect(await isJudgedAtOnce(next)).toBe(false);
    await clock.advance(5_000);
    expect((await next).failure?.cause).toBe('BLIND');
    expect(connectivityMonitor.isOffline()).toBe(true);
    connectivityMonitor.stop();
  });

  test('never waits where no canary ever answered: asking again could not excuse it', async () => {
    const clock = new SimulatedClock();
    const { channels } = new MemoryConfiguration();
    const parts = connectivityMonitorWith({ clock, channels, tell: async () => undefined });
    parts.probe.isAlive = false;
    await clock.advance(10_000);
    const failing = { ...passingRun({ runId: 'run' }), ...FAILING };
    const judged = parts.connectivityMonitor.judge(request(), failing);
    expect(await isJudgedAtOnce(judged)).toBe(true);
    expect((await judged).hasFailures).toBe(true);
    // It is asked all the same, behind its back: one that answers from now on is relied upon.
    expect(parts.probe.asked).toBe(2);
    parts.connectivityMonitor.stop();
  });
});
