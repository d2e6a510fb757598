import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '#main/api/operations.ts';
import { errorBody } from '#shared/api/errors.ts';
import { ACCOUNT_ID, type Harness, startApi } from '../../fixtures/api-harness.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const UNKNOWN = randomUUID();
/** What an operation must be asked for in its query. */
const queryOf = (path: string) =>
  /^\/v1\/analytics\/.*\{id\}$/.test(path) ? '?metrics=availability' : '';
/** Parameters that are no ids. */
const REST: Record<string, string> = {
  '{region}': 'eu-west-1',
  '{accountId}/{checkId}': `${ACCOUNT_ID}/{checkId}`,
  '{timestamp}': '1700000000000',
  '{file}': 'a.png',
};
const withRest = (path: string) =>
  Object.entries(REST).reduce((one, [name, value]) => one.replace(name, value), path);
/** A path whose first id is the one given; others are of nothing that is there. */
const filled = (path: string, id: string) =>
  withRest(path)
    .replace(/\{\w+\}/, id)
    .replaceAll(/\{\w+\}/g, UNKNOWN) + queryOf(path);
const numbered = (parameter: string) => ({
  unknown: '4711',
  wrong: 'nonsense',
  message: `${parameter}: expected a whole number from 1 to 1000000000, got "nonsense"`,
});
const keyed = {
  unknown: 'NOWHERE',
  wrong: 'a%00b',
  message: 'key: expected a key without control characters',
};
/** Paths whose first id is no UUID: an id that is not there, one that is none, and what is said. */
const OTHER_IDS: Record<string, { unknown: string; wrong: string; message: string }> = {
  '/v1/alert-channels/{id}': numbered('id'),
  '/v1/alert-channels/{id}/subscriptions': numbered('id'),
  '/app/alert-channels/{id}/test': numbered('id'),
  '/app/alert-channels/{id}/subscribe-all': numbered('id'),
  '/v1/maintenance-windows/{id}': numbered('id'),
  '/v1/maintenance-windows/{id}/maintenances': numbered('id'),
  '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}': numbered('id'),
  '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates': numbered('id'),
  '/v1/maintenance-windows/{id}/maintenances/{maintenanceId}/updates/{updateId}': numbered('id'),
  '/v1/snippets/{id}': numbered('id'),
  '/app/badges/groups/{id}': numbered('id'),
  '/app/check-groups/{id}/mute': numbered('id'),
  '/app/snippets/{id}/users': numbered('id'),
  '/v1/check-groups/{id}': numbered('id'),
  '/v2/check-groups/{id}': numbered('id'),
  '/v1/check-groups/{id}/checks': numbered('id'),
  '/v2/check-groups/{id}/checks': numbered('id'),
  '/v1/check-groups/{groupId}/checks/{checkId}': numbered('groupId'),
  '/v2/check-groups/{groupId}/checks/{checkId}': numbered('groupId'),
  '/v1/triggers/check-groups/{groupId}': numbered('groupId'),
  '/v1/dashboards/{dashboardId}': {
    unknown: '0badcafe',
    wrong: 'a%00b',
    message: 'dashboardId: expected letters, digits, hyphens and dots',
  },
  '/v1/variables/{key}': keyed,
  '/app/variables/{key}/users': keyed,
};
const guarded = OPERATIONS.filter(({ access }) => access.kind !== 'open').map(
  (operation) => [operation.method.toUpperCase(), operation.path, operation] as const,
);

function expectError(answer: { status: number; body: unknown }, status: number) {
  expect(answer.status).toBe(status);
  const body = errorBody.strict().parse(answer.body);
  expect(body.statusCode).toBe(status);
  return body;
}

