import { describe, expect, test } from 'vitest';
import type { StoredTestSession, TestSessionStatus } from '#shared/sessions/test-session.ts';
import {
  pendingResult,
  testResultId,
  testStatusOf,
  withTestCancelled,
  withTestResult,
  withTestRunEnded,
} from '#shared/sessions/test-session-rules.ts';
import { makeResult } from '../../fixtures/fake-check-runs.ts';
import { CHECK, NOW, OUTCOMES } from '../../main/sessions/fixtures.ts';

const row = (id: string, position: number) => {
  const check = { checkId: CHECK, checkType: 'URL', name: 'URL check', position } as const;
  return pendingResult(id, check, 'eu-west-1', NOW);
};

const session: StoredTestSession = {
  id: '018f0000-0000-7000-8000-000000000000',
  name: 'Deployment',
  status: 'RUNNING',
  runLocation: 'eu-west-1',
  createdAt: NOW,
  stoppedAt: null,
  metadata: {},
  results: [row('one', 0), row('two', 1)],
};

describe('the status that results give', () => {
  test.each<[TestSessionStatus[], TestSessionStatus]>([
    [['RUNNING', 'FAILED'], 'RUNNING'],
    [['PASSED', 'PASSED'], 'PASSED'],
    [['PASSED', 'CANCELLED'], 'CANCELLED'],
    [['CANCELLED', 'FAILED', 'PASSED'], 'FAILED'],
  ])('%j: %s', (statuses, expected) => {
    const results = statuses.map((status, n) => ({ ...row(status, n), status }));
    expect(testStatusOf(results)).toBe(expected);
  });

  test('counts no attempt: only the end of a run does', () => {
    const attempt = {
      ...row('attempt', 0),
      resultType: 'ATTEMPT' as const,
      status: 'FAILED' as const,
    };
    expect(testStatusOf([attempt, { ...row('end', 0), status: 'PASSED' }])).toBe('PASSED');
  });
});

describe('a result', () => {
  test.each([
    ['passed', 'PASSED'],
    ['degraded', 'PASSED'],
    ['failed', 'FAILED'],
    ['inconclusive', 'FAILED'],
  ] as const)('that is %s settles what was pending as %s', (outcome, status) => {
    const after = withTestResult(session, 'one', makeResult(NOW, OUTCOMES[outcome]));
    expect(after.results).toMatchObject([
      { id: 'one', resultType: 'FINAL', status, ...OUTCOMES[outcome] },
      { id: 'two', resultType: 'PENDING', status: 'RUNNING' },
    ]);
  });

  test('of an attempt stands before the one that is still pending', () => {
    const attempt = makeResult(NOW, { resultType: 'ATTEMPT', hasFailures: true });
    const after = withTestResult(session, 'two', attempt);
    expect(after.results).toMatchObject([
      { id: 'one', resultType: 'PENDING' },
      { id: attempt.id, resultType: 'ATTEMPT', status: 'FAILED', checkId: CHECK },
      { id: 'two', resultType: 'PENDING' },
    ]);
    expect(withTestResult(after, 'two', attempt)).toBe(after);
  });

  test('is found under the id of the pending one at its end, and its own before', () => {
    const attempt = makeResult(NOW, { resultType: 'ATTEMPT' });
    expect(testResultId('one', attempt)).toBe(attempt.id);
    expect(testResultId('one', makeResult(NOW))).toBe('one');
  });

  test('that nothing is pending for changes nothing', () => {
    const after = withTestResult(session, 'one', makeResult(NOW));
    expect(withTestResult(after, 'one', makeResult(NOW, OUTCOMES.failed))).toBe(after);
    expect(withTestRunEnded(after, 'one', 'CANCELLED', NOW)).toBe(after);
  });
});

test('the last end is the end of the session', () => {
  const first = withTestResult(session, 'one', makeResult(NOW));
  expect(first).toMatchObject({ status: 'RUNNING', stoppedAt: null });
  const both = withTestRunEnded(first, 'two', 'CANCELLED', NOW + 1);
  expect(both).toMatchObject({ status: 'CANCELLED', stoppedAt: NOW + 1 });
});

test('a run that ends without a FINAL result told nothing and has failed', () => {
  const after = withTestRunEnded(session, 'one', 'FAILED', NOW);
  expect(after.results[0]).toMatchObject({
    status: 'FAILED',
    hasErrors: true,
    resultType: 'FINAL',
  });
});

test('cancelling leaves what is over, and happens once', () => {
  const first = withTestResult(session, 'one', makeResult(NOW));
  const cancelled = withTestCancelled(first, NOW + 1);
  expect(cancelled.results.map(({ status }) => status)).toEqual(['PASSED', 'CANCELLED']);
  expect(cancelled).toMatchObject({ status: 'CANCELLED', stoppedAt: NOW + 1 });
  expect(withTestCancelled(cancelled, NOW + 2)).toBe(cancelled);
  expect(withTestResult(cancelled, 'two', makeResult(NOW))).toBe(cancelled);
});
