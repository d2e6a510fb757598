import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { StartupError } from '#main/platform/startup-error.ts';
import { openForWriting } from '#main/store/history/database.ts';
import { openHistory } from '#main/store/history/open-history.ts';
import { PACK_MS, PACKED_BEFORE, packKey } from '#main/store/history/packs.ts';
import { OUTCOME, packResults } from '#main/store/history/result-pack.ts';
import { MIGRATIONS } from '#main/store/history/schema.ts';
import { parseUuid } from '#main/store/history/uuid.ts';
import { namedMetrics } from '#shared/analytics/query.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';
import { makeAlert, makeNotification } from '../alert-records.ts';
import { makeIncident, makeMailing, makeSubscription } from '../incident-records.ts';
import { idsOf, makeResult, NOON } from '../records.ts';
import { runProgram } from '../run-program.ts';
import { loadOpen, makeSession, makeTestResult, makeTestSession } from '../session-records.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { STEPS } from './migration-steps.ts';

function notesIn(database: DatabaseSync): unknown[] {
  const notes = database.prepare('SELECT text FROM notes ORDER BY rowid').all();
  database.close();
  return notes.map(({ text }) => text);
}

function refusal(open: () => unknown): string {
  try {
    open();
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as Error).message;
  }
  throw new Error('It was opened.');
}

test('a new database runs every step once, and is for its owner only', () => {
  const folder = temporaryFolder();
  openForWriting(folder, STEPS).close();
  expect(notesIn(openForWriting(folder, STEPS))).toEqual(['one', 'two', 'three']);
  expect(statSync(join(folder, 'history.db')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(folder, 'history.db.v1.bak'))).toBe(false);
});

test('an older database is copied, then brought up to date', () => {
  const folder = temporaryFolder();
  openForWriting(folder, STEPS.slice(0, 1)).close();
  expect(notesIn(openForWriting(folder, STEPS))).toEqual(['one', 'two', 'three']);
  expect(notesIn(new DatabaseSync(join(folder, 'history.db.v1.bak')))).toEqual(['one']);
});

test('a migration that fails keeps the steps before it, and goes on there', () => {
  const folder = temporaryFolder();
  openForWriting(folder, STEPS.slice(0, 1)).close();
  const failing = () =>
    openForWriting(folder, [
      ...STEPS.slice(0, 2),
      (database) => database.exec("INSERT INTO notes VALUES ('half'); SELECT no_such_column"),
    ]);
  expect(refusal(failing)).toContain('cannot be used as the history');
  expect(notesIn(openForWriting(folder, STEPS))).toEqual(['one', 'two', 'three']);
  expect(notesIn(new DatabaseSync(join(folder, 'history.db.v1.bak')))).toEqual(['one']);
});

test('a migration that is killed in the middle of a step goes on at its beginning', async () => {
  const folder = temporaryFolder();
  openForWriting(folder, STEPS.slice(0, 1)).close();
  expect(await runProgram('migrate.ts', [folder]).ended).toBe('SIGKILL');
  expect(notesIn(openForWriting(folder, STEPS))).toEqual(['one', 'two', 'three']);
});

test('a copy that was cut short is made anew', () => {
  const folder = temporaryFolder();
  openForWriting(folder, STEPS.slice(0, 1)).close();
  writeFileSync(join(folder, 'history.db.v1.bak.unfinished'), 'half a copy');
  openForWriting(folder, STEPS).close();
  expect(notesIn(new DatabaseSync(join(folder, 'history.db.v1.bak')))).toEqual(['one']);
  expect(existsSync(join(folder, 'history.db.v1.bak.unfinished'))).toBe(false);
});

test('a history from before sessions keeps what it has, and takes sessions', async () => {
  const folder = temporaryFolder();
  const checkId = randomUUID();
  const before = openForWriting(folder, MIGRATIONS.slice(0, 1));
  before.prepare('INSERT INTO checks (key, id) VALUES (1, ?)').run(checkId);
  before.exec("INSERT INTO states VALUES (1, '{\"lastSlot\":7}', 'null')");
  before.close();
  const history = await openHistory(folder, { clock: new SimulatedClock(NOON) });
  const session = makeSession();
  await history.write({ sessions: [session] });
  expect((await history.loadStates()).get(checkId)?.actor).toEqual({ lastSlot: 7 });
  expect(await loadOpen(history)).toEqual({ sessions: [session], batches: [] });
  await history.close();
});