test.each(guarded)('%s %s answers 401 without a key', async (method, path) => {
  const answer = await api.call(method, filled(path, UNKNOWN), { key: null });
  expect(expectError(answer, 401)).toEqual({
    statusCode: 401,
    error: 'Unauthorized',
    message: 'Bad Token',
  });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

test.each(guarded)('%s %s answers 401 to a wrong key', async (method, path) => {
  expectError(await api.call(method, filled(path, UNKNOWN), { key: `wp_${'x'.repeat(43)}` }), 401);
});

test.each(guarded.filter(([, , { access }]) => access.kind === 'key'))(
  '%s %s answers 403 for another account',
  async (method, path) => {
    for (const header of ['x-service-account', 'x-checkly-account']) {
      const headers = { [header]: UNKNOWN };
      expectError(await api.call(method, filled(path, UNKNOWN), { headers }), 403);
    }
  },
);

const withId = guarded.filter(
  ([, path, { access }]) => path.includes('{') && access.kind === 'key',
);

/** No project is there, and the list of what is in one is empty. */
const OF_PROJECT = '/v1/test-session-error-groups/projects/{projectId}';

test.each(withId.filter(([method, path]) => method !== 'PUT' && path !== OF_PROJECT))(
  '%s %s answers 404 for an id that is not there',
  async (method, path) => {
    expectError(await api.call(method, filled(path, OTHER_IDS[path]?.unknown ?? UNKNOWN)), 404);
  },
);

test.each(withId)('%s %s answers 400 for what is no id', async (method, path, { body }) => {
  const { wrong = 'nonsense', message: told } = OTHER_IDS[path] ?? {};
  const answer = await api.call(method, filled(path, wrong), body ? { body: {} } : {});
  const parameter = /\{(\w+)\}/.exec(withRest(path))?.[1] ?? '';
  const { message, validation } = expectError(answer, 400);
  expect(message).toContain(told ?? `${parameter}: expected a UUID, got "nonsense"`);
  expect(validation?.keys).toContain(parameter);
});

test.each(
  OPERATIONS.filter(({ body }) => body?.isForm).map(({ method, path }) => [
    method.toUpperCase(),
    path,
  ]),
)('%s %s takes a form only', async (method, path) => {
  const send = (body: string, type: string) =>
    api.call(method, filled(path, UNKNOWN), { body, headers: { 'content-type': type }, key: null });
  expectError(await send('{}', 'application/json'), 415);
  expectError(await send('a=b', 'text/plain'), 415);
  expectError(await send('x'.repeat(20_000), 'application/x-www-form-urlencoded'), 413);
});

test.each(
  OPERATIONS.filter(({ body }) => body && !body.isForm).map(
    ({ method, path, access }) => [method.toUpperCase(), path, access.kind] as const,
  ),
)('%s %s takes JSON only', async (method, path, access) => {
  const key = access === 'admin' ? 'admin-token-of-the-tests' : undefined;
  const send = (body: string, type: string) =>
    api.call(method, filled(path, UNKNOWN), { body, headers: { 'content-type': type }, key });
  expectError(await send('name=x', 'application/x-www-form-urlencoded'), 415);
  expectError(await send('{}', 'text/plain'), 415);
  expectError(await send('{"name":', 'application/json'), 400);
});

test.each([
  ['PATCH', '/v1/checks', 'POST, GET, HEAD'],
  ['DELETE', '/v1/checks', 'POST, GET, HEAD'],
  ['GET', '/v1/checks/api', 'POST'],
  ['DELETE', '/v1/checks/url', 'POST'],
  ['POST', `/v1/checks/${UNKNOWN}`, 'PUT, GET, HEAD, DELETE'],
  ['PUT', `/v1/check-results/${UNKNOWN}`, 'GET, HEAD'],
  ['POST', '/v1/locations', 'GET, HEAD'],
  ['OPTIONS', '/v1/checks', 'POST, GET, HEAD'],
  ['HEAD', `/ping/${UNKNOWN}`, 'GET, POST'],
  ['PUT', `/ping/${UNKNOWN}`, 'GET, POST'],
  ['HEAD', `/checks/${UNKNOWN}/trigger/x`, 'GET'],
  ['POST', '/check-groups/1/trigger/x', 'GET'],
])('%s %s answers 405 and says what is possible: %s', async (method, path, allow) => {
  const answer = await api.call(method, path);
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe(allow);
});

test.each(['/v4/checks', '/v1/nothing', '/v1/checks/api/x/y', '/app', '/docs/../main', '/v1'])(
  '%s is not there',
  async (path) => {
    expectError(await api.call('GET', path), 404);
  },
);

test('a path that is no UTF-8 answers 400', async () => {
  const { message } = expectError(await api.call('GET', '/v1/checks/%zz'), 400);
  expect(message).toBe('path: expected percent-encoded UTF-8');
});

test('HEAD answers as GET does, without a body', async () => {
  const answer = await api.call('HEAD', '/v1/locations');
  expect([answer.status, answer.body]).toEqual([200, null]);
});

test('a trouble of our own answers 500 and tells nothing of itself', async () => {
  api.configuration.checks.failure = new Error('secret detail at /home/someone');
  const body = { name: 'x', request: { url: 'http://127.0.0.1/' } };
  const answer = await api.call('POST', '/v1/checks/url', { body });
  api.configuration.checks.failure = undefined;
  expect(expectError(answer, 500)).toEqual({
    statusCode: 500,
    error: 'Internal Server Error',
    message: 'Something went wrong on our side',
  });
});
