import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { alertSettings } from '#shared/checks/blocks.ts';
import { MAX_GROUPS } from '#shared/groups/group.ts';
import { type Answer, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';
import { makeGroup } from '../../fixtures/groups.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;
const AT = new Date(NOW).toISOString();

function create(members: object = {}, version = 'v2'): Promise<Answer> {
  return api.call('POST', `/${version}/check-groups`, { body: { name: 'A group', ...members } });
}

async function createCheck(members: object = {}): Promise<string> {
  const body = { name: 'A check', ...LEAST_BODIES.API, ...members };
  const { status, body: check } = await api.call('POST', '/v1/checks/api', { body });
  expect(status).toBe(201);
  return (check as { id: string }).id;
}

const idsOf = ({ body }: Answer) => (body as { id: unknown }[]).map(({ id }) => id);

test('a group is created, read, updated and deleted', async () => {
  const created = await create({ tags: ['b', 'a'] });
  const group = {
    id: 1,
    name: 'A group',
    activated: true,
    muted: false,
    tags: ['b', 'a'],
    locations: [],
    privateLocations: [],
    concurrency: 3,
    apiCheckDefaults: {
      url: '',
      headers: [],
      queryParameters: [],
      assertions: [],
      basicAuth: { username: '', password: '' },
    },
    runtimeId: null,
    environmentVariables: [],
    alertChannelSubscriptions: [],
    setupSnippetId: null,
    tearDownSnippetId: null,
    localSetupScript: null,
    localTearDownScript: null,
    runParallel: false,
    alertSettings: alertSettings.parse({}),
    retryStrategy: 'FALLBACK',
    useGlobalAlertSettings: null,
    doubleCheck: false,
    created_at: AT,
    updated_at: null,
  };
  expect([created.status, created.body]).toEqual([201, group]);
  const read = { ...group, checks: [], projectBindings: { owner: null, references: [] } };
  expect((await api.call('GET', '/v1/check-groups/1')).body).toEqual(read);
  const updated = await api.call('PUT', '/v2/check-groups/1', { body: { muted: true } });
  expect([updated.status, updated.body]).toEqual([200, { ...group, muted: true, updated_at: AT }]);
  expect((await api.call('DELETE', '/v1/check-groups/1')).status).toBe(204);
  const gone: [string, string, unknown][] = [
    ['GET', '/v1/check-groups/1', undefined],
    ['PUT', '/v1/check-groups/1', {}],
    ['PUT', '/v2/check-groups/1', {}],
    ['DELETE', '/v1/check-groups/1', undefined],
    ['GET', '/v1/check-groups/1/checks', undefined],
    ['GET', '/v2/check-groups/1/checks/5e1d6f3a-8a3b-4c3e-9a51-0d4f2b7c9e10', undefined],
  ];
  for (const [method, path, body] of gone) {
    const answer = await api.call(method, path, { body });
    expect([answer.status, message(answer)]).toEqual([404, 'No check group has the id 1']);
  }
});

test('a group of v1 decides for its checks where nothing is said', async () => {
  const { body } = await create({}, 'v1');
  expect(body).toMatchObject({
    runParallel: false,
    useGlobalAlertSettings: true,
    doubleCheck: true,
  });
  expect(body).not.toHaveProperty('retryStrategy');
});

test.each(['v1', 'v2'])('%s: alert settings never set show as those of the account', async (v) => {
  const ofAccount = { escalationType: 'TIME_BASED', reminders: { amount: 3, interval: 10 } };
  await api.call('PUT', '/app/account', { body: { alertSettings: ofAccount } });
  const own = { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 4 } };
  const shown = [
    (await create({}, v)).body,
    (await api.call('GET', '/v1/check-groups/1')).body,
    ((await api.call('GET', '/v1/check-groups')).body as unknown[])[0],
    (await api.call('PUT', `/${v}/check-groups/1`, { body: {} })).body,
  ];
  for (const group of shown) expect(group).toMatchObject({ alertSettings: ofAccount });
  expect(api.configuration.groups.get('1')?.alertSettings).toBeNull();
  const body = { alertSettings: own };
  const updated = await api.call('PUT', `/${v}/check-groups/1`, { body });
  expect(updated.body).toMatchObject(body);
});

