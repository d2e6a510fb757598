import { expect, test } from 'vitest';
import { hostMemory } from '#workers/sandbox/host-memory.ts';

const GB = 1_024;

test.each([
  [4 * GB, 1],
  [8 * GB, 2],
  [24 * GB, 2],
  [64 * GB, 8],
  [512 * GB, 16],
])('on %i MB with %i threads, all hosts together take a quarter at most', (machineMb, threads) => {
  const { main, slow, careful } = hostMemory(machineMb, threads);
  const togetherMb = (main.maxMb + slow.maxMb + careful.maxMb) * threads;
  expect(togetherMb).toBeLessThanOrEqual(machineMb / 4);
  expect(careful.atOnce).toBe(1);
});

test('a host has room for a script on the smallest machine, and no more than it needs on the largest', () => {
  expect(hostMemory(512, 4)).toEqual({
    main: { maxMb: 192, atOnce: 3 },
    slow: { maxMb: 192, atOnce: 3 },
    careful: { maxMb: 192, atOnce: 1 },
  });
  expect(hostMemory(1_024 * GB, 1).main).toEqual({ maxMb: 1_536, atOnce: 8 });
});
