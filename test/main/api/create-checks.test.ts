import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { CHECK_KINDS } from '#shared/checks/check.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';
import { makePageService } from '../../fixtures/status-pages.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

type Json = Record<string, unknown>;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const pathOf = (type: CheckType) => `/v1/checks/${CHECK_KINDS[type].segment}`;
const least = (type: CheckType): Json => ({ name: `A ${type}`, ...LEAST_BODIES[type] });

async function create(type: CheckType, body: Json = {}): Promise<Json> {
  const answer = await api.call('POST', pathOf(type), { body: { ...least(type), ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as Json;
}

test.each(CHECK_TYPES)('a %s check is created with the defaults of its type', async (type) => {
  const check = await create(type);
  expect(check.id).toMatch(UUID);
  expect(check).toMatchObject({
    checkType: type,
    created_at: '2026-01-15T12:00:00.000Z',
    updated_at: null,
    activated: true,
    muted: false,
    tags: [],
    locations: [],
    frequency: 10,
    alertChannels: {},
  });
  expect(check).toMatchObject(CHECK_KINDS[type].defaults as Json);
  expect(check.alertSettings).toMatchObject({ escalationType: 'RUN_BASED' });
});

test.each(CHECK_TYPES)('a %s check is created by the route of all types too', async (type) => {
  const answer = await api.call('POST', '/v1/checks', {
    body: { ...least(type), checkType: type },
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ checkType: type, project: null, logicalId: null });
  const id = (answer.body as Json).id as string;
  expect((await api.call('GET', `/v1/checks/${id}`)).status).toBe(200);
});

test.each(CHECK_TYPES.filter((type) => type !== 'HEARTBEAT'))(
  'a %s check is given an offset that fits, kept and returned',
  async (type) => {
    const check = await create(type);
    expect(check.frequencyOffset).toBeGreaterThanOrEqual(1);
    expect(check.frequencyOffset).toBeLessThanOrEqual(100);
    const read = await api.call('GET', `/v1/checks/${check.id}`);
    expect((read.body as Json).frequencyOffset).toBe(check.frequencyOffset);
  },
);

test('a heartbeat has no offset, and a ping URL of its own', async () => {
  const check = await create('HEARTBEAT');
  const { pingToken, pingUrl } = check.heartbeat as Json;
  expect(check).not.toHaveProperty('frequencyOffset');
  expect(pingToken).toMatch(UUID);
  expect(pingUrl).toBe(`${api.url}/ping/${pingToken}`);
});

test('a ping token belongs to one check, also when three ask for it at once', async () => {
  const heartbeat = { ...LEAST_BODIES.HEARTBEAT.heartbeat, pingToken: randomUUID() };
  const body = { name: 'twin', heartbeat };
  const release = holdPuts(3);
  const answers = await Promise.all(
    [1, 2, 3].map(() => api.call('POST', pathOf('HEARTBEAT'), { body })),
  );
  release();
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
  const refused = answers.find(({ status }) => status === 400)?.body as ErrorBody;
  expect(refused.message).toBe('heartbeat.pingToken: expected a token that no other check has');
});

/** Nothing is kept before so many requests have come as far as asking for the time. */
function holdPuts(count: number): () => void {
  const { checks } = api.configuration;
  const { clock } = api;
  const { promise: allHere, resolve } = Promise.withResolvers<void>();
  let here = 0;
  const put = checks.put.bind(checks);
  const now = clock.now.bind(clock);
  checks.put = async (record) => {
    await allHere;
    return put(record);
  };
  clock.now = () => {
    here += 1;
    if (here === count) setImmediate(resolve);
    return now();
  };
  return () => Object.assign(clock, { now }) && Object.assign(checks, { put });
}

test('every problem of a body and its query is told at once', async () => {
  const body = {
    frequency: 'often',
    frequencyOffset: 0,
    locations: ['mars-1'],
    tags: ['ok', ''],
    groupOrder: -1,
    request: { url: 'file:///etc/passwd', method: 'GET' },
    degradedResponseTime: 20_000,
    maxResponseTime: 10_000,
  };
  const answer = await api.call('POST', '/v1/checks/api?autoAssignAlerts=maybe', { body });
  const { message, validation } = answer.body as ErrorBody;
  expect(answer.status).toBe(400);
  expect(message.split('; ')).toEqual(
    expect.arrayContaining([
      'name: expected a string, got nothing',
      'frequency: expected a whole number from 0 to 1440, got "often"',
      'frequencyOffset: expected a whole number of at least 1, got 0',
      expect.stringMatching(
        /^locations\.0: expected "us-east-1", .* or "af-south-1", got "mars-1"$/,
      ),
      'tags.1: expected at least 1 character, got ""',
      'groupOrder: expected a number of at least 0, got -1',
      'request.url: expected an http or https URL',
      'degradedResponseTime: expected at most maxResponseTime (10000)',
      'autoAssignAlerts: expected true or false, got "maybe"',
    ]),
  );
  expect(validation).toMatchObject({
    source: 'payload',
    others: [{ source: 'query', keys: ['autoAssignAlerts'] }],
  });
  expect(validation?.keys).toHaveLength(8);
  expect(validation?.keys).not.toContain('autoAssignAlerts');
});

test.each([
  ['no name', {}, ['name', 'checkType']],
  ['an unknown type', { name: 'x', checkType: 'SMOKE' }, ['checkType']],
  ['a list', [], ['body']],
  ['the members of its type missing', { name: 'x', checkType: 'TCP' }, ['request']],
])('the route of all types refuses %s', async (_name, body, keys) => {
  const answer = await api.call('POST', '/v1/checks', { body });
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).validation).toEqual({ source: 'payload', keys });
});

test('environment variables are at most 50', async () => {
  const environmentVariables = Array.from({ length: 51 }, (_, index) => ({
    key: `K${index}`,
    value: 'v',
  }));
  const answer = await api.call('POST', '/v1/checks/browser', {
    body: { ...least('BROWSER'), environmentVariables },
  });
  expect((answer.body as ErrorBody).message).toBe(
    'environmentVariables: expected at most 50 items, got 51 items',
  );
  await create('BROWSER', { environmentVariables: environmentVariables.slice(0, 50) });
});

test('a type that contradicts the route is refused', async () => {
  const answer = await api.call('POST', '/v1/checks/api', {
    body: { ...least('API'), checkType: 'TCP' },
  });
  expect((answer.body as ErrorBody).message).toBe('checkType: expected "API", got "TCP"');
});

test('a service that incidents are to name is stored by its id, in either case', async () => {
  const { id } = makePageService();
  await api.configuration.pageServices.put(makePageService({ id }));
  const triggerIncident = {
    serviceId: id.toUpperCase(),
    severity: 'MAJOR',
    name: 'Down',
    description: '',
    notifySubscribers: false,
  };
  const check = await create('API', { triggerIncident });
  expect(check.triggerIncident).toEqual({ ...triggerIncident, serviceId: id });
});

test.each([
  ['groupId', { groupId: 7 }, 'groupId: no check group 7 exists'],
  ['setupSnippetId', { setupSnippetId: 1 }, 'setupSnippetId: no snippet 1 exists'],
  ['tearDownSnippetId', { tearDownSnippetId: 2 }, 'tearDownSnippetId: no snippet 2 exists'],
  [
    'alertChannelId',
    { alertChannelSubscriptions: [{ alertChannelId: 3, activated: true }] },
    'alertChannelSubscriptions.0.alertChannelId: no alert channel 3 exists',
  ],
  [
    'serviceId',
    {
      triggerIncident: {
        serviceId: '3f0c1f5e-4d1b-4f0e-9a44-9b1f8f6f6c11',
        severity: 'MAJOR',
        name: 'Down',
        description: '',
        notifySubscribers: false,
      },
    },
    'triggerIncident.serviceId: no status-page service 3f0c1f5e-4d1b-4f0e-9a44-9b1f8f6f6c11 exists',
  ],
])('an id in %s that is not ours is refused', async (_name, members, message) => {
  const answer = await api.call('POST', '/v1/checks/api', {
    body: { ...least('API'), ...members },
  });
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).message).toBe(message);
});

