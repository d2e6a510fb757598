import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { entriesOf, makeEvent, makeResult, makeResults, NOON } from '../records.ts';
import { openWriter, resultIds, rowCounts, runToEnd } from './open-writer.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** A body of 1,000 bytes. */
const KILOBYTE = JSON.stringify({ apiCheckResult: { body: 'x'.repeat(970) } });
const NOTHING = {
  results: 0,
  more_metrics: 0,
  heartbeat_events: 0,
  skips: 0,
  states: 0,
  alerts: 0,
  notifications: 0,
  sessions: 0,
  batches: 0,
  test_sessions: 0,
  test_results: 0,
  incidents: 0,
  subscriptions: 0,
  mailings: 0,
  passing_details: 0,
  test_details: 0,
  failing_details: 0,
  artifacts: 0,
};

function factsOf(checkId: string, createdAt: number) {
  return {
    results: [
      makeResult({ checkId, createdAt, checkType: 'BROWSER', metrics: { networkErrors: 1 } }),
      makeResult({ checkId, createdAt: createdAt + 1, hasFailures: true }),
    ],
    heartbeatEvents: [makeEvent({ checkId, timestamp: createdAt })],
    skips: [
      { checkId, fromSlot: createdAt, toSlot: createdAt, count: 1, reason: 'overlap' as const },
    ],
  };
}

test('numbers, bodies and events each go when their days are over', () => {
  const { writer, database } = openWriter({ resultDays: 3, heartbeatDays: 2, detailDays: 1 });
  writer.write([factsOf(randomUUID(), NOON)]);
  const kept = {
    results: 2,
    more_metrics: 1,
    skips: 1,
    heartbeat_events: 1,
    passing_details: 1,
    failing_details: 1,
  };
  const at = (days: number) => {
    runToEnd(writer.sweep(NOON + days * DAY + HOUR));
    return rowCounts(database);
  };
  expect(at(0.9)).toMatchObject(kept);
  expect(at(1)).toMatchObject({ ...kept, passing_details: 0, failing_details: 0 });
  expect(at(2)).toMatchObject({ results: 2, skips: 1, heartbeat_events: 0 });
  expect(at(3)).toEqual(NOTHING);
});

test('a result whose body is gone keeps its numbers', () => {
  const { writer, reader } = openWriter({ detailDays: 1 });
  const checkId = randomUUID();
  writer.write([{ results: [makeResult({ checkId })] }]);
  runToEnd(writer.sweep(NOON + 2 * DAY));
  const page = { checkId, name: 'a check', limit: 1, resultType: 'FINAL' } as const;
  expect(entriesOf(reader.listResults(page))).toMatchObject([
    { responseTime: 12, apiCheckResult: null },
  ]);
});

test('over the budget the oldest bodies of passing runs go first', () => {
  const { writer, reader } = openWriter({ detailBytes: 10_000 });
  const checkId = randomUUID();
  const results = Array.from({ length: 12 }, (_, index) =>
    makeResult({
      checkId,
      createdAt: NOON + index,
      hasFailures: index % 2 === 0,
      detail: KILOBYTE,
    }),
  );
  writer.write([{ results }]);
  expect(writer.overBudget).toBe(true);
  runToEnd(writer.trim());
  expect(writer.overBudget).toBe(false);
  const query = { checkId, name: 'a check', limit: 100, resultType: 'ALL' } as const;
  const withBody = entriesOf(reader.listResults(query))
    .filter(({ apiCheckResult }) => apiCheckResult !== null)
    .map(({ created_at }) => Date.parse(created_at) - NOON);
  // Runs 1, 3 and 5 were the oldest that passed; every number is still there.
  expect(withBody).toEqual([11, 10, 9, 8, 7, 6, 4, 2, 0]);
  expect(resultIds(reader, checkId)).toHaveLength(12);
});

test('with nothing but failing runs over the budget, their oldest bodies go', () => {
  const { writer, database } = openWriter({ detailBytes: 3_000 });
  writer.write([{ results: makeResults(randomUUID(), 5, { hasErrors: true, detail: KILOBYTE }) }]);
  runToEnd(writer.trim());
  const rows = database.prepare('SELECT at FROM failing_details ORDER BY id').all();
  expect(rows.map(({ at }) => Number(at) - NOON)).toEqual([3_000, 4_000]);
});

test('a body that comes after all others were removed is never shown with an older result', () => {
  const { writer, reader } = openWriter({ detailBytes: 0 });
  const checkId = randomUUID();
  writer.write([{ results: [makeResult({ checkId })] }]);
  runToEnd(writer.trim());
  writer.write([{ results: [makeResult({ checkId, createdAt: NOON + 1 })] }]);
  const query = { checkId, name: 'a check', limit: 2, resultType: 'ALL' } as const;
  const bodies = entriesOf(reader.listResults(query)).map(({ apiCheckResult }) => apiCheckResult);
  expect(bodies).toEqual([{ requestError: null }, null]);
});

test('the count of bytes is right after a restart', () => {
  const { folder, writer, database } = openWriter({ detailBytes: 1_000 });
  writer.write([{ results: makeResults(randomUUID(), 2, { detail: KILOBYTE }) }]);
  database.close();
  const again = openWriter({ detailBytes: 1_000 }, folder);
  expect(again.writer.overBudget).toBe(true);
  runToEnd(again.writer.trim());
  expect(again.writer.overBudget).toBe(false);
});