test('runParallel shows false where it was never set, and null where it was sent', async () => {
  expect((await create()).body).toMatchObject({ runParallel: false });
  expect((await create({ runParallel: null })).body).toMatchObject({ runParallel: null });
});

test('ids ascend and are never used again, also when many are made at once', async () => {
  const created = await Promise.all([create(), create({}, 'v1'), create()]);
  expect(created.map(({ body }) => (body as { id: number }).id).sort()).toEqual([1, 2, 3]);
  await api.call('DELETE', '/v1/check-groups/3');
  expect((await create()).body).toMatchObject({ id: 4 });
});

test('there is a bound on groups', async () => {
  for (let id = 1; id <= MAX_GROUPS; id++) {
    await api.configuration.groups.put(makeGroup('v2', {}, id));
  }
  const refused = await create();
  expect([refused.status, message(refused)]).toEqual([409, 'There are 5000 check groups already']);
});

describe('updates', () => {
  test.each(['v1', 'v2'])(
    '%s: members left out stay, objects are replaced whole',
    async (version) => {
      await create({
        tags: ['a'],
        retryStrategy: { type: 'LINEAR', maxRetries: 3 },
        apiCheckDefaults: { url: 'https://a.test', headers: [{ key: 'a', value: '1' }] },
      });
      const body = {
        name: 'Other',
        retryStrategy: { type: 'FIXED' },
        apiCheckDefaults: { url: 'https://b.test' },
      };
      const { body: updated } = await api.call('PUT', `/${version}/check-groups/1`, { body });
      expect(updated).toMatchObject({
        name: 'Other',
        tags: ['a'],
        retryStrategy: { type: 'FIXED', baseBackoffSeconds: 60, sameRegion: true },
        apiCheckDefaults: { url: 'https://b.test', headers: [] },
      });
      expect((updated as { retryStrategy: object }).retryStrategy).not.toHaveProperty('maxRetries');
    },
  );

  test('what comes with `autoAssignAlerts` and members of old is taken', async () => {
    const body = { id: 9, name: 'A', created_at: '', alertSettings: null, tags: null };
    const created = await api.call('POST', '/v2/check-groups?autoAssignAlerts=false', { body });
    expect(created.status).toBe(201);
    expect(created.headers.get('x-ignored-fields')).toBe('id, created_at');
    expect(created.body).toMatchObject({
      id: 1,
      tags: [],
      alertSettings: { escalationType: 'RUN_BASED' },
    });
    const put = await api.call('PUT', '/v2/check-groups/1?autoAssignAlerts=0', { body });
    expect(put.status).toBe(200);
  });

  test('two at once are both kept', async () => {
    await create();
    const bodies = [{ muted: true }, { concurrency: 7 }];
    await Promise.all(bodies.map((body) => api.call('PUT', '/v2/check-groups/1', { body })));
    const { body } = await api.call('GET', '/v1/check-groups/1');
    expect(body).toMatchObject({ muted: true, concurrency: 7 });
  });
});

test('the value of a secret is written, never read, and stays where it is sent back', async () => {
  const secret = { key: 'S', value: 'hush', locked: false, secret: true };
  const plain = { key: 'P', value: 'loud', locked: false, secret: false };
  const created = await create({ environmentVariables: [secret, plain] });
  const shown = [{ ...secret, value: null }, plain];
  expect(created.body).toMatchObject({ environmentVariables: shown });
  expect((await api.call('GET', '/v1/check-groups/1')).body).toMatchObject({
    environmentVariables: shown,
  });
  const body = { environmentVariables: [{ ...secret, value: null, secret: false }] };
  const put = await api.call('PUT', '/v2/check-groups/1', { body });
  expect(put.body).toMatchObject({ environmentVariables: [{ ...secret, value: null }] });
  expect(api.configuration.groups.get('1')?.environmentVariables).toEqual([secret]);
});