test('members that clients send and we do not know are dropped and named', async () => {
  const answer = await api.call('POST', '/v1/checks/api', {
    body: {
      ...least('API'),
      id: '',
      created_at: '0001-01-01T00:00:00Z',
      heartbeat: {},
      role: 'superadmin',
      request: {
        method: 'GET',
        url: 'http://127.0.0.1/',
        assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: 200, order: 1 }],
      },
    },
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('x-ignored-fields')).toBe(
    'request.assertions.0.order, id, created_at, heartbeat, role',
  );
  const check = answer.body as Json;
  expect(check).not.toHaveProperty('role');
  expect(check.id).toMatch(UUID);
  expect((check.request as { assertions: Json[] }).assertions[0]?.target).toBe('200');
  expect(JSON.stringify(api.configuration.checks.get(check.id as string))).not.toContain(
    'superadmin',
  );
});

test('a body cannot reach a prototype', async () => {
  const body = `{"name":"x","request":{"url":"http://127.0.0.1/","__proto__":{"skipSSL":true}},"__proto__":{"muted":true},"constructor":{"prototype":{"evil":true}}}`;
  const answer = await api.call('POST', '/v1/checks/url', { body });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ muted: false, request: { skipSSL: false } });
  expect(({} as Json).evil).toBeUndefined();
});

