import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type ConfigFile,
  readSettings,
  type SettingSources,
} from '#main/platform/settings/read.ts';

const file = (content: unknown): ConfigFile => ({ kind: 'text', text: JSON.stringify(content) });

function read(sources: {
  flags?: SettingSources['flags'];
  env?: Record<string, string>;
  config?: ConfigFile;
}) {
  return readSettings({
    flags: sources.flags ?? {},
    env: sources.env ?? {},
    readConfigFile: () => sources.config ?? { kind: 'missing' },
  });
}

test('nothing set gives the defaults', () => {
  const { settings } = read({});
  expect(settings).toEqual({
    dataDir: expect.stringMatching(/watchpost/),
    playwrightFolders: [],
    host: '127.0.0.1',
    openBrowser: true,
    port: 8440,
    apiKey: null,
    accountId: null,
    chromium: null,
    browsersAtOnce: availableParallelism(),
    warmBrowsers: true,
    browserMemoryMegabytes: 2_764,
    browserSandbox: 'prefer',
    logLevel: 'info',
    historyMegabytes: 10_240,
    resultDays: 30,
    heartbeatDays: 30,
    bodyDays: 30,
    bodyMegabytes: 2_048,
    artifactDays: 14,
    artifactMegabytes: 5_120,
    rollUpDays: 400,
    rateLimitPerMinute: 60_000,
    allowedHosts: [],
    publicUrl: null,
    publicIpV4: null,
    publicIpV6: null,
    probeGateway: true,
    probeResolvers: true,
    probeAnchors: [],
    offlineAlertAfterSeconds: 30,
    denyRanges: [],
    trustedProxies: [],
    allowPrivateEgress: [],
    smtpHost: null,
    smtpPort: 587,
    smtpSecure: false,
    smtpUser: null,
    smtpPassword: null,
    smtpFrom: 'Watchpost <watchpost@localhost>',
    statusExportDir: null,
    twilioAccountSid: null,
    twilioToken: null,
    twilioFrom: null,
    twilioUrl: 'https://api.twilio.com',
    slackToken: null,
    otlpEndpoint: null,
    otlpHeaders: {},
    otlpIntervalSeconds: 60,
    stormAlerts: 5,
    messagesPerMinute: 10,
    subscriberMailsPerMinute: 60,
  });
});

test.each([
  [{ WATCHPOST_ALLOW_PRIVATE_EGRESS: 'true' }, { allowPrivateEgress: true }],
  [
    { WATCHPOST_ALLOW_PRIVATE_EGRESS: '10.0.0.0/8, fc00::/7' },
    { allowPrivateEgress: ['10.0.0.0/8', 'fc00::/7'] },
  ],
  [
    { WATCHPOST_SMTP_SECURE: 'TRUE', WATCHPOST_SMTP_HOST: 'Mail.Test' },
    { smtpSecure: true, smtpHost: 'mail.test' },
  ],
])('%j is read', (env, expected) => {
  expect(read({ env }).settings).toMatchObject(expected);
});

test.each([
  [
    { WATCHPOST_ALLOW_PRIVATE_EGRESS: 'yes' },
    'WATCHPOST_ALLOW_PRIVATE_EGRESS: expected true, or ranges',
  ],
  [{ WATCHPOST_SMTP_SECURE: '1' }, 'WATCHPOST_SMTP_SECURE: expected true or false, got "1"'],
  [{ WATCHPOST_TWILIO_TOKEN: 'a\nb' }, 'WATCHPOST_TWILIO_TOKEN: expected text on one line'],
])('%j stops the start', (env, expected) => {
  const { problems } = read({ env });
  expect(problems).toEqual([expect.stringContaining(expected)]);
  expect(problems?.[0]).not.toContain('a\\nb');
});

