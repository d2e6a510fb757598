import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { makeNotification } from '../alert-records.ts';
import { makeIncident, makeMailing, makeSubscription } from '../incident-records.ts';
import { entriesOf, idsOf, makeResult, NOON } from '../records.ts';
import { makeBatch, makeSession } from '../session-records.ts';
import { openWriter, runToEnd } from './open-writer.ts';

/** What may stand where a record should be. */
const BROKEN = ['', '{"half": ', 'null', '5', '[]', '{}', '"text"', '{"id": 7}', '\u0000\uFFFD'];

const ids = (count: number) => Array.from({ length: count }, (_, n) => v7({ msecs: NOON + n }));

interface Scene {
  store: ReturnType<typeof openWriter>;
  /** In the order of their ids; the one in the middle is broken. */
  ids: string[];
}

type Kind = {
  kind: string;
  keep(scene: Scene): void;
  sql: string;
  /** The ids that are read. */
  read(scene: Scene): string[];
};

const idsIn = (records: readonly { id: string }[]) => records.map(({ id }) => id);
const testSession = (id: string, n: number) => ({
  id,
  name: 'a test',
  status: 'RUNNING' as const,
  runLocation: 'eu-west-1',
  createdAt: NOON + n,
  stoppedAt: null,
  metadata: {},
});
const testResult = (id: string, position: number) => ({
  id,
  position,
  checkId: randomUUID(),
  checkType: 'URL' as const,
  name: 'a check',
  runLocation: 'eu-west-1',
  resultType: 'PENDING' as const,
  status: 'RUNNING' as const,
  hasFailures: false,
  hasErrors: false,
  isDegraded: false,
  overMaxResponseTime: false,
  attempts: 0,
  sequenceId: null,
  responseTime: null,
  startedAt: null,
  stoppedAt: null,
  createdAt: NOON,
});

const KINDS: Kind[] = [
  {
    kind: 'session',
    keep: ({ store, ids }) => {
      const sessions = ids.map((id, n) => makeSession({ id, createdAt: NOON + n }));
      store.writer.write([{ sessions }]);
    },
    sql: 'UPDATE sessions SET body = ? WHERE id = ?',
    read: ({ store }) => idsIn(store.sessions.loadOpenSessions({ limit: 2 }).parse()),
  },
  {
    kind: 'batch',
    keep: ({ store, ids }) => {
      const session = makeSession();
      const batches = ids.map((id) => makeBatch([session], { id }));
      store.writer.write([{ sessions: [session], batches }]);
    },
    sql: 'UPDATE batches SET body = ? WHERE id = ?',
    read: ({ store }) => idsIn(store.sessions.loadOpenBatches({ limit: 2 }).parse()),
  },
  {
    kind: 'testSession',
    keep: ({ store, ids }) => store.writer.write([{ testSessions: ids.map(testSession) }]),
    sql: 'UPDATE test_sessions SET body = ? WHERE id = ?',
    read: ({ store, ids }) => ids.filter((id) => store.sessions.findTestSession(id) !== null),
  },
  {
    kind: 'testResult',
    keep: ({ store, ids }) => {
      const [session] = [testSession(v7({ msecs: NOON }), 0)];
      const testResults = ids.map((id, n) => ({
        sessionId: session.id,
        result: testResult(id, n),
      }));
      store.writer.write([{ testSessions: [session], testResults }]);
    },
    sql: 'UPDATE test_results SET body = ? WHERE result_id = ?',
    read: ({ store }) => {
      const [id = ''] = store.sessions.loadOpenTestSessions({ limit: 9 });
      return idsIn(store.sessions.findTestSession(id)?.parse().results ?? []);
    },
  },
  {
    kind: 'notification',
    keep: ({ store, ids }) => {
      const notifications = ids.map((id, n) => makeNotification({ id, createdAt: NOON + n }));
      store.writer.write([{ notifications }]);
    },
    sql: 'UPDATE notifications SET body = ? WHERE id = ?',
    read: ({ store }) => idsIn(store.alerts.loadPendingNotifications({ limit: 2 }).parse()),
  },
  {
    kind: 'notification',
    keep: ({ store, ids }) => {
      const notifications = ids.map((id, n) =>
        makeNotification({ id, createdAt: NOON + n, status: 'DIGESTED', digestId: ids[1] ?? null }),
      );
      store.writer.write([{ notifications }]);
    },
    sql: 'UPDATE notifications SET body = ? WHERE id = ?',
    read: ({ store }) => {
      const period = { from: NOON, to: NOON + 1_000, limit: 9, offset: 0, hasFailures: false };
      return idsIn(store.alerts.listNotifications(period).parse().notifications).toReversed();
    },
  },
  {
    kind: 'incident',
    keep: ({ store, ids }) => keepIncidents(store, ids),
    sql: 'UPDATE incidents SET body = ? WHERE id = ?',
    read: ({ store }) => idsIn(store.incidents.listIncidents({ limit: 9 }).parse()).toReversed(),
  },
  {
    kind: 'incidentHead',
    keep: ({ store, ids }) => keepIncidents(store, ids),
    sql: 'UPDATE incidents SET head = ? WHERE id = ?',
    read: ({ store }) => {
      const period = { from: NOON, to: NOON + 1_000, limit: 9 };
      return idsIn(store.incidents.listIncidentHeads(period).parse()).toReversed();
    },
  },
  {
    kind: 'subscription',
    keep: ({ store, ids }) => {
      const subscriptions = ids.map((id, n) =>
        makeSubscription({ id, pageId: PAGE, createdAt: NOON + n }),
      );
      store.writer.write([{ subscriptions }]);
    },
    sql: 'UPDATE subscriptions SET body = ? WHERE id = ?',
    read: ({ store }) =>
      idsIn(store.incidents.listSubscriptions({ pageId: PAGE, after: null, limit: 9 }).parse()),
  },
];

