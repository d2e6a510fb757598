import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Pulse } from '#shared/runs/protocol.ts';
import { PulseSender } from '#workers/pulse-sender.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const sent: boolean[] = [];
  const pulses = new PulseSender(({ isBusy }: Pulse) => sent.push(isBusy));
  return { pulses, sent };
}

test('a thread shows each second that it lives, while it has something to do', async () => {
  const { pulses, sent } = setUp();
  const work = Promise.withResolvers<void>();
  const done = pulses.during(() => work.promise);
  expect(sent).toEqual([true]);
  vi.advanceTimersByTime(3_000);
  expect(sent).toEqual([true, true, true, true]);
  work.resolve();
  await done;
  vi.advanceTimersByTime(10_000);
  expect(sent).toEqual([true, true, true, true, false]);
  expect(vi.getTimerCount()).toBe(0);
});

test('works that come one after the other cost no pulse each', async () => {
  const { pulses, sent } = setUp();
  for (let work = 0; work < 100; work++) await pulses.during(async () => undefined);
  expect(sent).toEqual([true]);
});

test('a work that fails is over as well', async () => {
  const { pulses, sent } = setUp();
  await expect(pulses.during(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([true, false]);
});
