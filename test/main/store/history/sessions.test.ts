import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { wholeRecords } from '#main/sessions/test-session-kind.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { LAST_RESULT_IDS, type SessionReader } from '#main/store/history/session-reader.ts';
import type { StoredBatch, StoredSession } from '#shared/sessions/check-session.ts';
import { makeResult, NOON } from '../records.ts';
import {
  makeBatch,
  makeSession,
  makeSessionResult,
  makeTestResult,
  makeTestSession,
} from '../session-records.ts';
import { openWriter, rowCounts, runToEnd } from './open-writer.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const KEPT = { kept: true, refused: 0, oversized: 0 };

function openIn(sessions: SessionReader): { sessions: StoredSession[]; batches: StoredBatch[] } {
  return {
    sessions: sessions.loadOpenSessions({ limit: 1_000 }).parse(),
    batches: sessions.loadOpenBatches({ limit: 1_000 }).parse(),
  };
}

/** A test session with so many results, each with a detail. */
function testFacts(count: number, detail: string, createdAt = NOON): HistoryRecords {
  const results = Array.from({ length: count }, () => makeTestResult({ status: 'PASSED' }));
  const { testSessions, testResults } = wholeRecords(makeTestSession({ createdAt, results }));
  return { testSessions, testResults: testResults.map((result) => ({ ...result, detail })) };
}

test.each<[string, HistoryRecords]>([
  ['a session whose id is no UUID', { sessions: [makeSession({ id: 'session-1' })] }],
  ['a session whose id is of another time', { sessions: [makeSession({ id: v7({ msecs: 1 }) })] }],
  ['a batch whose id is no UUID', { batches: [makeBatch([], { id: 'batch-1' })] }],
  [
    'a test session whose id is of another time',
    { testSessions: [makeTestSession({ id: v7({ msecs: 1 }) })] },
  ],
  [
    'a result of a test session whose id is no UUID',
    {
      testResults: [{ sessionId: v7({ msecs: NOON }), result: makeTestResult({ id: 'result-1' }) }],
    },
  ],
])('%s is refused, with whatever came with it', (_, facts) => {
  const { writer, database } = openWriter();
  const results = [makeResult()];
  expect(writer.write([{ results, ...facts }])).toMatchObject([{ kept: false, code: 'INVALID' }]);
  expect(Object.values(rowCounts(database)).every((count) => count === 0)).toBe(true);
});

test('a late write to a session that is over is no failure, and its other facts are kept', () => {
  const { writer, database, sessions } = openWriter();
  const ended = makeSession({ status: 'TIMED_OUT', stoppedAt: NOON + 1 });
  writer.write([{ sessions: [ended] }]);
  const late = { sessions: [{ ...ended, status: 'PASSED' as const }], results: [makeResult()] };
  expect(writer.write([late])).toEqual([KEPT]);
  expect(rowCounts(database)).toMatchObject({ sessions: 1, results: 1 });
  expect(sessions.findSession(ended.id)?.parse()).toEqual(ended);
});

test('a detail that is too large is left out and counted; its result is kept', () => {
  const { writer, database } = openWriter();
  const facts = testFacts(2, JSON.stringify({ body: 'x'.repeat(600_000) }));
  expect(writer.write([facts])).toEqual([{ ...KEPT, oversized: 2 }]);
  expect(rowCounts(database)).toMatchObject({ test_sessions: 1, test_results: 2, test_details: 0 });
});

test('a second detail of a result leaves no body behind', () => {
  const { writer, database } = openWriter();
  const facts = testFacts(1, '{}');
  writer.write([facts, { testResults: facts.testResults ?? [] }]);
  expect(rowCounts(database)).toMatchObject({ test_results: 1, test_details: 1 });
});

test('details are deflated as those of other runs are', () => {
  const { writer, database } = openWriter();
  writer.write([testFacts(1, JSON.stringify({ body: 'x'.repeat(100_000) }))]);
  const row = database.prepare('SELECT octet_length(body) AS bytes FROM test_details').get();
  expect(Number(row?.bytes)).toBeLessThan(1_000);
});

test('over the budget the details of test sessions go after passing ones, before failing ones', () => {
  const { writer, database } = openWriter({ detailBytes: 3_500 });
  const detail = JSON.stringify({ apiCheckResult: { body: 'x'.repeat(970) } });
  const failing = makeResult({ hasFailures: true, detail });
  writer.write([{ results: [failing, makeResult({ detail })], ...testFacts(3, detail) }]);
  runToEnd(writer.trim());
  expect(rowCounts(database)).toMatchObject({
    passing_details: 0,
    test_details: 2,
    failing_details: 1,
    test_results: 3,
  });
});