test('values of secrets are written and never read', async () => {
  const environmentVariables = [
    { key: 'OPEN', value: 'one', locked: true, secret: false },
    { key: 'HIDDEN', value: 'two', locked: false, secret: true },
  ];
  const check = await create('BROWSER', { environmentVariables });
  const shown = [environmentVariables[0], { ...environmentVariables[1], value: null }];
  expect(check.environmentVariables).toEqual(shown);
  const read = await api.call('GET', `/v1/checks/${check.id}`);
  expect((read.body as Json).environmentVariables).toEqual(shown);
  expect(api.configuration.checks.get(check.id as string)).toMatchObject({ environmentVariables });
});

test('order and null are kept as they came', async () => {
  const members = {
    tags: ['b', 'a'],
    locations: ['us-west-1', 'eu-west-1'],
    description: null,
    runtimeId: null,
    request: { method: 'GET', url: 'http://127.0.0.1/', basicAuth: { username: '', password: '' } },
  };
  expect(await create('API', members)).toMatchObject(members);
});

test.each(['doubleCheck', 'shouldFail', 'runtimeId', 'retryStrategy'])(
  'a Playwright check has no %s: its routes refuse one, those of all types drop it',
  async (name) => {
    const body = { ...least('PLAYWRIGHT'), [name]: 'x' };
    const refused = await api.call('POST', pathOf('PLAYWRIGHT'), { body });
    expect([refused.status, (refused.body as ErrorBody).message]).toEqual([
      400,
      `${name}: expected nothing: a PLAYWRIGHT check has no such member`,
    ]);
    const { id } = await create('PLAYWRIGHT', { [name]: null });
    const changed = await api.call('PUT', `${pathOf('PLAYWRIGHT')}/${id}`, { body });
    expect(changed.status).toBe(400);
    const generic = await api.call('POST', '/v1/checks', {
      body: { ...body, checkType: 'PLAYWRIGHT' },
    });
    expect([generic.status, generic.headers.get('x-ignored-fields')]).toEqual([201, name]);
    expect(generic.body).not.toHaveProperty(name);
  },
);

