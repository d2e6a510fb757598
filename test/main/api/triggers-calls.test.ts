import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_TRIGGER_CALLS } from '#main/services/triggers.ts';
import { TooManySessions } from '#main/sessions/sessions-port.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { CheckOf } from '#shared/checks/check.ts';
import type { SessionStatus, StoredSession } from '#shared/sessions/check-session.ts';
import { ENDED_STATUSES } from '#shared/sessions/check-session.ts';
import { type Answer, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';

let api: Harness;
let check: CheckOf<'API'>;
let url: string;
beforeEach(async () => {
  api = await startApi();
  check = makeCheck('API', { name: 'Shop', locations: ['eu-west-1'] });
  await api.configuration.checks.put(check);
  url = await urlOf('checks', check.id);
});
afterEach(() => api.close());

const message = ({ body }: Answer) => (body as { message: string }).message;

/** The path of a new trigger's URL. */
async function urlOf(kind: 'checks' | 'check-groups', id: string | number): Promise<string> {
  const { body } = await api.call('POST', `/v1/triggers/${kind}/${id}`);
  return `/${kind}/${id}/trigger/${(body as { token: string }).token}`;
}

const call = (path: string, method = 'GET') => api.call(method, path, { key: null });

/** Lets every session end at once, as the statuses say in turn. */
function endWith(...statuses: SessionStatus[]): void {
  const { sessions } = api;
  const make = sessions.trigger.bind(sessions);
  sessions.trigger = async (checks, options) =>
    (await make(checks, options)).map((session, n) => {
      const status = statuses[n] ?? statuses.at(-1) ?? 'PASSED';
      return sessions.put({ ...session, status, stoppedAt: NOW, results: resultsOf(session) });
    });
}

/** A first attempt, and the end of it in two places. */
function resultsOf({ checkType }: StoredSession): StoredSession['results'] {
  const flags = {
    hasFailures: false,
    hasErrors: false,
    isDegraded: false,
    overMaxResponseTime: false,
  };
  const times = { startedAt: NOW, stoppedAt: NOW, sequenceId: randomUUID() };
  const kinds = [
    ['ATTEMPT', 900],
    ['FINAL', 40.4],
    ['FINAL', 120.6],
  ] as const;
  return kinds.map(([resultType, responseTime]) => ({
    checkResultId: randomUUID(),
    runLocation: checkType,
    resultType,
    responseTime,
    ...times,
    ...flags,
  }));
}

test.each(ENDED_STATUSES)('a check that ends %s is told by the status', async (status) => {
  endWith(status);
  const isGood = status === 'PASSED' || status === 'DEGRADED';
  const answer = await call(url);
  expect(answer.status).toBe(isGood ? 200 : 503);
  expect(answer.body).toEqual({ hasFailures: !isGood, responseTime: 121 });
});

test('the response time is that of API checks only', async () => {
  const tcp = makeCheck('TCP');
  await api.configuration.checks.put(tcp);
  endWith('PASSED');
  expect((await call(await urlOf('checks', tcp.id))).body).toEqual({ hasFailures: false });
});

describe('a group', () => {
  let groupUrl: string;
  beforeEach(async () => {
    await api.configuration.groups.put(makeGroup('v2', { concurrency: 2 }, 3));
    const members = { groupId: 3 };
    await api.configuration.checks.put(makeCheck('API', { name: 'b', groupOrder: 1, ...members }));
    await api.configuration.checks.put(makeCheck('API', { name: 'a', groupOrder: 0, ...members }));
    await api.configuration.checks.put(
      makeCheck('API', { name: 'off', activated: false, ...members }),
    );
    groupUrl = await urlOf('check-groups', 3);
  });

  test.each(['3.0', '0x3', '+3', '%203', '3e0'])('is not known as %s', async (id) => {
    endWith('PASSED', 'PASSED');
    expect((await call(groupUrl.replace('/3/', `/${id}/`))).status).toBe(404);
    expect((await call(groupUrl)).status).toBe(200);
  });

  test('runs in its order with its concurrency; one bad check makes the call fail', async () => {
    endWith('PASSED', 'FAILED');
    const answer = await call(groupUrl);
    expect([answer.status, answer.body]).toEqual([503, { hasFailures: true }]);
    const [only] = api.sessions.triggers;
    expect(only?.checks.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(only?.options).toMatchObject({ concurrency: 2, runSource: 'LEGACY_TRIGGER' });
  });

  test('passes where all of its checks do', async () => {
    endWith('PASSED', 'DEGRADED');
    const answer = await call(groupUrl);
    expect([answer.status, answer.body]).toEqual([200, { hasFailures: false }]);
  });
});

test('408 where the runs take longer than 30 seconds in total', async () => {
  const waiting = Promise.withResolvers<number>();
  api.sessions.onWait = waiting.resolve;
  const pending = call(url);
  expect(await waiting.promise).toBe(30_000);
  await api.clock.advance(30_000);
  const answer = await pending;
  expect([answer.status, message(answer)]).toEqual([
    408,
    'The runs are not over; they go on, and count.',
  ]);
});

test('what a deployment hook sends reaches the runs', async () => {
  endWith('PASSED');
  const sent = {
    deployment: 'true',
    repository: 'shop',
    sha: 'abc',
    deploymentId: '17',
    environmentUrl: 'https://preview.example.test/?a=1&b=2',
    environmentName: 'Preview',
    runLocation: 'us-east-1',
  };
  expect((await call(`${url}?${new URLSearchParams(sent)}`)).status).toBe(200);
  expect(api.sessions.triggers[0]?.options).toEqual({
    at: NOW,
    runSource: 'LEGACY_TRIGGER',
    concurrency: undefined,
    overrides: {
      location: 'us-east-1',
      builtIns: {
        ENVIRONMENT_URL: 'https://preview.example.test/?a=1&b=2',
        ENVIRONMENT_NAME: 'Preview',
      },
    },
  });
});

test('what is sent empty is as if left out', async () => {
  endWith('PASSED');
  expect((await call(`${url}?environmentUrl=&environmentName=&runLocation=`)).status).toBe(200);
  expect(api.sessions.triggers[0]?.options.overrides).toEqual({ builtIns: {} });
});

test.each([
  ['us-east-1', 200],
  ['local', 200],
  ['office', 200],
  ['moon', 400],
])('a run at %s: %i', async (runLocation, status) => {
  endWith('PASSED');
  await api.configuration.checks.put({ ...check, privateLocations: ['office'] });
  const answer = await call(`${url}?runLocation=${runLocation}`);
  expect(answer.status).toBe(status);
  if (status === 400) {
    expect(message(answer)).toBe(
      'runLocation: expected a location, or a private location of one of the checks',
    );
  }
});

test('the time of the last call is kept', async () => {
  endWith('PASSED');
  api.clock.jump(5_000);
  await call(url);
  const { body } = await api.call('GET', `/v1/triggers/checks/${check.id}`);
  expect(body).toMatchObject({ called_at: new Date(NOW + 5_000).toISOString() });
});

test('an unknown id, a wrong token and what is no id are told alike, and run nothing', async () => {
  const token = url.split('/').at(-1);
  const other = makeCheck('API');
  await api.configuration.checks.put(other);
  const paths = [
    `/checks/${randomUUID()}/trigger/${token}`,
    `/checks/${other.id}/trigger/${token}`,
    `/checks/${check.id}/trigger/${'x'.repeat(12)}`,
    `/checks/${check.id}/trigger/x`,
    `/checks/nonsense/trigger/${token}`,
    `/check-groups/1/trigger/${token}`,
    `/check-groups/nonsense/trigger/${token}`,
  ];
  const answers = await Promise.all(paths.map((path) => call(path)));
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([
      404,
      { statusCode: 404, error: 'Not Found', message: 'No trigger has this URL' },
    ]);
  }
  expect(api.sessions.triggers).toEqual([]);
});

test('a token is compared as it is written, an id in any case', async () => {
  endWith('PASSED');
  const [, , id = '', , token = ''] = url.split('/');
  expect((await call(`/checks/${id.toUpperCase()}/trigger/${token}`)).status).toBe(200);
  const swapped = token.replace(/[a-z]/gi, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase()));
  expect((await call(`/checks/${id}/trigger/${swapped}`)).status).toBe(404);
});

