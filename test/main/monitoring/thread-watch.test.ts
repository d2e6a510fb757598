import { expect, test } from 'vitest';
import { ThreadWatch } from '#main/monitoring/thread-watch.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const SECOND = 1_000;

function setUp() {
  const clock = new SimulatedClock();
  const ended: number[] = [];
  const watch = new ThreadWatch(clock, (threadId) => ended.push(threadId));
  const beat = (threadId: number, isBusy = true) => watch.heard({ threadId, isBusy });
  /** Lets seconds pass in which some threads show that they live. */
  const pass = async (seconds: number, ...living: number[]) => {
    for (let second = 0; second < seconds; second++) {
      for (const threadId of living) beat(threadId);
      await clock.advance(SECOND);
    }
  };
  return { clock, ended, watch, beat, pass };
}

test('a busy thread that is silent is ended, once, and no other', async () => {
  const { ended, beat, pass } = setUp();
  beat(1);
  beat(2);
  await pass(14, 2);
  expect(ended).toEqual([]);
  await pass(30, 2);
  expect(ended).toEqual([1]);
});

test('a thread that has nothing to do may be silent', async () => {
  const { ended, beat, pass } = setUp();
  beat(1);
  beat(1, false);
  await pass(60);
  expect(ended).toEqual([]);
});

test('a thread that was silent for a while and goes on is spared', async () => {
  const { ended, watch, beat, pass } = setUp();
  beat(1);
  await pass(10);
  expect(watch.isInDoubt(1)).toBe(true);
  await pass(20, 1);
  expect(watch.isInDoubt(1)).toBe(false);
  expect(ended).toEqual([]);
});

test('a machine that slept ends nobody: looks are counted, no times compared', async () => {
  const { clock, ended, beat, pass } = setUp();
  beat(1);
  clock.jump(8 * 3_600 * SECOND);
  await pass(10);
  expect(ended).toEqual([]);
});

test('a thread of a pool that is closed is ended by nobody else', async () => {
  const { ended, watch, beat, pass } = setUp();
  beat(1);
  watch.stop();
  await pass(60);
  expect(ended).toEqual([]);
});
