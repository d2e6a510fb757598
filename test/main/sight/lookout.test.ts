import { expect, test } from 'vitest';
import type { RunRequest, RunResult } from '#shared/run/protocol.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { lookoutWith } from '../../fixtures/lookout.ts';
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

const request = (): RunRequest =>
  ({
    runId: 'run',
    check: makeCheck('URL', { request: { url: 'http://up.test/' } } as never),
    location: 'local',
    timeoutMs: 5_000,
    deniedRanges: [],
  }) as RunRequest;

/** A lookout with one canary, which has answered. */
async function calmLookout(clock: SimulatedClock, onlineAgain = () => {}) {
  const { channels } = new MemoryConfiguration();
  const parts = lookoutWith({ clock, channels, tell: async () => undefined, onlineAgain });
  await clock.advance(2_000);
  const judge = (): Promise<RunResult> =>
    parts.lookout.judge(request(), { ...passingRun({ runId: 'run' }), ...FAILING });
  return { ...parts, judge };
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