test('an ended trigger, and one whose check is gone, are unknown', async () => {
  await api.call('DELETE', `/v1/triggers/checks/${check.id}`);
  expect((await call(url)).status).toBe(404);
  const next = await urlOf('checks', check.id);
  // Also while it is still kept.
  api.configuration.triggers.failure = new StoreError('FULL', 'no room');
  await api.configuration.checks.delete(check.id);
  const answer = await call(next);
  expect([answer.status, message(answer)]).toEqual([404, 'No trigger has this URL']);
});

test('a check that is off: 404, as no session could run it', async () => {
  await api.configuration.checks.put({ ...check, activated: false });
  const answer = await call(url);
  expect([answer.status, message(answer)]).toEqual([404, 'No matching checks were found.']);
});

test('too many open sessions: 429', async () => {
  api.sessions.failure = new TooManySessions(20_000);
  expect((await call(url)).status).toBe(429);
});

test('HEAD and other methods run nothing', async () => {
  for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) {
    const answer = await call(url, method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
  }
  expect(api.sessions.triggers).toEqual([]);
});

test('ten calls a minute, then 429 until the first is a minute old', async () => {
  endWith('PASSED');
  for (let turn = 0; turn < MAX_TRIGGER_CALLS; turn++) expect((await call(url)).status).toBe(200);
  api.clock.jump(20_500);
  const refused = await call(url);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
  expect(message(refused)).toBe('More than 10 calls of this trigger within a minute');
  api.clock.jump(39_500);
  expect((await call(url)).status).toBe(200);
});
