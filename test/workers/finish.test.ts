import { expect, test } from 'vitest';
import { finish } from '#workers/finish.ts';
import { makeCheck } from '../fixtures/checks.ts';

const timedOut = { cause: 'TIMEOUT_RESPONSE', message: 'Timed out' } as const;

function finishAfter(responseTime: number, failure: typeof timedOut | null) {
  const check = makeCheck('URL', { maxResponseTime: 5_000 });
  const request = { runId: 'a', check, location: 'local', timeoutMs: 30_000, deniedRanges: [] };
  return finish<'URL'>({
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
