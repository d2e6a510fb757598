import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiOptions } from '#main/api/options.ts';
import type { SessionResult, StoredSession } from '#shared/sessions/check-session.ts';
import { ENDED_STATUSES, SESSION_STATUSES } from '#shared/sessions/check-session.ts';
import { type Answer, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';

let api: Harness;
const logged: unknown[] = [];
const log = { error: (...said: unknown[]) => logged.push(said), warn: () => undefined };
beforeEach(async () => {
  logged.length = 0;
  api = await startApi({ log: log as unknown as ApiOptions['log'] });
});
afterEach(() => api.close());

const message = ({ body }: Answer) => (body as { message: string }).message;
/** A session of a check, changed as a test wants it. */
async function sessionOf(members: Partial<StoredSession> = {}): Promise<StoredSession> {
  const check = makeCheck('API', { name: 'Shop', locations: ['eu-west-1'] });
  const [made] = await api.sessions.trigger([check], { runSource: 'TRIGGER_API' });
  return api.sessions.put({ ...(made as StoredSession), ...members });
}

const result = (members: Partial<SessionResult> = {}): SessionResult => ({
  checkResultId: randomUUID(),
  runLocation: 'eu-west-1',
  resultType: 'FINAL',
  sequenceId: randomUUID(),
  hasFailures: false,
  hasErrors: false,
  isDegraded: false,
  overMaxResponseTime: false,
  responseTime: 12.6,
  startedAt: NOW + 100,
  stoppedAt: NOW + 150,
  ...members,
});

describe('reading a session', () => {
  test('it shows what has come in so far, and its time grows', async () => {
    const attempt = result({ resultType: 'ATTEMPT', hasFailures: true });
    const { id, checkId } = await sessionOf({ status: 'PROGRESS', results: [attempt] });
    api.clock.jump(1_500);
    for (const version of ['v1', 'v2']) {
      const { status, body } = await api.call('GET', `/${version}/check-sessions/${id}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'PROGRESS', timeElapsed: 1_500, stoppedAt: null });
      expect((body as { results: unknown[] }).results).toEqual([
        {
          checkResultId: attempt.checkResultId,
          checkResultLink: `${api.url}/#/checks/${checkId}/results/${attempt.checkResultId}`,
          checkId,
          checkType: 'API',
          name: 'Shop',
          runLocation: 'eu-west-1',
          resultType: 'ATTEMPT',
          hasErrors: false,
          hasFailures: true,
          isDegraded: false,
          aborted: false,
          isCancelled: false,
          responseTime: 13,
          startedAt: new Date(NOW + 100).toISOString(),
          stoppedAt: new Date(NOW + 150).toISOString(),
        },
      ]);
    }
  });

  test('the time of one that is over stands still', async () => {
    const { id } = await sessionOf({ status: 'PASSED', stoppedAt: NOW + 800 });
    api.clock.jump(60_000);
    const { body } = await api.call('GET', `/v2/check-sessions/${id}`);
    expect(body).toMatchObject({
      timeElapsed: 800,
      stoppedAt: new Date(NOW + 800).toISOString(),
    });
  });

  test.each(SESSION_STATUSES)('%s is shown, in v1 too but for CANCELLED', async (status) => {
    const { id } = await sessionOf({ status });
    const shown = async (version: string) =>
      ((await api.call('GET', `/${version}/check-sessions/${id}`)).body as { status: string })
        .status;
    expect(await shown('v2')).toBe(status);
    expect(await shown('v1')).toBe(status === 'CANCELLED' ? 'TIMED_OUT' : status);
  });

  test.each(['', '/completion'])(
    'an unknown one%s: 404 with the words of the contract',
    async (end) => {
      for (const version of ['v1', 'v2']) {
        const answer = await api.call('GET', `/${version}/check-sessions/${randomUUID()}${end}`);
        expect([answer.status, message(answer)]).toEqual([404, 'No such check session.']);
      }
    },
  );
});

