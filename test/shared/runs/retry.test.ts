import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUN_SILENCE_MS, RUN_TIMEOUTS_MS } from '#shared/runs/protocol.ts';
import {
  backoffMs,
  DOUBLE_CHECK,
  type EndedAttempt,
  longestRunMs,
  maxRetriesOf,
  type RetryStrategy,
  retryAt,
  retryStrategyOf,
} from '#shared/runs/retry.ts';

const SECOND = 1_000;
const base = { baseBackoffSeconds: 5, sameRegion: true } as const;

describe('the wait before retry 1, 2, 3', () => {
  test.each([
    ['FIXED', [5, 5, 5]],
    ['LINEAR', [5, 10, 15]],
    ['EXPONENTIAL', [5, 25, 125]],
    ['SINGLE_RETRY', [5, 5, 5]],
  ] as const)('%s: %j s', (type, seconds) => {
    const waits = [1, 2, 3].map((retry) => backoffMs({ ...base, type }, retry) / SECOND);
    expect(waits).toEqual(seconds);
  });

  test('the documented example: retries about 5 s, 30 s and 155 s after the first failure', () => {
    const strategy: RetryStrategy = { ...base, type: 'EXPONENTIAL', maxRetries: 3 };
    const dues: number[] = [];
    for (let attempts = 0, at = 0; attempts < 3; attempts++) {
      const due = retryAt(strategy, failed({ attempts, stoppedAt: at }));
      at = due ?? Number.NaN;
      dues.push(at / SECOND);
    }
    expect(dues).toEqual([5, 30, 155]);
  });
});

function failed(members: Partial<EndedAttempt> = {}): EndedAttempt {
  return {
    attempts: 0,
    hasFailures: true,
    cause: 'STATUS',
    firstStartedAt: 0,
    stoppedAt: 0,
    ...members,
  };
}

describe('whether an attempt is followed by another', () => {
  const network = { ...base, type: 'FIXED', onlyOn: ['NETWORK_ERROR'] } as const;
  test.each<[string, RetryStrategy | null, Partial<EndedAttempt>, boolean]>([
    ['no strategy', null, {}, false],
    ['a failure', { ...base, type: 'FIXED' }, {}, true],
    ['no failure', { ...base, type: 'FIXED' }, { hasFailures: false }, false],
    ['two retries by default', { ...base, type: 'FIXED' }, { attempts: 1 }, true],
    ['and no third', { ...base, type: 'FIXED' }, { attempts: 2 }, false],
    ['as many as it says', { ...base, type: 'FIXED', maxRetries: 10 }, { attempts: 9 }, true],
    ['and no more', { ...base, type: 'FIXED', maxRetries: 10 }, { attempts: 10 }, false],
    [
      'SINGLE_RETRY knows no number',
      { ...base, type: 'SINGLE_RETRY', maxRetries: 5 },
      { attempts: 1 },
      false,
    ],
    ['NETWORK_ERROR: no answer came', network, { cause: 'CONNECTION_REFUSED' }, true],
    ['NETWORK_ERROR: no name', network, { cause: 'DNS_FAILURE' }, true],
    ['NETWORK_ERROR: a status came', network, { cause: 'STATUS' }, false],
    ['NETWORK_ERROR: an assertion', network, { cause: 'ASSERTION' }, false],
    ['an empty onlyOn means any', { ...network, onlyOn: [] }, {}, true],
    [
      'the wait ends within the time allowed',
      { ...base, type: 'FIXED', maxDurationSeconds: 60 },
      { stoppedAt: 55 * SECOND },
      true,
    ],
    [
      'the wait would pass the time allowed',
      { ...base, type: 'FIXED', maxDurationSeconds: 60 },
      { stoppedAt: 55 * SECOND + 1 },
      false,
    ],
    [
      'EXPONENTIAL with 60 s never gets a second retry',
      { ...base, type: 'EXPONENTIAL', baseBackoffSeconds: 60 },
      { attempts: 1, stoppedAt: 61 * SECOND },
      false,
    ],
  ])('%s', (_, strategy, attempt, isRetried) => {
    expect(retryAt(strategy, failed(attempt)) !== null).toBe(isRetried);
  });
});

describe('which strategy holds', () => {
  const own: RetryStrategy = { ...base, type: 'LINEAR' };
  const account: RetryStrategy = { ...base, type: 'EXPONENTIAL' };
  test.each([
    ['its own', { doubleCheck: true, retryStrategy: own }, account, own],
    ['its own "none"', { doubleCheck: true, retryStrategy: null }, account, null],
    ["the account's", { doubleCheck: true }, account, account],
    ['the account\'s "none"', { doubleCheck: true }, null, null],
    ['doubleCheck', { doubleCheck: true }, undefined, DOUBLE_CHECK],
    ['nothing', { doubleCheck: false }, undefined, null],
  ])('%s', (_, check, accountDefault, expected) => {
    expect(retryStrategyOf({ checkType: 'API', ...check }, accountDefault)).toEqual(expected);
  });
});

const strategies = fc.record({
  type: fc.constantFrom('FIXED', 'LINEAR', 'EXPONENTIAL', 'SINGLE_RETRY'),
  baseBackoffSeconds: fc.double({ min: 0, max: 600, noNaN: true }),
  sameRegion: fc.boolean(),
  maxRetries: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
  maxDurationSeconds: fc.option(fc.integer({ min: 0, max: 600 }), { nil: undefined }),
}) satisfies fc.Arbitrary<RetryStrategy>;

test('however long attempts wait and take, their number, the waits and the whole stay in their bounds', () => {
  const attempt = fc.record({
    waited: fc.integer({ min: 0, max: RUN_SILENCE_MS }),
    took: fc.integer({ min: 0, max: RUN_TIMEOUTS_MS.API }),
  });
  const all = fc.array(attempt, { minLength: 11, maxLength: 11 });
  fc.assert(
    fc.property(strategies, all, (strategy, made) => {
      const firstStartedAt = made[0]?.waited ?? 0;
      let at = 0;
      let attempts = 0;
      for (; ; attempts++) {
        const { waited, took } = made[attempts] ?? { waited: 0, took: 0 };
        const stoppedAt = at + waited + took;
        const due = retryAt(strategy, failed({ attempts, firstStartedAt, stoppedAt }));
        at = stoppedAt;
        if (due === null) break;
        expect(due - stoppedAt).toBeCloseTo(backoffMs(strategy, attempts + 1), 3);
        at = due;
      }
      expect(attempts).toBeLessThanOrEqual(maxRetriesOf(strategy));
      expect(at).toBeLessThanOrEqual(longestRunMs('API', strategy) + 0.001);
    }),
  );
});