test('a history from before alerts keeps its states, and takes alerts and notifications', async () => {
  const folder = temporaryFolder();
  const checkId = randomUUID();
  const before = openForWriting(folder, MIGRATIONS.slice(0, 2));
  before.prepare('INSERT INTO checks (key, id) VALUES (1, ?)').run(checkId);
  before.exec("INSERT INTO states VALUES (1, '{\"lastSlot\":7}', 'null')");
  before.close();
  const history = await openHistory(folder, { clock: new SimulatedClock(NOON) });
  const [alert, notification] = [makeAlert({ checkId }), makeNotification()];
  expect((await history.loadStates()).get(checkId)).toEqual({
    actor: { lastSlot: 7 },
    status: null,
  });
  await history.write({ alerts: [alert], notifications: [notification] });
  const period = { from: NOON, to: NOON + 1, limit: 10, offset: 0 };
  expect((await history.listAlerts(period)).alerts).toEqual([alert]);
  expect(await history.loadPendingNotifications({ limit: 10 })).toEqual([notification]);
  await history.close();
});

test('a history from before ids that are given away early keeps its results, and takes such', async () => {
  const folder = temporaryFolder();
  const checkId = randomUUID();
  const before = openForWriting(folder, MIGRATIONS.slice(0, 5));
  const id = v7({ msecs: NOON - 1 });
  before.prepare('INSERT INTO checks (key, id) VALUES (1, ?)').run(checkId);
  before.exec("INSERT INTO words VALUES (1, 'URL')");
  before
    .prepare(
      `INSERT INTO results (check_key, id, check_type, final, location, runner, started_at,
         stopped_at, response_ms, run, attempts, sequence, has_failures, has_errors, is_degraded,
         over_limit)
       VALUES (1, ?, 1, 1, 1, 1, 0, 0, 0, 0, 0, 's', 0, 0, 0, 0)`,
    )
    .run(Buffer.from(id.replaceAll('-', ''), 'hex'));
  before.close();
  const history = await openHistory(folder, { clock: new SimulatedClock(NOON) });
  const early = makeResult({ checkId, id: v7({ msecs: NOON - 60_000 }) });
  await history.write({ results: [early] });
  const query = { checkId, name: '', limit: 10, resultType: 'ALL' } as const;
  expect(idsOf(await history.listResults(query))).toEqual([early.result.id, id]);
  await history.close();
});

test('a history from before rows for the results of test sessions has all of them, and takes more', async () => {
  const folder = temporaryFolder();
  const over = { status: 'PASSED', resultType: 'FINAL' } as const;
  const given = [makeTestResult({ resultType: 'ATTEMPT' }), makeTestResult(over), makeTestResult()];
  const session = makeTestSession({ name: 'Größe', results: given });
  const before = openForWriting(folder, MIGRATIONS.slice(0, 3));
  const old = given.map(({ position: _, ...result }) => result);
  const bytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
  before
    .prepare("INSERT INTO test_sessions VALUES (?, 'RUNNING', 'größe', NULL, ?)")
    .run(bytes(session.id), JSON.stringify({ ...session, results: old }));
  before.exec(`INSERT INTO test_details VALUES (7, ${NOON}, '{"kept":1}')`);
  before
    .prepare('INSERT INTO test_results VALUES (?, ?, 7)')
    .run(bytes(session.id), bytes(given[1]?.id ?? ''));
  before.close();
  const history = await openHistory(folder, { clock: new SimulatedClock(NOON) });
  const results = given.map((result, position) => ({ ...result, position }));
  expect(await history.findTestSession(session.id)).toEqual({ ...session, results });
  const find = (n: number) =>
    history.findTestResult({ sessionId: session.id, resultId: given[n]?.id ?? '' });
  expect(await find(1)).toEqual({ result: results[1], detail: '{"kept":1}' });
  expect(await find(2)).toEqual({ result: results[2], detail: null });
  const end = { ...makeTestResult(), ...results[2], ...over };
  await history.write({ testResults: [{ sessionId: session.id, result: end, detail: '{}' }] });
  expect(await find(2)).toEqual({ result: end, detail: '{}' });
  await history.close();
});