const PAGE = randomUUID();

function keepIncidents({ writer }: Scene['store'], ids: readonly string[]): void {
  writer.write([{ incidents: ids.map((id, n) => makeIncident({ id, createdAt: NOON + n })) }]);
}

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

function breakRow(database: DatabaseSync, sql: string, body: string, id: string | Buffer): void {
  expect(database.prepare(sql).run(body, id).changes).toBe(1);
}

describe.each(KINDS)('of records of the kind $kind', ({ kind, keep, sql, read }) => {
  test.each(BROKEN)('%j costs itself, and is told of once', (broken) => {
    const scene = { store: openWriter(), ids: ids(3) };
    const [first = '', second = '', third = ''] = scene.ids;
    keep(scene);
    expect(read(scene)).toContain(first);
    breakRow(scene.store.database, sql, broken, bytesOf(second));
    expect(read(scene)).toEqual([first, third]);
    expect(read(scene)).toEqual([first, third]);
    // A batch that names no session holds none that is open: it is not asked for.
    expect(scene.store.unreadable).toEqual(kind === 'batch' ? [] : [`${kind} ${second}`]);
    // Nor does it stop what is removed.
    runToEnd(scene.store.writer.sweep(NOON + 3_600_001));
  });
});

test.each(BROKEN)('a state whose actor is %j is passed over', (broken) => {
  const { writer, reader, database, unreadable } = openWriter();
  const [one, other] = [randomUUID(), randomUUID()];
  const state = { actor: { lastSlot: 7 }, status: null };
  writer.write([{ states: [one, other].map((checkId) => ({ checkId, state })) }]);
  const sql = 'UPDATE states SET actor = ? WHERE check_key = (SELECT key FROM checks WHERE id = ?)';
  breakRow(database, sql, broken, one);
  const read = reader.loadStates().parse();
  // An object that lacks all is for the check to judge.
  const isObject = broken.startsWith('{') && broken.endsWith('}');
  expect(read).toHaveLength(isObject ? 2 : 1);
  expect(unreadable).toEqual(isObject ? [] : [`actorState ${one}`]);
});

