import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TooManySessions } from '#main/sessions/sessions-port.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { Check } from '#shared/checks/check.ts';
import { type Answer, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const message = ({ body }: Answer) => (body as { message: string }).message;
const TRIGGER = '/v2/check-sessions/trigger';
const trigger = (target?: object, path = TRIGGER) =>
  api.call('POST', path, target === undefined ? {} : { body: { target } });

async function keep(...checks: Check[]): Promise<void> {
  for (const check of checks) await api.configuration.checks.put(check);
}

/** The names of the checks of each trigger that the service was given, in their order. */
const triggered = () => api.sessions.triggers.map(({ checks }) => checks.map(({ name }) => name));

describe('what a trigger chooses', () => {
  beforeEach(async () => {
    await api.configuration.groups.put(makeGroup('v2', { tags: ['team-a'], concurrency: 2 }, 1));
    await api.configuration.groups.put(makeGroup('v2', { activated: false }, 2));
    await keep(
      makeCheck('API', { name: 'plain' }),
      makeCheck('URL', { name: 'tagged', tags: ['prod'] }),
      makeCheck('TCP', { name: 'last of group', groupId: 1, tags: ['prod', 'db'] }),
      makeCheck('DNS', { name: 'second of group', groupId: 1, groupOrder: 2 }),
      makeCheck('API', { name: 'first of group', groupId: 1, groupOrder: 0 }),
      makeCheck('API', { name: 'off', activated: false, tags: ['prod'], groupId: 1 }),
      makeCheck('API', { name: 'group off', tags: ['prod'], groupId: 2 }),
      makeCheck('HEARTBEAT', { name: 'heartbeat', tags: ['prod'] }),
    );
  });

  test.each<[string, object | undefined, string[]]>([
    [
      'nothing: all that can run',
      undefined,
      ['plain', 'tagged', 'last of group', 'second of group', 'first of group'],
    ],
    [
      'an empty target: the same',
      {},
      ['plain', 'tagged', 'last of group', 'second of group', 'first of group'],
    ],
    ['a tag', { matchTags: [['prod']] }, ['tagged', 'last of group']],
    ['both tags', { matchTags: [['prod', 'db']] }, ['last of group']],
    ['one tag and not another', { matchTags: [['prod', '!db']] }, ['tagged']],
    ['either list', { matchTags: [['db'], ['prod', '!db']] }, ['tagged', 'last of group']],
    [
      'a tag of the group',
      { matchTags: [['team-a']] },
      ['last of group', 'second of group', 'first of group'],
    ],
    ['without the tag of the group', { matchTags: [['!team-a']] }, ['plain', 'tagged']],
    [
      'a list that is null',
      { matchTags: null, checkId: null },
      ['plain', 'tagged', 'last of group', 'second of group', 'first of group'],
    ],
    ['a group', { groupId: 1 }, ['first of group', 'second of group', 'last of group']],
    ['a group and a tag', { groupId: [1], matchTags: [['prod']] }, ['last of group']],
  ])('%s', async (_case, target, names) => {
    for (const version of ['v1', 'v2']) {
      const { status, body } = await trigger(target, `/${version}/check-sessions/trigger`);
      expect(status).toBe(201);
      const { sessions } = body as { sessions: { name: string }[] };
      expect(sessions.map(({ name }) => name)).toEqual(names);
    }
  });

  test.each<[string, object]>([
    ['no check has the tag', { matchTags: [['nobody']] }],
    ['no lists of tags', { matchTags: [] }],
    ['an unknown check', { checkId: [randomUUID()] }],
    ['no ids', { checkId: [] }],
    ['a group that is off', { groupId: 2 }],
    ['a group without such a check', { groupId: 1, matchTags: [['!team-a']] }],
  ])('%s: 404 with the words of the contract', async (_case, target) => {
    const answer = await trigger(target);
    expect(answer.body).toEqual({
      statusCode: 404,
      error: 'Not Found',
      message: 'No matching checks were found.',
    });
    expect(api.sessions.triggers).toEqual([]);
  });

  test('an unknown group: 404, and nothing starts', async () => {
    const answer = await trigger({ groupId: [1, 7] });
    expect([answer.status, message(answer)]).toEqual([404, 'No check group has the id 7']);
    expect(api.sessions.triggers).toEqual([]);
  });

  test('checks by id and tag must have both', async () => {
    const ids = new Map(api.configuration.checks.all().map(({ name, id }) => [name, id]));
    const checkId = ['plain', 'tagged', 'off', 'heartbeat'].map((name) => ids.get(name));
    await trigger({ checkId });
    await trigger({ checkId, matchTags: [['prod']] });
    await trigger({ checkId: [ids.get('tagged')?.toUpperCase(), randomUUID()] });
    expect(triggered()).toEqual([['plain', 'tagged'], ['tagged'], ['tagged']]);
  });

  test('each group is a batch of its own with its concurrency and run source', async () => {
    await api.configuration.groups.put(makeGroup('v2', { concurrency: 7 }, 3));
    await keep(makeCheck('API', { name: 'of another', groupId: 3 }));
    expect((await trigger({ groupId: [3, 1, 3] })).status).toBe(201);
    expect(triggered()).toEqual([
      ['of another'],
      ['first of group', 'second of group', 'last of group'],
    ]);
    const options = api.sessions.triggers.map((one) => one.options);
    expect(options).toMatchObject([
      { concurrency: 7, runSource: 'GROUP_RUN_ALL' },
      { concurrency: 2, runSource: 'GROUP_RUN_ALL' },
    ]);
    await trigger();
    expect(api.sessions.triggers.at(-1)?.options).toMatchObject({
      concurrency: undefined,
      runSource: 'TRIGGER_API',
    });
  });

  test('where a later group is refused, the sessions of the earlier ones are cancelled', async () => {
    await api.configuration.groups.put(makeGroup('v2', {}, 3));
    await keep(makeCheck('API', { name: 'of another', groupId: 3 }));
    const { sessions } = api;
    const make = sessions.trigger.bind(sessions);
    sessions.trigger = async (checks, options) => {
      if (sessions.triggers.length > 0) throw new TooManySessions(20_000);
      return make(checks, options);
    };
    expect((await trigger({ groupId: [3, 1] })).status).toBe(429);
    expect(sessions.cancelled).toEqual([...sessions.kept.keys()]);
    expect(sessions.cancelled).toHaveLength(1);
  });

  test('the settings of the group are applied to what runs', async () => {
    const places = { locations: ['us-east-1', 'us-west-1'], runParallel: true };
    await api.configuration.groups.put(makeGroup('v2', places, 1));
    await trigger({ groupId: 1 });
    const [first] = api.sessions.triggers[0]?.checks ?? [];
    expect(first).toMatchObject(places);
  });
});

test.each<[string, object, string]>([
  [
    'an empty inner list',
    { matchTags: [[]] },
    'target.matchTags.0: expected at least 1 item, got 0 items',
  ],
  [
    'an empty tag',
    { matchTags: [['']] },
    'target.matchTags.0.0: expected at least 1 character, got ""',
  ],
  ['a lone negation', { matchTags: [['!']] }, 'target.matchTags.0.0: expected a tag after `!`'],
  ['what is no UUID', { checkId: ['x'] }, 'target.checkId.0: expected a UUID, got "x"'],
  [
    'a group of no number',
    { groupId: 'x' },
    'target.groupId.0: expected a whole number above 0, got "x"',
  ],
  ['a group 0', { groupId: [0] }, 'target.groupId.0: expected a whole number above 0, got 0'],
  [
    'too many lists',
    { matchTags: Array(51).fill(['a']) },
    'target.matchTags: expected at most 50 items, got 51 items',
  ],
  [
    'too many tags',
    { matchTags: [Array(21).fill('a')] },
    'target.matchTags.0: expected at most 20 items, got 21 items',
  ],
  [
    'too many ids',
    { checkId: Array(10_001).fill(randomUUID()) },
    'target.checkId: expected at most 10000 items, got 10001 items',
  ],
  [
    'too many groups',
    { groupId: Array(101).fill(1) },
    'target.groupId: expected at most 100 items, got 101 items',
  ],
])('%s is refused', async (_case, target, words) => {
  const answer = await trigger(target);
  expect([answer.status, message(answer)]).toEqual([400, words]);
});

test('one id may stand for a list in v1, and not in v2', async () => {
  const check = makeCheck('API');
  await keep(check);
  const target = { checkId: check.id };
  expect((await trigger(target, '/v1/check-sessions/trigger')).status).toBe(201);
  expect((await trigger(target)).status).toBe(400);
});

test('a new session has the shape of the contract', async () => {
  const check = makeCheck('API', { name: 'Shop', locations: ['eu-west-1', 'us-east-1'] });
  await keep(check);
  const body = { target: { checkId: [check.id] }, refreshCache: true };
  const answer = await api.call('POST', TRIGGER, { body });
  const [id] = api.sessions.kept.keys();
  expect(answer.body).toEqual({
    sessions: [
      {
        checkSessionId: id,
        checkSessionLink: `${api.url}/#/checks/${check.id}/sessions/${id}`,
        checkId: check.id,
        checkType: 'API',
        name: 'Shop',
        status: 'STARTED',
        startedAt: new Date(NOW).toISOString(),
        stoppedAt: null,
        timeElapsed: 0,
        runLocations: ['eu-west-1', 'us-east-1'],
        runSource: 'TRIGGER_API',
      },
    ],
  });
});

test('a long answer is sent in slices, and whole', async () => {
  const checks = Array.from({ length: 450 }, (_, n) => makeCheck('URL', { name: `check ${n}` }));
  await Promise.all(checks.map((check) => api.configuration.checks.put(check)));
  const { body } = await trigger();
  const { sessions } = body as { sessions: { name: string }[] };
  expect(sessions.map(({ name }) => name)).toEqual(checks.map(({ name }) => name));
});

test.each([
  ['too many sessions', new TooManySessions(20_000), 429],
  ['a full disk', new StoreError('FULL', 'no room'), 503],
])('%s: refused, to come back later', async (_case, failure, status) => {
  await keep(makeCheck('API'));
  api.sessions.failure = failure;
  const answer = await trigger();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '5']);
});

