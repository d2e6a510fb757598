import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TooManySessions } from '#main/sessions/sessions-port.ts';
import { wholeRecords } from '#main/sessions/test-session-kind.ts';
import { StoreError } from '#main/store/store-error.ts';
import { type Answer, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { makeTestResult, makeTestSession } from '../../fixtures/test-sessions.ts';

let api: Harness;
const shop = makeCheck('API', { name: 'Shop', tags: ['prod'] });
const off = makeCheck('TCP', { name: 'Off', activated: false, privateLocations: ['office'] });
beforeEach(async () => {
  api = await startApi();
  await api.configuration.checks.put(shop);
  await api.configuration.checks.put(off);
  await api.configuration.checks.put(makeCheck('HEARTBEAT'));
});
afterEach(() => api.close());

const message = ({ body }: Answer) => (body as { message: string }).message;
const LEAST = { name: 'Pull request 7', runLocation: 'eu-west-1' };
const trigger = (members: object = {}) =>
  api.call('POST', '/v1/test-sessions/trigger', { body: { ...LEAST, ...members } });

describe('a trigger', () => {
  test('makes a session of the contract with a pending result for each check', async () => {
    const metadata = { environment: 'preview', branchName: 'main', commitId: null };
    const answer = await trigger({ metadata, target: { matchTags: [['prod']] } });
    const [session] = api.testSessions.kept.values();
    const [{ id: resultId } = { id: '' }] = session?.results ?? [];
    const link = `${api.url}/#/test-sessions/${session?.id}`;
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      testSessionId: session?.id,
      testSessionLink: link,
      name: 'Pull request 7',
      status: 'RUNNING',
      errorGroupIds: [],
      startedAt: new Date(NOW).toISOString(),
      stoppedAt: null,
      timeElapsed: 0,
      metadata,
      results: [
        {
          testSessionResultId: resultId,
          testSessionResultLink: `${link}/results/${resultId}`,
          checkId: shop.id,
          checkType: 'API',
          name: 'Shop',
          runLocation: 'eu-west-1',
          errorGroupIds: [],
          resultType: 'PENDING',
          status: 'RUNNING',
          hasErrors: false,
          hasFailures: false,
          isDegraded: false,
          aborted: false,
          responseTime: null,
          startedAt: null,
          stoppedAt: null,
        },
      ],
    });
  });

  test('hands on what the runs are to have', async () => {
    await trigger({
      environmentVariables: [
        { key: 'A', value: '1' },
        { key: 'B', value: 's', secret: true },
      ],
      retryStrategy: { type: 'LINEAR' },
      refreshCache: true,
    });
    expect(api.testSessions.triggers[0]?.options).toEqual({
      ...LEAST,
      variables: [
        { key: 'A', value: '1', locked: false, secret: false },
        { key: 'B', value: 's', locked: false, secret: true },
      ],
      retryStrategy: { type: 'LINEAR', baseBackoffSeconds: 60, sameRegion: true },
      refreshCache: true,
      metadata: {},
    });
  });

  test('takes null for what nobody set', async () => {
    const unset = { refreshCache: null, metadata: null, environmentVariables: null };
    for (const target of [null, { allowDeactivated: null, checkId: null }]) {
      expect((await trigger({ ...unset, target })).status).toBe(201);
    }
  });

  test.each([
    ['left out: as each check has it', {}, undefined],
    ['null: none', { retryStrategy: null }, null],
    ['FALLBACK: as each check has it', { retryStrategy: 'FALLBACK' }, undefined],
  ])('retries %s', async (_case, members, expected) => {
    await trigger(members);
    expect(api.testSessions.triggers[0]?.options.retryStrategy).toEqual(expected);
  });

  test.each<[string, object, string[]]>([
    ['activated ones by default', {}, ['Shop']],
    ['deactivated ones where allowed', { allowDeactivated: true }, ['Shop', 'Off']],
    ['one deactivated by its id', { checkId: [off.id], allowDeactivated: true }, ['Off']],
    ['a deactivated group', { groupId: 2, allowDeactivated: true }, ['member']],
  ])('chooses %s', async (_case, target, names) => {
    await api.configuration.groups.put(makeGroup('v2', { activated: false }, 2));
    const member = makeCheck('API', { name: 'member', groupId: 2, activated: false });
    if ('groupId' in target) await api.configuration.checks.put(member);
    expect((await trigger({ target })).status).toBe(201);
    expect(api.testSessions.triggers[0]?.checks.map(({ name }) => name)).toEqual(names);
  });

  test.each<[string, object]>([
    ['a deactivated check', { checkId: [off.id] }],
    ['a tag that nobody has', { matchTags: [['nobody']], allowDeactivated: true }],
  ])('of nothing (%s) answers 404', async (_case, target) => {
    const answer = await trigger({ target });
    expect([answer.status, message(answer)]).toEqual([404, 'No matching checks were found.']);
  });

  test.each<[string, object, string]>([
    ['without a name', { name: '' }, 'name: expected at least 1 character, got ""'],
    [
      'at an unknown place',
      { runLocation: 'office' },
      'runLocation: expected a location, or a private location of one of the checks',
    ],
    [
      'with 51 variables',
      { environmentVariables: Array(51).fill({ key: 'A', value: '1' }) },
      'environmentVariables: expected at most 50 items, got 51 items',
    ],
    [
      'with 11 retries',
      { retryStrategy: { type: 'FIXED', maxRetries: 11 } },
      'retryStrategy.maxRetries: expected a whole number from 1 to 10, got 11',
    ],
    [
      'with an empty list of tags',
      { target: { matchTags: [[]] } },
      'target.matchTags.0: expected at least 1 item, got 0 items',
    ],
    [
      'with one id for a list',
      { target: { checkId: shop.id } },
      `target.checkId: expected a list, got "${shop.id}"`,
    ],
    [
      'with wrong metadata',
      { metadata: { github: {} } },
      'metadata.github.reporting: expected true or false, got nothing',
    ],
  ])('%s is refused', async (_case, members, words) => {
    const answer = await trigger(members);
    expect([answer.status, message(answer)]).toEqual([400, words]);
    expect(api.testSessions.triggers).toEqual([]);
  });

  test('runs at a private location that one of the checks names', async () => {
    const target = { checkId: [off.id], allowDeactivated: true };
    expect((await trigger({ target, runLocation: 'office' })).status).toBe(201);
  });

  test.each([
    ['too many test sessions', new TooManySessions(100), 429],
    ['a full disk', new StoreError('FULL', 'no room'), 503],
  ])('%s: refused', async (_case, failure, status) => {
    api.testSessions.failure = failure;
    expect((await trigger()).status).toBe(status);
  });
});

