import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StallWatch } from '#workers/net/stalls.ts';

/** A thread whose timers come when the test says so, and whose clock goes on meanwhile. */
function setUp() {
  let now = 1_000;
  const stalls = new StallWatch(() => now);
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 20) {
      now += 20;
      vi.advanceTimersByTime(20);
    }
  };
  const standStill = (ms: number) => {
    now += ms;
  };
  return { stalls, pass, standStill };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test('a thread that goes on stands still for no time', async () => {
  const { stalls, pass } = setUp();
  expect(await stalls.during(async () => pass(5_000))).toMatchObject({ stalledMs: 0 });
});

test('what a thread stood still is told, also where nothing ticked since', async () => {
  const { stalls, pass, standStill } = setUp();
  const work = async () => {
    pass(400);
    standStill(2_000);
    pass(400);
    standStill(300);
    return 'done';
  };
  expect(await stalls.during(work)).toEqual({ result: 'done', stalledMs: 2_320 });
});

test('a standstill between two works is none of the second', async () => {
  const { stalls, pass, standStill } = setUp();
  await stalls.during(async () => pass(100));
  standStill(5_000);
  expect((await stalls.during(async () => pass(100))).stalledMs).toBe(0);
});

test('each of several works has the standstills of its own time', async () => {
  const { stalls, pass, standStill } = setUp();
  const long = Promise.withResolvers<void>();
  const whole = stalls.during(() => long.promise);
  standStill(1_000);
  const part = await stalls.during(async () => {
    pass(100);
    standStill(500);
  });
  long.resolve();
  expect([part.stalledMs, (await whole).stalledMs]).toEqual([500, 1_500]);
});

test('a thread that measures nothing ticks no more, also after a work that fails', async () => {
  const { stalls } = setUp();
  await expect(stalls.during(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});
