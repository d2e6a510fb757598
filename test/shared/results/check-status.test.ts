import { expect, test } from 'vitest';
import type { StoredResult } from '#shared/results/check-result.ts';
import { heartbeatStatusAfter, statusAfter, statusWord } from '#shared/results/check-status.ts';

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
  const times = { lastRun: 60, longestRun: 90, shortestRun: 40 };
  expect(after).toMatchObject(times);
  const notMade = { ...run(0), hasErrors: true };
  expect(statusAfter(after, notMade)).toMatchObject({ ...times, hasErrors: true });
  const none = { lastRun: null, longestRun: null, shortestRun: null };
  expect(statusAfter(null, notMade)).toMatchObject(none);
});

test('a status holds the certificate that the last conclusive run met', () => {
  const [passing, failing] = [false, true].map(
    (hasFailures) => ({ responseTime: 1, createdAt: 0, hasFailures }) as StoredResult,
  );
  const certificate = { domain: 'shop.example', notAfter: 86_400_000 };
  const met = statusAfter(null, passing as StoredResult, certificate);
  expect(met).toMatchObject({ certificate, sslDaysRemaining: 1 });
  expect(statusAfter(met, failing as StoredResult)).toMatchObject({ certificate });
  expect(statusAfter(met, passing as StoredResult)).toMatchObject({ certificate: null });
});

test('a heartbeat that missed its deadline keeps the time of its last ping', () => {
  const event = { id: '', checkId: '', source: null, userAgent: null } as const;
  const missed = heartbeatStatusAfter(null, { ...event, state: 'FAILING', timestamp: 1 });
  expect(missed).toMatchObject({ lastPingAt: null });
  const pinged = heartbeatStatusAfter(missed, { ...event, state: 'LATE', timestamp: 2 });
  const again = heartbeatStatusAfter(pinged, { ...event, state: 'FAILING', timestamp: 3 });
  expect(again).toMatchObject({ lastPingAt: 2 });
});
