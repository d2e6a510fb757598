import { describe, expect, it } from 'vitest';
import {
  createSchema,
  genericUpdateSchema,
  isHeartbeat,
  updateSchema,
} from '#shared/checks/check.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import { LEAST_BODIES, problemsOf } from './bodies.ts';

/** What real clients send beside what a check is made of (clients-need.md). */
const LEGACY = {
  id: '',
  created_at: '',
  createdAt: '0001-01-01T00:00:00Z',
  updated_at: null,
  heartbeat: {},
  sslCheck: {},
  request: {},
  constructor: 'x',
};

describe('members that a type does not have are dropped', () => {
  it.each(CHECK_TYPES)('%s', (type) => {
    const least: Record<string, unknown> = LEAST_BODIES[type];
    const created = createSchema(type).parse({ ...LEGACY, ...least });
    expect(created).toEqual(createSchema(type).parse(least));
  });

  it('also in assertions', () => {
    const assertion = { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' };
    const legacy = { ...assertion, edit: false, order: 3, arrayIndex: 0, arraySelector: 0 };
    const request = { ...LEAST_BODIES.URL.request, assertions: [legacy] };
    const created = createSchema('URL').parse({ name: 'x', request });
    expect(created.request).toMatchObject({
      assertions: [{ ...assertion, property: '', regex: '' }],
    });
    expect(JSON.stringify(created)).not.toContain('array');
  });
});

describe('other forms of a value are taken', () => {
  const request = (members: object) =>
    createSchema('API').parse({ name: 'x', request: { ...LEAST_BODIES.API.request, ...members } })
      .request as Record<string, unknown>;

  it('null for an empty list', () => {
    expect(request({ headers: null, queryParameters: null, assertions: null })).toMatchObject({
      headers: [],
      queryParameters: [],
      assertions: [],
    });
    const body = { ...LEAST_BODIES.API, tags: null, alertChannelSubscriptions: null };
    expect(createSchema('API').parse(body)).toMatchObject({
      tags: [],
      alertChannelSubscriptions: [],
    });
  });

  it('null where null means something stays null', () => {
    const nulls = {
      locations: null,
      privateLocations: null,
      groupId: null,
      runtimeId: null,
      environmentVariables: null,
      retryStrategy: null,
    };
    expect(createSchema('API').parse({ ...LEAST_BODIES.API, ...nulls })).toMatchObject(nulls);
  });

  it.each([
    [200, '200'],
    [1.5, '1.5'],
    [true, 'true'],
    ['200', '200'],
    ['', ''],
    [null, null],
    [undefined, ''],
  ])('target %j is kept as %j', (target, kept) => {
    const assertion = { source: 'STATUS_CODE', comparison: 'EQUALS', target };
    expect(request({ assertions: [assertion] }).assertions).toMatchObject([{ target: kept }]);
  });

  it.each([
    ['NETWORK_ERROR', ['NETWORK_ERROR']],
    [['NETWORK_ERROR'], ['NETWORK_ERROR']],
    [[], undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('onlyOn %j is kept as %j', (onlyOn, kept) => {
    const retryStrategy = { type: 'FIXED', onlyOn };
    const body = { ...LEAST_BODIES.API, retryStrategy };
    const created = JSON.parse(JSON.stringify(createSchema('API').parse(body)));
    expect(created.retryStrategy).toEqual({
      type: 'FIXED',
      baseBackoffSeconds: 60,
      sameRegion: true,
      ...(kept && { onlyOn: kept }),
    });
  });

  it('FALLBACK for a retry strategy that was never set', () => {
    const created = createSchema('API').parse({ ...LEAST_BODIES.API, retryStrategy: 'FALLBACK' });
    expect(JSON.parse(JSON.stringify(created))).not.toHaveProperty('retryStrategy');
  });

  it('what a client without optional members sends for alert settings it never set', () => {
    const alertSettings = {
      runBasedEscalation: {},
      timeBasedEscalation: {},
      reminders: {},
      parallelRunFailureThreshold: {},
      sslCertificates: { enabled: false, alertThreshold: 0 },
    };
    const body = { ...LEAST_BODIES.API, alertSettings };
    expect(problemsOf(createSchema('API'), body)).toEqual({});
  });

  it.each([
    [
      { url: 'old', port: 1 },
      { hostname: 'old', data: null },
    ],
    [
      { url: 'old', hostname: 'new', port: 1 },
      { hostname: 'new', data: null },
    ],
    [
      { hostname: 'new', port: 1, body: 'old' },
      { hostname: 'new', data: 'old' },
    ],
    [
      { hostname: 'new', port: 1, body: 'old', data: 'new' },
      { hostname: 'new', data: 'new' },
    ],
    [
      { hostname: 'new', port: 1, body: null },
      { hostname: 'new', data: null },
    ],
  ])('the older names of a TCP request: %j', (sent, kept) => {
    const created = createSchema('TCP').parse({ name: 'x', request: sent });
    expect(created.request).toEqual({ port: 1, ipFamily: 'IPv4', assertions: [], ...kept });
  });

  it('a ping token in capitals', () => {
    const heartbeat = {
      ...LEAST_BODIES.HEARTBEAT.heartbeat,
      pingToken: '0198A3A6-6C5E-4F3B-9D1E-3F0F3C1F7A10',
    };
    expect(createSchema('HEARTBEAT').parse({ name: 'x', heartbeat }).heartbeat).toMatchObject({
      pingToken: '0198a3a6-6c5e-4f3b-9d1e-3f0f3c1f7a10',
    });
  });

  it('lists in their order', () => {
    const tags = ['z', 'a', 'm', 'a'];
    const locations = ['us-west-2', 'af-south-1', 'eu-west-1'];
    const created = createSchema('API').parse({ ...LEAST_BODIES.API, tags, locations });
    expect(created).toMatchObject({ tags, locations });
  });
});

describe('null and the zero value of a typed client, for a member that was never set', () => {
  const settings = {
    escalationType: 'RUN_BASED',
    runBasedEscalation: { failedRunThreshold: 1 },
    timeBasedEscalation: { minutesFailingThreshold: 5 },
    reminders: { amount: 0, interval: 5 },
    parallelRunFailureThreshold: { enabled: false, percentage: 10 },
  };
  const FIXED = { type: 'FIXED', baseBackoffSeconds: 60, sameRegion: true };
  const { url } = LEAST_BODIES.URL.request;
  const { query, recordType } = LEAST_BODIES.DNS.request;
  const { period, periodUnit, grace, graceUnit } = LEAST_BODIES.HEARTBEAT.heartbeat;
  const span = { period, periodUnit, grace, graceUnit };

  it.each<[CheckType, string, unknown, unknown]>([
    ['API', 'setupSnippetId', 0, null],
    ['API', 'tearDownSnippetId', 0, null],
    ['API', 'groupId', 0, null],
    ['API', 'runtimeId', '', null],
    ['API', 'alertSettings', null, null],
    ['API', 'alertSettings', {}, settings],
    [
      'API',
      'alertSettings',
      {
        escalationType: '',
        runBasedEscalation: { failedRunThreshold: 0 },
        timeBasedEscalation: { minutesFailingThreshold: 0 },
        reminders: { amount: 0, interval: 0 },
        parallelRunFailureThreshold: { enabled: false, percentage: 0 },
        sslCertificates: { enabled: false, alertThreshold: 0 },
      },
      { ...settings, sslCertificates: { enabled: false, alertThreshold: 0 } },
    ],
    [
      'API',
      'alertSettings',
      {
        escalationType: null,
        runBasedEscalation: null,
        timeBasedEscalation: { minutesFailingThreshold: null },
        reminders: { amount: null, interval: null },
        parallelRunFailureThreshold: { enabled: null, percentage: null },
        sslCertificates: null,
      },
      settings,
    ],
    [
      'API',
      'retryStrategy',
      {
        type: 'FIXED',
        baseBackoffSeconds: null,
        sameRegion: null,
        maxRetries: null,
        maxDurationSeconds: null,
        onlyOn: null,
      },
      FIXED,
    ],
    [
      'API',
      'retryStrategy',
      { type: 'FIXED', baseBackoffSeconds: 0, sameRegion: false },
      { type: 'FIXED', baseBackoffSeconds: 0, sameRegion: false },
    ],
    [
      'URL',
      'request',
      { url, method: '', followRedirects: null, skipSSL: null, ipFamily: '', assertions: null },
      {
        url,
        method: 'GET',
        followRedirects: true,
        skipSSL: false,
        ipFamily: 'IPv4',
        assertions: [],
      },
    ],
    [
      'TCP',
      'request',
      { hostname: 'a', url: '', port: 1, data: '', body: '', ipFamily: '' },
      { hostname: 'a', port: 1, data: null, ipFamily: 'IPv4', assertions: [] },
    ],
    [
      'DNS',
      'request',
      { query, recordType, nameServer: '', port: 0, protocol: '' },
      { query, recordType, nameServer: '', port: null, protocol: 'UDP', assertions: [] },
    ],
    [
      'ICMP',
      'request',
      { hostname: 'a', ipFamily: '', pingCount: 0 },
      { hostname: 'a', ipFamily: null, pingCount: null, assertions: [] },
    ],
    ['HEARTBEAT', 'heartbeat', { ...span, pingToken: '' }, span],
    [
      'BROWSER',
      'environmentVariables',
      [{ key: 'A', value: 'b', locked: null, secret: null }],
      [{ key: 'A', value: 'b', locked: false, secret: false }],
    ],
  ])('%s %s: %j', (type, name, sent, kept) => {
    const body = { ...LEAST_BODIES[type], [name]: sent };
    for (const schema of [createSchema(type), updateSchema(type)]) {
      const parsed = JSON.parse(JSON.stringify(schema.parse(body)));
      expect(parsed[name]).toEqual(kept);
    }
  });

  it('is refused where it could mean something: no retries at all', () => {
    const body = { ...LEAST_BODIES.API, retryStrategy: { type: 'FIXED', maxRetries: 0 } };
    expect(Object.keys(problemsOf(createSchema('API'), body))).toEqual([
      'retryStrategy.maxRetries',
    ]);
  });
});

describe('all problems of a body are reported at once, each at its path', () => {
  it('of members, of nested members and of rules over several', () => {
    const body = {
      name: '',
      frequency: 5,
      frequencyOffset: 99,
      degradedResponseTime: 50,
      maxResponseTime: 10,
      tags: ['ok', ''],
      request: { method: 'FETCH', url: 'ftp://x', assertions: [{ source: 'X', comparison: 'Y' }] },
    };
    expect(Object.keys(problemsOf(createSchema('API'), body)).sort()).toEqual([
      'degradedResponseTime',
      'frequencyOffset',
      'name',
      'request.assertions.0.comparison',
      'request.assertions.0.source',
      'request.method',
      'request.url',
      'tags.1',
    ]);
  });

  it('of a TCP request without a host or a port', () => {
    expect(problemsOf(createSchema('TCP'), { name: 'x', request: {} })).toEqual({
      'request.port': ['Invalid input: expected number, received undefined'],
      'request.hostname': ['expected a host name or an IP address'],
    });
  });

  const NOT_BODIES = [null, undefined, 5, 'text', true, [], [{}]];
  it.each(CHECK_TYPES)('a body of type %s that is no object is one problem', (type) => {
    for (const make of [createSchema, updateSchema, genericUpdateSchema]) {
      for (const body of NOT_BODIES) {
        expect(Object.keys(problemsOf(make(type), body))).toEqual(['']);
      }
    }
  });

  it.each(['API', 'URL', 'TCP', 'DNS', 'ICMP'] as const)('a %s request that is none', (type) => {
    for (const request of NOT_BODIES) {
      const problems = problemsOf(createSchema(type), { name: 'x', request });
      expect(Object.keys(problems)).toEqual(['request']);
    }
  });

  it('a heartbeat that is none', () => {
    for (const heartbeat of NOT_BODIES) {
      const problems = problemsOf(createSchema('HEARTBEAT'), { name: 'x', heartbeat });
      expect(Object.keys(problems)).toEqual(['heartbeat']);
    }
  });
});

describe('an update', () => {
  it.each(CHECK_TYPES)('of type %s applies no defaults', (type) => {
    expect(updateSchema(type).parse({})).toEqual({});
    expect(updateSchema(type).parse({ muted: true })).toEqual({ muted: true });
  });

  it('replaces a nested object that is sent whole, with that object’s defaults', () => {
    const { request } = updateSchema('URL').parse({ request: { url: 'http://a' } });
    expect(request).toMatchObject({ url: 'http://a', skipSSL: false, assertions: [] });
  });

  it('keeps null, which takes a check out of its group', () => {
    expect(updateSchema('API').parse({ groupId: null })).toEqual({ groupId: null });
  });

  it('is held to the same limits', () => {
    expect(Object.keys(problemsOf(updateSchema('API'), { name: '', frequency: 1441 }))).toEqual([
      'name',
      'frequency',
    ]);
  });

  it('is held to rules over several members where it sends them', () => {
    expect(
      Object.keys(problemsOf(updateSchema('API'), { frequency: 1, frequencyOffset: 11 })),
    ).toEqual(['frequencyOffset']);
    expect(problemsOf(updateSchema('API'), { frequencyOffset: 500 })).toEqual({});
  });
});

describe('the generic update of 4.1', () => {
  const NEEDED = { BROWSER: ['script'], MULTI_STEP: ['script'], HEARTBEAT: ['heartbeat'] };

  it.each(CHECK_TYPES)('of type %s needs heartbeat or script where the type uses it', (type) => {
    const needed = Object.entries(NEEDED).find(([name]) => name === type)?.[1] ?? [];
    expect(Object.keys(problemsOf(genericUpdateSchema(type), {}))).toEqual(needed);
  });

  it('keeps the script and ignores the heartbeat with another type', () => {
    const sent = { heartbeat: {}, script: '', name: 'new' };
    expect(genericUpdateSchema('API').parse(sent)).toEqual({ script: '', name: 'new' });
  });

  it('takes the type that the check is of, and no other', () => {
    expect(genericUpdateSchema('API').parse({ checkType: 'API' })).toEqual({ checkType: 'API' });
    expect(Object.keys(problemsOf(genericUpdateSchema('API'), { checkType: 'URL' }))).toEqual([
      'checkType',
    ]);
  });
});

it('only a heartbeat is waited for', () => {
  const waited = CHECK_TYPES.filter((checkType) => isHeartbeat({ checkType } as never));
  expect(waited).toEqual(['HEARTBEAT']);
});
