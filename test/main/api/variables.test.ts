import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const create = (body: object) => api.call('POST', '/v1/variables', { body });
const read = (key: string) => api.call('GET', `/v1/variables/${key}`);
const put = (key: string, body: object) => api.call('PUT', `/v1/variables/${key}`, { body });
const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;

test('a variable is created, read, changed and deleted by its key', async () => {
  const variable = { key: 'BASE', value: 'http://a.test', locked: false, secret: false };
  const created = await create({ key: 'BASE', value: 'http://a.test' });
  expect([created.status, created.body]).toEqual([201, variable]);
  expect((await read('BASE')).body).toEqual(variable);
  const changed = await put('BASE', { value: 'http://b.test', locked: true });
  expect(changed.body).toEqual({ ...variable, value: 'http://b.test', locked: true });
  // What is left out stays.
  expect((await put('BASE', { value: 'c' })).body).toMatchObject({ locked: true });
  expect((await api.call('DELETE', '/v1/variables/BASE')).status).toBe(204);
  expect((await read('BASE')).status).toBe(404);
  expect((await put('BASE', { value: 'x' })).status).toBe(404);
  expect((await api.call('DELETE', '/v1/variables/BASE')).status).toBe(404);
});

test('a key belongs to one variable, also under a rename and at the same moment', async () => {
  const twice = await Promise.all([
    create({ key: 'A', value: '1' }),
    create({ key: 'A', value: '2' }),
  ]);
  expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
  await create({ key: 'B', value: '3' });
  const taken = await put('B', { key: 'A', value: '3' });
  expect([taken.status, message(taken)]).toEqual([409, 'A variable is called A already']);
  expect((await put('B', { key: 'C', value: '3' })).body).toMatchObject({ key: 'C' });
  expect((await read('B')).status).toBe(404);
  expect((await put('C', { key: 'C', value: '4' })).status).toBe(200);
});

test('the value of a secret never comes back, and a secret stays one', async () => {
  const secret = 'tell-nobody-4711';
  const bodies = [
    (await create({ key: 'S', value: secret, secret: true })).body,
    (await put('S', { value: secret, secret: false })).body,
    (await put('S', { value: secret, key: 'T' })).body,
  ];
  expect(bodies).toMatchObject([{ value: '' }, { value: '', secret: true }, { value: '' }]);
  const seen = [await read('T'), await api.call('GET', '/v1/variables')];
  expect(seen[0]?.body).toEqual({ key: 'T', value: null, locked: false, secret: true });
  expect(JSON.stringify([bodies, seen.map(({ body }) => body)])).not.toContain(secret);
  expect(api.configuration.variables.all()).toMatchObject([{ key: 'T', value: secret }]);
});

test('a variable may become a secret', async () => {
  await create({ key: 'S', value: 'one' });
  expect((await put('S', { value: 'two', secret: true })).body).toMatchObject({ value: '' });
  expect((await read('S')).body).toMatchObject({ value: null, secret: true });
});

test('keys with slashes, spaces and names of prototypes are keys', async () => {
  for (const key of ['a/b c', '__proto__', 'constructor', 'Ü{}', '..a', '...']) {
    expect((await create({ key, value: key })).status).toBe(201);
    expect((await read(encodeURIComponent(key))).body).toMatchObject({ key, value: key });
  }
});

test('the list comes in pages with the total', async () => {
  for (let n = 0; n < 3; n++) await create({ key: `K${n}`, value: '' });
  const answer = await api.call('GET', '/v1/variables?limit=2&page=2');
  expect(answer.headers.get('content-range')).toBe('2-2/3');
  expect(answer.body).toEqual([{ key: 'K2', value: '', locked: false, secret: false }]);
});

test.each([
  [{ value: 'x' }, 'key: expected a string, got nothing'],
  [{ key: '', value: 'x' }, 'key: expected at least 1 character, got ""'],
  [{ key: '..', value: 'x' }, 'key: expected a key other than "." and ".."'],
  [{ key: 'A' }, 'value: expected a string, got nothing'],
  [{ key: 'A', value: 7 }, 'value: expected a string, got 7'],
  [{ key: 'A', value: '', secret: 'yes' }, 'secret: expected true or false, got "yes"'],
])('a bad variable is refused: %j', async (body, expected) => {
  const answer = await create(body);
  expect([answer.status, message(answer)]).toEqual([400, expected]);
});

test('an update needs a value', async () => {
  await create({ key: 'A', value: 'x' });
  expect(message(await put('A', { locked: true }))).toBe('value: expected a string, got nothing');
  expect((await put('A', { value: '' })).status).toBe(400);
});

test('all variables together have a bound', async () => {
  for (let n = 0; n < 4; n++) await create({ key: `K${n}`, value: 'x'.repeat(64_000) });
  const answer = await create({ key: 'K4', value: 'x'.repeat(64_000) });
  expect([answer.status, message(answer)]).toEqual([
    409,
    'All variables together may hold at most 262144 characters, not 320010',
  ]);
  expect((await create({ key: 'K4', value: 'x' })).status).toBe(201);
});
