import { describe, expect, test } from 'vitest';
import type { SessionResult, StoredSession } from '#shared/sessions/check-session.ts';
import {
  DEADLINE_MARGIN_MS,
  statusAfter,
  withEnd,
  withResult,
  withRun,
} from '#shared/sessions/session-rules.ts';
import { makeResult } from '../../fixtures/fake-check-runs.ts';
import { makeSession, NOW, OUTCOMES } from '../../main/sessions/fixtures.ts';

type Outcome = keyof typeof OUTCOMES;

/** The results of FINALs, one a location, in the order given. */
function resultsOf(outcomes: readonly Outcome[]): readonly SessionResult[] {
  const locations = outcomes.map((_, n) => `location ${n}`);
  return outcomes.reduce(
    (session, outcome, n) => {
      const runLocation = `location ${n}`;
      const sequenceId = `sequence ${n}`;
      return withResult(
        session,
        makeResult(NOW, { runLocation, sequenceId, ...OUTCOMES[outcome] }),
      );
    },
    underWay([...locations, 'one more']),
  ).results;
}

function underWay(locations: readonly string[]): StoredSession {
  const sequences = locations.map((location, n) => ({ id: `sequence ${n}`, location }));
  return withRun(makeSession(), { startedAt: NOW, sequences, atMostMs: 30_000 });
}

describe('the status that FINAL results give', () => {
  test.each<[Outcome[], number, string]>([
    [[], 1, 'PROGRESS'],
    [['passed'], 2, 'PROGRESS'],
    [['degraded'], 2, 'PROGRESS_DEGRADED'],
    [['failed'], 2, 'PROGRESS_FAILED'],
    [['inconclusive'], 2, 'PROGRESS_FAILED'],
    [['degraded', 'failed'], 3, 'PROGRESS_FAILED'],
    [['failed', 'degraded'], 3, 'PROGRESS_FAILED'],
    [['passed'], 1, 'PASSED'],
    [['passed', 'passed'], 2, 'PASSED'],
    [['passed', 'degraded'], 2, 'DEGRADED'],
    [['degraded', 'failed', 'passed'], 3, 'FAILED'],
    [['inconclusive', 'passed'], 2, 'FAILED'],
  ])('%j of %i locations: %s', (outcomes, locations, status) => {
    expect(statusAfter(resultsOf(outcomes), locations)).toBe(status);
  });

  test('an attempt that fails says nothing yet', () => {
    const attempt = makeResult(NOW, { resultType: 'ATTEMPT', hasFailures: true });
    expect(withResult(underWay(['a']), attempt).status).toBe('PROGRESS');
  });
});

describe('a run that begins', () => {
  const sequences = [
    { id: 'sequence 0', location: 'a' },
    { id: 'sequence 1', location: 'b' },
  ];

  test('sets where it runs and when it has to be over', () => {
    const session = withRun(makeSession(), { startedAt: NOW + 5, sequences, atMostMs: 1_000 });
    expect(session).toMatchObject({
      status: 'PROGRESS',
      firstRunAt: NOW + 5,
      deadlineAt: NOW + 5 + 1_000 + DEADLINE_MARGIN_MS,
      runLocations: ['a', 'b'],
    });
  });

  test('after a restart leaves the deadline and what has settled as they were', () => {
    const first = withResult(underWay(['a', 'b']), makeResult(NOW, { sequenceId: 'sequence 0' }));
    const again = withRun(first, { startedAt: NOW + 60_000, sequences, atMostMs: 5 });
    expect(again).toEqual(first);
  });

  test('anew drops the results of the run that was given up', () => {
    const first = withResult(
      underWay(['a', 'b']),
      makeResult(NOW, { sequenceId: 'sequence 0', hasFailures: true }),
    );
    const anew = [{ id: 'sequence 9', location: 'c' }];
    const again = withRun(first, { startedAt: NOW, sequences: anew, atMostMs: 5 });
    expect(again).toMatchObject({ status: 'PROGRESS', runLocations: ['c'], results: [] });
  });
});

describe('a result', () => {
  const session = underWay(['a', 'b']);
  const final = makeResult(NOW + 7, { sequenceId: 'sequence 0' });

  test('is taken with what a session shows of it', () => {
    expect(withResult(session, final).results).toEqual([
      {
        checkResultId: final.id,
        runLocation: 'eu-west-1',
        resultType: 'FINAL',
        sequenceId: 'sequence 0',
        responseTime: 1,
        startedAt: NOW + 7,
        stoppedAt: NOW + 7,
        hasFailures: false,
        hasErrors: false,
        isDegraded: false,
        overMaxResponseTime: false,
      },
    ]);
  });

  test('that is the last ends the session when it was settled', () => {
    const last = makeResult(NOW + 9, { sequenceId: 'sequence 1' });
    const over = withResult(withResult(session, final), last);
    expect(over).toMatchObject({ status: 'PASSED', stoppedAt: NOW + 9 });
  });

  test.each([
    ['comes a second time', makeResult(NOW, { id: final.id, sequenceId: 'sequence 1' })],
    ['follows the FINAL one of its location', makeResult(NOW, { sequenceId: 'sequence 0' })],
  ])('that %s changes nothing', (_, result) => {
    const before = withResult(session, final);
    expect(withResult(before, result)).toBe(before);
  });

  test('is no attempt beyond eleven for each location, but always a FINAL one', () => {
    const attempt = () => makeResult(NOW, { sequenceId: 'sequence 0', resultType: 'ATTEMPT' });
    let full = session;
    for (let n = 0; n < 30; n++) full = withResult(full, attempt());
    expect(full.results).toHaveLength(22);
    expect(withResult(full, final).results).toHaveLength(23);
  });
});

test.each(['PASSED', 'DEGRADED', 'FAILED', 'TIMED_OUT', 'CANCELLED'] as const)(
  'a session that is %s takes neither result nor end',
  (status) => {
    const over = makeSession({ status, stoppedAt: NOW });
    expect(withResult(over, makeResult(NOW))).toBe(over);
    expect(withEnd(over, 'CANCELLED', NOW + 1)).toBe(over);
  },
);
