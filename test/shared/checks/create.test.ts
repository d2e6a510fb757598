import { describe, expect, it } from 'vitest';
import { createSchema, storedSchema } from '#shared/checks/check.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import { LEAST_BODIES, problemsOf } from './bodies.ts';

const SINGLE = {
  type: 'SINGLE_RETRY',
  baseBackoffSeconds: 60,
  sameRegion: true,
  maxRetries: 2,
  maxDurationSeconds: undefined,
  onlyOn: undefined,
};

/** The request of a stored API check with an assertion on a path. */
function withPath(property: string): object {
  const assertion = { source: 'JSON_BODY', comparison: 'EQUALS', target: '1', regex: '', property };
  const { request } = createSchema('API').parse(LEAST_BODIES.API);
  return { ...(request as object), assertions: [assertion] };
}

const COMMON = {
  description: null,
  activated: true,
  muted: false,
  doubleCheck: true,
  shouldFail: false,
  runtimeId: null,
  tags: [],
  locations: [],
  alertSettings: {
    escalationType: 'RUN_BASED',
    runBasedEscalation: { failedRunThreshold: 1 },
    timeBasedEscalation: { minutesFailingThreshold: 5 },
    reminders: { amount: 0, interval: 5 },
    parallelRunFailureThreshold: { enabled: false, percentage: 10 },
  },
  useGlobalAlertSettings: true,
  alertChannelSubscriptions: [],
  groupId: null,
  groupOrder: null,
  triggerIncident: null,
  runParallel: false,
  frequency: 10,
};
const HTTP_REQUEST = { followRedirects: true, skipSSL: false, ipFamily: 'IPv4', assertions: [] };

/** What creation adds to the least body of each type. */
const DEFAULTS = {
  API: {
    request: { ...HTTP_REQUEST, bodyType: 'NONE', body: '', headers: [], queryParameters: [] },
    degradedResponseTime: 5_000,
    maxResponseTime: 20_000,
    setupSnippetId: null,
    tearDownSnippetId: null,
    localSetupScript: null,
    localTearDownScript: null,
  },
  URL: {
    request: { ...HTTP_REQUEST, method: 'GET' },
    degradedResponseTime: 3_000,
    maxResponseTime: 5_000,
  },
  TCP: {
    request: { data: null, ipFamily: 'IPv4', assertions: [] },
    degradedResponseTime: 3_000,
    maxResponseTime: 5_000,
  },
  DNS: {
    request: { protocol: 'UDP', assertions: [] },
    degradedResponseTime: 500,
    maxResponseTime: 1_000,
  },
  ICMP: {
    request: { ipFamily: 'IPv4', pingCount: 10, assertions: [] },
    degradedResponseTime: 10_000,
    maxResponseTime: 20_000,
    degradedPacketLossThreshold: 10,
    maxPacketLossThreshold: 20,
  },
  HEARTBEAT: { degradedResponseTime: 10_000, maxResponseTime: 20_000 },
  BROWSER: {},
  MULTI_STEP: {},
  PLAYWRIGHT: {
    testCommand: 'npx playwright test',
    installCommand: '',
    browsers: ['chromium'],
    engine: null,
    engineVersion: null,
  },
} satisfies { [T in CheckType]: Record<string, unknown> };

describe.each(CHECK_TYPES)('the least body of type %s', (type) => {
  const sent: { request?: object } & object = LEAST_BODIES[type];
  const added: { request?: object } & object = DEFAULTS[type];
  const request = sent.request ? { request: { ...added.request, ...sent.request } } : {};

  it('gets the defaults of creation, and nothing else', () => {
    const { doubleCheck, shouldFail, runtimeId, ...ofAll } = COMMON;
    const common = type === 'PLAYWRIGHT' ? ofAll : COMMON;
    expect(createSchema(type).parse(sent)).toEqual({ ...common, ...added, ...sent, ...request });
  });

  it('is read back from the store as it was written', () => {
    const created = createSchema(type).parse(sent);
    const stored = {
      ...created,
      id: '0198a3a6-6c5e-4f3b-9d1e-3f0f3c1f7a10',
      checkType: type,
      created_at: '2026-01-05T12:00:00.000Z',
      updated_at: null,
    };
    const written: unknown = JSON.parse(JSON.stringify(stored));
    expect(storedSchema(type).parse(written)).toEqual(written);
  });

  it('shares nothing with the next one that is created', () => {
    const [one, other] = [createSchema(type).parse(sent), createSchema(type).parse(sent)];
    expect(one.tags).not.toBe(other.tags);
    expect(one.alertSettings).not.toBe(other.alertSettings);
  });
});

const OLD: [CheckType, string, object][] = [
  ['API', 'retries beside SINGLE_RETRY', { retryStrategy: SINGLE }],
  ['API', 'a script of too many bytes', { localSetupScript: 'é'.repeat(200_000) }],
  ['API', 'a JSONPath that does not parse', { request: withPath('a.b') }],
  ['MULTI_STEP', 'a runtime without such checks', { runtimeId: '2022.10' }],
  ['PLAYWRIGHT', 'what it does not have', { doubleCheck: true, runtimeId: null }],
];

describe.each(OLD)('a stored %s check with %s', (type, _what, members) => {
  it('is read, though it would be refused today', () => {
    const stored = {
      ...createSchema(type).parse(LEAST_BODIES[type]),
      ...members,
      id: '0198a3a6-6c5e-4f3b-9d1e-3f0f3c1f7a10',
      checkType: type,
      created_at: '2026-01-05T12:00:00.000Z',
      updated_at: null,
    };
    expect(storedSchema(type).loose().parse(stored)).toEqual(stored);
  });
});

describe('a Playwright check', () => {
  const files = [{ path: './tests/a.spec.ts', content: 'test' }];

  it.each([
    { codeBundlePath: 'x' },
    { dependencies: files },
    { codeBundlePath: 'x', dependencies: files },
  ])('has a project from %j', (source) => {
    expect(problemsOf(createSchema('PLAYWRIGHT'), { name: 'suite', ...source })).toEqual({});
  });

  it.each([{}, { dependencies: null }, { dependencies: [] }])('has none from %j', (source) => {
    expect(problemsOf(createSchema('PLAYWRIGHT'), { name: 'suite', ...source })).toEqual({
      codeBundlePath: ['expected where the project is, or its files in dependencies'],
    });
  });
});

describe('the files of a check with a script', () => {
  it.each(['BROWSER', 'MULTI_STEP'] as const)('of type %s stay in the folder of a run', (type) => {
    const dependencies = [{ path: '../up.ts', content: 'x' }];
    const body = { ...LEAST_BODIES[type], scriptPath: 'a.txt', dependencies };
    expect(problemsOf(createSchema(type), body)).toEqual({
      scriptPath: ['expected a name that ends in .js or .ts'],
      'dependencies.0.path': ['expected a path inside the project, without ".."'],
    });
  });
});