test.each([
  ['v1/check-sessions/trigger', { targets: { checkId: [] } }, 'targets'],
  ['v2/check-sessions/trigger', { targets: { checkId: [] } }, 'targets'],
  ['v1/check-sessions/trigger', { target: { checkIds: [] } }, 'target.checkIds'],
  ['v2/check-sessions/trigger', { target: { matchTag: [] } }, 'target.matchTag'],
  ['v1/test-sessions/trigger', { name: 'a', runLocation: 'eu-west-1', targets: {} }, 'targets'],
  [
    'v1/test-sessions/trigger',
    { name: 'a', runLocation: 'eu-west-1', target: { tags: [] } },
    'target.tags',
  ],
])('POST /%s refuses the misspelt %j by its name, and runs nothing', async (path, body, name) => {
  await keep(makeCheck('URL'));
  const answer = await api.call('POST', `/${path}`, { body });
  expect([answer.status, message(answer)]).toEqual([
    400,
    `${name}: expected no member of this name`,
  ]);
  expect(answer.body).toMatchObject({ validation: { source: 'payload', keys: [name] } });
  expect([api.sessions.triggers, api.testSessions.triggers]).toEqual([[], []]);
});

test.each(['check-sessions', 'test-sessions'])('a cancel of %s refuses them too', async (kind) => {
  const path = `/v1/${kind}/${randomUUID()}/cancel`;
  const answer = await api.call('POST', path, { body: { sequenceIds: [] } });
  expect([answer.status, message(answer)]).toEqual([
    400,
    'sequenceIds: expected no member of this name',
  ]);
});