test.each(CHECK_TYPES.filter((type) => !('script' in CHECK_KINDS[type].fields)))(
  'a script sent to the routes of all types is kept with a %s check, and does nothing',
  async (type) => {
    const created = await api.call('POST', '/v1/checks', {
      body: { ...least(type), checkType: type, script: 'é' },
    });
    const { id } = created.body as Json;
    expect(created.body).toMatchObject({ script: 'é' });
    expect(created.headers.get('x-ignored-fields')).toBeNull();
    for (const version of ['v1', 'v2', 'v3']) {
      const read = await api.call('GET', `/${version}/checks/${id}`);
      expect(read.body).toMatchObject({ script: 'é' });
    }
    const kept = await api.call('PUT', `${pathOf(type)}/${id}`, { body: { script: 'other' } });
    expect([kept.body, kept.headers.get('x-ignored-fields')]).toMatchObject([
      { script: 'é' },
      'script',
    ]);
    const body = { heartbeat: least(type).heartbeat, script: '' };
    const emptied = await api.call('PUT', `/v1/checks/${id}`, { body });
    expect(emptied.body).toMatchObject({ script: '' });
    const long = { ...body, script: 'é'.repeat(200_000) };
    expect((await api.call('PUT', `/v1/checks/${id}`, { body: long })).status).toBe(400);
  },
);

test('the intent of a check and whether it repairs itself are kept; v3 has one list', async () => {
  const intent = { goal: 'buy', requiredOutcomes: ['paid'], mustPreserve: ['stock'] };
  const { id } = await create('URL', { intent, aiAutoRepairEnabled: true });
  const read = (version: string) => api.call('GET', `/${version}/checks/${id}`);
  for (const version of ['v1', 'v2']) {
    expect((await read(version)).body).toMatchObject({ intent, aiAutoRepairEnabled: true });
  }
  const constraints = [
    { type: 'REQUIRED_OUTCOME', statement: 'paid' },
    { type: 'MUST_PRESERVE', statement: 'stock' },
  ];
  expect((await read('v3')).body).toMatchObject({ intent: { goal: 'buy', constraints } });
  expect(await create('URL')).toMatchObject({ intent: null, aiAutoRepairEnabled: null });
});

test('what only the tools of a script need is kept as it came', async () => {
  const playwrightConfig = { use: { locale: 'de', viewport: { width: 1 } }, retries: null };
  const snapshots = [{ path: 'a.png', key: 'k' }];
  expect(await create('MULTI_STEP', { playwrightConfig })).toMatchObject({ playwrightConfig });
  const browser = await create('BROWSER', { playwrightConfig, snapshots });
  expect(browser).toMatchObject({ playwrightConfig, snapshots });
});

test.each(['v1', 'v2', 'v3'])('%s has the members that clients look for', async (version) => {
  const { id } = await create('API');
  const { body } = await api.call('GET', `/${version}/checks/${id}`);
  expect(body).toMatchObject({
    setupScriptDependencies: null,
    tearDownScriptDependencies: null,
    projectBindings: { owner: null, references: [] },
  });
});

test.each([
  ['POST', '/v1/checks/grpc', 'grpc'],
  ['POST', '/v1/checks/traceroute/', 'traceroute'],
  ['POST', '/v1/checks/http', 'http'],
  ['PUT', `/v1/checks/grpc/${randomUUID()}`, 'grpc'],
])('%s %s says that there is no such type, and which there are', async (method, path, segment) => {
  const answer = await api.call(method, path, { body: { name: 'x' } });
  const types = 'api, browser, heartbeat, icmp, multistep, tcp, playwright, url, dns';
  expect([answer.status, (answer.body as ErrorBody).message]).toEqual([
    404,
    `There is no check type "${segment}" here; the types are ${types}`,
  ]);
});

test('an id is no type', async () => {
  const answer = await api.call('POST', `/v1/checks/${randomUUID()}`, { body: {} });
  expect(answer.status).toBe(405);
});