describe('a check that is not saved', () => {
  const path = '/app/checks/try';
  const request = { method: 'GET', url: 'https://shop.example.com/' };
  const body = { checkType: 'API', name: 'New', locations: ['eu-west-2'], request };

  test('runs as a session of its own, at the first of its locations, and is saved nowhere', async () => {
    const answer = await api.call('POST', path, { body });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'New', status: 'RUNNING', results: [{}] });
    const [{ checks, options } = { checks: [], options: undefined }] = api.testSessions.triggers;
    expect(checks).toMatchObject([{ name: 'New', request, frequency: 10 }]);
    expect(options).toMatchObject({
      runLocation: 'eu-west-2',
      retryStrategy: null,
      isUnsaved: true,
    });
    expect(api.configuration.checks.get(checks[0]?.id ?? '')).toBeUndefined();
  });

  test('gets the settings of its group', async () => {
    await api.configuration.groups.put(makeGroup('v2', { tags: ['of the group'] }, 7));
    await api.call('POST', path, { body: { ...body, groupId: 7 } });
    expect(api.testSessions.triggers[0]?.checks).toMatchObject([{ tags: ['of the group'] }]);
  });

  test('in place of one that exists it keeps the secrets that nobody reads', async () => {
    const secret = { key: 'TOKEN', value: 'hush', locked: false, secret: true };
    await api.configuration.checks.put({ ...shop, environmentVariables: [secret] });
    const environmentVariables = [{ ...secret, value: null }];
    await api.call('POST', `${path}?checkId=${shop.id}`, {
      body: { ...body, environmentVariables },
    });
    const [tried] = api.testSessions.triggers[0]?.checks ?? [];
    expect(tried).toMatchObject({ id: shop.id, name: 'New', environmentVariables: [secret] });
    expect(api.configuration.checks.get(shop.id)?.name).toBe('Shop');
  });

  test.each([
    [{ ...body, name: '' }, 'name: expected at least 1 character, got ""'],
    [{ ...body, groupId: 99 }, /^groupId: /],
    [{ checkType: 'HEARTBEAT', name: 'x' }, /^checkType: expected "API"/],
  ])('is refused as its creation would be: %j', async (wrong, said) => {
    const answer = await api.call('POST', path, { body: wrong });
    expect(answer.status).toBe(400);
    expect(message(answer)).toMatch(said);
  });

  test('is not found in place of one that is not', async () => {
    const answer = await api.call('POST', `${path}?checkId=${randomUUID()}`, { body });
    expect(answer.status).toBe(404);
  });
});