describe('waiting for the end', () => {
  const completion = (id: string, query = '', version = 'v2') =>
    api.call('GET', `/${version}/check-sessions/${id}/completion${query}`);

  /** Resolves with the milliseconds as somebody begins to wait. */
  function nextWait(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    api.sessions.onWait = resolve;
    return promise;
  }

  test.each(ENDED_STATUSES)('%s answers at once', async (status) => {
    const { id } = await sessionOf({ status, stoppedAt: NOW, results: [result()] });
    for (const version of ['v1', 'v2']) {
      expect((await completion(id, '', version)).status).toBe(200);
    }
  });

  test('it answers as the session ends', async () => {
    const session = await sessionOf({ status: 'PROGRESS' });
    const waiting = nextWait();
    const answer = completion(session.id);
    expect(await waiting).toBe(30_000);
    api.sessions.put({ ...session, status: 'FAILED', stoppedAt: NOW + 5 });
    expect((await answer).body).toMatchObject({ status: 'FAILED', timeElapsed: 5 });
  });

  test('408 after the time given: the client asks again', async () => {
    const { id } = await sessionOf();
    const waiting = nextWait();
    const pending = completion(id, '?maxWaitSeconds=2');
    expect(await waiting).toBe(2_000);
    await api.clock.advance(2_000);
    const answer = await pending;
    expect(answer.body).toEqual({
      statusCode: 408,
      error: 'Request Time-out',
      message: 'The check session is still running: ask again.',
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([408, '1']);
  });

  test.each([
    ['v1', '?maxWaitSeconds=0', 400],
    ['v1', '?maxWaitSeconds=30.5', 400],
    ['v1', '?maxWaitSeconds=x', 400],
    ['v1', '?maxWaitSeconds=1.5', 200],
    ['v2', '?maxWaitSeconds=1.5', 400],
    ['v2', '?maxWaitSeconds=31', 400],
    ['v2', '?maxWaitSeconds=30', 200],
  ])('%s takes %s: %i', async (version, query, status) => {
    const { id } = await sessionOf({ status: 'PASSED', stoppedAt: NOW });
    expect((await completion(id, query, version)).status).toBe(status);
  });

  test('a client that hangs up leaves nothing behind', async () => {
    const session = await sessionOf();
    const waiting = nextWait();
    const stop = new AbortController();
    const url = `${api.url}/v2/check-sessions/${session.id}/completion`;
    const headers = { authorization: `Bearer ${api.key}` };
    const hungUp = expect(fetch(url, { headers, signal: stop.signal })).rejects.toThrow('aborted');
    await waiting;
    stop.abort();
    await hungUp;
    api.sessions.put({ ...session, status: 'PASSED', stoppedAt: NOW });
    // Others are answered, nothing is logged, and the close after each test waits for nothing.
    expect((await completion(session.id)).status).toBe(200);
    expect(logged).toEqual([]);
  });
});

describe('cancelling', () => {
  const cancel = (id: string, body?: unknown) =>
    api.call('POST', `/v1/check-sessions/${id}/cancel`, { body });

  test('204 without a body, with an empty one, and with a sequence of the session', async () => {
    const known = result();
    const { id } = await sessionOf({ results: [known] });
    for (const body of [undefined, {}, { sequenceId: [known.sequenceId] }]) {
      const answer = await cancel(id, body);
      expect([answer.status, answer.body]).toEqual([204, null]);
    }
    expect(api.sessions.cancelled).toEqual([id, id, id]);
  });

  test('a sequence that is not of this session: 404, and nothing is cancelled', async () => {
    const known = result();
    const { id } = await sessionOf({ results: [known] });
    const foreign = randomUUID();
    const answer = await cancel(id, { sequenceId: [known.sequenceId, foreign] });
    expect(answer.status).toBe(404);
    expect(message(answer)).toBe(`No result of this session has the sequence ${foreign}`);
    expect(api.sessions.cancelled).toEqual([]);
  });

  test.each([
    [{ sequenceId: [] }, 'sequenceId: expected at least 1 item, got 0 items'],
    [{ sequenceId: ['x'] }, 'sequenceId.0: expected a UUID, got "x"'],
  ])('%j is refused', async (body, words) => {
    const { id } = await sessionOf();
    const answer = await cancel(id, body);
    expect([answer.status, message(answer)]).toEqual([400, words]);
  });

  test('an unknown session: 404', async () => {
    const answer = await cancel(randomUUID());
    expect([answer.status, message(answer)]).toEqual([404, 'No such check session.']);
  });
});
