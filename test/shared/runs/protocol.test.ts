import { expect, test } from 'vitest';
import { type RunRequest, requestForThread } from '#shared/runs/protocol.ts';
import { makeCheck } from '../../fixtures/checks.ts';

const REQUEST = { runId: 'a', location: 'here', timeoutMs: 30_000, deniedRanges: [] };

test('a thread gets of the check of a network run what the run needs, and nothing about alerts or groups', () => {
  const check = makeCheck('API', { shouldFail: true, maxResponseTime: 7 });
  const request: RunRequest = { ...REQUEST, check, secrets: ['hidden'] };
  const { check: given, ...rest } = requestForThread(request);
  expect(rest).toEqual({ ...REQUEST, secrets: ['hidden'] });
  expect(given).toMatchObject({ checkType: 'API', request: check.request, shouldFail: true });
  expect(given).toMatchObject({ maxResponseTime: 7 });
  expect(Object.keys(given)).not.toEqual(expect.arrayContaining(['alertSettings']));
  expect(Object.keys(given).length).toBeLessThan(10);
});

test('the thread of browsers gets its checks whole', () => {
  const request: RunRequest = { ...REQUEST, check: makeCheck('BROWSER') };
  expect(requestForThread(request)).toBe(request);
});
