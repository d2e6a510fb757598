import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { CHECK_KINDS, type Check } from '#shared/checks/check.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

type Json = Record<string, unknown>;
const pathOf = (type: CheckType) => `/v1/checks/${CHECK_KINDS[type].segment}`;

async function create(type: CheckType, members: Json = {}): Promise<Json & { id: string }> {
  const body = { name: `A ${type}`, ...LEAST_BODIES[type], ...members };
  const answer = await api.call('POST', pathOf(type), { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as Json & { id: string };
}

async function update(type: CheckType, id: string, body: Json): Promise<Json> {
  const answer = await api.call('PUT', `${pathOf(type)}/${id}`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Json;
}

/** What 4.1 says must be sent: objects whose fields it does not show, for a check of any type. */
const GENERIC = {
  heartbeat: LEAST_BODIES.HEARTBEAT.heartbeat,
  script: 'await page.goto("http://127.0.0.1:9/other")',
};

test.each(CHECK_TYPES)(
  'an update of a %s check leaves alone what it does not name',
  async (type) => {
    const before = await create(type, { tags: ['one'] });
    await api.clock.advance(1_000);
    const after = await update(type, before.id, { name: 'renamed' });
    const updated_at = new Date(api.clock.now()).toISOString();
    expect(after).toEqual({ ...before, name: 'renamed', updated_at });
  },
);

test.each(CHECK_TYPES)('the update of 4.1 takes its body for a %s check', async (type) => {
  const { id } = await create(type);
  const answer = await api.call('PUT', `/v1/checks/${id}`, {
    body: { ...GENERIC, name: 'generic' },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body).toMatchObject({ id, checkType: type, name: 'generic' });
});

/** Every member of 2.2 as a client fills it that has only the specification. */
const SPECIFIED = {
  heartbeat: {},
  script: '',
  name: 'by the book',
  activated: false,
  muted: true,
  doubleCheck: false,
  shouldFail: true,
  locations: ['us-east-1', 'eu-central-1'],
  tags: ['b', 'a'],
  alertSettings: {
    escalationType: 'RUN_BASED',
    runBasedEscalation: { failedRunThreshold: 2 },
    reminders: { amount: 1, interval: 5 },
    parallelRunFailureThreshold: { enabled: true, percentage: 50 },
  },
  useGlobalAlertSettings: false,
  groupId: null,
  groupOrder: 1,
  runtimeId: '2025.04',
  alertChannelSubscriptions: [],
  retryStrategy: {
    type: 'FIXED',
    baseBackoffSeconds: 5,
    sameRegion: false,
    maxRetries: 2,
    maxDurationSeconds: 60,
    onlyOn: ['NETWORK_ERROR'],
  },
  runParallel: true,
  frequency: 60,
  frequencyOffset: 600,
  scriptPath: 'checks/one.js',
  sslCheckDomain: 'example.org',
  environmentVariables: [{ key: 'A', value: 'b', locked: false, secret: false }],
  setupSnippetId: null,
  tearDownSnippetId: null,
  localSetupScript: 'setup()',
  localTearDownScript: null,
  degradedResponseTime: 1_000,
  maxResponseTime: 2_000,
  privateLocations: ['office'],
  dependencies: [{ path: 'lib.js', content: 'export {}' }],
};

test.each(CHECK_TYPES)('4.1 takes every member of 2.2 for a %s check', async (type) => {
  const before = await create(type);
  const answer = await api.call('PUT', `/v1/checks/${before.id}`, {
    body: { ...SPECIFIED, checkType: type },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { heartbeat, script, ...sent } = SPECIFIED;
  const isScripted = type === 'BROWSER' || type === 'MULTI_STEP';
  const members = Object.entries(sent).filter(([name]) => name in before);
  expect(answer.body).toMatchObject(Object.fromEntries(members));
  // Nothing was said about these.
  expect([heartbeat, script]).toEqual([{}, '']);
  expect((answer.body as Json).heartbeat).toEqual(before.heartbeat);
  expect((answer.body as Json).script).toEqual(isScripted ? before.script : '');
  expect(answer.headers.get('x-ignored-fields')).toMatch(
    isScripted ? /^heartbeat, script\b/ : /^heartbeat\b(?!, script\b)/,
  );
});

test.each([
  ['HEARTBEAT', { heartbeat: { period: 5 }, script: '' }, 'heartbeat.periodUnit'],
  ['BROWSER', { heartbeat: {}, script: 5 }, 'script'],
] as const)('4.1 lets nothing wrong in for a %s check: %j', async (type, body, path) => {
  const { id } = await create(type);
  const answer = await api.call('PUT', `/v1/checks/${id}`, { body });
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).validation?.keys).toContain(path);
});

test('retryStrategy: FALLBACK takes the strategy away, null means no retries', async () => {
  const { id } = await create('URL', { retryStrategy: { type: 'LINEAR' } });
  const path = `/v1/checks/url/${id}`;
  expect(await update('URL', id, { retryStrategy: null })).toMatchObject({ retryStrategy: null });
  const answer = await api.call('PUT', path, { body: { retryStrategy: 'FALLBACK' } });
  expect(answer.status).toBe(200);
  expect(answer.body).not.toHaveProperty('retryStrategy');
  expect(answer.headers.get('x-ignored-fields')).toBeNull();
  expect((await api.call('GET', `/v1/checks/${id}`)).body).not.toHaveProperty('retryStrategy');
});

test.each([
  ['HEARTBEAT', 'heartbeat: expected an object, got nothing'],
  ['BROWSER', 'script: expected a string, got nothing'],
  ['MULTI_STEP', 'script: expected a string, got nothing'],
] as const)('the update of 4.1 needs its own member for a %s check', async (type, message) => {
  const { id } = await create(type);
  const answer = await api.call('PUT', `/v1/checks/${id}`, { body: { name: 'x' } });
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).message).toBe(message);
});

test('what a type has no use for is taken, ignored and named', async () => {
  const { id } = await create('URL');
  const body = { heartbeat: { period: -1 }, codeBundlePath: '', name: 'x' };
  const answer = await api.call('PUT', `/v1/checks/${id}`, { body });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-ignored-fields')).toBe('heartbeat, codeBundlePath');
  expect(answer.body).not.toHaveProperty('heartbeat');
});

test('the type of a check never changes', async () => {
  const { id } = await create('URL');
  const answer = await api.call('PUT', `/v1/checks/${id}`, { body: { checkType: 'API' } });
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).message).toBe('checkType: expected "URL", got "API"');
});

