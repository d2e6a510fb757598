import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMutex } from '#main/platform/mutex.ts';
import { createKey, findKey, Keys, keyRecord } from '#main/services/keys.ts';
import type { ApiKey } from '#main/store/configuration/configuration.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import {
  ACCOUNT_ID,
  ADMIN_TOKEN,
  type Harness,
  NOW,
  startApi,
} from '../../fixtures/api-harness.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const asAdmin = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { key: ADMIN_TOKEN, ...(body === undefined ? {} : { body }) });

test('a key is 256 bits of base64url, and only its hash is kept', () => {
  const { record, key } = createKey('cron', NOW);
  expect(key).toMatch(/^wp_[A-Za-z0-9_-]{43}$/);
  expect(record).toMatchObject({
    name: 'cron',
    hash: createHash('sha256').update(key).digest('hex'),
    prefix: key.slice(0, 8),
    created_at: '2026-01-15T12:00:00.000Z',
  });
  expect(JSON.stringify(record)).not.toContain(key);
});

test('a key is found by itself and by nothing like it', () => {
  const keys = ['alpha-key-0123456789', 'beta-key-0123456789'].map((key) =>
    keyRecord(key, key, NOW),
  );
  expect(findKey(keys, 'beta-key-0123456789')).toBe(keys[1]);
  for (const wrong of ['', 'beta-key-012345678', 'Beta-key-0123456789', keys[1]?.hash ?? '']) {
    expect(findKey(keys, wrong)).toBeUndefined();
  }
});

test('a record with a broken hash matches nothing', () => {
  const record = { ...keyRecord('some-key-0123456789', 'x', NOW), hash: '' };
  expect(findKey([record], '')).toBeUndefined();
});

test('keys are made, listed and revoked, and work and stop at once', async () => {
  const made = (await asAdmin('POST', '/app/keys', { name: 'cron' })).body as {
    id: string;
    key: string;
  };
  expect((await api.call('GET', '/v1/checks', { key: made.key })).status).toBe(200);
  const listed = (await asAdmin('GET', '/app/keys')).body;
  expect(listed).toContainEqual({
    id: made.id,
    name: 'cron',
    prefix: made.key.slice(0, 8),
    created_at: '2026-01-15T12:00:00.000Z',
    used_at: '2026-01-15T12:00:00.000Z',
  });
  expect(JSON.stringify(listed)).not.toMatch(/hash|wp_[A-Za-z0-9_-]{43}/);
  expect((await asAdmin('DELETE', `/app/keys/${made.id}`)).status).toBe(204);
  expect((await api.call('GET', '/v1/checks', { key: made.key })).status).toBe(401);
  expect((await asAdmin('DELETE', `/app/keys/${made.id}`)).status).toBe(404);
});

test('a key that was not used since the start says so', async () => {
  const { id } = (await asAdmin('POST', '/app/keys', { name: 'idle' })).body as { id: string };
  const listed = (await asAdmin('GET', '/app/keys')).body as { id: string; used_at: unknown }[];
  expect(listed.find((key) => key.id === id)?.used_at).toBeNull();
});

test('an API key manages no keys, and the admin token reads no checks', async () => {
  expect((await api.call('GET', '/app/keys')).status).toBe(401);
  expect((await api.call('GET', '/v1/checks', { key: ADMIN_TOKEN })).status).toBe(401);
});

test.each([{}, { name: '' }, { name: 5 }])('a key named by %j is refused', async (body) => {
  const answer = await asAdmin('POST', '/app/keys', body);
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).validation?.keys).toEqual(['name']);
});

test.each(['', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b'])(
  'authorization: "%s" answers 401',
  async (authorization) => {
    const answer = await api.call('GET', '/v1/checks', { key: null, headers: { authorization } });
    expect(answer.status).toBe(401);
  },
);

test('the scheme is taken in any case', async () => {
  const headers = { authorization: `bearer ${api.key}` };
  expect((await api.call('GET', '/v1/checks', { key: null, headers })).status).toBe(200);
});

test.each(['x-service-account', 'x-checkly-account'])('%s may name our account', async (header) => {
  for (const id of [ACCOUNT_ID, ACCOUNT_ID.toUpperCase()]) {
    expect((await api.call('GET', '/v1/checks', { headers: { [header]: id } })).status).toBe(200);
  }
});

test('one wrong account header is enough for a 403', async () => {
  const headers = { 'x-service-account': ACCOUNT_ID, 'x-checkly-account': randomUUID() };
  expect((await api.call('GET', '/v1/checks', { headers })).status).toBe(403);
});

test('an empty account header names none', async () => {
  const headers = { 'x-service-account': '', 'x-checkly-account': ' ' };
  expect((await api.call('GET', '/v1/checks', { headers })).status).toBe(200);
});

test('a wrong account matters only with a right key', async () => {
  const headers = { 'x-service-account': randomUUID() };
  expect((await api.call('GET', '/v1/checks', { headers, key: null })).status).toBe(401);
  expect((await api.call('GET', '/v1/locations', { headers, key: null })).status).toBe(200);
});

test('of a key that the operator chose four characters are shown, also of one kept before', async () => {
  const { configuration, clock } = api;
  const chosen = 'correct-horse-battery';
  const kept = () => configuration.keys.all().find(({ name }) => name === 'WATCHPOST_API_KEY');
  const keys = new Keys({ configuration, clock, mutex: createMutex() });
  expect(await keys.ensure(chosen)).toBeNull();
  expect(kept()?.prefix).toBe('corr');
  const { id } = kept() as ApiKey;
  await configuration.keys.put({ ...(kept() as ApiKey), prefix: 'correct-' });
  await keys.ensure(chosen);
  expect(kept()).toMatchObject({ id, prefix: 'corr' });
  const listed = (await asAdmin('GET', '/app/keys')).body;
  expect(JSON.stringify(listed)).not.toContain('corre');
});
