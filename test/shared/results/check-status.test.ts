import { expect, test } from 'vitest';
import type { StoredResult } from '#shared/results/check-result.ts';
import { statusAfter, statusWord } from '#shared/results/check-status.ts';

test.each([
  [{}, 'passing'],
  [{ isDegraded: true }, 'degraded'],
  [{ hasFailures: true }, 'failing'],
  [{ hasErrors: true }, 'inconclusive'],
  [{ hasFailures: true, hasErrors: true }, 'failing'],
])('a check whose last result was %o is %s', (flags, word) => {
  const none = { hasFailures: false, hasErrors: false, isDegraded: false };
  expect(statusWord({ ...none, ...flags })).toBe(word);
});

test('a status holds the last, the longest and the shortest run', () => {
  const run = (responseTime: number) =>
    ({ responseTime, createdAt: 0, runLocation: 'eu-central-1' }) as StoredResult;
  const after = [90, 40.4, 60]
    .map(run)
    .reduce(
      (status, result) => statusAfter(status, result),
      null as ReturnType<typeof statusAfter> | null,
    );
  expect(after).toMatchObject({ lastRun: 60, longestRun: 90, shortestRun: 40 });
});