test('a history from before incidents keeps its states, and takes incidents, subscriptions and mailings', async () => {
  const folder = temporaryFolder();
  const checkId = randomUUID();
  const before = openForWriting(folder, MIGRATIONS.slice(0, 6));
  before.prepare('INSERT INTO checks (key, id) VALUES (1, ?)').run(checkId);
  before.exec("INSERT INTO states VALUES (1, '{\"lastSlot\":7}', 'null', NULL)");
  before.close();
  const history = await openHistory(folder, { clock: new SimulatedClock(NOON) });
  expect((await history.loadStates()).get(checkId)?.actor).toEqual({ lastSlot: 7 });
  const [incident, subscription, mailing] = [makeIncident(), makeSubscription(), makeMailing()];
  const subscriptions = [subscription];
  await history.write({ incidents: [incident], subscriptions, mailings: [mailing] });
  expect(await history.listIncidents({ limit: 9 })).toEqual([incident]);
  expect(
    await history.listSubscriptions({ pageId: subscription.pageId, after: null, limit: 9 }),
  ).toEqual([subscription]);
  expect(await history.nextMailing(NOON)).toEqual(mailing);
  await history.close();
});

test('a history from before metrics without columns has its numbers, packed or not, and takes more', async () => {
  const folder = temporaryFolder();
  const checkId = randomUUID();
  const before = openForWriting(folder, MIGRATIONS.slice(0, 10));
  before.prepare('INSERT INTO checks (key, id) VALUES (1, ?)').run(checkId);
  before.exec("INSERT INTO words VALUES (1, 'BROWSER')");
  before
    .prepare(
      `INSERT INTO results (check_key, id, check_type, final, location, runner, started_at, stopped_at,
         response_ms, run, attempts, sequence, has_failures, has_errors, is_degraded, over_limit)
       VALUES (1, ?, 1, 1, 1, 1, 0, 0, 20, 0, 0, 's', 0, 0, 0, 0)`,
    )
    .run(parseUuid(v7({ msecs: NOON })));
  const period = NOON / PACK_MS;
  const pack = packResults({
    offsets: Uint32Array.of(0),
    outcomes: Uint8Array.of(OUTCOME.passed),
    retries: Uint8Array.of(0),
    locations: Uint32Array.of(1),
    statusCodes: Uint16Array.of(0),
    values: [Float64Array.of(10)],
    laterPages: [],
  });
  before.prepare('INSERT INTO packs VALUES (?, ?)').run(packKey(1, period - 1), pack);
  before.exec(`INSERT INTO meta VALUES ('${PACKED_BEFORE}', ${period})`);
  before.close();
  const history = await openHistory(folder, { clock: new SimulatedClock(NOON) });
  const metrics = { TTFB: 7, documentErrors: 3 };
  const given = { checkId, checkType: 'BROWSER', createdAt: NOON + 1, metrics } as const;
  await history.write({ results: [makeResult({ ...given, responseTime: 40 })] });
  const names = ['responseTime_sum', 'TTFB_sum', 'documentErrors_sum'];
  const answer = await history.analyse({
    ...{ checkId, checkType: 'BROWSER', from: NOON - PACK_MS, to: NOON + 2 },
    ...{ metrics: namedMetrics('browser-checks', names), buckets: null, groupBy: null },
    ...{ bases: ['responseTime', 'TTFB', 'documentErrors'], filter: null, limit: 1, page: 1 },
  });
  const series = 'series' in answer ? JSON.parse(new TextDecoder().decode(answer.series)) : null;
  expect(series).toEqual([
    { data: [{ responseTime_sum: 70, TTFB_sum: 7, documentErrors_sum: 3 }] },
  ]);
  await history.close();
});

test('a database of a newer version is refused and left as it is', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'history.db');
  openForWriting(folder, STEPS).close();
  const before = readFileSync(path);
  expect(refusal(() => openForWriting(folder, STEPS.slice(0, 2)))).toBe(
    `${path} has version 3, expected at most 2: it was written by a newer Watchpost.`,
  );
  expect(readFileSync(path)).toEqual(before);
});

test('somebody else’s database is refused and left as it is', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'history.db');
  const theirs = new DatabaseSync(path);
  theirs.exec('CREATE TABLE songs (title TEXT)');
  theirs.close();
  const before = readFileSync(path);
  expect(refusal(() => openForWriting(folder))).toBe(
    `${path} is a database, but not a history of Watchpost: move it away.`,
  );
  expect(readFileSync(path)).toEqual(before);
});

test.each<[string, (path: string) => void]>([
  ['is no database', (path) => writeFileSync(path, 'no database '.repeat(1_000))],
  ['was cut off', (path) => truncateSync(path, 5_000)],
])('a file that %s stops the start of the history and is left as it is', async (_, damage) => {
  const folder = temporaryFolder();
  const path = join(folder, 'history.db');
  openForWriting(folder, MIGRATIONS).close();
  damage(path);
  const before = readFileSync(path);
  const error = await openHistory(folder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartupError);
  expect((error as Error).message).toContain(`${path} cannot be used as the history`);
  expect(readFileSync(path)).toEqual(before);
});
