import { describe, expect, test } from 'vitest';
import type { AssertionOutcome } from '#shared/assertions/evaluate.ts';
import type { Cause } from '#shared/runs/protocol.ts';
import { buildResult } from '#workers/net/build-result.ts';
import { makeCheck } from '../../fixtures/checks.ts';

const timedOut = { cause: 'TIMEOUT_RESPONSE', message: 'Timed out' } as const;

function finishAfter(responseTime: number, failure: typeof timedOut | null) {
  const check = makeCheck('URL', { maxResponseTime: 5_000 });
  const request = { runId: 'a', check, location: 'local', timeoutMs: 30_000, deniedRanges: [] };
  return buildResult<'URL'>({
    ...{ request, responseTime, failure, startedAt: 0, outcomes: [], metrics: {}, detail: {} },
  });
}

test.each([
  ['a slow answer', 30_900, null, 'MAX_RESPONSE_TIME'],
  ['no answer', 30_900, timedOut, 'TIMEOUT_RESPONSE'],
])('%s within the time of a run is a failure of the target', (_what, time, failure, cause) => {
  const result = finishAfter(time, failure);
  expect(result).toMatchObject({ hasFailures: true, hasErrors: false, failure: { cause } });
});

test.each([
  ['a slow answer', null],
  ['no answer', timedOut],
])('%s after the time of a run blames this machine, which was held up', (_what, failure) => {
  const result = finishAfter(37_375, failure);
  expect(result).toMatchObject({
    ...{ hasFailures: false, hasErrors: true, overMaxResponseTime: false },
    failure: { cause: 'INTERNAL', message: expect.stringContaining('the run took 37 s') },
  });
});

describe('a run in which this thread stood still', () => {
  const limits = { degradedResponseTime: 1_000, maxResponseTime: 2_000 };
  const timed = (target: string): AssertionOutcome => ({
    ...{ source: 'RESPONSE_TIME', comparison: 'LESS_THAN', property: '', regex: '', target },
    ...{ order: 0, error: 'Expected less', actual: 0 },
  });

  interface Slow {
    responseTime: number;
    stalledMs: number;
    /** From the start to the end; else as long as the response. */
    tookMs?: number;
    cause?: Cause;
    statusCode?: number;
    outcomes?: AssertionOutcome[];
  }

  function found({ responseTime, stalledMs, tookMs = responseTime, cause, ...rest }: Slow) {
    const check = makeCheck('URL', limits);
    const request = { runId: 'a', check, location: 'local', timeoutMs: 30_000, deniedRanges: [] };
    const { hasFailures, hasErrors, isDegraded } = buildResult<'URL'>({
      ...{ request, responseTime, stalledMs, startedAt: Date.now() - tookMs, metrics: {} },
      failure: cause ? { cause, message: '' } : null,
      ...{ outcomes: [], detail: {}, ...rest },
    });
    if (hasErrors) return 'inconclusive';
    if (hasFailures) return 'failing';
    return isDegraded ? 'degraded' : 'passing';
  }

  test.each<[string, Slow, string]>([
    ['answers in time all the same', { responseTime: 900, stalledMs: 500 }, 'passing'],
    ['is slow for that', { responseTime: 1_400, stalledMs: 500 }, 'inconclusive'],
    ['is too slow for that', { responseTime: 2_406, stalledMs: 2_000 }, 'inconclusive'],
    ['is slow either way', { responseTime: 1_800, stalledMs: 500 }, 'degraded'],
    ['is too slow either way', { responseTime: 3_000, stalledMs: 500 }, 'failing'],
    [
      'would be slow, but not too slow without it',
      { responseTime: 2_100, stalledMs: 500 },
      'inconclusive',
    ],
    [
      'answers with a bad status',
      { responseTime: 500, stalledMs: 400, statusCode: 500 },
      'failing',
    ],
    ['is refused', { responseTime: 500, stalledMs: 400, cause: 'CONNECTION_REFUSED' }, 'failing'],
    [
      'breaks an assertion on time for that',
      { responseTime: 900, stalledMs: 500, outcomes: [timed('500')] },
      'inconclusive',
    ],
    [
      'breaks an assertion on time either way',
      { responseTime: 900, stalledMs: 200, outcomes: [timed('500')] },
      'failing',
    ],
    [
      'times out though nearly all of its time was undisturbed',
      { responseTime: 30_000, stalledMs: 500, cause: 'TIMEOUT_RESPONSE' },
      'failing',
    ],
    [
      'times out after half a minute that was nearly all ours',
      { responseTime: 30_000, stalledMs: 29_500, cause: 'TIMEOUT_CONNECT' },
      'inconclusive',
    ],
    [
      'is cut off by a target that we let wait',
      { responseTime: 5_000, stalledMs: 4_000, cause: 'CONNECTION_RESET' },
      'inconclusive',
    ],
    [
      'is cut off at once',
      { responseTime: 200, stalledMs: 150, cause: 'CONNECTION_RESET' },
      'failing',
    ],
  ])('that %s', (_what, run, verdict) => {
    expect(found(run)).toBe(verdict);
  });
});
