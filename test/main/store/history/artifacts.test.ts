import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { wholeRecords } from '#main/sessions/test-session-kind.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { DEFAULT_RETENTION } from '#main/store/history/retention.ts';
import { StorageMeter } from '#main/store/history/storage-meter.ts';
import { makeArtifact } from '../artifact-records.ts';
import { makeResult, NOON } from '../records.ts';
import { makeTestResult, makeTestSession } from '../session-records.ts';
import { openWriter, rowCounts, runToEnd } from './open-writer.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

type Kept = NonNullable<HistoryRecords['results']>[number];

/** A result that left contents of so many bytes each. */
function resultWith(
  contents: readonly string[],
  given: Parameters<typeof makeResult>[0] = {},
  bytes = 1_000,
): Kept {
  const artifacts = contents.map((content) =>
    makeArtifact({ name: `${content}.png`, content, bytes }),
  );
  return { ...makeResult(given), artifacts };
}

const resultsLeft = (database: ReturnType<typeof openWriter>['database']) =>
  database
    .prepare('SELECT DISTINCT created_at FROM artifacts ORDER BY created_at')
    .all()
    .map(({ created_at }) => Number(created_at) - NOON);
const bytesOf = ({ database }: ReturnType<typeof openWriter>) =>
  new StorageMeter(database, DEFAULT_RETENTION).measure().find(({ kind }) => kind === 'artifacts')
    ?.bytes;

test('artifacts go when their days are over, before their results', () => {
  const { writer, database } = openWriter({ artifactDays: 2 });
  const passing = resultWith(['a', 'b']);
  const failing = resultWith(['c'], { hasFailures: true, createdAt: NOON + DAY });
  writer.write([{ results: [passing, failing] }]);
  const left = (days: number) => {
    runToEnd(writer.sweep(NOON + days * DAY + HOUR));
    return rowCounts(database).artifacts;
  };
  expect(left(1)).toBe(3);
  expect(left(2)).toBe(1);
  expect(left(3)).toBe(0);
  expect(rowCounts(database).results).toBe(2);
});

test('over the budget the oldest of passing runs go first, all of a result at once', () => {
  const { writer, database } = openWriter({ artifactBytes: 10_000 });
  const results = Array.from({ length: 8 }, (_, index) =>
    resultWith([`a${index}`, `b${index}`], {
      createdAt: NOON + index,
      hasErrors: index % 2 === 0,
      slot: null,
    }),
  );
  writer.write([{ results }]);
  expect(writer.overBudget).toBe(true);
  runToEnd(writer.trim());
  expect(writer.overBudget).toBe(false);
  // Runs 1, 3, 5 and 7 passed; four of 2,000 bytes each fit.
  expect(resultsLeft(database)).toEqual([0, 2, 4, 6]);
  writer.write([{ results: [resultWith(['c', 'd', 'e', 'f'], { createdAt: NOON + 9 })] }]);
  runToEnd(writer.trim());
  // The newest passed.
  expect(resultsLeft(database)).toEqual([0, 2, 4, 6]);
  const failing = { createdAt: NOON + 10, hasFailures: true };
  writer.write([{ results: [resultWith(['g', 'h'], failing)] }]);
  runToEnd(writer.trim());
  expect(resultsLeft(database)).toEqual([2, 4, 6, 10]);
});

test('artifacts go with their result, however many a report has', () => {
  const { writer, database } = openWriter({ resultDays: 1, artifactDays: 9 });
  const checkId = randomUUID();
  const many = (start: number) => Array.from({ length: 900 }, (_, index) => `${start + index}`);
  const results = [0, 900].map((start) =>
    resultWith(many(start), { checkId, createdAt: NOON + start }),
  );
  writer.write([{ results }]);
  expect(rowCounts(database).artifacts).toBe(1_800);
  const sizes: (number | undefined)[] = [];
  const sweep = writer.sweep(NOON + 2 * DAY);
  while (!sweep.next().done) sizes.push(rowCounts(database).artifacts);
  expect([...new Set(sizes)]).toEqual([1_800, 1_300, 800, 300, 0]);
  expect(rowCounts(database).results).toBe(0);
});

test('artifacts go with a check that is forgotten, and leave those of others', () => {
  const { writer, database, artifacts } = openWriter();
  const [gone, stays] = [resultWith(['a']), resultWith(['a', 'b'])];
  writer.write([{ results: [gone, stays] }]);
  writer.forget(gone.result.checkId, NOON);
  runToEnd(writer.sweep(NOON + HOUR));
  expect(rowCounts(database).artifacts).toBe(2);
  const { checkId, id: resultId } = stays.result;
  expect(artifacts.listArtifacts({ checkId, resultId })).toHaveLength(2);
});

test('artifacts of test sessions go with their session', () => {
  const { writer, database } = openWriter({ resultDays: 1, artifactDays: 9 });
  const session = makeTestSession({ status: 'PASSED' });
  const result = makeTestResult({ resultType: 'FINAL', status: 'PASSED', stoppedAt: NOON });
  const testResults = [{ sessionId: session.id, result, artifacts: [makeArtifact()] }];
  writer.write([{ ...wholeRecords(session), testResults }]);
  expect(rowCounts(database).artifacts).toBe(1);
  runToEnd(writer.sweep(NOON + 2 * DAY));
  expect(rowCounts(database)).toMatchObject({ artifacts: 0, test_results: 0 });
});

test('a content that two results name counts once, until the last of them is gone', () => {
  const opened = openWriter({ resultDays: 2 });
  const { writer, artifacts } = opened;
  const first = resultWith(['same', 'own']);
  const second = resultWith(['same'], { createdAt: NOON + DAY });
  writer.write([{ results: [first] }, { results: [second] }]);
  const hash = second.artifacts?.[0]?.sha256 ?? '';
  expect(bytesOf(opened)).toBe(2_000);
  runToEnd(writer.sweep(NOON + 2 * DAY + HOUR));
  expect(bytesOf(opened)).toBe(1_000);
  expect(artifacts.listUnnamed([hash])).toEqual([]);
  runToEnd(writer.sweep(NOON + 3 * DAY + HOUR));
  expect(bytesOf(opened)).toBe(0);
  expect(artifacts.listUnnamed([hash])).toEqual([hash]);
});

test('the count of bytes is right after a restart, and after a write that failed', () => {
  const first = openWriter();
  first.writer.write([{ results: [resultWith(['a', 'b'])] }]);
  const broken = { ...resultWith(['c']), result: { ...makeResult().result, id: 'no id' } };
  const [outcome] = first.writer.write([{ results: [resultWith(['d']), broken] }]);
  expect(outcome).toMatchObject({ kept: false });
  expect(bytesOf(first)).toBe(2_000);
  first.database.close();
  const again = openWriter({ artifactBytes: 1_500 }, first.folder);
  expect(again.writer.overBudget).toBe(true);
  runToEnd(again.writer.trim());
  expect(bytesOf(again)).toBe(0);
});

test('artifacts of a result that was refused are not kept', () => {
  const { writer, database } = openWriter();
  const one = resultWith(['a']);
  const other = resultWith(['b'], { checkId: one.result.checkId, slot: one.result.slot });
  writer.write([{ results: [one, other] }]);
  expect(rowCounts(database)).toMatchObject({ results: 1, artifacts: 1 });
});