test('much is removed in many small steps, and writes come in between', () => {
  const { writer, reader, database } = openWriter({ resultDays: 1 });
  const checkId = randomUUID();
  writer.write([{ results: makeResults(checkId, 1_600) }]);
  const sweep = writer.sweep(NOON + 3 * DAY);
  const sizes: number[] = [];
  let previous = 1_600;
  for (let step = sweep.next(); !step.done; step = sweep.next()) {
    const { results = 0 } = rowCounts(database);
    sizes.push(previous - results);
    previous = results;
    writer.write([
      { states: [{ checkId, state: { actor: { step: sizes.length }, status: null } }] },
    ]);
  }
  expect(Math.max(...sizes)).toBe(500);
  expect(resultIds(reader, checkId)).toEqual([]);
  expect(reader.loadStates().parse()).toEqual([
    [checkId, { actor: { step: sizes.length }, status: null }],
  ]);
});

test('a forgotten check is hidden at once, and removed by the next sweep with all it had', () => {
  const { writer, reader, database } = openWriter();
  const [gone, stays] = [randomUUID(), randomUUID()];
  writer.write([factsOf(gone, NOON), factsOf(stays, NOON)]);
  const before = rowCounts(database);
  writer.forget(gone, NOON);
  expect(resultIds(reader, gone)).toEqual([]);
  expect(rowCounts(database)).toEqual(before);
  runToEnd(writer.sweep(NOON));
  expect(rowCounts(database)).toEqual({
    ...NOTHING,
    results: 2,
    more_metrics: 1,
    heartbeat_events: 1,
    skips: 1,
    passing_details: 1,
    failing_details: 1,
  });
  expect(resultIds(reader, stays)).toHaveLength(2);
});

test('forgetting that was cut short goes on after a restart', () => {
  const { folder, writer, database } = openWriter();
  const checkId = randomUUID();
  writer.write([{ results: makeResults(checkId, 1_200) }]);
  writer.forget(checkId, NOON);
  writer.sweep(NOON).next();
  expect(rowCounts(database)).toMatchObject({ results: 700 });
  database.close();
  const again = openWriter({}, folder);
  expect(resultIds(again.reader, checkId)).toEqual([]);
  runToEnd(again.writer.sweep(NOON));
  expect(rowCounts(again.database)).toEqual(NOTHING);
});

test('late facts of a forgotten check are dropped for an hour; later it is a new one', () => {
  const { writer, reader, database } = openWriter();
  const checkId = randomUUID();
  const late = () => writer.write([{ results: [makeResult({ checkId })] }]);
  late();
  writer.forget(checkId, NOON);
  runToEnd(writer.sweep(NOON + HOUR));
  late();
  expect(rowCounts(database)).toEqual(NOTHING);
  runToEnd(writer.sweep(NOON + HOUR + 1));
  late();
  expect(resultIds(reader, checkId)).toHaveLength(1);
});

test('a check that nothing is known of is forgotten without a trace', () => {
  const { writer, database } = openWriter();
  writer.forget(randomUUID(), NOON);
  expect(database.prepare('SELECT count(*) AS count FROM checks').get()).toMatchObject({
    count: 0,
  });
});

test('of a history that is too large the oldest results of all checks go alike, a slice at a time', () => {
  const checks = [randomUUID(), randomUUID(), randomUUID()];
  const { folder, writer, reader, database } = openWriter();
  const empty = writer.stateAt(NOON).usedBytes;
  for (const checkId of checks) writer.write([{ results: makeResults(checkId, 2_000) }]);
  const full = writer.stateAt(NOON).usedBytes;
  database.close();
  const small = openWriter({ historyBytes: (empty + full) / 2 }, folder);
  expect(small.writer.isTooLarge).toBe(true);
  let previous = 6_000;
  const sizes: number[] = [];
  for (const _ of small.writer.shrink()) {
    const { results = 0 } = rowCounts(small.database);
    sizes.push(previous - results);
    previous = results;
  }
  expect(small.writer.isTooLarge).toBe(false);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
  expect(previous).toBeGreaterThan(2_200);
  const counts = checks.map((checkId) => resultIds(small.reader, checkId).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(101);
  for (const checkId of checks) {
    const newest = { checkId, name: '', limit: 1, resultType: 'ALL' } as const;
    expect(entriesOf(small.reader.listResults(newest))[0]?.startedAt).toBe(
      entriesOf(reader.listResults(newest))[0]?.startedAt,
    );
  }
});

test('rows of a clock that was wrong are removed as the oldest or kept as the newest, and take no others along', () => {
  const checkId = randomUUID();
  const { folder, writer, database } = openWriter();
  const strays = [0, NOON + 3_650 * DAY].map((createdAt) => makeResult({ checkId, createdAt }));
  writer.write([{ results: [...strays, ...makeResults(checkId, 2_000)] }]);
  const full = writer.stateAt(NOON).usedBytes;
  database.close();
  const small = openWriter({ historyBytes: 0.9 * full }, folder);
  runToEnd(small.writer.shrink());
  const { results = 0 } = rowCounts(small.database);
  expect(results).toBeGreaterThan(1_500);
  expect(results).toBeLessThan(2_001);
});

test('where no result is left to remove the shrinking ends', () => {
  const { writer, database } = openWriter({ historyBytes: 1 });
  writer.write([factsOf(randomUUID(), NOON)]);
  expect(runToEnd(writer.shrink())).toBeLessThan(100);
  expect(rowCounts(database)).toMatchObject({ results: 0, heartbeat_events: 0 });
});
