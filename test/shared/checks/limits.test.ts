import { describe, expect, it } from 'vitest';
import { createSchema } from '#shared/checks/check.ts';
import { CHECK_TYPES, type CheckType } from '#shared/checks/enums.ts';
import { LEAST_BODIES, problemsOf, withMember } from './bodies.ts';

const NONE = undefined;
const text = (length: number) => 'x'.repeat(length);
const nested = (depth: number): object => (depth === 1 ? {} : { in: nested(depth - 1) });
const list = (length: number, item: unknown = 'x') => Array.from({ length }, () => item);
const assertion = { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' };
const incident = {
  serviceId: '0198a3a6-6c5e-4f3b-9d1e-3f0f3c1f7a10',
  severity: 'MAJOR',
  name: 'down',
  description: '',
  notifySubscribers: true,
};

/** Values that a member takes and values that it does not, at its bounds. */
type Row = [path: string, good: unknown[], bad: unknown[]];

function limits(type: CheckType, rows: Row[]): void {
  const schema = createSchema(type);
  it.each(rows)(`${type} %s`, (path, good, bad) => {
    const problems = (value: unknown) =>
      problemsOf(schema, withMember(LEAST_BODIES[type], path, value));
    for (const value of good)
      expect(problems(value), JSON.stringify(value)?.slice(0, 80)).toEqual({});
    for (const value of bad) {
      const paths = Object.keys(problems(value));
      expect(paths, JSON.stringify(value)?.slice(0, 80)).not.toEqual([]);
      for (const place of paths) expect(place).toMatch(new RegExp(`^${path}`));
    }
  });
}

describe('members of every type', () => {
  for (const type of CHECK_TYPES) {
    limits(type, [
      ['name', ['x', text(500)], [NONE, null, '', text(501), 5]],
      ['description', [NONE, null, '', text(510)], [text(511), 5]],
      ['activated', [NONE, true, false], [null, 'true', 1]],
      ['muted', [NONE, true, false], [null, 0]],
      ['tags', [NONE, null, [], ['a'], list(200)], ['a', [''], [5], list(201)]],
      ['locations', [NONE, null, [], ['eu-west-1']], ['eu-west-1', ['eu-west-9'], [null]]],
      ['groupId', [NONE, null, 0, 1], [-1, 1.5, '1']],
      ['groupOrder', [NONE, null, 0, 2.5], [-1, '1']],
      ['runParallel', [NONE, null, true], ['yes']],
      ['useGlobalAlertSettings', [NONE, null, false], ['yes']],
      [
        'alertChannelSubscriptions',
        [NONE, null, [], [{ alertChannelId: 1, activated: true }], [{ alertChannelId: 1 }]],
        [[{ alertChannelId: 0, activated: true }], [{ activated: true }], {}],
      ],
      ['triggerIncident', [NONE, null, incident], [{}, { ...incident, severity: 'BAD' }]],
      ['alertSettings', [NONE, null, {}], ['RUN_BASED', []]],
      ['alertSettings.escalationType', ['RUN_BASED', 'TIME_BASED', '', null], ['NONE', 0]],
      ['alertSettings.runBasedEscalation.failedRunThreshold', [0, 1, 5], [-1, 6, '1']],
      ['alertSettings.timeBasedEscalation.minutesFailingThreshold', [0, 5, 10, 15, 30], [6]],
      ['alertSettings.reminders.amount', [0, 5, 100_000], [-1, 6]],
      ['alertSettings.reminders.interval', [0, 1, 5, 10, 15, 30], [6]],
      ['alertSettings.parallelRunFailureThreshold.percentage', [0, 10, 100], [15, 101]],
      ['alertSettings.sslCertificates.alertThreshold', [0, 365], [-1, 366]],
      ['frequencyOffset', [NONE, 1, 100], [0, 101, 1.5, null]],
      ['aiAutoRepairEnabled', [NONE, null, true, false], ['yes']],
      ['intent', [NONE, null, { goal: 'buy' }], [{}, 'buy', { goal: '' }]],
      [
        'intent',
        [{ goal: 'buy', mustPreserve: list(20) }],
        [{ goal: 'buy', mustPreserve: list(21) }],
      ],
    ]);
  }
});

describe('runtimes', () => {
  for (const type of CHECK_TYPES.filter((one) => one !== 'PLAYWRIGHT')) {
    limits(type, [['runtimeId', [NONE, null, '', '2025.04'], ['2030.01', 0]]]);
  }
});

describe('scripts count in bytes', () => {
  const KB_256 = 262_144;
  const two = 'é';
  limits('API', [
    ['localSetupScript', [two.repeat(KB_256 / 2)], [two.repeat(KB_256 / 2 + 1)]],
    ['localTearDownScript', [two.repeat(KB_256 / 2)], [two.repeat(KB_256 / 2 + 1)]],
  ]);
  for (const type of ['BROWSER', 'MULTI_STEP'] as const) {
    limits(type, [['script', [two.repeat(KB_256 / 2)], [two.repeat(KB_256 / 2 + 1)]]]);
  }

  it('together with what they depend on', () => {
    const sent = (bytes: number) => ({
      ...LEAST_BODIES.BROWSER,
      script: text(100_000),
      dependencies: [
        { path: 'a.js', content: two.repeat(50_000) },
        { path: 'b.js', content: text(bytes - 200_000) },
      ],
    });
    const problems = (bytes: number) => problemsOf(createSchema('BROWSER'), sent(bytes));
    expect(problems(KB_256)).toEqual({});
    expect(problems(KB_256 + 1)).toEqual({
      dependencies: ['expected at most 262144 bytes in UTF-8 together with script, got 262145'],
    });
  });
});

describe('a JSONPath', () => {
  const asserted = (property: string, source: string, type: CheckType) =>
    withMember(LEAST_BODIES[type], 'request.assertions', [
      { source, comparison: 'NOT_EMPTY', property, target: '' },
    ]);

  it.each<[CheckType, string]>([
    ['API', 'JSON_BODY'],
    ['DNS', 'JSON_ANSWER'],
    ['ICMP', 'JSON_RESPONSE'],
  ])('of a %s check must parse', (type, source) => {
    const problems = (property: string) =>
      problemsOf(createSchema(type), asserted(property, source, type));
    for (const good of ['', '$', '$.a[0]', ' $..b ', '$.items.length', '$.{{NAME}}[']) {
      expect(problems(good)).toEqual({});
    }
    expect(problems('a.b')).toEqual({
      'request.assertions.0.property': [
        "the JSONPath is not valid: expected '$', found 'a' ('a.b':0)",
      ],
    });
  });

  it('is asked of what takes one only', () => {
    expect(problemsOf(createSchema('API'), asserted('a.b', 'HEADERS', 'API'))).toEqual({});
  });
});

describe('frequency', () => {
  const subMinute: CheckType[] = ['API', 'URL', 'TCP', 'DNS', 'ICMP', 'HEARTBEAT'];
  for (const type of CHECK_TYPES) {
    const zero = subMinute.includes(type) ? { good: [0], bad: [] } : { good: [], bad: [0] };
    limits(type, [
      ['frequency', [NONE, 1, 7, 1440, ...zero.good], [-1, 1441, 1.5, null, '10', ...zero.bad]],
    ]);
  }

  it.each([
    [0, [10, 20, 30], [1, 15, 60], '10, 20 or 30'],
    [5, [1, 50], [51], 'a whole number from 1 to 50'],
    [60, [600], [601], 'a whole number from 1 to 600'],
    [720, [12], [13], 'a whole number from 1 to 12'],
  ])('%i bounds the offset (rules 1 to 3 of 2.2)', (frequency, good, bad, words) => {
    const problems = (frequencyOffset: number) =>
      problemsOf(createSchema('API'), { ...LEAST_BODIES.API, frequency, frequencyOffset });
    for (const offset of good) expect(problems(offset)).toEqual({});
    for (const offset of bad) {
      expect(problems(offset)).toEqual({
        frequencyOffset: [`expected ${words} with a frequency of ${frequency}`],
      });
    }
  });
});

describe('response-time limits', () => {
  const maxima = {
    API: 45_000,
    URL: 45_000,
    TCP: 45_000,
    DNS: 5_000,
    ICMP: 300_000,
    HEARTBEAT: 300_000,
  };
  for (const [type, max] of Object.entries(maxima)) {
    limits(type as CheckType, [
      ['maxResponseTime', [null, max], [max + 1, -1, '5']],
      ['degradedResponseTime', [NONE, null, 0, 0.5], [max + 1, -1, '5']],
    ]);
  }

  const created = (limitsSent: object) =>
    createSchema('API').safeParse({ ...LEAST_BODIES.API, ...limitsSent });

  it('degraded is at most the maximum', () => {
    const problems = (limitsSent: object) =>
      problemsOf(createSchema('API'), { ...LEAST_BODIES.API, ...limitsSent });
    expect(problems({ degradedResponseTime: 10, maxResponseTime: 10 })).toEqual({});
    expect(problems({ degradedResponseTime: 45_000, maxResponseTime: null })).toEqual({});
    expect(problems({ degradedResponseTime: 11, maxResponseTime: 10 })).toEqual({
      degradedResponseTime: ['expected at most maxResponseTime (10)'],
    });
  });

  it.each([
    [{ maxResponseTime: 200 }, 200, 200],
    [{ maxResponseTime: 6_000 }, 5_000, 6_000],
    [{ maxResponseTime: null }, 5_000, null],
    [{ degradedResponseTime: 100 }, 100, 20_000],
    [{ degradedResponseTime: 30_000 }, 30_000, 30_000],
    [{ degradedResponseTime: null }, null, 20_000],
  ])('the one that is left out gives way: %j', (sent, degradedResponseTime, maxResponseTime) => {
    expect(created(sent).data).toMatchObject({ degradedResponseTime, maxResponseTime });
  });
});

describe('retries', () => {
  for (const type of ['API', 'URL', 'TCP', 'DNS', 'ICMP', 'BROWSER', 'MULTI_STEP'] as const) {
    limits(type, [
      ['retryStrategy', [NONE, null, { type: 'SINGLE_RETRY' }], [{}, 'OTHER', { type: 'OFTEN' }]],
      [
        'retryStrategy',
        [{ type: 'SINGLE_RETRY', maxRetries: null }],
        [{ type: 'SINGLE_RETRY', maxRetries: 1 }],
      ],
      ['retryStrategy.type', ['FIXED', 'LINEAR', 'EXPONENTIAL'], ['fixed', null]],
    ]);
  }
  const fixed = (member: string, value: unknown) =>
    problemsOf(createSchema('API'), {
      ...LEAST_BODIES.API,
      retryStrategy: { type: 'FIXED', [member]: value },
    });
  it.each<[string, unknown[], unknown[]]>([
    ['baseBackoffSeconds', [NONE, null, 0, 600], [-1, 601]],
    ['sameRegion', [NONE, null, false], [0, 'no']],
    ['maxRetries', [NONE, null, 1, 10], [0, 11, 1.5]],
    ['maxDurationSeconds', [NONE, null, 0, 600], [-1, 601]],
    ['onlyOn', [NONE, null, '', [], 'NETWORK_ERROR', ['NETWORK_ERROR']], ['STATUS', ['STATUS']]],
  ])('%s', (member, good, bad) => {
    for (const value of good) expect(fixed(member, value)).toEqual({});
    for (const value of bad) expect(fixed(member, value)).not.toEqual({});
  });
});

describe('the request of each type', () => {
  const url: Row = [
    'request.url',
    [
      ...['http://a', 'https://[::1]:8080/?q=1#f', `https://a/${text(2_038)}`],
      ...['{{HOST}}/path', 'https://{{HOST}}:{{PORT}}/', 'HTTPS://example.org'],
    ],
    [
      ...[NONE, null, '', `https://a/${text(2_039)}`, 'example.org', '/path', 'ftp://a'],
      ...['file:///etc/passwd', 'javascript:alert(1)', 'file:///{{PATH}}', 'https://'],
    ],
  ];
  const hostname: Row[1] = [
    'a',
    '192.0.2.1',
    '::1',
    '[::1]',
    'fe80::1%eth0',
    'münchen.de',
    'भारत.भारत',
    '{{H}}.x',
  ];
  const noHostname: Row[2] = [
    null,
    '',
    '-f',
    'a b',
    'a/b',
    'a\nb',
    'a;b',
    '$(a)',
    '`a`',
    text(2_049),
  ];
  const port: Row[1] = [1, 65_535];
  const noPort: Row[2] = [0, 65_536, 1.5, '80'];

  limits('API', [
    url,
    ['request.method', ['GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'PATCH'], [NONE, 'OPTIONS', 'get']],
    ['request.followRedirects', [NONE, null, false], [0, 1]],
    ['request.skipSSL', [NONE, null, true], [0, 1]],
    ['request.ipFamily', [NONE, null, '', 'IPv6'], ['IPv5']],
    ['request.bodyType', [NONE, null, '', 'JSON', 'FORM', 'RAW', 'GRAPHQL', 'NONE'], ['XML']],
    ['request.body', [NONE, null, '', text(1_000_000)], [{}, text(1_000_001)]],
    [
      'request.headers',
      [NONE, null, [], [{ key: 'a', value: '' }]],
      [[{ key: '', value: 'x' }], [{ key: 'a' }]],
    ],
    [
      'request.queryParameters',
      [NONE, null, [{ key: 'a', value: 'b', locked: true }]],
      [{ a: 'b' }],
    ],
    ['request.basicAuth', [NONE, null, { username: '', password: '' }], [{}, 'user:pass']],
    [
      'request.assertions',
      [NONE, null, [], [assertion], list(100, assertion)],
      [list(101, assertion), [{}]],
    ],
    [
      'environmentVariables',
      [NONE, null, list(50, { key: 'k', value: null })],
      [list(51, { key: 'k', value: '' }), [{ key: '' }]],
    ],
    ['localSetupScript', [NONE, null, '', text(262_144)], [5, text(262_145)]],
    ['setupSnippetId', [NONE, null, 0, 1], [-1, '1']],
  ]);
  limits('URL', [
    url,
    ['request.method', [NONE, 'GET'], ['POST']],
    [
      'request.assertions',
      [[assertion]],
      [[{ ...assertion, source: 'TEXT_BODY' }], [{ ...assertion, comparison: 'CONTAINS' }]],
    ],
  ]);
  limits('TCP', [
    ['request.hostname', hostname, [NONE, ...noHostname]],
    ['request.port', port, [NONE, ...noPort]],
    ['request.data', [NONE, null, '', 'x', text(64_000)], [text(64_001)]],
    [
      'request.assertions',
      [[{ source: 'RESPONSE_DATA', comparison: 'IS_EMPTY' }]],
      [[{ source: 'RESPONSE_DATA', comparison: 'HAS_KEY' }], [assertion]],
    ],
  ]);
  limits('DNS', [
    [
      'request.query',
      ['a', text(100), 'münchen.de', '_dmarc.a', '{{N}}'],
      [NONE, '', text(101), 'a b'],
    ],
    [
      'request.recordType',
      ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SOA', 'NS', 'HTTPS'],
      [NONE, 'PTR', 'a'],
    ],
    [
      'request.nameServer',
      [NONE, null, '', '192.0.2.1', '2001:db8::1', text(100)],
      [text(101), 'a b'],
    ],
    ['request.port', [NONE, null, 0, ...port], [-1, 65_536, 1.5, '80']],
    ['request.protocol', [NONE, null, '', 'UDP', 'TCP'], ['TLS']],
    ['request.assertions', [[{ source: 'JSON_ANSWER', comparison: 'HAS_VALUE' }]], [[assertion]]],
  ]);
  limits('ICMP', [
    ['request.hostname', hostname, [NONE, ...noHostname]],
    ['request.ipFamily', [NONE, null, '', 'IPv4', 'IPv6'], ['IPv5']],
    ['request.pingCount', [NONE, null, 0, 1, 50], [-1, 51, 1.5]],
    [
      'request.assertions',
      [[{ source: 'LATENCY', comparison: 'IS_NULL' }]],
      [[{ source: 'LATENCY', comparison: 'HAS_KEY' }]],
    ],
    ['degradedPacketLossThreshold', [NONE, null, 0.5, 20], [0, 101]],
    ['maxPacketLossThreshold', [NONE, null, 10, 100], [0, 101]],
  ]);
  limits('BROWSER', [
    ['script', ['x', null, text(262_144)], [NONE, '', text(262_145)]],
    [
      'environmentVariables',
      [list(50, { key: 'k', value: 'v', secret: true })],
      [list(51, { key: 'k', value: 'v' })],
    ],
    [
      'dependencies',
      [NONE, null, [{ path: 'a', content: 'b' }]],
      [[{ path: text(1_001), content: 'b' }], [{ path: 'a', content: '' }]],
    ],
    ['scriptPath', [NONE, null, 'a.ts'], ['']],
  ]);
  limits('MULTI_STEP', [
    ['script', ['x', null], [NONE, '']],
    ['runtimeId', [NONE, null, '', '2025.04', '2023.09'], ['2023.02', '2022.10']],
    ['playwrightConfig', [NONE, null, {}, { use: { locale: 'de' } }], ['x', [], nested(21)]],
    ['playwrightConfig', [nested(20)], [{ use: text(64_001) }]],
  ]);
  limits('BROWSER', [
    ['snapshots', [NONE, null, [{ path: 'a.png', key: 'k' }]], [{}, ['a'], list(201, {})]],
  ]);
  limits('PLAYWRIGHT', [
    ['codeBundlePath', ['x'], [NONE, null, '']],
    [
      'dependencies',
      [NONE, null, [], [{ path: './tests/a.spec.ts', content: 'b' }]],
      [
        [{ path: '../a', content: 'b' }],
        [{ path: '/a', content: 'b' }],
        [{ path: 'a', content: '' }],
        list(201, { path: 'a', content: 'b' }),
      ],
    ],
    ['engine', [NONE, null, 'node', 'bun'], ['deno']],
  ]);
});

describe('a heartbeat', () => {
  const spans = (heartbeat: object) => {
    const least = { period: 1, periodUnit: 'days', grace: 0, graceUnit: 'days', ...heartbeat };
    return Object.keys(problemsOf(createSchema('HEARTBEAT'), { name: 'x', heartbeat: least }));
  };

  it.each<[object, string[]]>([
    [{ period: 30, periodUnit: 'seconds' }, []],
    [{ period: 29, periodUnit: 'seconds' }, ['heartbeat.period']],
    [{ period: 0.5, periodUnit: 'minutes' }, []],
    [{ period: 365 }, []],
    [{ period: 365.1 }, ['heartbeat.period']],
    [{ period: 24 * 365 + 1, periodUnit: 'hours' }, ['heartbeat.period']],
    [{ period: 0 }, ['heartbeat.period']],
    [{ period: -1 }, ['heartbeat.period']],
    [{ grace: 365 }, []],
    [{ grace: 366 }, ['heartbeat.grace']],
    [{ grace: -1 }, ['heartbeat.grace']],
    [{ periodUnit: 'weeks' }, ['heartbeat.periodUnit']],
    [{ pingToken: null }, []],
    [{ pingToken: '' }, []],
    [{ pingToken: '0198A3A6-6c5e-4f3b-9d1e-3f0f3c1f7a10' }, []],
    [{ pingToken: 'secret' }, ['heartbeat.pingToken']],
    [{ period: 1, periodUnit: 'seconds', grace: 400 }, ['heartbeat.period', 'heartbeat.grace']],
    [
      { period: 1, periodUnit: 'seconds', graceUnit: 'x' },
      ['heartbeat.graceUnit', 'heartbeat.period'],
    ],
  ])('%j', (heartbeat, problems) => {
    expect(spans(heartbeat)).toEqual(problems);
  });
});
