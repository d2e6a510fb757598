import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { PENDING_NOTIFICATIONS } from '#main/store/history/alert-reader.ts';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { FAILING, makeAlert, makeNotification } from '../alert-records.ts';
import { makeResult, makeResults, NOON } from '../records.ts';
import { openWriter, resultIds, rowCounts, runToEnd } from './open-writer.ts';

const DAY = 86_400_000;
const KEPT = { kept: true, refused: 0, oversized: 0 };

test.each<[string, HistoryRecords]>([
  ['an alert whose id is no UUID', { alerts: [makeAlert({ id: 'alert-1' })] }],
  ['an alert whose id is of another time', { alerts: [makeAlert({ id: v7({ msecs: 1 }) })] }],
  ['an alert of a result whose id is no UUID', { alerts: [makeAlert({ resultId: 'result-1' })] }],
  [
    'a notification whose id is of another time',
    { notifications: [makeNotification({ id: v7({ msecs: 1 }) })] },
  ],
])('%s is refused, with the result that raised it', (_, facts) => {
  const { writer, database } = openWriter();
  const results = [makeResult()];
  const states = [{ checkId: randomUUID(), state: { actor: {}, status: null, alert: FAILING } }];
  const notifications = [makeNotification()];
  const all = { results, states, notifications, ...facts };
  expect(writer.write([all])).toMatchObject([{ kept: false, code: 'INVALID' }]);
  expect(Object.values(rowCounts(database)).every((count) => count === 0)).toBe(true);
});

test('a late write to a settled notification is no failure, and its other facts are kept', () => {
  const { writer, database, alerts } = openWriter();
  const settled = makeNotification({ status: 'SUCCESS', settledAt: NOON + 1 });
  writer.write([{ notifications: [settled] }]);
  const late = { notifications: [{ ...settled, status: 'FAILURE' as const }] };
  expect(writer.write([{ ...late, results: [makeResult()] }])).toEqual([KEPT]);
  expect(rowCounts(database)).toMatchObject({ notifications: 1, results: 1 });
  expect(alerts.findNotification(settled.id)?.parse()).toEqual(settled);
});

test('an error is kept up to 2,000 characters', () => {
  const { writer, alerts } = openWriter();
  writer.write([{ alerts: [makeAlert({ error: 'x'.repeat(5_000) })] }]);
  const period = { from: NOON, to: NOON + 1, limit: 1, offset: 0 };
  expect(alerts.listAlerts(period).alerts[0]?.error).toBe('x'.repeat(2_000));
});

test('alerts and settled notifications go with the days of results; what is owed stays', () => {
  const { writer, database, alerts } = openWriter({ resultDays: 3 });
  const owed = makeNotification({ status: 'IN_PROGRESS' });
  const notifications = [owed, makeNotification({ status: 'FAILURE' })];
  writer.write([{ alerts: [makeAlert()], notifications }]);
  const at = (days: number) => {
    runToEnd(writer.sweep(NOON + days * DAY));
    return rowCounts(database);
  };
  expect(at(3)).toMatchObject({ alerts: 1, notifications: 2 });
  expect(at(3.1)).toMatchObject({ alerts: 0, notifications: 1 });
  expect(alerts.loadPendingNotifications({ limit: 10 }).parse()).toEqual([owed]);
  writer.write([{ notifications: [{ ...owed, status: 'SUCCESS' }] }]);
  expect(at(3.1)).toMatchObject({ notifications: 0 });
});

test('the alerts of a forgotten check are removed by the next sweep', () => {
  const { writer, database } = openWriter();
  const [gone, stays] = [randomUUID(), randomUUID()];
  const alerts = [gone, gone, stays].map((checkId) => makeAlert({ checkId }));
  writer.write([{ alerts, notifications: [makeNotification({ checkId: gone })] }]);
  writer.forget(gone, NOON);
  expect(rowCounts(database)).toMatchObject({ alerts: 3, notifications: 1 });
  runToEnd(writer.sweep(NOON));
  expect(rowCounts(database)).toMatchObject({ alerts: 1, notifications: 1 });
});

test('a storm is removed in steps of five hundred', () => {
  const { writer, database } = openWriter({ resultDays: 1 });
  const notifications = Array.from({ length: 1_200 }, () =>
    makeNotification({ status: 'SUCCESS' }),
  );
  writer.write([{ notifications }]);
  const sizes = [1_200];
  const sweep = writer.sweep(NOON + 2 * DAY);
  while (!sweep.next().done) sizes.push(rowCounts(database).notifications ?? 0);
  expect([...new Set(sizes)]).toEqual([1_200, 700, 200, 0]);
});

test.each([
  [PENDING_NOTIFICATIONS, 'USING INDEX owed_notifications (id>?)'],
  ['SELECT count(*) FROM alerts a WHERE a.id >= 1 AND a.id < 2', 'USING COVERING INDEX alerts_by'],
])('%s is answered by an index', (sql, index) => {
  const { database } = openWriter();
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  expect(plan.map(({ detail }) => String(detail))).toEqual([expect.stringContaining(index)]);
});

test('slots in a maintenance window are kept as skipped beside others of their check', () => {
  const { writer, database } = openWriter();
  const gap = { checkId: randomUUID(), fromSlot: 10, toSlot: 30, count: 3 };
  const skips = (['maintenance', 'asleep'] as const).map((reason) => ({ ...gap, reason }));
  writer.write([{ skips }]);
  const rows = database.prepare('SELECT count, reason FROM skips ORDER BY reason').all();
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { count: 3, reason: 'asleep' },
    { count: 3, reason: 'maintenance' },
  ]);
});

test('outcomes outlive the details of their results', () => {
  const { writer, reader } = openWriter({ detailDays: 1 });
  const checkId = randomUUID();
  writer.write([{ results: makeResults(checkId, 3, { hasFailures: true }) }]);
  runToEnd(writer.sweep(NOON + 2 * DAY));
  const query = { checkIds: [checkId], from: NOON, to: NOON + DAY, limit: 10 };
  expect(reader.listOutcomes(query)).toHaveLength(resultIds(reader, checkId).length);
});
