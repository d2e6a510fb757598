import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wholeRecords } from '#main/sessions/test-session-kind.ts';
import {
  ACCOUNT_ID,
  type Answer,
  type Harness,
  NOW,
  startApi,
} from '../../fixtures/api-harness.ts';
import { makeTestResult, makeTestSession } from '../../fixtures/test-sessions.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const message = ({ body }: Answer) => (body as { message: string }).message;

describe('the list', () => {
  const list = (query = '') => api.call('GET', `/v1/test-sessions${query}`);
  interface Page {
    length: number;
    entries: { id: string; name: string }[];
    nextId: string | null;
  }
  const names = ({ body }: Answer) => (body as Page).entries.map(({ name }) => name);

  test('an entry has the shape of the contract; attempts count with their end', async () => {
    const results = [
      makeTestResult({ resultType: 'ATTEMPT', status: 'FAILED' }),
      makeTestResult({ status: 'PASSED' }),
      makeTestResult({ position: 1, status: 'FAILED' }),
      makeTestResult({ position: 2, resultType: 'PENDING', status: 'RUNNING' }),
    ];
    const metadata = { environment: 'preview', repoUrl: 'https://example.test', branchName: null };
    const session = makeTestSession({ status: 'RUNNING', stoppedAt: null, metadata, results });
    await api.history.write(wholeRecords(session));
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({
      length: 1,
      nextId: null,
      entries: [
        {
          id: session.id,
          accountId: ACCOUNT_ID,
          projectId: null,
          name: 'Nightly',
          provider: 'API',
          errorGroupIds: [],
          running: [results[3]?.id],
          passed: [results[1]?.id],
          failed: [results[2]?.id],
          cancelled: [],
          status: 'RUNNING',
          region: 'eu-west-1',
          privateLocationId: null,
          invoker: null,
          repoUrl: 'https://example.test',
          commitId: null,
          commitOwner: null,
          commitMessage: null,
          branchName: null,
          environment: 'preview',
          startedAt: new Date(NOW).toISOString(),
          stoppedAt: null,
          created_at: new Date(NOW).toISOString(),
          updated_at: null,
        },
      ],
    });
  });

  test('pages lead from the newest to the oldest', async () => {
    const testSessions = Array.from({ length: 5 }, (_, n) =>
      makeTestSession({ name: `run ${n}`, createdAt: NOW + n }),
    );
    await api.history.write({ testSessions });
    const seen: string[] = [];
    let query = '?limit=2';
    for (let pages = 0; pages < 3; pages++) {
      const answer = await list(query);
      seen.push(...names(answer));
      query = `?limit=2&nextId=${(answer.body as Page).nextId}`;
    }
    expect(seen).toEqual(['run 4', 'run 3', 'run 2', 'run 1', 'run 0']);
    expect(query).toBe('?limit=2&nextId=null');
  });

  test.each<[string, string[]]>([
    ['', ['c', 'b', 'nightly a']],
    ['?statuses=FAILED', ['b']],
    ['?statuses=&branches=', ['c', 'b', 'nightly a']],
    ['?statuses[]=FAILED&statuses[]=PASSED', ['b', 'nightly a']],
    ['?branches=main', ['nightly a']],
    ['?branches=main&branches=dev', ['b', 'nightly a']],
    ['?textSearch=NIGHT', ['nightly a']],
    [`?from=${NOW / 1_000 + 1}`, ['c', 'b']],
    [`?from=${NOW / 1_000}&to=${NOW / 1_000 + 2}`, ['b', 'nightly a']],
    ['?providers=API&providers=GITHUB', ['c', 'b', 'nightly a']],
    ['?providers=GITHUB', []],
    ['?users=someone', []],
    ['?errorGroupId=x', []],
    ['?noUsers=true', ['c', 'b', 'nightly a']],
  ])('%s lists %j', async (query, expected) => {
    await api.history.write({
      testSessions: [
        makeTestSession({ name: 'nightly a', metadata: { branchName: 'main' } }),
        makeTestSession({
          name: 'b',
          status: 'FAILED',
          createdAt: NOW + 1_000,
          metadata: { branchName: 'dev' },
        }),
        makeTestSession({ name: 'c', status: 'RUNNING', createdAt: NOW + 2_000, stoppedAt: null }),
      ],
    });
    expect(names(await list(query))).toEqual(expected);
  });

  test('an empty nextId is none', async () => {
    expect((await list('?nextId=')).status).toBe(200);
  });

  test.each([
    ['?limit=101', 'limit: expected a whole number from 1 to 100, got 101'],
    ['?textSearch=ab', 'textSearch: expected at least 3 characters, got "ab"'],
    ['?nextId=x', 'nextId: expected the nextId of an earlier answer'],
    ['?from=2&to=1', 'to: expected a time that is not before from'],
    ['?limit=0', 'limit: expected a whole number from 1 to 100, got 0'],
  ])('%s is refused', async (query, words) => {
    const answer = await list(query);
    expect([answer.status, message(answer)]).toEqual([400, words]);
  });
});