describe('the list', () => {
  test('comes in pages with the total', async () => {
    for (let n = 1; n <= 12; n++) await create({ name: `group ${n}` });
    const first = await api.call('GET', '/v1/check-groups');
    expect(first.headers.get('content-range')).toBe('0-9/12');
    const second = await api.call('GET', '/v1/check-groups?limit=10&page=2');
    expect([second.headers.get('content-range'), idsOf(second)]).toEqual(['10-11/12', [11, 12]]);
  });

  test.each([
    ['tag=a', [1]],
    ['tag[]=a&tag[]=c', [1, 2]],
    ['tag=a,c', [1, 2]],
    ['name=one', [1]],
    ['name=On', []],
    ['name=two, too', [2]],
    ['name[]=one&name[]=three', [1, 3]],
    ['name=one&tag=c', []],
    ['tag=', [1, 2, 3]],
  ])('has of three groups with ?%s these: %j', async (query, ids) => {
    await create({ name: 'one', tags: ['a', 'b'] });
    await create({ name: 'two, too', tags: ['b', 'c'] });
    await create({ name: 'three' });
    expect(idsOf(await api.call('GET', `/v1/check-groups?${query}`))).toEqual(ids);
  });

  test('names the checks of each group', async () => {
    for (const name of ['one', 'two']) await create({ name });
    const late = await createCheck({ groupId: 1, groupOrder: 2 });
    const early = await createCheck({ groupId: 1, groupOrder: 1 });
    await createCheck();
    const { body } = await api.call('GET', '/v1/check-groups');
    expect(body).toMatchObject([{ checks: [early, late] }, { checks: [] }]);
    expect((await api.call('GET', '/v1/check-groups/1')).body).toMatchObject({
      checks: [early, late],
    });
  });
});

describe('snippets of a group', () => {
  const createSnippet = () =>
    api.call('POST', '/v1/snippets', { body: { name: 'log in', script: '1' } });

  test('must exist', async () => {
    const refused = await create({ setupSnippetId: 1 });
    expect([refused.status, message(refused)]).toEqual([
      400,
      'setupSnippetId: no snippet 1 exists',
    ]);
    await create();
    const body = { tearDownSnippetId: 1 };
    expect((await api.call('PUT', '/v1/check-groups/1', { body })).status).toBe(400);
    await createSnippet();
    expect((await api.call('PUT', '/v1/check-groups/1', { body })).status).toBe(200);
  });

  test('are not deleted while the group names them', async () => {
    await createSnippet();
    await create({ tearDownSnippetId: 1 });
    const refused = await api.call('DELETE', '/v1/snippets/1');
    expect([refused.status, message(refused)]).toEqual([
      409,
      'The snippet is used by "A group" (1)',
    ]);
  });

  test('a group and the deletion of its snippet do not pass each other', async () => {
    await createSnippet();
    const [deleted, created] = await Promise.all([
      api.call('DELETE', '/v1/snippets/1'),
      create({ setupSnippetId: 1 }),
    ]);
    expect([
      [204, 400],
      [409, 201],
    ]).toContainEqual([deleted.status, created.status]);
  });
});

test('alert channels of a group must exist', async () => {
  const alertChannelSubscriptions = [{ alertChannelId: 1, activated: true }];
  const refused = await create({ alertChannelSubscriptions });
  expect([refused.status, message(refused)]).toEqual([
    400,
    'alertChannelSubscriptions.0.alertChannelId: no alert channel 1 exists',
  ]);
});

test.each(['0', 'x', '1.5', '99999999999'])('the id %s is none', async (id) => {
  expect((await api.call('GET', `/v1/check-groups/${id}`)).status).toBe(400);
});

test('what an older or newer version left in the file is not shown', async () => {
  const group = { ...makeGroup('v2'), later: 1 };
  await api.configuration.groups.put(group);
  expect((await api.call('GET', '/v1/check-groups/1')).body).not.toHaveProperty('later');
});
