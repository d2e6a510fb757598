import { describe, expect, test } from 'vitest';
import type { RunRequest, RunResult } from '#shared/runs/protocol.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { lookoutWith } from '../../fixtures/connectivity-monitor.ts';
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
async function calmLookout(clock: SimulatedClock, onlineAgain = () => {}) {
  const { channels } = new MemoryConfiguration();
  const parts = lookoutWith({ clock, channels, tell: async () => undefined, onlineAgain });
  await clock.advance(2_000);
  const judge = (check = ofHost()): Promise<RunResult> =>
    parts.lookout.judge(request(check), { ...passingRun({ runId: 'run' }), ...FAILING });
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
  const { lookout, canary, judge } = await calmLookout(clock);
  canary.isAlive = false;
  const judged = judge();
  await clock.advance(5_000);
  expect((await judged).failure?.cause).toBe('BLIND');
  lookout.stop();
});

test('a run that comes while the canaries still answer counts by their next word', async () => {
  const clock = new SimulatedClock();
  const { lookout, canary, judge } = await calmLookout(clock);
  canary.answerMs = 100;
  const first = judge();
  await clock.advance(50);
  const second = judge();
  canary.isAlive = false;
  await clock.advance(5_000);
  expect((await first).failure?.cause).not.toBe('BLIND');
  expect((await second).failure?.cause).toBe('BLIND');
  lookout.stop();
});

test('what could not leave while the network was dead is tried once it is back', async () => {
  const clock = new SimulatedClock();
  const calls: string[] = [];
  const { lookout, canary, judge } = await calmLookout(clock, () => calls.push('online again'));
  canary.isAlive = false;
  const judged = judge();
  expect(lookout.isOffline()).toBe(false);
  await clock.advance(5_000);
  expect((await judged).failure?.cause).toBe('BLIND');
  expect([lookout.isOffline(), calls]).toEqual([true, []]);
  canary.isAlive = true;
  await clock.advance(10_000);
  expect([lookout.isOffline(), calls]).toEqual([false, ['online again']]);
  lookout.stop();
});

test('blindness for another reason keeps nothing from leaving', async () => {
  const clock = new SimulatedClock();
  const calls: string[] = [];
  const { lookout, health } = await calmLookout(clock, () => calls.push('online again'));
  health.isStoreFailing = true;
  await clock.advance(5_000);
  expect([lookout.isBlind(), lookout.isOffline()]).toEqual([true, false]);
  health.isStoreFailing = false;
  await clock.advance(5_000);
  expect([lookout.isBlind(), calls]).toEqual([false, []]);
  lookout.stop();
});

describe('a check that fails on', () => {
  test('waits for the canaries once: their last word serves its next runs', async () => {
    const clock = new SimulatedClock();
    const { lookout, judge } = await calmLookout(clock);
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
    lookout.stop();
  });

  test('waits again where the last word is older than a few seconds', async () => {
    const clock = new SimulatedClock();
    const { lookout, judge } = await calmLookout(clock);
    const check = ofHost();
    judge(check);
    await clock.advance(10_000);
    expect(await isJudgedAtOnce(judge(check))).toBe(false);
    lookout.stop();
  });

  // The network died between that word and this run: whatever was fine by then must not be blamed.
  test('serves no other check: one that was fine waits for a word that is newer than its run', async () => {
    const clock = new SimulatedClock();
    const { lookout, canary, judge } = await calmLookout(clock);
    judge();
    await clock.advance(1_500);
    canary.isAlive = false;
    const judged = judge();
    expect(await isJudgedAtOnce(judged)).toBe(false);
    await clock.advance(5_000);
    expect((await judged).failure?.cause).toBe('BLIND');
    lookout.stop();
  });

  test('waits as well while the canaries are being asked: they may be silent by now', async () => {
    const clock = new SimulatedClock();
    const { lookout, canary, judge } = await calmLookout(clock);
    const check = ofHost();
    judge(check);
    await clock.advance(1_500);
    canary.isAlive = false;
    // Served by the word of before, which is asked for anew behind its back.
    expect((await judge(check)).hasFailures).toBe(true);
    const next = judge(check);
    expect(await isJudgedAtOnce(next)).toBe(false);
    await clock.advance(5_000);
    expect((await next).failure?.cause).toBe('BLIND');
    expect(lookout.isBlind()).toBe(true);
    lookout.stop();
  });

  test('never waits where no canary ever answered: asking again could not excuse it', async () => {
    const clock = new SimulatedClock();
    const { channels } = new MemoryConfiguration();
    const parts = lookoutWith({ clock, channels, tell: async () => undefined });
    parts.canary.isAlive = false;
    await clock.advance(10_000);
    const failing = { ...passingRun({ runId: 'run' }), ...FAILING };
    const judged = parts.lookout.judge(request(), failing);
    expect(await isJudgedAtOnce(judged)).toBe(true);
    expect((await judged).hasFailures).toBe(true);
    // It is asked all the same, behind its back: one that answers from now on is relied upon.
    expect(parts.canary.asked).toBe(2);
    parts.lookout.stop();
  });
});