test('a result of a test session whose detail is gone is still found', () => {
  const { writer, sessions } = openWriter({ detailDays: 1 });
  const facts = testFacts(1, '{}');
  writer.write([facts]);
  const [kept] = facts.testResults ?? [];
  const query = { sessionId: kept?.sessionId ?? '', resultId: kept?.result.id ?? '' };
  expect(sessions.findTestResult(query)).toMatchObject({ detail: '{}' });
  runToEnd(writer.sweep(NOON + 2 * DAY));
  expect(sessions.findTestResult(query)).toMatchObject({
    result: { id: query.resultId },
    detail: null,
  });
});

test('sessions and test sessions go with the days of results, a running test session too', () => {
  const { writer, database } = openWriter({ resultDays: 3 });
  writer.write([{ sessions: [makeSession({ status: 'PASSED' })], ...testFacts(2, '{}') }]);
  const at = (days: number) => {
    runToEnd(writer.sweep(NOON + days * DAY));
    return rowCounts(database);
  };
  const kept = { sessions: 1, test_sessions: 1, test_results: 2, test_details: 2 };
  expect(at(3)).toMatchObject(kept);
  expect(at(3.1)).toMatchObject({
    sessions: 0,
    test_sessions: 0,
    test_results: 0,
    test_details: 0,
  });
});

test('an open session stays, however old, with its batch, until it is over', () => {
  const { writer, database, sessions } = openWriter({ resultDays: 3 });
  const open = makeSession();
  const batch = makeBatch([makeSession({ status: 'PASSED' }), open]);
  writer.write([{ sessions: [open], batches: [batch] }]);
  runToEnd(writer.sweep(NOON + 30 * DAY));
  expect(openIn(sessions)).toEqual({ sessions: [open], batches: [batch] });
  writer.write([{ sessions: [{ ...open, status: 'TIMED_OUT' }] }]);
  runToEnd(writer.sweep(NOON + 30 * DAY));
  expect(rowCounts(database)).toMatchObject({ sessions: 0, batches: 0 });
});

test('a batch goes an hour after it was made, once none of its sessions is open', () => {
  const { writer, database } = openWriter();
  const over = makeSession({ status: 'PASSED' });
  writer.write([{ sessions: [over], batches: [makeBatch([over])] }]);
  runToEnd(writer.sweep(NOON + HOUR));
  expect(rowCounts(database)).toMatchObject({ sessions: 1, batches: 1 });
  runToEnd(writer.sweep(NOON + HOUR + 1));
  expect(rowCounts(database)).toMatchObject({ sessions: 1, batches: 0 });
});

test('many old sessions are removed in steps of a hundred', () => {
  const { writer, database } = openWriter({ resultDays: 1 });
  const sessions = Array.from({ length: 250 }, () => makeSession({ status: 'FAILED' }));
  writer.write([{ sessions }]);
  const sizes = [250];
  const sweep = writer.sweep(NOON + 2 * DAY);
  while (!sweep.next().done) sizes.push(rowCounts(database).sessions ?? 0);
  expect([...new Set(sizes)]).toEqual([250, 150, 50, 0]);
});

test('open sessions are found by their index, whatever else is kept', () => {
  const { writer, database, sessions } = openWriter();
  const results = [makeSessionResult()];
  const ended = Array.from({ length: 3_000 }, () => makeSession({ status: 'PASSED', results }));
  const open = makeSession();
  writer.write([{ sessions: [...ended, open] }]);
  expect(openIn(sessions).sessions).toEqual([open]);
  const plan = database
    .prepare('EXPLAIN QUERY PLAN SELECT body FROM sessions WHERE open = 1 AND id > ? ORDER BY id')
    .all();
  expect(plan.map(({ detail }) => String(detail))).toEqual([
    expect.stringContaining('USING INDEX open_sessions'),
  ]);
});

test('ids of unknown sessions in a batch are of no harm', () => {
  const { writer, sessions } = openWriter();
  writer.write([{ batches: [makeBatch([], { sessionIds: ['no-uuid', randomUUID(), ''] })] }]);
  expect(openIn(sessions).batches).toEqual([]);
});

test('a list reads the ids of results from an index, and no body', () => {
  const { database } = openWriter();
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${LAST_RESULT_IDS}`).all();
  expect(plan.map(({ detail }) => String(detail)).join()).toContain(
    'USING COVERING INDEX last_test_results',
  );
});
