import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeRecords } from '#main/sessions/test-session-kind.ts';
import type { History, TestSessionPage, TestSessionQuery } from '#main/store/history/history.ts';
import { ENDED_STATUSES } from '#shared/sessions/check-session.ts';
import { TEST_SESSION_STATUSES } from '#shared/sessions/test-session.ts';
import { viewTestEntry } from '#shared/sessions/test-session-entry.ts';
import { makeResult, NOON } from './records.ts';
import {
  loadOpen,
  makeBatch,
  makeSession,
  makeSessionResult,
  makeTestResult,
  makeTestSession,
} from './session-records.ts';

const ACCOUNT = randomUUID();

const entriesOf = ({ entries }: TestSessionPage): ReturnType<typeof viewTestEntry>[] =>
  JSON.parse(Buffer.from(entries).toString());

/** What every history does with sessions, batches and test sessions. */
export function sessionsContract(name: string, open: () => Promise<History>): void {
  // One for all tests, each with sessions of its own: starting threads takes a while.
  let history: History;
  beforeAll(async () => {
    history = await open();
  });
  afterAll(() => history.close());

  describe(`sessions in the ${name}`, () => {
    test('a session is found by its id as it was last written', async () => {
      const session = makeSession({
        name: 'Größe "1"',
        overrides: { location: 'us-east-1', builtIns: { ENVIRONMENT_URL: 'https://e.test' } },
      });
      const progressed = {
        ...session,
        status: 'PROGRESS' as const,
        firstRunAt: NOON + 5,
        deadlineAt: NOON + 600_005,
        results: [makeSessionResult(), makeSessionResult({ resultType: 'ATTEMPT' })],
      };
      await history.write({ sessions: [session] });
      expect(await history.findSession(session.id)).toEqual(session);
      await history.write({ sessions: [progressed] });
      expect(await history.findSession(session.id)).toEqual(progressed);
    });

    test.each(ENDED_STATUSES)(
      'a session that is kept as %s never changes again',
      async (status) => {
        const ended = makeSession({ status, stoppedAt: NOON + 9 });
        await history.write({ sessions: [{ ...ended, status: 'STARTED' }, ended] });
        await history.write({ sessions: [{ ...ended, status: 'PROGRESS', stoppedAt: null }] });
        await history.write({
          sessions: [{ ...ended, status: 'CANCELLED', stoppedAt: NOON + 10 }],
        });
        expect(await history.findSession(ended.id)).toEqual(ended);
        expect((await loadOpen(history)).sessions).not.toContainEqual(
          expect.objectContaining({ id: ended.id }),
        );
      },
    );

    test.each([v7(), 'no-uuid', ''])('no session is found by the id %j', async (id) => {
      expect(await history.findSession(id)).toBeNull();
      expect(await history.findTestSession(id)).toBeNull();
      expect(await history.findTestResult({ sessionId: id, resultId: id })).toBeNull();
    });

    test('sessions of one moment are one entry of what was triggered, newest first', async () => {
      const own = await open();
      const old = makeSession({ createdAt: NOON, name: 'old', status: 'PASSED' });
      const [one, other] = (['FAILED', 'PROGRESS'] as const).map((status) =>
        makeSession({ createdAt: NOON + 7, name: 'new', status }),
      );
      await own.write({ sessions: [old, one, other].filter((session) => session !== undefined) });
      const [newest, oldest, ...more] = await own.listBatches({ limit: 5 });
      expect(newest).toMatchObject({ createdAt: NOON + 7, count: 2, open: 1, failed: 1 });
      expect(newest?.names).toEqual(['new', 'new']);
      expect(oldest).toMatchObject({ id: old.id, count: 1, passed: 1, open: 0 });
      expect(more).toEqual([]);
      expect(await own.listBatches({ limit: 1 })).toEqual([newest]);
      const batch = await own.listBatch(one?.id ?? '');
      expect(batch.map(({ id }) => id).toSorted()).toEqual([one?.id, other?.id].toSorted());
      expect(await own.listBatch('no-uuid')).toEqual([]);
      await own.close();
    });

    test('open sessions are loaded oldest first, with the batches that hold one of them', async () => {
      const own = await open();
      const [over, waits, runs, alone] = [
        makeSession({ createdAt: NOON, status: 'PASSED' }),
        makeSession({ createdAt: NOON + 1 }),
        makeSession({ createdAt: NOON + 2, status: 'PROGRESS_FAILED' }),
        makeSession({ createdAt: NOON + 3 }),
      ] as const;
      const [first, second, done] = [
        makeBatch([over, waits], { id: v7({ msecs: NOON }) }),
        makeBatch([runs, over], { id: v7({ msecs: NOON + 1 }), concurrency: 1 }),
        makeBatch([over]),
      ] as const;
      await own.write({
        sessions: [alone, runs, over, waits],
        batches: [done, second, first, makeBatch([makeSession()])],
      });
      expect(await loadOpen(own)).toEqual({
        sessions: [waits, runs, alone],
        batches: [first, second],
      });
      const ended = [waits, runs, alone].map((session) => ({
        ...session,
        status: 'CANCELLED' as const,
      }));
      await own.write({ sessions: ended });
      expect(await loadOpen(own)).toEqual({ sessions: [], batches: [] });
      await own.close();
    });

    test('what is open is read by pages, from the last id seen', async () => {
      const own = await open();
      const sessions = [0, 1, 2, 3].map((at) => makeSession({ createdAt: NOON + at }));
      const batches = sessions.map((session, at) =>
        makeBatch([session], { id: v7({ msecs: NOON + at }) }),
      );
      await own.write({ sessions, batches });
      const page = { limit: 2, after: sessions[0]?.id };
      expect(await own.loadOpenSessions(page)).toEqual(sessions.slice(1, 3));
      expect(await own.loadOpenSessions({ ...page, after: sessions[3]?.id })).toEqual([]);
      const batchPage = { limit: 2, after: batches[1]?.id };
      expect(await own.loadOpenBatches(batchPage)).toEqual(batches.slice(2));
      await own.close();
    });

    test('a batch is replaced whole', async () => {
      const own = await open();
      const [one, other] = [makeSession(), makeSession()];
      const batch = makeBatch([one]);
      await own.write({ sessions: [one, other], batches: [batch] });
      const replaced = { ...batch, sessionIds: [other.id, one.id], concurrency: 9 };
      await own.write({ batches: [replaced] });
      expect((await loadOpen(own)).batches).toEqual([replaced]);
      await own.close();
    });

    test('the sessions of a forgotten check stay, and are still ended', async () => {
      const session = makeSession();
      await history.write({
        sessions: [session],
        results: [makeResult({ checkId: session.checkId })],
      });
      await history.forget(session.checkId);
      expect(await history.findSession(session.id)).toEqual(session);
      const cancelled = { ...session, status: 'CANCELLED' as const, stoppedAt: NOON + 1 };
      await history.write({ sessions: [cancelled] });
      expect(await history.findSession(session.id)).toEqual(cancelled);
    });
  });

  describe(`test sessions in the ${name}`, () => {
    const query = (given: Partial<TestSessionQuery>): TestSessionQuery => ({
      accountId: ACCOUNT,
      limit: 100,
      statuses: TEST_SESSION_STATUSES,
      branches: [],
      ...given,
    });

    test('a test session is found by its id as it was last written', async () => {
      const session = makeTestSession({
        metadata: { branchName: 'main', nested: { commits: [1, null] } },
      });
      await history.write(wholeRecords(session));
      expect(await history.findTestSession(session.id)).toEqual(session);
      const results = [makeTestResult()];
      const ended = { ...session, status: 'PASSED' as const, stoppedAt: NOON + 9, results };
      await history.write(wholeRecords(ended));
      expect(await history.findTestSession(session.id)).toEqual(ended);
    });

    test.each(['FAILED', 'PASSED', 'CANCELLED'] as const)(
      'a test session that is kept as %s never changes again',
      async (status) => {
        const ended = makeTestSession({ status, name: 'first' });
        await history.write(wholeRecords(ended));
        await history.write(wholeRecords({ ...ended, status: 'RUNNING', name: 'later' }));
        await history.write(wholeRecords({ ...ended, status: 'PASSED', name: 'later' }));
        expect(await history.findTestSession(ended.id)).toEqual(ended);
      },
    );

    test('results stand in the order of their checks, attempts before the last of each', async () => {
      const attempt = (position: number, ms: number) =>
        makeTestResult({ id: v7({ msecs: NOON + ms }), position, resultType: 'ATTEMPT' });
      const last = (position: number) => makeTestResult({ position });
      const results = [attempt(0, 1), attempt(0, 2), last(0), last(1), attempt(2, 1), last(2)];
      const session = makeTestSession({ results });
      const { testSessions, testResults } = wholeRecords(session);
      await history.write({ testSessions, testResults: testResults.toReversed() });
      expect((await history.findTestSession(session.id))?.results).toEqual(results);
    });

    test('a result that is pending is replaced by its end, which never changes again', async () => {
      const pending = makeTestResult();
      const session = makeTestSession({ results: [pending, makeTestResult({ position: 1 })] });
      await history.write(wholeRecords(session));
      const over = { ...pending, resultType: 'FINAL' as const, status: 'FAILED' as const };
      const given = (status: 'FAILED' | 'RUNNING' | 'CANCELLED', detail?: string) => ({
        testResults: [{ sessionId: session.id, result: { ...over, status }, detail }],
      });
      await history.write(given('FAILED', '{}'));
      await history.write(given('RUNNING'));
      await history.write(given('CANCELLED', '{"late":1}'));
      expect((await history.findTestSession(session.id))?.results).toEqual([
        over,
        session.results[1],
      ]);
      const query = { sessionId: session.id, resultId: pending.id };
      expect(await history.findTestResult(query)).toEqual({ result: over, detail: '{}' });
    });

    test('a result is found in its session, with its detail where there is one', async () => {
      const [withDetail, without] = [makeTestResult(), makeTestResult()];
      const session = makeTestSession({ results: [withDetail, without] });
      const other = makeTestSession({ results: [makeTestResult()] });
      const detail = JSON.stringify({ apiCheckResult: { body: 'ä'.repeat(5_000) } });
      const testResults = [{ sessionId: session.id, result: withDetail, detail }];
      await history.write({ testResults });
      await history.write(wholeRecords(other));
      await history.write({ testResults: [{ sessionId: session.id, result: without }] });
      const find = (resultId: string, sessionId = session.id) =>
        history.findTestResult({ sessionId, resultId });
      expect(await find(withDetail.id)).toEqual({ result: withDetail, detail });
      expect(await find(without.id)).toEqual({ result: without, detail: null });
      expect(await find(withDetail.id, other.id)).toBeNull();
      expect(await find(randomUUID())).toBeNull();
    });

    test('pages are newest first, and the last entry of one begins the next', async () => {
      const metadata = { branchName: randomUUID() };
      const sessions = [4, 0, 2, 1, 3].map((at) =>
        makeTestSession({ createdAt: NOON + at, metadata }),
      );
      for (const session of sessions) await history.write(wholeRecords(session));
      const times: number[][] = [];
      let before: string | undefined;
      do {
        const page = await history.listTestSessions(
          query({ limit: 2, branches: [metadata.branchName], before }),
        );
        times.push(entriesOf(page).map(({ startedAt }) => Date.parse(startedAt) - NOON));
        before = page.nextBefore ?? undefined;
      } while (before !== undefined);
      expect(times).toEqual([[4, 3], [2, 1], [0]]);
    });

    test('a page that ends with the oldest entry says that there is no next one', async () => {
      const metadata = { branchName: randomUUID() };
      await history.write(wholeRecords(makeTestSession({ metadata })));
      const page = query({ limit: 1, branches: [metadata.branchName] });
      expect((await history.listTestSessions(page)).nextBefore).toBeNull();
    });

    test.each<[string, Partial<TestSessionQuery>, string[]]>([
      ['every status', {}, ['Deploy 100%', 'ÄRGER_1', 'nightly']],
      ['some statuses', { statuses: ['RUNNING', 'FAILED'] }, ['Deploy 100%', 'nightly']],
      ['no status', { statuses: [] }, []],
      ['part of a name in any case', { textSearch: 'DEPLOY' }, ['Deploy 100%']],
      ['letters beyond ASCII in any case', { textSearch: 'ärger' }, ['ÄRGER_1']],
      ['a percent sign, which is no wildcard', { textSearch: '%' }, ['Deploy 100%']],
      ['an underscore, which is no wildcard', { textSearch: 'r_1' }, ['ÄRGER_1']],
      ['a quote, which ends nothing', { textSearch: "' OR 1=1 --" }, []],
      ['a search of nothing', { textSearch: '' }, ['Deploy 100%', 'ÄRGER_1', 'nightly']],
      ['a time from which on', { from: NOON + 1 }, ['Deploy 100%', 'ÄRGER_1']],
      ['a time before which', { to: NOON + 1 }, ['nightly']],
      ['a period far away', { from: -1, to: 1e17 }, ['Deploy 100%', 'ÄRGER_1', 'nightly']],
      ['all at once', { statuses: ['RUNNING'], textSearch: 'i', from: NOON, to: NOON + 9 }, []],
    ])('a query for %s finds these', async (_, given, expected) => {
      const metadata = { branchName: randomUUID() };
      for (const session of [
        makeTestSession({ metadata, name: 'nightly', status: 'FAILED' }),
        makeTestSession({ metadata, name: 'ÄRGER_1', status: 'PASSED', createdAt: NOON + 1 }),
        makeTestSession({ metadata, name: 'Deploy 100%', createdAt: NOON + 2 }),
      ]) {
        await history.write(wholeRecords(session));
      }
      const branches = [metadata.branchName];
      const page = await history.listTestSessions(query({ ...given, branches }));
      expect(entriesOf(page).map(({ name }) => name)).toEqual(expected);
      expect(page.length).toBe(expected.length);
    });

    test('branches are those of the metadata; without one every session is asked for', async () => {
      const own = await open();
      const [main, topic, none, odd] = [
        makeTestSession({ metadata: { branchName: 'main' }, createdAt: NOON + 3 }),
        makeTestSession({ metadata: { branchName: 'topic' }, createdAt: NOON + 2 }),
        makeTestSession({ createdAt: NOON + 1 }),
        makeTestSession({ metadata: { branchName: ['main'] } }),
      ] as const;
      for (const session of [main, topic, none, odd]) await own.write(wholeRecords(session));
      const list = async (branches: string[]) =>
        entriesOf(await own.listTestSessions(query({ branches }))).map(({ id }) => id);
      expect(await list(['main'])).toEqual([main.id]);
      expect(await list(['topic', 'main', 'unknown'])).toEqual([main.id, topic.id]);
      expect(await list(['Main'])).toEqual([]);
      expect(await list([])).toEqual([main.id, topic.id, none.id, odd.id]);
      await own.close();
    });

    test('an entry has the ids of the last result of each check, by status', async () => {
      const errorGroupId = randomUUID();
      const metadata = { branchName: randomUUID() };
      const results = [
        makeTestResult({ id: v7({ msecs: NOON }), resultType: 'ATTEMPT', status: 'FAILED' }),
        makeTestResult({ status: 'PASSED' }),
        makeTestResult({ position: 1, status: 'PASSED' }),
        makeTestResult({ position: 2, status: 'FAILED', errorGroupId }),
        makeTestResult({ position: 3, status: 'CANCELLED' }),
        makeTestResult({ position: 4 }),
      ];
      const { results: _, ...head } = makeTestSession({ metadata });
      await history.write(wholeRecords({ ...head, results }));
      const page = await history.listTestSessions(query({ branches: [metadata.branchName] }));
      const ids = results.map(({ id }) => id);
      const resultIds = {
        PASSED: ids.slice(1, 3),
        FAILED: ids.slice(3, 4),
        CANCELLED: ids.slice(4, 5),
        RUNNING: ids.slice(5),
      };
      const listed = viewTestEntry({ ...head, resultIds, errorGroupIds: [errorGroupId] }, ACCOUNT);
      expect(entriesOf(page)).toEqual([listed]);
      const ofGroup = (id: string) => history.listTestSessions(query({ errorGroupId: id }));
      expect(entriesOf(await ofGroup(errorGroupId))).toEqual([listed]);
      expect(entriesOf(await ofGroup(randomUUID()))).toEqual([]);
      expect(entriesOf(await ofGroup('nonsense'))).toEqual([]);
    });

    test('the open ones are the ids of those that run, oldest first, by pages', async () => {
      const own = await open();
      const at = (ms: number) => makeTestSession({ createdAt: NOON + ms });
      const [first, second, third] = [at(1), at(2), at(3)];
      const over = makeTestSession({ status: 'PASSED', createdAt: NOON });
      for (const session of [third, over, first, second]) await own.write(wholeRecords(session));
      expect(await own.loadOpenTestSessions({ limit: 2 })).toEqual([first.id, second.id]);
      const rest = await own.loadOpenTestSessions({ limit: 2, after: second.id });
      expect(rest).toEqual([third.id]);
      await own.close();
    });
  });
}
