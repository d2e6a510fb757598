import { expect, test } from 'vitest';
import { RateLimiter } from '#main/platform/rate-limiter.ts';

test('ids count apart, and what is refused does not count', () => {
  const limiter = new RateLimiter(10);
  const takes = Array.from({ length: 15 }, (_, n) => limiter.take('a', n));
  expect(takes).toEqual([...Array(10).fill(0), ...[10, 11, 12, 13, 14].map((now) => 60_000 - now)]);
  expect(limiter.take('b', 15)).toBe(0);
  expect(limiter.take('a', 60_000)).toBe(0);
  expect(limiter.take('a', 60_000)).toBe(1);
});

test('a clock that is set back locks nobody out', () => {
  const limiter = new RateLimiter(10);
  for (let turn = 0; turn < 10; turn++) limiter.take('a', 1_000_000);
  expect(limiter.take('a', 0)).toBe(0);
});