test('the route of another type does not know the check', async () => {
  const { id } = await create('URL');
  const answer = await api.call('PUT', `/v1/checks/api/${id}`, { body: { name: 'x' } });
  expect(answer.status).toBe(404);
  expect((answer.body as ErrorBody).message).toBe(`No API check has the id ${id}`);
});

test.each([...CHECK_TYPES.map(pathOf), '/v1/checks'])(
  'PUT %s/{id} answers 404 for an unknown id, whatever the body names',
  async (path) => {
    for (const body of [{ name: 'x' }, { groupId: 4711 }]) {
      const answer = await api.call('PUT', `${path}/${randomUUID()}`, { body });
      expect(answer.status).toBe(404);
    }
  },
);

test('an object that is sent replaces the old one whole', async () => {
  const headers = [{ key: 'accept', value: 'text/html' }];
  const request = {
    method: 'POST',
    url: 'http://127.0.0.1:9/',
    headers,
    body: 'x',
    bodyType: 'RAW',
  };
  const { id } = await create('API', { request });
  const after = await update('API', id, { request: { method: 'GET', url: 'http://127.0.0.1:9/' } });
  expect(after.request).toMatchObject({ method: 'GET', headers: [], body: '', bodyType: 'NONE' });
});

test('a heartbeat keeps its token unless it is given another', async () => {
  const { id, heartbeat } = await create('HEARTBEAT');
  const settings = { period: 1, periodUnit: 'hours', grace: 5, graceUnit: 'minutes' };
  const { pingToken } = heartbeat as Json;
  expect((await update('HEARTBEAT', id, { heartbeat: settings })).heartbeat).toMatchObject({
    period: 1,
    pingToken,
  });
  const other = randomUUID();
  const after = await update('HEARTBEAT', id, { heartbeat: { ...settings, pingToken: other } });
  expect(after.heartbeat).toMatchObject({ pingToken: other, pingUrl: `${api.url}/ping/${other}` });
  expect((await api.call('GET', `/ping/${pingToken}`)).status).toBe(404);
  expect((await api.call('GET', `/ping/${other}`)).status).toBe(200);
});

test('a frequency that changes without an offset is given a fitting one', async () => {
  const { id } = await create('URL', { frequency: 60, frequencyOffset: 600 });
  expect((await update('URL', id, { frequency: 0 })).frequencyOffset).toBe(10);
  const hourly = await update('URL', id, { frequency: 1440 });
  expect(hourly.frequencyOffset).toBeLessThanOrEqual(24);
});