describe('precedence', () => {
  const config = file({ port: 3, host: '127.0.0.3', logLevel: 'error' });
  const env = { WATCHPOST_PORT: '2', WATCHPOST_HOST: '127.0.0.2' };

  test('a flag stands over the environment, which stands over config.json', () => {
    const { settings } = read({ flags: { port: '1' }, env, config });
    expect(settings).toMatchObject({ port: 1, host: '127.0.0.2', logLevel: 'error' });
  });

  test('an empty variable is an unset one', () => {
    expect(read({ env: { WATCHPOST_PORT: '' }, config }).settings).toMatchObject({ port: 3 });
  });

  test.each([
    [{ flags: { dataDir: '/a' }, env: { WATCHPOST_DATA_DIR: '/b' } }, resolve('/a')],
    [{ flags: {}, env: { WATCHPOST_DATA_DIR: 'relative' } }, resolve('relative')],
  ])('config.json is read from the data folder that is set: %j', (sources, folder) => {
    const asked: string[] = [];
    readSettings({
      ...sources,
      readConfigFile: (dataDir) => {
        asked.push(dataDir);
        return { kind: 'missing' };
      },
    });
    expect(asked).toEqual([folder]);
  });
});

test.each([
  ['WATCHPOST_PORT', '0', { port: 0 }],
  ['WATCHPOST_HOST', '::', { host: '::' }],
  ['WATCHPOST_HOST', 'Localhost', { host: 'localhost' }],
  ['WATCHPOST_API_KEY', 'abcdefgh12345678', { apiKey: 'abcdefgh12345678' }],
  [
    'WATCHPOST_ACCOUNT_ID',
    'A1B2C3D4-0000-4000-8000-000000000000',
    { accountId: 'a1b2c3d4-0000-4000-8000-000000000000' },
  ],
  [
    'WATCHPOST_ALLOWED_HOSTS',
    ' a.example, ,B.example',
    { allowedHosts: ['a.example', 'b.example'] },
  ],
  ['WATCHPOST_PUBLIC_URL', 'https://watch.example/', { publicUrl: 'https://watch.example' }],
  ['WATCHPOST_PUBLIC_URL', 'https://a.example/w/', { publicUrl: 'https://a.example/w' }],
  [
    'WATCHPOST_OTLP_HEADERS',
    'Authorization=Bearer a=b, x-org = 7',
    { otlpHeaders: { authorization: 'Bearer a=b', 'x-org': '7' } },
  ],
  [
    'WATCHPOST_TRUSTED_PROXIES',
    '127.0.0.1, ::1,10.0.0.0/8',
    { trustedProxies: ['127.0.0.1', '::1', '10.0.0.0/8'] },
  ],
  ['WATCHPOST_DENY_RANGES', '10.0.0.0/8,fc00::/7', { denyRanges: ['10.0.0.0/8', 'fc00::/7'] }],
  ['WATCHPOST_PUBLIC_IP_V4', '192.0.2.1', { publicIpV4: '192.0.2.1' }],
  ['WATCHPOST_PUBLIC_IP_V6', '2001:DB8:0::1', { publicIpV6: '2001:db8::1' }],
  ['WATCHPOST_PROBE_GATEWAY', 'false', { probeGateway: false }],
  [
    'WATCHPOST_PROBE_ANCHORS',
    'Anchor.test:443, [::1]:53',
    {
      probeAnchors: [
        { host: 'anchor.test', port: 443 },
        { host: '::1', port: 53 },
      ],
    },
  ],
  ['WATCHPOST_CHROMIUM', '/usr/bin/chromium', { chromium: '/usr/bin/chromium' }],
])('%s=%s is taken', (variable, text, expected) => {
  expect(read({ env: { [variable]: text } }).settings).toMatchObject(expected);
});

const HOST = 'expected a host name or an IP address (IPv6 without brackets)';
const PORT = 'expected a whole number from 0 to 65535';
const KEY = 'expected 16 to 200 letters, digits or any of -._~+/=';
const HOSTS = 'expected host names or IP addresses without ports, separated by commas';
const PROXIES =
  'expected IP addresses or ranges such as 127.0.0.1 or 10.0.0.0/8, separated by commas';
