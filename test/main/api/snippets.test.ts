import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { MAX_SNIPPETS } from '#shared/variables/snippet.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const create = (name: string, script = 'await 1') =>
  api.call('POST', '/v1/snippets', { body: { name, script } });
const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;
const apiBody = (members: object) => ({ name: 'A check', ...LEAST_BODIES.API, ...members });

test('a snippet is created, read, replaced and deleted', async () => {
  const created = await create('log in', 'request.headers.x = "1"');
  const at = new Date(NOW).toISOString();
  const snippet = {
    id: 1,
    name: 'log in',
    script: 'request.headers.x = "1"',
    created_at: at,
    updated_at: null,
  };
  expect([created.status, created.body]).toEqual([201, snippet]);
  expect((await api.call('GET', '/v1/snippets/1')).body).toEqual(snippet);
  const body = { name: 'log in', script: 'null' };
  const replaced = await api.call('PUT', '/v1/snippets/1', { body });
  expect([replaced.status, replaced.body]).toEqual([200, { ...snippet, ...body, updated_at: at }]);
  expect((await api.call('DELETE', '/v1/snippets/1')).status).toBe(204);
  expect((await api.call('GET', '/v1/snippets/1')).status).toBe(404);
  expect((await api.call('PUT', '/v1/snippets/1', { body })).status).toBe(404);
  expect((await api.call('DELETE', '/v1/snippets/1')).status).toBe(404);
});

test('ids ascend and are never used again, also when many are made at once', async () => {
  const created = await Promise.all(['a', 'b', 'c'].map((name) => create(name)));
  expect(created.map(({ body }) => (body as { id: number }).id).sort()).toEqual([1, 2, 3]);
  await api.call('DELETE', '/v1/snippets/3');
  expect((await create('d')).body).toMatchObject({ id: 4 });
});

test('the list comes in pages with the total', async () => {
  for (let n = 1; n <= 12; n++) await create(`snippet ${n}`);
  const first = await api.call('GET', '/v1/snippets');
  expect(first.headers.get('content-range')).toBe('0-9/12');
  const second = await api.call('GET', '/v1/snippets?limit=10&page=2');
  expect(second.headers.get('content-range')).toBe('10-11/12');
  expect((second.body as { id: number }[]).map(({ id }) => id)).toEqual([11, 12]);
});

test('two snippets have no name in common, for scripts require them by it', async () => {
  await create('a');
  const created = await Promise.all([create('b'), create('b')]);
  expect(created.map(({ status }) => status).sort()).toEqual([201, 400]);
  const taken = await api.call('PUT', '/v1/snippets/1', { body: { name: 'b', script: '1' } });
  expect([taken.status, message(taken)]).toEqual([
    400,
    'name: expected a name that no other snippet has',
  ]);
});

test.each([
  [{ name: '', script: 'x' }, 'name: expected at least 1 character, got ""'],
  [{ name: 'a\nb', script: 'x' }, 'name: expected a name without control characters'],
  [{ name: 'a' }, 'script: expected a string, got nothing'],
  [{ name: 'a', script: '' }, 'script: expected at least 1 character, got ""'],
  [
    { name: 'a', script: 'x'.repeat(256 * 1024 + 1) },
    'script: expected at most 262144 characters, got 262145 characters',
  ],
  [
    { name: 'a', script: 'é'.repeat(128 * 1024 + 1) },
    'script: expected at most 262144 bytes in UTF-8, got 262146',
  ],
])('a bad snippet is refused: %j', async (body, expected) => {
  const answer = await api.call('POST', '/v1/snippets', { body });
  expect([answer.status, message(answer)]).toEqual([400, expected]);
  expect(api.configuration.snippets.size).toBe(0);
});

test('there is a bound on snippets', async () => {
  const at = new Date(NOW).toISOString();
  for (let id = 1; id <= MAX_SNIPPETS; id++) {
    const members = { name: `s${id}`, script: '1', created_at: at, updated_at: null };
    await api.configuration.snippets.put({ id: String(id), ...members });
  }
  expect((await create('one more')).status).toBe(409);
});

test('a check may name snippets that exist, and no others', async () => {
  await create('a');
  const body = apiBody({ setupSnippetId: 1, tearDownSnippetId: 2 });
  const refused = await api.call('POST', '/v1/checks/api', { body });
  expect([refused.status, message(refused)]).toEqual([
    400,
    'tearDownSnippetId: no snippet 2 exists',
  ]);
  const taken = await api.call('POST', '/v1/checks/api', { body: apiBody({ setupSnippetId: 1 }) });
  expect(taken.body).toMatchObject({ setupSnippetId: 1, tearDownSnippetId: null });
  const { id } = taken.body as { id: string };
  const put = await api.call('PUT', `/v1/checks/api/${id}`, { body: { setupSnippetId: 9 } });
  expect(put.status).toBe(400);
});

test('a snippet that a check uses stays, and the answer names the check', async () => {
  await create('a');
  const checks = [];
  for (let n = 0; n < 7; n++) {
    const body = { ...apiBody({ tearDownSnippetId: 1 }), name: `check ${n}` };
    checks.push((await api.call('POST', '/v1/checks/api', { body })).body as { id: string });
  }
  const refused = await api.call('DELETE', '/v1/snippets/1');
  expect(refused.status).toBe(409);
  expect(message(refused)).toContain(`used by "check 0" (${checks[0]?.id}), "check 1"`);
  expect(message(refused)).toMatch(/ and 2 more$/);
  const body = { tearDownSnippetId: null };
  for (const { id } of checks) await api.call('PUT', `/v1/checks/api/${id}`, { body });
  expect((await api.call('DELETE', '/v1/snippets/1')).status).toBe(204);
});

test('a snippet is not deleted while a check that names it is being kept', async () => {
  await create('a');
  const { checks } = api.configuration;
  const put = checks.put.bind(checks);
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  checks.put = async (check) => {
    entered.resolve();
    await gate.promise;
    await put(check);
  };
  const saved = api.call('POST', '/v1/checks/api', { body: apiBody({ setupSnippetId: 1 }) });
  await entered.promise;
  const deleted = api.call('DELETE', '/v1/snippets/1');
  // Another request goes all the way meanwhile.
  expect((await api.call('GET', '/v1/snippets/1')).status).toBe(200);
  gate.resolve();
  expect([(await saved).status, (await deleted).status]).toEqual([201, 409]);
});
