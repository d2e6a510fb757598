import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { makeEvent, makeResult, makeResults, NOON } from '../records.ts';
import { openWriter, resultIds, rowCounts } from './open-writer.ts';

const KEPT = { kept: true, refused: 0, oversized: 0 };

test('one bad fact is refused alone: what others brought in the same batch is kept', () => {
  const { writer, reader, database } = openWriter();
  const [good, bad, alsoGood] = [randomUUID(), randomUUID(), randomUUID()];
  const outcomes = writer.write([
    { results: [makeResult({ checkId: good, runLocation: 'private-1' })] },
    {
      heartbeatEvents: [makeEvent({ checkId: bad })],
      results: [makeResult({ checkId: bad, responseTime: Number.NaN })],
    },
    { results: [makeResult({ checkId: alsoGood, runLocation: 'private-1' })] },
  ]);
  expect(outcomes).toEqual([KEPT, expect.objectContaining({ kept: false, code: 'INVALID' }), KEPT]);
  expect(resultIds(reader, good, { location: 'private-1' })).toHaveLength(1);
  expect(resultIds(reader, alsoGood, { location: 'private-1' })).toHaveLength(1);
  // Nothing of the bad one, also not what was right about it.
  expect(rowCounts(database)).toMatchObject({ results: 2, heartbeat_events: 0 });
});

test('a result whose id is no UUID is refused', () => {
  const { writer } = openWriter();
  expect(writer.write([{ results: [makeResult({ id: 'result-1' })] }])).toMatchObject([
    { kept: false, code: 'INVALID' },
  ]);
});

test('a second FINAL result of a slot is counted as refused, and leaves no body behind', () => {
  const { writer, database } = openWriter();
  const first = makeResult();
  const second = makeResult({ ...first.result, id: v7({ msecs: NOON }) });
  expect(writer.write([{ results: [first] }, { results: [second] }])).toEqual([
    KEPT,
    { ...KEPT, refused: 1 },
  ]);
  expect(rowCounts(database)).toMatchObject({ results: 1, passing_details: 1 });
});

test('a body that is too large is left out and counted; its numbers are kept', () => {
  const { writer, reader } = openWriter();
  const checkId = randomUUID();
  const detail = JSON.stringify({ apiCheckResult: { body: 'x'.repeat(600_000) } });
  const outcomes = writer.write([{ results: [makeResult({ checkId, detail })] }]);
  expect(outcomes).toEqual([{ ...KEPT, oversized: 1 }]);
  expect(resultIds(reader, checkId)).toHaveLength(1);
});

test('a full disk refuses every write of the batch, and later ones succeed again', () => {
  const { writer, reader, database } = openWriter();
  const checkId = randomUUID();
  const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${pages + 4}`);
  const bulky = makeResults(checkId, 40, { detail: JSON.stringify({ a: randomHex(1_500) }) });
  const full = { kept: false, code: 'FULL', message: expect.any(String) };
  expect(writer.write([{ results: bulky }, { results: bulky }])).toEqual([full, full]);
  expect(resultIds(reader, checkId)).toEqual([]);

  database.exec('PRAGMA max_page_count = 100000');
  expect(writer.write([{ results: bulky }])).toEqual([KEPT]);
  expect(resultIds(reader, checkId)).toHaveLength(40);
});

test('a batch that fails leaves the count of bytes where it was', () => {
  const { writer, database } = openWriter({ detailBytes: 1_000 });
  const checkId = randomUUID();
  const detail = JSON.stringify({ a: randomHex(600) });
  const [good, bad] = [
    makeResult({ checkId, detail }),
    makeResult({ checkId, detail, createdAt: NOON + 1, responseTime: Number.NaN }),
  ];
  expect(writer.write([{ results: [good, bad] }])).toMatchObject([{ kept: false }]);
  expect(writer.overBudget).toBe(false);
  writer.write([{ results: makeResults(checkId, 2, { detail }) }]);
  expect(writer.overBudget).toBe(true);
  expect(rowCounts(database)).toMatchObject({ results: 2 });
});

test('skipped slots are counted once, and a gap that grew by its last extent', () => {
  const { writer, database } = openWriter();
  const gap = { checkId: randomUUID(), fromSlot: 10, reason: 'asleep' as const };
  writer.write([{ skips: [{ ...gap, toSlot: 30, count: 3 }] }]);
  writer.write([{ skips: [{ ...gap, toSlot: 50, count: 5 }] }]);
  writer.write([{ skips: [{ ...gap, toSlot: 30, count: 3 }] }]);
  writer.write([{ skips: [{ ...gap, toSlot: 10, count: 1, reason: 'down' }] }]);
  const rows = database.prepare('SELECT to_slot, count, reason FROM skips ORDER BY reason').all();
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { to_slot: 50, count: 5, reason: 'asleep' },
    { to_slot: 10, count: 1, reason: 'down' },
  ]);
});

test('metrics stand in columns in the order of their type', () => {
  const { writer, database } = openWriter();
  const metrics = { total: 15, dns: 2, unknown: 99, wait: 0.5 };
  writer.write([{ results: [makeResult({ checkType: 'URL', metrics })] }]);
  const row = database.prepare('SELECT m1, m2, m3, m4, m5, m6 FROM results').get();
  expect({ ...row }).toEqual({ m1: 0.5, m2: 2, m3: null, m4: null, m5: null, m6: 15 });
});

function randomHex(length: number): string {
  return Array.from({ length: Math.ceil(length / 32) }, () => randomUUID().replaceAll('-', ''))
    .join('')
    .slice(0, length);
}