describe('reading', () => {
  test('a session shows its results, rounded', async () => {
    const session = api.testSessions.put(makeTestSession({ results: [makeTestResult()] }));
    const { status, body } = await api.call('GET', `/v1/test-sessions/${session.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'PASSED',
      timeElapsed: 50,
      stoppedAt: new Date(NOW + 50).toISOString(),
      results: [{ responseTime: 13, startedAt: new Date(NOW + 10).toISOString() }],
    });
  });

  test('a result shows its detail, the other details null', async () => {
    const one = makeTestResult({ overMaxResponseTime: true, hasFailures: true, status: 'FAILED' });
    const session = makeTestSession({ status: 'FAILED', results: [one] });
    const detail = JSON.stringify({ apiCheckResult: { response: { status: 500 } } });
    const testResults = [{ sessionId: session.id, result: one, detail }];
    await api.history.write({ ...wholeRecords(session), testResults });
    const path = `/v1/test-sessions/${session.id}/results/${one.id}`;
    const { status, body } = await api.call('GET', path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: one.id,
      testSessionResultId: one.id,
      status: 'FAILED',
      isCancelled: false,
      overMaxResponseTime: true,
      attempts: 0,
      sequenceId: one.sequenceId,
      privateLocationId: null,
      filePath: null,
      scheduleError: null,
      traceId: null,
      created_at: new Date(NOW).toISOString(),
      updated_at: new Date(NOW + 30).toISOString(),
      apiCheckResult: { response: { status: 500 } },
      browserCheckResult: null,
      multiStepCheckResult: null,
      playwrightCheckResult: null,
    });
  });

  test('a result that is pending, or was cancelled so, has no detail', async () => {
    const times = { startedAt: null, stoppedAt: null, responseTime: null, sequenceId: null };
    const one = makeTestResult({ resultType: 'PENDING', status: 'CANCELLED', ...times });
    const session = makeTestSession({ status: 'CANCELLED', results: [one] });
    await api.history.write(wholeRecords(session));
    const path = `/v1/test-sessions/${session.id}/results/${one.id}`;
    expect((await api.call('GET', path)).body).toMatchObject({
      resultType: 'PENDING',
      isCancelled: true,
      apiCheckResult: null,
      updated_at: null,
    });
  });

  test.each([
    ['GET', '', 'No such test session.'],
    ['GET', '/completion', 'No such test session.'],
    ['POST', '/cancel', 'No such test session.'],
    ['GET', `/results/${randomUUID()}`, 'No such test session result.'],
  ])('%s of an unknown session%s: 404', async (method, end, words) => {
    const answer = await api.call(method, `/v1/test-sessions/${randomUUID()}${end}`);
    expect([answer.status, message(answer)]).toEqual([404, words]);
  });
});

describe('waiting for the end', () => {
  test.each(['PASSED', 'FAILED', 'CANCELLED'] as const)('%s answers at once', async (status) => {
    const { id } = api.testSessions.put(makeTestSession({ status }));
    const answer = await api.call('GET', `/v1/test-sessions/${id}/completion?maxWaitSeconds=1`);
    expect(answer.status).toBe(200);
  });

  test('it answers as the session ends, else 408', async () => {
    const running = api.testSessions.put(makeTestSession({ status: 'RUNNING', stoppedAt: null }));
    const path = `/v1/test-sessions/${running.id}/completion`;
    let waiting = Promise.withResolvers<number>();
    api.testSessions.onWait = (waitMs) => waiting.resolve(waitMs);
    const first = api.call('GET', `${path}?maxWaitSeconds=3`);
    expect(await waiting.promise).toBe(3_000);
    await api.clock.advance(3_000);
    const tooEarly = await first;
    expect([tooEarly.status, tooEarly.headers.get('retry-after')]).toEqual([408, '1']);
    expect(message(tooEarly)).toBe('The test session is still running: ask again.');
    waiting = Promise.withResolvers<number>();
    const second = api.call('GET', path);
    expect(await waiting.promise).toBe(30_000);
    api.testSessions.put({ ...running, status: 'FAILED', stoppedAt: NOW + 9 });
    expect((await second).body).toMatchObject({ status: 'FAILED', timeElapsed: 9 });
  });
});

describe('cancelling', () => {
  test('204; a foreign sequence 404', async () => {
    const one = makeTestResult();
    const { id } = api.testSessions.put(makeTestSession({ status: 'RUNNING', results: [one] }));
    const cancel = (body?: object) => api.call('POST', `/v1/test-sessions/${id}/cancel`, { body });
    expect((await cancel({ sequenceId: [randomUUID()] })).status).toBe(404);
    expect(api.testSessions.cancelled).toEqual([]);
    expect((await cancel()).status).toBe(204);
    expect((await cancel({ sequenceId: [one.sequenceId] })).status).toBe(204);
    expect(api.testSessions.cancelled).toEqual([id, id]);
  });
});