test('a frequency sent again keeps its offset', async () => {
  const { id } = await create('URL', { frequency: 60, frequencyOffset: 599 });
  expect((await update('URL', id, { frequency: 60 })).frequencyOffset).toBe(599);
});

test.each([
  [
    { frequencyOffset: 51 },
    'frequencyOffset: expected a whole number from 1 to 50 with a frequency of 5',
  ],
  [
    { degradedResponseTime: 6_000 },
    'degradedResponseTime: expected at most maxResponseTime (5000)',
  ],
])('rules between members hold on the check that results: %j', async (changes, message) => {
  const { id } = await create('URL', { frequency: 5, frequencyOffset: 50 });
  const answer = await api.call('PUT', `/v1/checks/url/${id}`, { body: changes });
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).message).toBe(message);
  expect((await api.call('GET', `/v1/checks/${id}`)).body).toMatchObject({ frequencyOffset: 50 });
});

test('secrets stay secret and keep their value where null is sent back', async () => {
  const secret = { key: 'TOKEN', value: 'hidden', locked: false, secret: true };
  const { id } = await create('BROWSER', { environmentVariables: [secret] });
  const sent = [
    { ...secret, value: null, secret: false },
    { key: 'NEW', value: 'open' },
  ];
  await update('BROWSER', id, { environmentVariables: sent });
  expect(api.configuration.checks.get(id)).toMatchObject({
    environmentVariables: [secret, { key: 'NEW', value: 'open', locked: false, secret: false }],
  });
  await update('BROWSER', id, { environmentVariables: [{ ...secret, value: 'changed' }] });
  expect(api.configuration.checks.get(id)).toMatchObject({
    environmentVariables: [{ ...secret, value: 'changed' }],
  });
});

test('groupId: null takes a check out of its group, and a group must exist', async () => {
  const { id } = await create('URL');
  expect((await update('URL', id, { groupId: null })).groupId).toBeNull();
  const answer = await api.call('PUT', `/v1/checks/url/${id}`, { body: { groupId: 7 } });
  expect((answer.body as ErrorBody).message).toBe('groupId: no check group 7 exists');
});

test('server-owned members never change', async () => {
  const before = await create('URL');
  const body = {
    id: randomUUID(),
    created_at: '0001-01-01T00:00:00Z',
    updated_at: null,
    checkType: 'URL',
  };
  const after = await update('URL', before.id, body);
  expect(after).toMatchObject({ id: before.id, created_at: before.created_at });
});

test('updates at the same moment are all kept', async () => {
  const { id } = await create('URL');
  const changes = [
    { name: 'new name' },
    { tags: ['new'] },
    { muted: true },
    { description: 'new' },
  ];
  await Promise.all(changes.map((body) => update('URL', id, body)));
  expect((await api.call('GET', `/v1/checks/${id}`)).body).toMatchObject(
    Object.assign({}, ...changes),
  );
});

test('a check deleted while it is updated does not come back', async () => {
  const { id } = await create('URL');
  const [gone, late] = await Promise.all([
    api.call('DELETE', `/v1/checks/${id}`),
    api.call('PUT', `/v1/checks/url/${id}`, { body: { name: 'late' } }),
  ]);
  expect([gone.status, late.status]).toEqual([204, 404]);
  expect((await api.call('GET', `/v1/checks/${id}`)).status).toBe(404);
  expect((await api.call('DELETE', `/v1/checks/${id}`)).status).toBe(404);
});

test('a check from before a rule can be changed in all else', async () => {
  const { id } = await create('BROWSER', { retryStrategy: { type: 'SINGLE_RETRY' } });
  const old = api.configuration.checks.get(id as string) as Check & Json;
  const script = 'é'.repeat(200_000);
  await api.configuration.checks.put({
    ...old,
    script,
    retryStrategy: { ...(old.retryStrategy as Json), maxRetries: 3 },
  } as Check);
  expect(await update('BROWSER', id, { muted: true })).toMatchObject({ muted: true, script });
  const body = { script: `${script} ` };
  expect((await api.call('PUT', `/v1/checks/browser/${id}`, { body })).status).toBe(400);
});

test('dependencies that are changed alone count with the script that is there', async () => {
  const { id } = await create('BROWSER', { script: 'x'.repeat(200_000) });
  const dependencies = [{ path: 'a.js', content: 'x'.repeat(100_000) }];
  const answer = await api.call('PUT', `/v1/checks/browser/${id}`, { body: { dependencies } });
  expect([answer.status, (answer.body as ErrorBody).message]).toEqual([
    400,
    'dependencies: expected at most 262144 bytes in UTF-8 together with script, got 300000',
  ]);
});