test.each(['status', 'alert'])('a state whose %s is broken keeps the rest', (column) => {
  const { writer, reader, database, unreadable } = openWriter();
  const checkId = randomUUID();
  writer.write([{ states: [{ checkId, state: { actor: { lastSlot: 7 }, status: null } }] }]);
  database.exec(`UPDATE states SET ${column} = '{"half": '`);
  expect(reader.loadStates().parse()).toEqual([
    [checkId, { actor: { lastSlot: 7 }, status: null }],
  ]);
  expect(unreadable).toEqual([`actorState ${checkId}`]);
});

test.each(BROKEN)('a mailing that is %j is passed over', (broken) => {
  const { writer, incidents, database, unreadable } = openWriter();
  const [first, second] = [0, 1].map((at) => makeMailing({ createdAt: NOON + at }));
  if (!first || !second) throw new Error('There are two.');
  writer.write([{ mailings: [first, second] }]);
  breakRow(database, 'UPDATE mailings SET body = ? WHERE id = ?', broken, bytesOf(first.id));
  expect(incidents.nextMailing(NOON + 1)?.parse()).toEqual(second);
  expect(unreadable).toEqual([`mailing ${first.id}`]);
});

test.each(['', '{"half": ', '5'])('a channel state that is %j is passed over', (broken) => {
  const { writer, alerts, database, unreadable } = openWriter();
  const health = { failedInRow: 0, failingSince: null, dead: null };
  const state = { health, incidents: [] };
  writer.write([{ channelStates: ['1', '2'].map((channelId) => ({ channelId, state })) }]);
  breakRow(database, 'UPDATE channel_states SET body = ? WHERE channel = ?', broken, '1');
  expect(alerts.loadChannelStates().parse()).toEqual([['2', state]]);
  expect(unreadable).toEqual(['channelState 1']);
});

test.each([
  ['a body that is no JSON', "UPDATE passing_details SET body = '{'", 1],
  ['a body that does not inflate', "UPDATE passing_details SET body = x'ffffff'", 1],
  ['a time that there is not', 'UPDATE results SET started_at = 9000000000000000', 0],
  ['a location that is no word', 'UPDATE results SET location = 999', 0],
])('of a result with %s the rest is listed', (_what, sql, rest) => {
  const { writer, reader, database, unreadable } = openWriter();
  const entry = makeResult();
  const { checkId, id } = entry.result;
  writer.write([{ results: [entry] }]);
  database.exec(sql);
  const page = reader.listResults({ checkId, name: '', limit: 9, resultType: 'ALL' });
  expect(entriesOf(page)).toHaveLength(rest);
  expect(page.length).toBe(rest);
  expect(unreadable).toEqual([`result ${id}`]);
});

test.each([
  [['id', 'failure', 'createdAt'] as const, false],
  [['id', 'apiCheckResult'] as const, true],
])('a list of %j reads bodies: %s', (fields, readsBodies) => {
  const { writer, reader, database, unreadable } = openWriter();
  const entry = makeResult();
  const { checkId, id } = entry.result;
  writer.write([{ results: [entry] }]);
  database.exec("UPDATE passing_details SET body = '{'");
  const page = reader.listResults({ checkId, name: '', limit: 9, resultType: 'ALL', fields });
  expect(idsOf(page)).toEqual([id]);
  expect(unreadable).toEqual(readsBodies ? [`result ${id}`] : []);
});

test('totals that are no numbers begin anew, and facts are kept', () => {
  const { folder, writer, database } = openWriter();
  writer.write([{ results: [makeResult()] }]);
  database.exec("UPDATE meta SET value = 'many'");
  database.close();
  const again = openWriter({}, folder);
  expect(again.writer.aliveAt()).toBeNull();
  expect(again.writer.write([{ results: [makeResult()] }])).toMatchObject([{ kept: true }]);
});
