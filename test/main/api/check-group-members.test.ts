import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { type Answer, type Harness, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;

function create(members: object = {}): Promise<Answer> {
  return api.call('POST', '/v2/check-groups', { body: { name: 'A group', ...members } });
}

async function createCheck(members: object = {}): Promise<string> {
  const body = { name: 'A check', ...LEAST_BODIES.API, ...members };
  const { status, body: check } = await api.call('POST', '/v1/checks/api', { body });
  expect(status).toBe(201);
  return (check as { id: string }).id;
}

const idsOf = ({ body }: Answer) => (body as { id: unknown }[]).map(({ id }) => id);

describe('the checks of a group', () => {
  test('are named by its id, which must exist; null takes them out', async () => {
    const body = { name: 'A', ...LEAST_BODIES.API, groupId: 1 };
    const refused = await api.call('POST', '/v1/checks/api', { body });
    expect([refused.status, message(refused)]).toEqual([400, 'groupId: no check group 1 exists']);
    await create();
    const id = await createCheck({ groupId: 1 });
    const moved = await api.call('PUT', `/v1/checks/api/${id}`, { body: { groupId: 2 } });
    expect(moved.status).toBe(400);
    const out = await api.call('PUT', `/v1/checks/${id}`, { body: { groupId: null } });
    expect(out.body).toMatchObject({ groupId: null });
    expect((await api.call('GET', '/v1/check-groups/1')).body).toMatchObject({ checks: [] });
  });

  test('a heartbeat may be in one, its token its own', async () => {
    await create();
    const body = { name: 'A', ...LEAST_BODIES.HEARTBEAT, groupId: 1 };
    const first = await api.call('POST', '/v1/checks/heartbeat', { body });
    expect([first.status, first.body]).toMatchObject([201, { groupId: 1 }]);
    const { heartbeat } = first.body as { heartbeat: object };
    const again = await api.call('POST', '/v1/checks/heartbeat', { body: { ...body, heartbeat } });
    expect([again.status, message(again)]).toEqual([
      400,
      'heartbeat.pingToken: expected a token that no other check has',
    ]);
  });

  test.each(['v1', 'v2'])(
    '%s: they are shown in their order with its settings',
    async (version) => {
      await create({
        activated: false,
        tags: ['g'],
        locations: ['us-east-1'],
        environmentVariables: [{ key: 'S', value: 'hush', secret: true }],
        apiCheckDefaults: { headers: [{ key: 'x', value: '1' }] },
      });
      const any = await createCheck({ groupId: 1 });
      const third = await createCheck({ groupId: 1, groupOrder: 3 });
      const first = await createCheck({ groupId: 1, groupOrder: 0, tags: ['c'] });
      const alsoThird = await createCheck({ groupId: 1, groupOrder: 3 });
      await createCheck();
      const path = `/${version}/check-groups/1/checks`;
      const list = await api.call('GET', path);
      expect(list.headers.get('content-range')).toBe('0-3/4');
      expect(idsOf(list)).toEqual([first, third, alsoThird, any]);
      const merged = {
        id: first,
        activated: false,
        tags: ['c', 'g'],
        locations: ['us-east-1'],
        environmentVariables: [{ key: 'S', value: null, secret: true }],
        request: { headers: [{ key: 'x', value: '1', locked: false }] },
      };
      expect((list.body as unknown[])[0]).toMatchObject(merged);
      expect((await api.call('GET', `${path}/${first}`)).body).toMatchObject(merged);
      const page = await api.call('GET', `${path}?limit=1&page=2`);
      expect([page.headers.get('content-range'), idsOf(page)]).toEqual(['1-1/4', [third]]);
    },
  );

  test('v2 says less of projects', async () => {
    await create();
    const id = await createCheck({ groupId: 1 });
    const v1 = await api.call('GET', `/v1/check-groups/1/checks/${id}`);
    expect(v1.body).toHaveProperty('logicalId', null);
    const v2 = await api.call('GET', `/v2/check-groups/1/checks/${id}`);
    expect(v2.body).not.toHaveProperty('logicalId');
  });

  test('a check of another group is not found there', async () => {
    await create();
    await create();
    const id = await createCheck({ groupId: 2 });
    const answer = await api.call('GET', `/v1/check-groups/1/checks/${id}`);
    expect([answer.status, message(answer)]).toEqual([
      404,
      `No check of the group 1 has the id ${id}`,
    ]);
  });
});

describe('applyGroupSettings', () => {
  test.each(['v1', 'v2', 'v3'])(
    '%s: shows checks with it, and filters what it shows',
    async (version) => {
      await create({ tags: ['g'], muted: true });
      const inside = await createCheck({ groupId: 1, tags: ['c'] });
      const outside = await createCheck({ tags: ['g'] });
      const path = `/${version}/checks`;
      expect((await api.call('GET', `${path}/${inside}`)).body).toMatchObject({ tags: ['c'] });
      const applied = await api.call('GET', `${path}/${inside}?applyGroupSettings=true`);
      expect(applied.body).toMatchObject({ tags: ['c', 'g'], muted: true, groupId: 1 });
      expect(idsOf(await api.call('GET', `${path}?tag=g`))).toEqual([outside]);
      const list = await api.call('GET', `${path}?tag=g&applyGroupSettings=1`);
      expect(idsOf(list)).toEqual([inside, outside]);
      expect(list.body).toMatchObject([{ muted: true }, { muted: false }]);
    },
  );
});

describe('deleting', () => {
  test('is refused while checks are in the group, up to five of them named', async () => {
    await create();
    const ids = [];
    for (let n = 0; n < 7; n++) ids.push(await createCheck({ name: `check ${n}`, groupId: 1 }));
    const refused = await api.call('DELETE', '/v1/check-groups/1');
    expect(refused.status).toBe(409);
    const named = ids.slice(0, 5).map((id, n) => `"check ${n}" (${id})`);
    expect(message(refused)).toBe(`The check group still holds ${named.join(', ')} and 2 more`);
    for (const id of ids) await api.call('DELETE', `/v1/checks/${id}`);
    expect((await api.call('DELETE', '/v1/check-groups/1')).status).toBe(204);
  });

  test('waits for a check that is about to join', async () => {
    await create();
    const gate = hold(api.configuration.checks, 'put');
    const joining = api.call('POST', '/v1/checks/url', {
      body: { name: 'A', ...LEAST_BODIES.URL, groupId: 1 },
    });
    await gate.entered;
    const deleting = api.call('DELETE', '/v1/check-groups/1');
    // Another request goes all the way meanwhile.
    expect((await api.call('GET', '/v1/check-groups/1')).status).toBe(200);
    gate.open();
    expect([(await joining).status, (await deleting).status]).toEqual([201, 409]);
  });

  test('is waited for by a check that is about to join, which then finds no group', async () => {
    await create();
    const gate = hold(api.configuration.groups, 'delete');
    const deleting = api.call('DELETE', '/v1/check-groups/1');
    await gate.entered;
    const joining = api.call('POST', '/v1/checks/url', {
      body: { name: 'A', ...LEAST_BODIES.URL, groupId: 1 },
    });
    expect((await api.call('GET', '/v1/check-groups/1')).status).toBe(200);
    gate.open();
    expect([(await deleting).status, (await joining).status]).toEqual([204, 400]);
    expect(api.configuration.checks.size).toBe(0);
  });

  test('waits for no change of a check that was there before', async () => {
    await create();
    const id = await createCheck({ groupId: 1 });
    const gate = hold(api.configuration.checks, 'put');
    const body = { name: 'B', groupId: 1 };
    const changing = api.call('PUT', `/v1/checks/api/${id}`, { body });
    await gate.entered;
    expect((await api.call('DELETE', '/v1/check-groups/1')).status).toBe(409);
    gate.open();
    expect((await changing).status).toBe(200);
  });

  /** Holds every change of one kind until it is opened. */
  function hold<M extends 'put' | 'delete'>(
    collection: Record<M, (given: never) => Promise<unknown>>,
    method: M,
  ) {
    const change = collection[method].bind(collection);
    const entered = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    collection[method] = async (given: never) => {
      entered.resolve();
      await gate.promise;
      return change(given);
    };
    return { entered: entered.promise, open: gate.resolve };
  }
});