const RANGES = 'expected ranges of addresses such as 10.0.0.0/8 or fc00::/7, separated by commas';
const ANCHORS =
  'expected hosts with ports such as 192.0.2.1:443 or [2001:db8::1]:53, separated by commas';
const URL = 'expected an http or https URL without credentials, query or fragment';

test.each([
  ['WATCHPOST_DATA_DIR', 'a\0b', 'expected the path of a folder, got "a\\u0000b"'],
  ['WATCHPOST_HOST', '[::1]', `${HOST}, got "[::1]"`],
  ['WATCHPOST_HOST', '1.2.3', `${HOST}, got "1.2.3"`],
  ['WATCHPOST_HOST', 'a b', `${HOST}, got "a b"`],
  ['WATCHPOST_PORT', '65536', `${PORT}, got 65536`],
  ['WATCHPOST_PORT', '-1', `${PORT}, got "-1"`],
  ['WATCHPOST_PORT', '80.5', `${PORT}, got "80.5"`],
  ['WATCHPOST_PORT', '0x50', `${PORT}, got "0x50"`],
  ['WATCHPOST_API_KEY', 'fifteen-letters', KEY],
  ['WATCHPOST_API_KEY', 'with a space in the key', KEY],
  ['WATCHPOST_ACCOUNT_ID', '42', 'expected a UUID, got "42"'],
  [
    'WATCHPOST_LOG',
    'loud',
    'expected one of trace, debug, info, warn, error, fatal, silent, got "loud"',
  ],
  ['WATCHPOST_RATE_LIMIT', '0', 'expected a whole number from 1 to 10000000, got 0'],
  ['WATCHPOST_ALLOWED_HOSTS', 'a.example,b.example:80', `${HOSTS}, got "b.example:80"`],
  ['WATCHPOST_PUBLIC_URL', 'ftp://a.example', `${URL}, got "ftp://a.example"`],
  ['WATCHPOST_PUBLIC_URL', 'https://a.example/?x', `${URL}, got "https://a.example/?x"`],
  ['WATCHPOST_PUBLIC_URL', 'watch.example', `${URL}, got "watch.example"`],
  ['WATCHPOST_DENY_RANGES', '10.0.0.0/8,10.0.0.0/33', `${RANGES}, got "10.0.0.0/33"`],
  ['WATCHPOST_PUBLIC_IP_V4', '::1', 'expected an IPv4 address, got "::1"'],
  ['WATCHPOST_PUBLIC_IP_V4', '192.0.2', 'expected an IPv4 address, got "192.0.2"'],
  ['WATCHPOST_PUBLIC_IP_V6', '192.0.2.1', 'expected an IPv6 address, got "192.0.2.1"'],
  ['WATCHPOST_PUBLIC_IP_V6', '[::1]', 'expected an IPv6 address, got "[::1]"'],
  ['WATCHPOST_PROBE_ANCHORS', 'a.test:443,b.test', `${ANCHORS}, got "b.test"`],
  ['WATCHPOST_PROBE_ANCHORS', 'a.test:0', `${ANCHORS}, got "a.test:0"`],
  ['WATCHPOST_PROBE_ANCHORS', '::1:53', `${ANCHORS}, got "::1:53"`],
  ...['loopback', '0.0.0.0/0', '::/0', '10.0.0.0/33', 'proxy.test', 'fe80::1%eth0'].map(
    (text): [string, string, string] => [
      'WATCHPOST_TRUSTED_PROXIES',
      text,
      `${PROXIES}, got "${text}"`,
    ],
  ),
  ['WATCHPOST_DENY_RANGES', '10.0.0.1', `${RANGES}, got "10.0.0.1"`],
])('%s=%j is refused by name', (variable, text, message) => {
  expect(read({ env: { [variable]: text } })).toEqual({
    settings: null,
    problems: [`${variable}: ${message}`],
  });
});

