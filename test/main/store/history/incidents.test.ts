import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import type { HistoryRecords } from '#main/store/history/history.ts';
import { MAX_ENDED_INCIDENTS } from '#main/store/history/incident-cleanup.ts';
import { INCIDENT_HEADS } from '#main/store/history/incident-reader.ts';
import {
  makeEndedIncident,
  makeIncident,
  makeMailing,
  makeSubscription,
} from '../incident-records.ts';
import { makeResult, NOON } from '../records.ts';
import { openWriter, rowCounts, runToEnd } from './open-writer.ts';

const DAY = 86_400_000;

test.each<[string, HistoryRecords]>([
  ['an incident whose id is no UUID', { incidents: [makeIncident({ id: 'incident-1' })] }],
  ['an incident whose id is of another time', { incidents: [makeIncident({ id: v7() })] }],
  [
    'a subscription whose id is of another time',
    { subscriptions: [makeSubscription({ id: v7() })] },
  ],
  ['an end of a subscription whose id is no UUID', { endedSubscriptions: ['subscription-1'] }],
  ['a mailing whose id is of another time', { mailings: [makeMailing({ id: v7() })] }],
])('%s is refused, with whatever came with it', (_, records) => {
  const { writer, database } = openWriter();
  const all = { results: [makeResult()], ...records };
  expect(writer.write([all])).toMatchObject([{ kept: false, code: 'INVALID' }]);
  expect(Object.values(rowCounts(database)).every((count) => count === 0)).toBe(true);
});

test('a deleted incident leaves its id for a day', () => {
  const { writer, database } = openWriter();
  const incident = makeIncident();
  const updatedAt = NOON + 10 * DAY;
  writer.write([{ incidents: [incident] }]);
  writer.write([{ incidents: [{ ...incident, revision: 2, updatedAt, isDeleted: true }] }]);
  const at = (ms: number) => {
    runToEnd(writer.sweep(ms));
    return rowCounts(database).incidents;
  };
  expect(at(updatedAt + DAY)).toBe(1);
  expect(at(updatedAt + DAY + 1)).toBe(0);
});

test('of too many incidents that are over, those that ended longest ago go; open ones stay', () => {
  const { writer, incidents } = openWriter();
  const open = makeIncident({ createdAt: NOON - DAY });
  const ended = Array.from({ length: MAX_ENDED_INCIDENTS + 150 }, (_, n) =>
    makeEndedIncident(NOON + n, NOON + n),
  );
  writer.write([{ incidents: [open, ...ended] }]);
  runToEnd(writer.sweep(NOON + DAY));
  const heads = incidents.listIncidentHeads({ from: 0, to: NOON + DAY, limit: 100_000 }).parse();
  expect(heads.length).toBe(MAX_ENDED_INCIDENTS + 1);
  expect(heads.slice(-2).map(({ id }) => id)).toEqual([ended[150]?.id, open.id]);
});

test('a subscription that nobody confirmed goes after seven days, a verified one stays', () => {
  const { writer, database } = openWriter();
  const subscriptions = [makeSubscription(), makeSubscription({ status: 'PENDING' })];
  writer.write([{ subscriptions }]);
  runToEnd(writer.sweep(NOON + 7 * DAY));
  expect(rowCounts(database).subscriptions).toBe(2);
  runToEnd(writer.sweep(NOON + 7 * DAY + 1));
  expect(rowCounts(database).subscriptions).toBe(1);
});

test('a mailing that is done goes after thirty days, a pending one stays', () => {
  const { writer, database, incidents } = openWriter();
  const pending = makeMailing();
  writer.write([{ mailings: [pending, makeMailing({ status: 'DONE' })] }]);
  runToEnd(writer.sweep(NOON + 30 * DAY));
  expect(rowCounts(database).mailings).toBe(2);
  runToEnd(writer.sweep(NOON + 30 * DAY + 1));
  expect(incidents.nextMailing(NOON)?.parse()).toEqual(pending);
  expect(rowCounts(database).mailings).toBe(1);
});

test('heads of a period are found in an index, whatever else is kept', () => {
  const { database } = openWriter();
  const period = { from: NOON, to: NOON + DAY, limit: 9 };
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${INCIDENT_HEADS}`).all(period);
  const searches = plan
    .map(({ detail }) => String(detail))
    .filter((line) => /incidents/.test(line));
  expect(searches).toEqual([
    'SEARCH incidents USING INDEX incidents_by_end (ended_at=? AND started_at<?)',
    'SEARCH incidents USING INDEX incidents_by_end (ended_at>?)',
  ]);
});
