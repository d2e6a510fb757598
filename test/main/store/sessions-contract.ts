import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { History, TestSessionQuery } from '#main/store/history.ts';
import { ENDED_STATUSES } from '#shared/session/check-session.ts';
import { TEST_SESSION_STATUSES } from '#shared/session/test-session.ts';
import { makeResult, NOON } from './facts.ts';
import {
  makeBatch,
  makeSession,
  makeSessionResult,
  makeTestResult,
  makeTestSession,
} from './session-facts.ts';

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
        expect((await history.loadOpenSessions()).sessions).not.toContainEqual(
          expect.objectContaining({ id: ended.id }),
        );
      },
    );

    test.each([v7(), 'no-uuid', ''])('no session is found by the id %j', async (id) => {
      expect(await history.findSession(id)).toBeNull();
      expect(await history.findTestSession(id)).toBeNull();
      expect(await history.findTestResult({ sessionId: id, resultId: id })).toBeNull();
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
      expect(await own.loadOpenSessions()).toEqual({
        sessions: [waits, runs, alone],
        batches: [first, second],
      });
      const ended = [waits, runs, alone].map((session) => ({
        ...session,
        status: 'CANCELLED' as const,
      }));
      await own.write({ sessions: ended });
      expect(await own.loadOpenSessions()).toEqual({ sessions: [], batches: [] });
      await own.close();
    });

    test('a batch is replaced whole', async () => {
      const own = await open();
      const [one, other] = [makeSession(), makeSession()];
      const batch = makeBatch([one]);
      await own.write({ sessions: [one, other], batches: [batch] });
      const replaced = { ...batch, sessionIds: [other.id, one.id], concurrency: 9 };
      await own.write({ batches: [replaced] });
      expect((await own.loadOpenSessions()).batches).toEqual([replaced]);
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
      limit: 100,
      statuses: TEST_SESSION_STATUSES,
      branches: [],
      ...given,
    });

    test('a test session is found by its id as it was last written', async () => {
      const session = makeTestSession({
        metadata: { branchName: 'main', nested: { commits: [1, null] } },
        results: [makeTestResult()],
      });
      await history.write({ testSessions: [session] });
      expect(await history.findTestSession(session.id)).toEqual(session);
      const ended = { ...session, status: 'PASSED' as const, stoppedAt: NOON + 9 };
      await history.write({ testSessions: [ended] });
      expect(await history.findTestSession(session.id)).toEqual(ended);
    });

    test.each(['FAILED', 'PASSED', 'CANCELLED'] as const)(
      'a test session that is kept as %s never changes again',
      async (status) => {
        const ended = makeTestSession({ status, name: 'first' });
        await history.write({ testSessions: [ended] });
        await history.write({ testSessions: [{ ...ended, status: 'RUNNING', name: 'later' }] });
        await history.write({ testSessions: [{ ...ended, status: 'PASSED', name: 'later' }] });
        expect(await history.findTestSession(ended.id)).toEqual(ended);
      },
    );

    test('a result is found in its session, with its detail where there is one', async () => {
      const [withDetail, without] = [makeTestResult(), makeTestResult()];
      const session = makeTestSession({ results: [withDetail, without] });
      const other = makeTestSession({ results: [makeTestResult()] });
      const detail = JSON.stringify({ apiCheckResult: { body: 'ä'.repeat(5_000) } });
      const later = { sessionId: session.id, resultId: withDetail.id, detail: '{}' };
      await history.write({
        testSessions: [session, other],
        testDetails: [{ ...later, detail }],
      });
      // The first one stands.
      await history.write({ testDetails: [later] });
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
      await history.write({ testSessions: sessions });
      const times: number[][] = [];
      let before: string | undefined;
      do {
        const page = await history.listTestSessions(
          query({ limit: 2, branches: [metadata.branchName], before }),
        );
        times.push(page.entries.map(({ createdAt }) => createdAt - NOON));
        before = page.nextBefore ?? undefined;
      } while (before !== undefined);
      expect(times).toEqual([[4, 3], [2, 1], [0]]);
    });

    test('a page that ends with the oldest entry says that there is no next one', async () => {
      const metadata = { branchName: randomUUID() };
      await history.write({ testSessions: [makeTestSession({ metadata })] });
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
      await history.write({
        testSessions: [
          makeTestSession({ metadata, name: 'nightly', status: 'FAILED' }),
          makeTestSession({ metadata, name: 'ÄRGER_1', status: 'PASSED', createdAt: NOON + 1 }),
          makeTestSession({ metadata, name: 'Deploy 100%', createdAt: NOON + 2 }),
        ],
      });
      const branches = [metadata.branchName];
      const { entries } = await history.listTestSessions(query({ ...given, branches }));
      expect(entries.map(({ name }) => name)).toEqual(expected);
    });

    test('branches are those of the metadata; without one every session is asked for', async () => {
      const own = await open();
      const [main, topic, none, odd] = [
        makeTestSession({ metadata: { branchName: 'main' }, createdAt: NOON + 3 }),
        makeTestSession({ metadata: { branchName: 'topic' }, createdAt: NOON + 2 }),
        makeTestSession({ createdAt: NOON + 1 }),
        makeTestSession({ metadata: { branchName: ['main'] } }),
      ] as const;
      await own.write({ testSessions: [main, topic, none, odd] });
      const list = async (branches: string[]) =>
        (await own.listTestSessions(query({ branches }))).entries;
      expect(await list(['main'])).toEqual([main]);
      expect(await list(['topic', 'main', 'unknown'])).toEqual([main, topic]);
      expect(await list(['Main'])).toEqual([]);
      expect(await list([])).toEqual([main, topic, none, odd]);
      await own.close();
    });
  });
}