test.each<[string, ConfigFile, string[]]>([
  ['an unknown key', file({ colour: 1 }), ['config.json: "colour" is not a setting of this file']],
  [
    'the folder that it lies in',
    file({ dataDir: '/a' }),
    ['config.json: "dataDir" is not a setting of this file'],
  ],
  [
    'a name of every object',
    { kind: 'text', text: '{"__proto__": {"port": 1}}' },
    ['config.json: "__proto__" is not a setting of this file'],
  ],
  ['a number as text', file({ port: '8440' }), [`config.json: port: ${PORT}, got "8440"`]],
  ['a list as text', file({ allowedHosts: 'a' }), [`config.json: allowedHosts: ${HOSTS}, got "a"`]],
  ['a short key, unseen', file({ apiKey: 'short' }), [`config.json: apiKey: ${KEY}`]],
  ['null', file({ host: null }), [`config.json: host: ${HOST}, got null`]],
  ['a list for an object', file([1]), ['config.json: expected a JSON object']],
  ['half a file', { kind: 'text', text: '{"port":' }, ['config.json: expected a JSON object']],
  [
    'no right to read',
    { kind: 'unreadable', reason: 'EACCES' },
    ['config.json: cannot be read (EACCES)'],
  ],
])('config.json with %s is refused', (_case, config, problems) => {
  expect(read({ config })).toEqual({ settings: null, problems });
});

test('all problems of all sources are named at once, hidden ones too', () => {
  const { problems } = read({
    flags: { port: 'x' },
    env: { WATCHPOST_PORT: 'y', WATCHPOST_LOG: 'loud' },
    config: file({ port: 'z', shape: 'round' }),
  });
  expect(problems?.map((problem) => problem.split(/: expected| is not/)[0])).toEqual([
    '--port',
    'WATCHPOST_PORT',
    'WATCHPOST_LOG',
    'config.json: "shape"',
    'config.json: port',
  ]);
});

test('with a wrong data folder no config.json is looked for', () => {
  const { problems } = readSettings({
    flags: { dataDir: '' },
    env: {},
    readConfigFile: () => ({ kind: 'unreadable', reason: 'not to be asked' }),
  });
  expect(problems).toEqual(['--data-dir: expected the path of a folder, got ""']);
});

test('a long wrong value is cut', () => {
  const { problems } = read({ env: { WATCHPOST_HOST: '!'.repeat(5_000) } });
  expect(problems?.[0]?.length).toBeLessThan(250);
});

describe('a setting under its former name', () => {
  const OLD = 'is still read, and the outcome names the new one';
  const cases = [
    [{ env: { WATCHPOST_CANARY_GATEWAY: 'false' } }, 'WATCHPOST_CANARY_GATEWAY'],
    [{ flags: { canaryGateway: 'false' } }, '--canary-gateway'],
    [{ config: file({ canaryGateway: false }) }, 'config.json: canaryGateway'],
  ] as const;
  test.each(cases)(`%j ${OLD}`, (sources, place) => {
    const outcome = read(sources);
    expect(outcome).toMatchObject({
      problems: null,
      settings: { probeGateway: false },
      renamed: [
        `${place} has a new name (WATCHPOST_PROBE_GATEWAY, --probe-gateway, "probeGateway" in config.json); the next version will not read the old one.`,
      ],
    });
  });

  test('gives way to the new one of the same source, and is checked all the same', () => {
    const both = { WATCHPOST_BLIND_ALERT_AFTER: '5', WATCHPOST_OFFLINE_ALERT_AFTER: '7' };
    expect(read({ env: both }).settings?.offlineAlertAfterSeconds).toBe(7);
    const wrong = { ...both, WATCHPOST_BLIND_ALERT_AFTER: 'soon' };
    expect(read({ env: wrong }).problems).toEqual([
      'WATCHPOST_BLIND_ALERT_AFTER: expected a whole number from 1 to 3600, got "soon"',
    ]);
  });

  test('comes before the new one of a lesser source', () => {
    const env = { WATCHPOST_BLIND_ALERT_AFTER: '5' };
    const config = file({ offlineAlertAfterSeconds: 7 });
    expect(read({ env, config }).settings?.offlineAlertAfterSeconds).toBe(5);
  });
});
