import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { keptStatus } from '../../fixtures/fake-monitor.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
  for (const check of CHECKS) await api.configuration.checks.put(check);
  api.monitor.statuses.set(shop.id, keptStatus());
  api.monitor.statuses.set(cart.id, keptStatus({ hasFailures: true }));
  api.monitor.statuses.set(name.id, keptStatus({ isDegraded: true }));
});
afterAll(() => api.close());

type Json = Record<string, unknown>;
const request = (url: string) => ({ method: 'GET', url }) as never;
const shop = makeCheck('API', {
  name: 'Shop',
  tags: ['web', 'shop'],
  request: request('http://shop.test/a'),
});
const cart = makeCheck('API', {
  name: 'Cart',
  tags: ['shop'],
  request: request('http://cart.test/b'),
});
const page = makeCheck('URL', {
  name: 'shop PAGE',
  tags: ['web'],
  request: { url: 'http://shop.test/' } as never,
});
const name = makeCheck('DNS', { name: 'Name', tags: [] });
const script = makeCheck('BROWSER', {
  name: 'Log in',
  dependencies: [{ path: 'helper.js', content: 'export {}' }],
});
const CHECKS = [shop, cart, page, name, script];

async function list(query: string, version = 'v1') {
  const answer = await api.call('GET', `/${version}/checks${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const names = (answer.body as Json[]).map((check) => check.name);
  return { names, range: answer.headers.get('content-range'), checks: answer.body as Json[] };
}

test.each([
  ['', ['Shop', 'Cart', 'shop PAGE', 'Name', 'Log in']],
  ['?checkType=URL', ['shop PAGE']],
  ['?search=SHOP', ['Shop', 'shop PAGE']],
  ['?tag=web', ['Shop', 'shop PAGE']],
  ['?tag[]=web&tag[]=shop', ['Shop', 'Cart', 'shop PAGE']],
  ['?tag=web&tag=shop', ['Shop', 'Cart', 'shop PAGE']],
  ['?tag=web,shop', ['Shop', 'Cart', 'shop PAGE']],
  ['?status=passing', ['Shop']],
  ['?status=failing', ['Cart']],
  ['?status=degraded', ['Name']],
  ['?apiCheckUrlFilterPattern=shop.test', ['Shop']],
  ['?search=shop&tag=web&checkType=API', ['Shop']],
  ['?applyGroupSettings=1&search=cart', ['Cart']],
  ['?search=nothing', []],
  ['?tag=&search=', ['Shop', 'Cart', 'shop PAGE', 'Name', 'Log in']],
])('the list %s holds %j', async (query, names) => {
  expect((await list(query)).names).toEqual(names);
});

test.each([
  ['', '0-4/5', 5],
  ['?limit=2', '0-1/5', 2],
  ['?limit=2&page=3', '4-4/5', 1],
  ['?limit=2&page=4', '*/5', 0],
  ['?search=nothing', '*/0', 0],
])('the page %s is %s', async (query, range, length) => {
  const answer = await list(query);
  expect([answer.range, answer.names.length]).toEqual([range, length]);
});

test('a page that no filter chooses looks at its own checks alone', async () => {
  const { checks } = api.configuration;
  const looked = new Set<string>();
  const watched = checks.all().map(
    (check) =>
      new Proxy(check, {
        get: (target, member) => {
          looked.add(check.name);
          return Reflect.get(target, member);
        },
      }),
  );
  const all = vi.spyOn(checks, 'all').mockReturnValue(watched);
  expect((await list('?limit=2&page=2')).names).toEqual(['shop PAGE', 'Name']);
  all.mockRestore();
  expect([...looked]).toEqual(['shop PAGE', 'Name']);
});

test('a page holds 10 checks unless it is told otherwise', async () => {
  const other = await startApi();
  for (let index = 0; index < 12; index++) await other.configuration.checks.put(makeCheck('URL'));
  const answer = await other.call('GET', '/v1/checks');
  expect(answer.headers.get('content-range')).toBe('0-9/12');
  await other.close();
});

test.each([
  ['small ones whole, with its length', 10, false],
  ['large ones in slices', 100_000, true],
])('a page is sent: %s', async (_case, length, isSliced) => {
  const other = await startApi();
  const { request } = shop;
  const checks = [1, 2, 3].map(() =>
    makeCheck('API', { request: { ...request, body: 'x'.repeat(length) } }),
  );
  for (const check of checks) await other.configuration.checks.put(check);
  const { headers, body } = await other.call('GET', '/v1/checks');
  expect(headers.has('content-length')).toBe(!isSliced);
  expect((body as Json[]).map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
  await other.close();
});

test.each([
  ['limit=0', 'limit: expected a whole number from 1 to 100, got 0'],
  ['limit=101', 'limit: expected a whole number from 1 to 100, got 101'],
  ['page=0', 'page: expected a whole number from 1 to 1000000000, got 0'],
  ['status=odd', 'status: expected "passing", "failing" or "degraded", got "odd"'],
  ['applyGroupSettings=maybe', 'applyGroupSettings: expected true or false, got "maybe"'],
  ['apiCheckUrlFilterPattern=', 'apiCheckUrlFilterPattern: expected at least 1 character, got ""'],
  ['search=a&search=b', 'search: expected a string, got a list'],
])('?%s is refused with a sentence', async (query, message) => {
  for (const version of ['v1', 'v2', 'v3']) {
    const answer = await api.call('GET', `/${version}/checks?${query}`);
    expect(answer.status).toBe(400);
    const { message: told, validation } = answer.body as ErrorBody;
    expect(told).toBe(message);
    expect(validation?.source).toBe('query');
  }
});

test('the versions differ in what they say of projects', async () => {
  const shapes = await Promise.all(
    ['v1', 'v2', 'v3'].map((version) => list('?search=cart', version)),
  );
  const [v1, v2, v3] = shapes.map(({ checks }) => checks[0]);
  const { project, logicalId, member, pending, ...rest } = v1 as Json;
  expect([project, logicalId, member, pending]).toEqual([null, null, null, null]);
  expect(rest.projectBindings).toEqual({ owner: null, references: [] });
  expect([v2, v3]).toEqual([rest, rest]);
});

test('the contents of dependencies are shown when they are asked for', async () => {
  const read = async (query: string) =>
    (await api.call('GET', `/v1/checks/${script.id}${query}`)).body as Json;
  expect(await read('')).not.toHaveProperty('dependencies');
  expect(await read('?includeDependencies=false')).not.toHaveProperty('dependencies');
  expect((await read('?includeDependencies=true')).dependencies).toEqual(script.dependencies);
});

test('an id is found in upper case too', async () => {
  const answer = await api.call('GET', `/v2/checks/${shop.id.toUpperCase()}`);
  expect(answer.body).toMatchObject({ id: shop.id });
});
