import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { History } from '#main/store/history/history.ts';
import { errorGroupKey, TEST_SESSIONS } from '#shared/error-groups/error-group.ts';
import { entriesOf, makeResult, NOON } from './records.ts';
import { makeTestResult, makeTestSession } from './session-records.ts';

/** What every history does with groups of failures. */
export function errorGroupsContract(name: string, open: () => Promise<History>): void {
  let history: History;
  let checkId: string;
  beforeAll(async () => {
    history = await open();
  });
  beforeEach(() => {
    checkId = randomUUID();
  });
  afterAll(() => history.close());

  const failure = (message: string, createdAt: number) =>
    makeResult({
      checkId,
      createdAt,
      slot: null,
      hasFailures: true,
      failure: { cause: 'TIMEOUT_RESPONSE', message },
    });
  const list = () => history.listErrorGroups({ of: 'checks', checkId, limit: 10, offset: 0 });

  describe(`error groups in the ${name}`, () => {
    test('failures whose messages differ in numbers are one group, with the first message and both times', async () => {
      await history.write({ results: [failure('Timed out after 50 ms', NOON + 2)] });
      await history.write({
        results: [
          failure('Timed out after 70 ms', NOON + 9),
          failure('Timed out after 60 ms', NOON + 1),
          failure('Nobody listens', NOON + 5),
          makeResult({ checkId, createdAt: NOON + 20 }),
        ],
      });
      const { id, errorHash } = errorGroupKey(checkId, 'Timed out after 50 ms');
      const { groups, total } = await list();
      expect(total).toBe(2);
      expect(groups[0]).toEqual({
        id,
        checkId,
        errorHash,
        rawErrorMessage: 'Timed out after 50 ms',
        cleanedErrorMessage: 'Timed out after <number> ms',
        firstSeen: NOON + 1,
        lastSeen: NOON + 9,
        archived: 'none',
      });
      expect(groups[1]).toMatchObject({ rawErrorMessage: 'Nobody listens', lastSeen: NOON + 5 });
      const query = { checkId, name: '', limit: 10, resultType: 'ALL' } as const;
      const results = entriesOf(await history.listResults(query));
      expect(results.map(({ errorGroupIds }) => errorGroupIds)).toEqual([
        [],
        [id],
        [groups[1]?.id],
        [id],
        [id],
      ]);
    });

    test('a group that is archived until the next failure comes back with it, for ever does not', async () => {
      const fail = (at: number) =>
        history.write({ results: [failure('first', at), failure('second', at)] });
      await fail(NOON);
      const [first, second] = ['first', 'second'].map((text) => errorGroupKey(checkId, text).id);
      await history.write({
        errorGroupArchives: [
          { id: String(first), archived: 'untilNextEvent' },
          { id: String(second), archived: 'forEver' },
        ],
      });
      expect(await list()).toEqual({ groups: [], total: 0 });
      expect(await history.findErrorGroup(String(first))).toMatchObject({
        archived: 'untilNextEvent',
      });
      await fail(NOON + 1);
      expect((await list()).groups).toMatchObject([{ id: first, archived: 'none' }]);
      expect(await history.findErrorGroup(String(second))).toMatchObject({
        archived: 'forEver',
        lastSeen: NOON + 1,
      });
    });

    test('pages are in the order of the last failures', async () => {
      const letters = [...'abcdefg'];
      await history.write({ results: letters.map((text, n) => failure(text, NOON + n)) });
      const page = await history.listErrorGroups({ of: 'checks', checkId, limit: 3, offset: 3 });
      expect(page.groups.map(({ rawErrorMessage }) => rawErrorMessage)).toEqual(['d', 'c', 'b']);
      expect(page.total).toBe(7);
    });

    test('those of test sessions are apart, and of no check', async () => {
      const message = `broken ${checkId} of 12`;
      const { id } = errorGroupKey(TEST_SESSIONS, message);
      const session = makeTestSession();
      const result = makeTestResult({ status: 'FAILED', errorGroupId: id });
      const { results: _, ...head } = session;
      await history.write({
        testSessions: [head],
        testResults: [{ sessionId: session.id, result, error: message }],
      });
      expect((await list()).total).toBe(0);
      expect(await history.findErrorGroup(id)).toMatchObject({
        checkId: null,
        cleanedErrorMessage: 'broken <id> of <number>',
      });
      const listed = await history.listErrorGroups({ of: 'testSessions', limit: 10, offset: 0 });
      expect(listed.groups.map((group) => group.id)).toContain(id);
    });

    test('those of a check that is forgotten are gone', async () => {
      await history.write({ results: [failure('gone', NOON)] });
      await history.forget(checkId);
      expect((await list()).total).toBe(0);
      expect(await history.findErrorGroup(errorGroupKey(checkId, 'gone').id)).toBeNull();
    });

    test('an id of nothing finds none', async () => {
      expect(await history.findErrorGroup(randomUUID())).toBeNull();
    });
  });
}
