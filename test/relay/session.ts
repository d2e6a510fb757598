import { createHash } from 'node:crypto';
import { THEME_COLOURS } from '#shared/status-pages/page-members.ts';
import type { Driver } from './driver.ts';
import { NOBODY } from './refusals.ts';
import type { World } from './world.ts';

type Made = { id: string };
type List = unknown[];
type Cursor = { entries: { id: string }[]; nextId: string };

/** Far from now, so that they stay as they are in the recording. */
const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2050-01-01T00:00:00.000Z';
/** Without an offset of its own, the check's id would decide. */
const DAILY = { frequency: 1_440, frequencyOffset: 3 };
const NEVER = { ...DAILY, retryStrategy: null };
/** Subscribes a new check to no channel. */
const ALONE = { autoAssignAlerts: false };
/** Statuses of notifications that are still to be sent. */
const OWED = new Set(['PENDING', 'IN_PROGRESS']);
const PATIENT = { degradedResponseTime: 45_000, maxResponseTime: 45_000 };

/**
 * What a recording asks of an appliance: a good answer of every operation, and the refusals that come
 * of what is there. Nothing runs by itself: a maintenance window pauses all checks throughout.
 */
export async function driveSession(driver: Driver, world: World): Promise<void> {
  await driver.call('GET /v1/accounts');
  await drivePages(driver);
  await driver.call('POST /v1/maintenance-windows', {
    body: { name: 'nothing by itself', startsAt: PAST, endsAt: FUTURE, pauseAllChecks: true },
  });
  await driveSnippets(driver);
  await driveVariables(driver);
  const channels = await driveChannels(driver, world);
  const group = await driveGroups(driver);
  const checks = await driveChecks(driver, world, group);
  await driveDashboards(driver);
  await driveStatusPages(driver, world);
  await driveBoard(driver);
  await driveSlos(driver, checks.api);
  await driveBadges(driver, checks.api, group);
  await driveMutes(driver, checks.api, group);
  await driveSubscriptions(driver, { channel: channels.hook, check: checks.api, group });
  await driveHeartbeat(driver, checks.heartbeat);
  await driveRuns(driver, checks, world);
  await driveTriggers(driver, checks.api, group);
  await driveCancellation(driver, world);
  await driveTestSessions(driver, checks.api, world);
  await driveAlerts(driver, world, Object.values(channels));
  await driveMaintenance(driver);
  await driveAccount(driver);
  await driveKeys(driver);
  await driveSignIns(driver);
  await driver.call('GET /app/summary');
  await driver.stream('GET /app/events');
  await driveArtifacts(driver);
  await driveDeletions(driver, { ...checks, group });
}

async function drivePages(driver: Driver) {
  const document = await driver.text('/');
  const [, script = ''] = /src="\/assets\/([^"]+)"/.exec(document) ?? [];
  await driver.text('/assets/{name}', [script]);
  for (const path of ['/docs', '/docs/style.css', '/openapi.json', '/healthz', '/readyz']) {
    await driver.call(`GET ${path}`, { as: 'nobody' });
  }
  for (const path of ['/docs/start.js', '/docs/swagger-ui.js']) await driver.text(path);
  const viewer = { at: ['index.html'], as: 'nobody' } as const;
  await driver.call('GET /trace-viewer/{file+}', viewer);
  await driver.call('GET /artifacts/{token}/{name+}', { at: ['none', 'a.png'], as: 'nobody' });
  await driver.call('GET /metrics');
  await driver.call('GET /nowhere');
  await driver.call('GET /healthz', { as: 'nobody', headers: { host: 'evil.example' } });
  await driver.call('HEAD /v1/accounts');
  await driver.call('POST /v1/snippets', { raw: ' '.repeat(6 * 1024 * 1024) });
  await driver.call('GET /v1/locations');
  await driver.call('GET /v1/runtimes');
  await driver.call('GET /v1/runtimes/{id}', { at: ['2025.04'] });
  const { json: me } = await driver.call<Made>('GET /v1/accounts/me');
  await driver.call('GET /v1/accounts/{accountId}', { at: [me.id] });
  await driver.call('GET /accounts/{accountId}/v2/prometheus/metrics', { at: [me.id] });
  await driver.call('GET /v1/accounts/me', { headers: { 'x-checkly-account': NOBODY } });
}

async function driveSnippets(driver: Driver) {
  const shared = { name: 'shared', script: 'exports.word = "kept";' };
  await driver.call('POST /v1/snippets', { body: shared });
  await driver.call('POST /v1/snippets', { body: shared });
  await driver.call('POST /v1/snippets', { body: { name: '', script: 1, colour: 'red' } });
  const { json } = await driver.call<Made>('POST /v1/snippets', {
    body: { name: 'other', script: '1', colour: 'red' },
  });
  await driver.call('PUT /v1/snippets/{id}', { at: [json.id], body: { name: 'x', script: '2' } });
  await driver.call('PUT /v1/snippets/{id}', { at: [json.id], body: shared });
  await driver.call('GET /v1/snippets/{id}', { at: [json.id] });
  await driver.call('GET /v1/snippets', { query: { limit: 1, page: 2 } });
  await driver.call('GET /v1/snippets', { query: { page: 9 } });
  await driver.call('DELETE /v1/snippets/{id}', { at: [json.id] });
  await driver.call('GET /v1/snippets');
  await driver.call('GET /app/snippets/{id}/users', { at: [1] });
}

async function driveVariables(driver: Driver) {
  for (const kind of ['plain', 'locked', 'secret']) {
    const body = { key: kind.toUpperCase(), value: `value of ${kind}`, [kind]: true };
    await driver.call('POST /v1/variables', { body });
  }
  await driver.call('POST /v1/variables', { body: { key: 'PLAIN', value: 'again' } });
  await driver.call('POST /v1/variables', { body: { key: '..', value: 1, locked: 'no' } });
  const update = 'PUT /v1/variables/{key}';
  await driver.call(update, { at: ['PLAIN'], body: { key: 'SECRET', value: 'x' } });
  await driver.call(update, { at: ['PLAIN'], body: { key: 'A B/C', value: 'renamed' } });
  await driver.call(update, { at: ['SECRET'], body: { value: 'new', secret: false } });
  await driver.call('POST /v1/variables', { body: { key: 'GONE', value: '' } });
  for (const key of ['A B/C', 'LOCKED', 'SECRET']) {
    await driver.call('GET /v1/variables/{key}', { at: [key] });
  }
  await driver.call('DELETE /v1/variables/{key}', { at: ['GONE'] });
  await driver.call('GET /v1/variables', { query: { limit: 2 } });
  await driver.call('GET /app/variables/{key}/users', { at: ['LOCKED'] });
}

/** Makes channels of all kinds, and answers those that lead to the receivers on loopback. */
async function driveChannels(driver: Driver, { receiverUrl }: World) {
  const create = async (type: string, config: object, more: object = {}) => {
    const body = { type, config, ...more };
    return (await driver.call<Made>('POST /v1/alert-channels', { body })).json.id;
  };
  const all = { sendDegraded: true, sslExpiry: true, sslExpiryThreshold: 7 };
  const webhook = {
    name: 'hook',
    url: `${receiverUrl}/hook`,
    webhookSecret: 'signed',
    headers: [{ key: 'x-own', value: '{{CHECK_NAME}}' }],
    queryParameters: [{ key: 'q', value: 'a b' }],
  };
  const channels = {
    hook: await create('WEBHOOK', webhook, all),
    templated: await create('WEBHOOK', {
      name: 'templated',
      url: `${receiverUrl}/templated`,
      method: 'PUT',
      template: '{"title": "{{ALERT_TITLE}}", "type": "{{ALERT_TYPE}}", "of": "{{CHECK_NAME}}"}',
    }),
    slack: await create('SLACK', { url: `${receiverUrl}/slack`, channel: '#room' }),
    email: await create('EMAIL', { address: 'somebody@example.com' }),
    sms: await create('SMS', { number: '+4915112345678', name: 'phone' }),
    call: await create('CALL', { number: '+4915112345678' }),
  };
  const others: [string, object][] = [
    ['SLACK_APP', { slackChannels: ['#one', '#two'] }],
    ['PAGERDUTY', { serviceKey: 'service-key', account: 'account', serviceName: 'service' }],
    ['OPSGENIE', { name: 'ops', apiKey: 'api-key', region: 'EU', priority: 'P2' }],
    ['DESKTOP', { name: 'desk' }],
    ['WEBHOOK', { name: 'inward', url: 'http://169.254.169.254/' }],
    ['WEBHOOK', { name: 'broken', url: `${receiverUrl}/`, template: '{{#if}' }],
    ['WEBHOOK', { url: 'ftp://x', method: 'TRACE', headers: [{ key: 'Host', value: '' }] }],
    ['EMAIL', { address: 'nobody' }],
    ['FAX', {}],
  ];
  // Some lead out of this machine: they are told of nothing.
  const silent = { sendFailure: false, sendRecovery: false };
  for (const [type, config] of others) await create(type, config, silent);
  for (const webhookType of ['WEBHOOK_DISCORD', 'WEBHOOK_MSTEAMS', 'WEBHOOK_NTFY']) {
    await create('WEBHOOK', { name: webhookType, url: `${receiverUrl}/of`, webhookType });
  }
  const at = [channels.slack];
  await driver.call('PUT /v1/alert-channels/{id}', { at, body: { sendRecovery: null } });
  await driver.call('PUT /v1/alert-channels/{id}', { at, body: { type: 'EMAIL' } });
  await driver.call('PUT /v1/alert-channels/{id}', { at, body: { sslExpiryThreshold: 31 } });
  await driver.call('GET /v1/alert-channels/{id}', { at });
  for (const page of [1, 2]) {
    await driver.call('GET /v1/alert-channels', { query: { limit: 4, page } });
  }
  for (const id of Object.values(channels)) {
    await driver.call('POST /app/alert-channels/{id}/test', { at: [id] });
  }
  for (let tests = Object.keys(channels).length; tests <= 10; tests++) {
    await driver.call('POST /app/alert-channels/{id}/test', { at });
  }
  return channels;
}

async function driveGroups(driver: Driver) {
  const body = {
    name: 'group',
    tags: ['ours'],
    concurrency: 1,
    setupSnippetId: 1,
    environmentVariables: [{ key: 'HIDDEN', value: 'hidden', secret: true }],
    apiCheckDefaults: {
      headers: [{ key: 'x-group', value: '1' }],
      basicAuth: { username: 'u', password: 'p' },
    },
  };
  const { json } = await driver.call<Made>('POST /v1/check-groups', { body });
  await driver.call('POST /v2/check-groups', { body: { name: 'v2', retryStrategy: 'FALLBACK' } });
  const { json: gone } = await driver.call<Made>('POST /v2/check-groups', {
    body: { name: 'gone' },
    query: { autoAssignAlerts: true },
  });
  const wrong = { name: '', concurrency: 0, setupSnippetId: 77, locations: ['nowhere'] };
  await driver.call('POST /v1/check-groups', { body: wrong });
  await driver.call('POST /v2/check-groups', { body: { ...body, setupSnippetId: 77 } });
  const change = { muted: false, runtimeId: '2024.09' };
  await driver.call('PUT /v1/check-groups/{id}', { at: [json.id], body: change });
  await driver.call('PUT /v2/check-groups/{id}', { at: [json.id], body: { runParallel: false } });
  await driver.call('PUT /v2/check-groups/{id}', { at: [json.id], body: wrong });
  await driver.call('DELETE /v1/check-groups/{id}', { at: [gone.id] });
  await driver.call('GET /v1/check-groups', { query: { limit: 1, page: 2 } });
  await driver.call('GET /v1/check-groups', { query: { tag: 'ours', name: 'gro' } });
  await driver.call('DELETE /v1/snippets/{id}', { at: [1] });
  return json.id;
}

/** Uploads an archive; answers the key that it has in every build. */
async function driveCodeBundles(driver: Driver): Promise<string> {
  const [upload, peek] = ['upload', 'peek'].map(
    (verb) => `POST /next/checkly-storage/${verb}-code-bundle`,
  ) as [string, string];
  // A tar of nothing.
  const raw = `${'\0'.repeat(257)}ustar`.padEnd(1_024, '\0');
  const key = `code-bundles/${createHash('sha256').update(raw).digest('hex')}`;
  const headers = { 'content-type': 'application/octet-stream' };
  await driver.call(peek, { body: { key } });
  await driver.call(upload, { raw: 'no archive', headers });
  await driver.call(upload, { raw, headers });
  await driver.call(peek, { body: { key } });
  const wrong = { name: 'x', codeBundlePath: '/nowhere' };
  await driver.call('POST /v1/checks/playwright', { body: wrong });
  return key;
}

async function driveChecks(driver: Driver, world: World, groupId: string) {
  const { targetUrl, dns } = world;
  const script = 'console.log(require("./snippets/shared.js").word, process.env.LOCKED)';
  const assertions = [
    { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
    { source: 'JSON_BODY', property: '$.is', comparison: 'EQUALS', target: 'up' },
    { source: 'HEADERS', property: 'x-target', comparison: 'NOT_EMPTY' },
  ];
  const request = { method: 'GET', url: `${targetUrl}/up?at={{LOCKED}}`, assertions };
  const browsing = { script: 'await page.goto("http://127.0.0.1:9/")' };
  const bodies: Record<string, object> = {
    api: { request, groupId, localSetupScript: script, tags: ['api'], ...PATIENT },
    url: { request: { url: `${targetUrl}/up` }, ...PATIENT },
    tcp: { request: { hostname: '127.0.0.1', port: world.targetPort }, maxResponseTime: 5_000 },
    dns: {
      request: { query: 'up.test', recordType: 'A', nameServer: '127.0.0.1', port: dns },
      maxResponseTime: 5_000,
      degradedResponseTime: 5_000,
    },
    icmp: { request: { hostname: '10.1.2.3', pingCount: 1 } },
    heartbeat: { heartbeat: { period: 300, periodUnit: 'days', grace: 1, graceUnit: 'days' } },
    browser: { ...browsing, environmentVariables: [{ key: 'A', value: 'b', secret: true }] },
    multistep: browsing,
    playwright: { codeBundlePath: await driveCodeBundles(driver) },
  };
  const ids: Record<string, string> = {};
  for (const [kind, members] of Object.entries(bodies)) {
    const isRetried = kind !== 'heartbeat' && kind !== 'playwright';
    const schedule = isRetried ? NEVER : DAILY;
    const body = { name: `a check of ${kind}`, ...schedule, ...members };
    const { json } = await driver.call<Made>(`POST /v1/checks/${kind}`, { body, query: ALONE });
    ids[kind] = json.id;
    const wrong = { ...body, name: '', frequency: -1, tags: 'none', groupId: 99, locations: ['x'] };
    await driver.call(`POST /v1/checks/${kind}`, { body: wrong });
    const at = [json.id];
    const change = { description: 'changed', unknown: 1 };
    await driver.call(`PUT /v1/checks/${kind}/{id}`, { at, body: change });
    await driver.call(`PUT /v1/checks/${kind}/{id}`, { at, body: { ...change, muted: 'no' } });
    await driver.call('PUT /v1/checks/{id}', { at, body: { ...members, tags: [kind, 'all'] } });
    await driver.call('PUT /v1/checks/{id}', { at, body: { request: 1, script: 2, heartbeat: 3 } });
    for (const version of ['v1', 'v2', 'v3']) {
      await driver.call(`GET /${version}/checks/{id}`, { at });
      const query = { includeDependencies: true, applyGroupSettings: true };
      await driver.call(`GET /${version}/checks/{id}`, { at, query });
    }
    const wrongKind = kind === 'url' ? 'tcp' : 'url';
    await driver.call(`PUT /v1/checks/${wrongKind}/{id}`, { at, body: { name: 'other' } });
  }
  const generic = {
    checkType: 'API',
    name: 'generic',
    request: { method: 'GET', url: `${targetUrl}/up` },
    ...NEVER,
  };
  await driver.call('POST /v1/checks', { body: generic });
  await driver.call('POST /v1/checks', { body: generic, query: ALONE });
  await driver.call('POST /v1/checks', { body: { ...generic, alertChannelSubscriptions: [{}] } });
  for (const version of ['v1', 'v2', 'v3']) {
    await driver.call(`GET /${version}/checks`, { query: { limit: 3, page: 2 } });
    await driver.call(`GET /${version}/checks`, { query: { tag: 'all', checkType: 'API' } });
    await driver.call(`GET /${version}/checks`, { query: { search: 'OF TCP', status: 'passing' } });
  }
  for (const version of ['v1', 'v2']) {
    await driver.call(`GET /${version}/check-groups/{id}/checks`, { at: [groupId] });
    const at = [groupId, ids.api ?? ''];
    await driver.call(`GET /${version}/check-groups/{groupId}/checks/{checkId}`, { at });
  }
  await driver.call('GET /v1/check-groups/{id}', { at: [groupId] });
  await driver.call('DELETE /v1/check-groups/{id}', { at: [groupId] });
  return ids as Record<'api' | 'url' | 'tcp' | 'dns' | 'icmp' | 'heartbeat' | 'browser', string>;
}

async function driveSubscriptions(
  driver: Driver,
  { channel, check, group }: { channel: string; check: string; group: string },
) {
  const subscribe = (body: object) =>
    driver.call('PUT /v1/alert-channels/{id}/subscriptions', { at: [channel], body });
  await subscribe({ checkId: check, activated: true });
  await subscribe({ groupId: group, activated: false });
  await subscribe({ checkId: check, groupId: group, activated: true });
  await subscribe({ checkId: NOBODY, activated: true });
  await driver.call('GET /v1/alert-channels/{id}', { at: [channel] });
  await subscribe({ checkId: check, activated: false });
}

async function driveHeartbeat(driver: Driver, checkId: string) {
  const { json: check } = await driver.call<{ heartbeat: { pingToken: string } }>(
    'GET /v1/checks/{id}',
    { at: [checkId] },
  );
  const at = [check.heartbeat.pingToken];
  await driver.call('GET /ping/{token}', { at, as: 'nobody' });
  const headers = { origin: 'https://job.example' };
  await driver.call('POST /ping/{token}', { at, as: 'nobody', headers, body: { is: 'ignored' } });
  await driver.call('HEAD /ping/{token}', { at, as: 'nobody' });
  const slackbot = { 'user-agent': 'Slackbot 1.0' };
  await driver.call('GET /ping/{token}', { at, as: 'nobody', headers: slackbot });
  const events = 'GET /v1/checks/heartbeats/{checkId}/events';
  const { json } = await driver.call<{ events: Made[] }[]>(events, { at: [checkId] });
  await driver.call(events, { at: [checkId], query: { limit: 1, startTime: PAST } });
  await driver.call(events, { at: [checkId], query: { startTime: FUTURE, endTime: PAST } });
  const eventId = json[0]?.events[0]?.id ?? '';
  await driver.call(`${events}/{id}`, { at: [checkId, eventId] });
  await driver.call('GET /v1/checks/heartbeats/{checkId}/availability', { at: [checkId] });
}

/** Runs a check of each kind that needs no browser, and reads all that comes of it. */
async function driveRuns(driver: Driver, checks: Record<string, string>, world: World) {
  await driver.call('GET /v1/check-statuses');
  for (const kind of ['api', 'url', 'tcp', 'dns', 'icmp', 'multistep', 'browser']) {
    const version = kind === 'url' ? 'v1' : 'v2';
    await runOnce(driver, checks[kind] ?? '', version);
  }
  await driver.call('POST /v2/check-sessions/trigger', { body: { target: { checkId: [NOBODY] } } });
  await driver.call('POST /v2/check-sessions/trigger', {
    body: { target: { matchTags: [['!']] } },
  });
  await driver.call('GET /v1/check-statuses');
  world.target.isUp = false;
  const again = { type: 'FIXED', baseBackoffSeconds: 0, maxRetries: 2 };
  await driver.call('PUT /v1/checks/url/{id}', {
    at: [checks.url ?? ''],
    body: { retryStrategy: again },
  });
  const at = [checks.url ?? ''];
  await runOnce(driver, checks.url ?? '', 'v2');
  world.target.isUp = true;
  await driver.call('GET /v1/check-statuses/{checkId}', { at });
  await driver.call('GET /v1/check-results/{checkId}', { at, query: { resultType: 'ALL' } });
  const pages = { resultType: 'ALL', limit: 2 };
  const list = 'GET /v2/check-results/{checkId}';
  const { json } = await driver.call<Cursor>(list, { at, query: pages });
  await driver.call(list, { at, query: { ...pages, nextId: json.nextId } });
  await driver.call(list, { at, query: { hasFailures: true, fields: 'id,hasFailures' } });
  await driver.call('GET /v1/check-results/{checkId}', { at, query: { page: 2, limit: 1 } });
  await driver.call('GET /v1/check-results/{checkId}', { at, query: { from: PAST, to: FUTURE } });
  await driver.call('GET /v3/checks', { query: { status: 'failing' } });
  await driveErrorGroups(driver, '/v1/error-groups');
  await driver.call('GET /v1/error-groups/checks/{checkId}', { at });
  await driveAnalytics(driver, checks);
}

async function driveAnalytics(driver: Driver, checks: Record<string, string>) {
  const kinds = {
    api: 'api-checks',
    url: 'url-monitors',
    browser: 'browser-checks',
    multistep: 'multistep-checks',
    playwright: 'playwright-checks',
    tcp: 'tcp-checks',
    dns: 'dns',
    icmp: 'icmp',
    heartbeat: 'heartbeat-checks',
  };
  const query = { metrics: 'availability,retries' };
  for (const [name, kind] of Object.entries(kinds)) {
    const at = [checks[name] ?? ''];
    await driver.call(`GET /v1/analytics/${kind}/{id}`, { at, query });
  }
  const at = [checks.url ?? ''];
  const tooMany = { metrics: 'LCP', groupBy: 'pageIndex', limit: 1_000 };
  await driver.call('GET /v1/analytics/url-monitors/{id}', { at, query: tooMany });
  await driver.call('GET /v1/analytics/tcp-checks/{id}', { at, query });
  await driver.call('GET /v1/analytics/ssl/{id}', { at, query });
  await driver.call('GET /v1/analytics/metrics', { query: { checkType: 'ICMP' } });
  const lastYear = { from: '2020-01-01', to: '2020-03-01', granularity: 'month' };
  await driver.call('GET /v1/reporting', { query: { ...lastYear, timezone: 'Europe/Berlin' } });
  await driver.call('GET /v1/reporting', { query: { ...lastYear, timezone: 'Mars/Olympus' } });
  await driver.call('POST /v1/analytics/checks', { body: { checkIds: [NOBODY] } });
  await driver.call('POST /v1/analytics/checks', { body: { checkIds: [checks.multistep] } });
}

/** Has a check run and reads its session and its results. */
async function runOnce(driver: Driver, checkId: string, version: 'v1' | 'v2') {
  const body = { target: { checkId: [checkId] } };
  const { json } = await driver.call<{ sessions: { checkSessionId: string }[] }>(
    `POST /${version}/check-sessions/trigger`,
    { body },
  );
  const at = [json.sessions[0]?.checkSessionId ?? ''];
  const completion = `GET /${version}/check-sessions/{checkSessionId}/completion`;
  await driver.call(completion, { at, query: { maxWaitSeconds: 30 } });
  await driver.call(`GET /${version}/check-sessions/{checkSessionId}`, { at });
  const { json: results } = await driver.call<Made[]>('GET /v1/check-results/{checkId}', {
    at: [checkId],
  });
  const result = [checkId, results[0]?.id ?? ''];
  await driver.call('GET /v1/check-results/{checkId}/{checkResultId}', { at: result });
  await driver.call('GET /v1/check-results/{checkId}/{checkResultId}/assets', { at: result });
}

const FAILING_SCRIPT = `import { test } from '@playwright/test';
test('leaves a trace', async ({ request }) => { await request.get('http://127.0.0.1:9/'); });`;

/** Has a script fail, and opens the trace that it leaves. What it found is measured, and not recorded. */
async function driveArtifacts(driver: Driver) {
  const body = { name: 'leaves a trace', script: FAILING_SCRIPT, ...NEVER };
  const { json: check } = await driver.call<Made>('POST /v1/checks/multistep', {
    body,
    query: ALONE,
  });
  const at = [check.id];
  const trigger = { body: { target: { checkId: at } } };
  const { json } = await driver.call<{ sessions: { checkSessionId: string }[] }>(
    'POST /v1/check-sessions/trigger',
    trigger,
  );
  const session = json.sessions[0]?.checkSessionId ?? '';
  const completion = '/v1/check-sessions/{checkSessionId}/completion?maxWaitSeconds=30';
  await driver.text(completion, [session]);
  const [result] = JSON.parse(await driver.text('/v1/check-results/{checkId}', at));
  const assets = '/v1/check-results/{checkId}/{checkResultId}/assets';
  const manifest = JSON.parse(await driver.text(assets, [check.id, result?.id ?? '']));
  const { name, url } = manifest.assets?.[0] ?? { name: 'none', url: '/artifacts/none' };
  await driver.text('/artifacts/{token}/{name+}', [
    /artifacts\/([^/]+)/.exec(url)?.[1] ?? '',
    name,
  ]);
  const { id: accountId } = JSON.parse(await driver.text('/v1/accounts/me'));
  const moment = [result?.runLocation, accountId, check.id, Date.parse(result?.created_at), name];
  const run = '/v1/assets/checkRunData/{region}/{accountId}/{checkId}/{timestamp}/{file}';
  await driver.text(run, moment);
  await driver.call('DELETE /v1/checks/{id}', { at });
}

async function driveDashboards(driver: Driver) {
  const dashboards = '/v1/dashboards';
  const body = { header: 'All of it', customUrl: 'all', customDomain: '', logo: '', keys: [] };
  const { json } = await driver.call<Made & { dashboardId: string }>(`POST ${dashboards}`, {
    body: { ...body, enableIncidents: true, customCSS: 'body {}' },
  });
  await driver.call(`POST ${dashboards}`, { body });
  const wrong = { header: '', customUrl: '-x', link: 'javascript:1', checksPerPage: 21, tags: 1 };
  await driver.call(`POST ${dashboards}`, { body: wrong });
  const at = [json.dashboardId];
  const one = `${dashboards}/{dashboardId}`;
  await driver.call(`PUT ${one}`, { at, body: { tags: ['api'], description: null } });
  await driver.call(`GET ${one}`, { at });
  await driver.call(`GET ${one}`, { at: ['all'], query: { type: 'customUrl' } });
  await driver.call(`GET ${dashboards}`, { query: { limit: 1 } });
  await driveDashboardIncidents(driver, json.id);
  const { json: gone } = await driver.call<{ dashboardId: string }>(`POST ${dashboards}`, {
    body: { header: 'gone', isPrivate: true },
  });
  await driver.call(`DELETE ${one}`, { at: [gone.dashboardId] });
}

async function driveDashboardIncidents(driver: Driver, dashboardId: string) {
  const incidents = '/v1/incidents';
  const first = { status: 'INVESTIGATING', description: 'We look into it.' };
  const body = { name: 'down', dashboardId, startedAt: PAST, incidentUpdates: [first] };
  const create = async () => (await driver.call<Made>(`POST ${incidents}`, { body })).json.id;
  const id = await create();
  await driver.call(`POST ${incidents}`, { body: { ...body, dashboardId: 99 } });
  await driver.call(`POST ${incidents}`, { body: { ...body, incidentUpdates: [first, first] } });
  const updates = `${incidents}/{incidentId}/updates`;
  const said = { status: 'RESOLVED', description: 'It is over.' };
  const { json } = await driver.call<Made>(`POST ${updates}`, { at: [id], body: said });
  const at = [id, json.id];
  await driver.call(`PUT ${updates}/{id}`, { at, body: { description: 'It is over now.' } });
  await driver.call(`GET ${incidents}/{id}`, { at: [id] });
  await driver.call(`GET ${incidents}/{id}`, {
    at: [id],
    query: { includeAllIncidentUpdates: true },
  });
  await driver.call(`PUT ${incidents}/{id}`, { at: [id], body: { impact: 'MAJOR' } });
  await driver.call(`DELETE ${updates}/{id}`, { at });
  await driver.call(`DELETE ${incidents}/{id}`, { at: [await create()] });
}

async function driveStatusPages(driver: Driver, world: World) {
  const service = await drivePageServices(driver);
  await driveIncidents(driver, service);
  await drivePublicPage(driver, service);
  const pages = '/v1/status-pages';
  const one = `${pages}/{statusPageId}`;
  const body = {
    name: 'Acme',
    url: 'acme',
    cards: [{ name: 'Shop', services: [{ id: service }] }],
  };
  const { json } = await driver.call<Made & { cards: Made[] }>(`POST ${pages}`, { body });
  const at = [json.id];
  await driver.call(`POST ${pages}`, { body });
  await driver.call(`POST ${pages}`, {
    body: { ...body, url: 'www', logo: 'javascript:1', themeColors: { light: {} }, cards: [{}] },
  });
  const cards = [{ name: 'new' }, { id: json.cards[0]?.id, name: 'Shop' }];
  await driver.call(`PUT ${one}`, { at, body: { description: 'x', version: 1, cards } });
  await driver.call(`PUT ${one}`, { at, body: { version: 1 } });
  await driver.call(`PUT ${one}`, { at, body: { cards: body.cards } });
  const subscriptions = `${one}/subscriptions`;
  const reader = (address: string) => ({ type: 'EMAIL', config: address });
  await driver.call(`POST ${subscriptions}/bulk`, {
    at,
    body: { subscriptions: ['a@x.test', 'B@x.test', 'b@X.test'].map(reader), autoVerify: true },
  });
  await driver.call(`POST ${subscriptions}/bulk`, { at, body: { subscriptions: [reader('a')] } });
  const { json: readers } = await driver.call<Made[]>(`GET ${subscriptions}`, { at });
  await driver.call(`DELETE ${subscriptions}/{subscriptionId}`, {
    at: [json.id, readers[0]?.id ?? ''],
  });
  await driveSubscribers(driver, world, body.url);
  await driver.call(`GET ${one}`, { at });
  await driver.call(`GET ${pages}`, { query: { limit: 1 } });
  const access = '/app/status-pages/{statusPageId}/access';
  await driver.call(`PUT ${access}`, { at, body: { visibility: 'PRIVATE' } });
  await driver.call(`PUT ${access}`, { at, body: { visibility: 'UNLISTED', whiteLabel: true } });
  await driver.call(`GET ${access}`, { at });
  await driver.call(`DELETE /v1/status-pages/services/{serviceId}`, { at: [service] });
  const { json: gone } = await driver.call<Made>(`POST ${pages}`, {
    body: { ...body, url: 'gone' },
  });
  await driver.call(`DELETE ${one}`, { at: [gone.id] });
}

/** A reader subscribes, confirms and unsubscribes by the links of the mail. */
async function driveSubscribers(driver: Driver, world: World, slug: string) {
  const as = 'nobody';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const form = 'POST /status/{slug}/subscribe';
  await driver.call(form, { at: [slug], as, headers, raw: 'address=nobody' });
  await driver.call(form, { at: [slug], as, headers, raw: 'address=reader%40x.test' });
  const link = /subscriptions\/([^/]+)\/([^/]+)\/confirm/.exec(await world.mailTo('reader@x.test'));
  const at = [slug, link?.[1] ?? '', link?.[2] ?? ''];
  const links = '/status/{slug}/subscriptions/{subscriptionId}/{token}';
  for (const action of ['confirm', 'unsubscribe']) {
    await driver.call(`GET ${links}/${action}`, { at, as });
    await driver.call(`POST ${links}/${action}`, { at, as });
  }
  await driver.call(`POST ${links}/confirm`, { at, as });
}

/** What readers see, whose documents tell the time and so are not recorded. */
async function drivePublicPage(driver: Driver, service: string) {
  const colours = Object.fromEntries(THEME_COLOURS.map((name) => [name, '#123456']));
  const body = {
    name: 'Public',
    url: 'public',
    themeColors: { light: colours, dark: colours },
    cards: [{ name: 'Shop', services: [{ id: service }] }],
  };
  const { json: page } = await driver.call<Made>('POST /v1/status-pages', { body });
  const { json: incident } = await driver.call<Made>('POST /v1/status-pages/incidents', {
    body: {
      name: 'Seen by readers',
      severity: 'MINOR',
      services: [{ id: service, name: 'x', accountId: NOBODY }],
      incidentUpdates: [{ description: 'We look.' }],
    },
  });
  const { json: window } = await driver.call<Made>('POST /v1/maintenance-windows', {
    body: {
      name: 'seen by readers',
      startsAt: FUTURE,
      endsAt: '2050-01-01T02:00:00.000Z',
      statusPageVisibility: { enabled: true, affectAllServices: true },
    },
  });
  const occurrences = `/v1/maintenance-windows/{id}/maintenances`;
  const { json: maintenances } = await driver.call<Made[]>(`GET ${occurrences}`, {
    at: [window.id],
  });
  const read = (path: string, ...at: string[]) =>
    driver.call(`GET /status${path}`, { at, as: 'nobody' });
  await read('');
  const text = await driver.text('/status/public/');
  const name = /assets\/(page\.[^"]+\.css)"/.exec(text)?.[1] ?? '';
  await read('/assets/{name}', name);
  await read('/{slug}/assets/{name}', 'public', name);
  for (const file of ['', '/theme.css', '/status.json', '/feed.rss', '/feed.atom', '/slack.rss']) {
    await read(`/{slug}${file}`, 'public');
  }
  await read('/{slug}/history/{month}', 'public', '2020-01');
  await read('/{slug}/incidents/{id}', 'public', incident.id);
  await read('/{slug}/maintenances/{id}', 'public', maintenances[0]?.id ?? '');
  await read('/{slug}', 'nobody');
  const access = '/app/status-pages/{statusPageId}/access';
  const secret = { visibility: 'PRIVATE', password: 'open sesame' };
  await driver.call(`PUT ${access}`, { at: [page.id], body: secret });
  await read('/{slug}', 'public');
  for (const password of ['wrong', 'open+sesame']) {
    await driver.call('POST /status/{slug}/login', {
      at: ['public'],
      as: 'nobody',
      raw: `password=${password}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  }
  await driver.call('DELETE /v1/status-pages/{statusPageId}', { at: [page.id] });
  await driver.call('DELETE /v1/maintenance-windows/{id}', { at: [window.id] });
}

async function drivePageServices(driver: Driver) {
  const services = '/v1/status-pages/services';
  const create = async (name: string) =>
    (await driver.call<Made>(`POST ${services}`, { body: { name } })).json.id;
  const [first] = [await create('Checkout'), await create('Search')];
  await create('');
  const { json } = await driver.call<Cursor>(`GET ${services}`, { query: { limit: 1 } });
  await driver.call(`GET ${services}`, { query: { limit: 1, nextId: json.nextId } });
  await driver.call(`GET ${services}`, { query: { paginated: false } });
  await driver.call(`GET ${services}/{serviceId}`, { at: [first] });
  await driver.call(`PUT ${services}/{serviceId}`, { at: [first], body: { name: 'Shop' } });
  await driver.call(`DELETE ${services}/{serviceId}`, { at: [await create('gone')] });
  return first;
}

async function driveBoard(driver: Driver) {
  const board = 'GET /dashboards/{customUrl}';
  for (const customUrl of ['all', 'nothing']) {
    await driver.call(board, { at: [customUrl], as: 'nobody' });
  }
  const page = await driver.text('/dashboards/all');
  const name = /assets\/(board\.[^"]+)"/.exec(page)?.[1] ?? '';
  await driver.call('GET /dashboards/assets/{name}', { at: [name], as: 'nobody' });
  const own = 'GET /dashboards/{customUrl}/assets/{name}';
  await driver.call(own, { at: ['all', name], as: 'nobody' });
}

async function driveIncidents(driver: Driver, serviceId: string) {
  const incidents = '/v1/status-pages/incidents';
  const one = `${incidents}/{incidentId}`;
  const least = {
    name: 'Down',
    severity: 'MAJOR',
    services: [{ id: serviceId, name: 'another', accountId: NOBODY }],
    incidentUpdates: [{ description: 'We look into it.', publicIncidentUpdateDate: PAST }],
  };
  const create = async (members: object = {}) => {
    const body = { ...least, ...members };
    return (await driver.call<Made>(`POST ${incidents}`, { body })).json.id;
  };
  const at = [await create()];
  await create({ services: [], incidentUpdates: [] });
  await create({ services: [{ id: NOBODY }] });
  await driver.call(`PUT ${one}`, { at, body: { ...least, severity: 'MINOR' } });
  await driver.call(`PATCH ${one}`, { at, body: { severity: 'CRITICAL' } });
  const { json } = await driver.call<Made>(`POST ${one}/incident-updates`, {
    at,
    body: { description: 'Over.', status: 'RESOLVED', publicIncidentUpdateDate: PAST },
  });
  const update = { at: [...at, json.id] };
  const updatePath = `${one}/incident-updates/{incidentUpdateId}`;
  await driver.call(`PUT ${updatePath}`, { ...update, body: { description: 'It is over.' } });
  await driver.call(`GET ${updatePath}`, update);
  await driver.call(`GET ${one}/incident-updates`, { at });
  await driver.call(`GET ${one}`, { at });
  await driver.call(`POST ${one}/incident-updates`, { at, body: { description: 'later' } });
  await driver.call(`POST ${one}/incident-updates`, {
    at,
    body: { description: 'x', publicIncidentUpdateDate: FUTURE },
  });
  const { json: list } = await driver.call<Cursor>(`GET ${incidents}`, { query: { limit: 1 } });
  await driver.call(`DELETE ${updatePath}`, update);
  await driver.call(`DELETE ${one}`, { at: [await create()] });
  await driver.call(`GET ${incidents}`, { query: { nextId: list.nextId ?? '' } });
}

async function driveSlos(driver: Driver, checkId: string) {
  const objective = { kind: 'LATENCY', percent: 99.5, underMs: 300 };
  const body = { name: 'fast enough', target: { checkId }, objective };
  const { json } = await driver.call<Made>('POST /app/slos', { body });
  const wrong = { ...body, target: { checkId: NOBODY }, windowDays: 99 };
  await driver.call('POST /app/slos', { body: wrong });
  await driver.call('GET /app/slos');
  await driver.call('GET /app/slos/{id}', { at: [json.id] });
  await driver.call('PUT /app/slos/{id}', { at: [json.id], body: { windowDays: 7 } });
  await driver.call('GET /app/slos/{id}/report', { at: [json.id] });
  await driver.call('DELETE /app/slos/{id}', { at: [json.id] });
}

async function driveMutes(driver: Driver, checkId: string, groupId: string) {
  for (const [path, id, change] of [
    ['/app/checks/{id}/mute', checkId, 'PUT /v1/checks/{id}'],
    ['/app/check-groups/{id}/mute', groupId, 'PUT /v2/check-groups/{id}'],
  ] as const) {
    const at = [id];
    await driver.call(`GET ${path}`, { at });
    await driver.call(`PUT ${path}`, { at, body: { until: PAST } });
    await driver.call(`PUT ${path}`, { at, body: { until: null } });
    await driver.call(change, { at, body: { muted: false } });
  }
}

async function driveBadges(driver: Driver, checkId: string, groupId: string) {
  for (const [kind, id, name] of [
    ['checks', checkId, 'checkId'],
    ['groups', groupId, 'groupId'],
  ] as const) {
    const settings = `/app/badges/${kind}/{id}`;
    const badge = `GET /v1/badges/${kind}/{${name}}`;
    const shown = { at: [id], as: 'nobody' as const };
    await driver.call(badge, shown);
    await driver.call(`GET ${settings}`, { at: [id] });
    await driver.call(`PUT ${settings}`, { at: [id], body: { isPublic: true } });
    await driver.call(badge, shown);
    const query = { style: 'for-the-badge', theme: 'dark', responseTime: true };
    await driver.call(badge, { ...shown, query });
    await driver.call(`PUT ${settings}`, { at: [id], body: { isPublic: kind === 'checks' } });
  }
}

async function driveTriggers(driver: Driver, checkId: string, groupId: string) {
  for (const [kind, id] of [
    ['checks', checkId],
    ['check-groups', groupId],
  ] as const) {
    const path = `/v1/triggers/${kind}/{${kind === 'checks' ? 'checkId' : 'groupId'}}`;
    const at = [id];
    await driver.call(`GET ${path}`, { at });
    const { json } = await driver.call<{ token: string }>(`POST ${path}`, { at });
    await driver.call(`POST ${path}`, { at });
    const url = `GET /${kind}/{id}/trigger/{token}`;
    const called = { at: [id, json.token], as: 'nobody' as const };
    const query = { environmentName: 'staging', runLocation: '' };
    await driver.call(url, { ...called, query });
    await driver.call(url, { ...called, query: { runLocation: 'nowhere' } });
    await driver.call(`GET ${path}`, { at });
    if (kind === 'checks') await driver.call(`DELETE ${path}`, { at });
  }
}

/** Cancels a session while its run waits for a target that is slow. */
async function driveCancellation(driver: Driver, { target, targetUrl }: World) {
  const body = { name: 'slow', request: { url: `${targetUrl}/held` }, ...NEVER, ...PATIENT };
  const { json: check } = await driver.call<Made>('POST /v1/checks/url', { body, query: ALONE });
  const held = target.nextHeld();
  const { json } = await driver.call<{ sessions: { checkSessionId: string }[] }>(
    'POST /v2/check-sessions/trigger',
    { body: { target: { checkId: [check.id] } } },
  );
  const at = [json.sessions[0]?.checkSessionId ?? ''];
  const release = await held;
  const session = '/v2/check-sessions/{checkSessionId}';
  await driver.call(`GET ${session}/completion`, { at, query: { maxWaitSeconds: 1 } });
  const cancel = 'POST /v1/check-sessions/{checkSessionId}/cancel';
  await driver.call(cancel, { at });
  await driver.call(cancel, { at, body: {} });
  release();
  await driver.until<List>(
    'GET /v1/check-results/{checkId}',
    { at: [check.id] },
    (results) => results.length === 1,
  );
  for (const version of ['v1', 'v2']) {
    await driver.call(`GET /${version}/check-sessions/{checkSessionId}`, { at });
  }
  await driver.call('GET /app/check-sessions');
  await driver.call('GET /app/check-sessions/{checkSessionId}', { at });
}

async function driveTestSessions(driver: Driver, checkId: string, world: World) {
  const trigger = 'POST /v1/test-sessions/trigger';
  const body = {
    name: 'first of two',
    runLocation: 'eu-west-1',
    target: { checkId: [checkId] },
    environmentVariables: [{ key: 'LOCKED', value: 'other' }],
    metadata: { environment: 'staging', branchName: 'main' },
  };
  const ids: string[] = [];
  for (const name of [body.name, 'second of two']) {
    const { json } = await driver.call<{ testSessionId: string }>(trigger, {
      body: { ...body, name },
    });
    ids.push(json.testSessionId);
    const completion = 'GET /v1/test-sessions/{testSessionId}/completion';
    await driver.call(completion, { at: [json.testSessionId], query: { maxWaitSeconds: 30 } });
  }
  const at = [ids[0] ?? ''];
  const { json } = await driver.call<{ results: { testSessionResultId: string }[] }>(
    'GET /v1/test-sessions/{testSessionId}',
    { at },
  );
  const resultId = json.results[0]?.testSessionResultId ?? '';
  const result = 'GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}';
  await driver.call(result, { at: [...at, resultId] });
  await driver.call(`${result}/assets`, { at: [...at, resultId] });
  await driver.call('POST /v1/test-sessions/{testSessionId}/cancel', { at });
  await driver.call(trigger, { body: { ...body, runLocation: 'nowhere' } });
  await driver.call(trigger, { body: { name: '', metadata: { environment: '' } } });
  const list = 'GET /v1/test-sessions';
  const { json: page } = await driver.call<Cursor>(list, { query: { limit: 1 } });
  await driver.call(list, { query: { limit: 1, nextId: page.nextId } });
  await driver.call(list, {
    query: { textSearch: 'SECOND', branches: 'main', statuses: 'PASSED' },
  });
  const tried = { checkType: 'URL', name: 'not saved', request: { url: 'http://127.0.0.1:9/' } };
  const { json: trial } = await driver.call<{ testSessionId: string }>('POST /app/checks/try', {
    body: tried,
  });
  await driver.call('GET /v1/test-sessions/{testSessionId}/completion', {
    at: [trial.testSessionId],
    query: { maxWaitSeconds: 30 },
  });
  world.target.isUp = false;
  const { json: failing } = await driver.call<{ testSessionId: string }>(trigger, { body });
  await driver.call('GET /v1/test-sessions/{testSessionId}/completion', {
    at: [failing.testSessionId],
    query: { maxWaitSeconds: 30 },
  });
  world.target.isUp = true;
  await driveErrorGroups(driver, '/v1/test-session-error-groups');
  const ofProject = 'GET /v1/test-session-error-groups/projects/{projectId}';
  await driver.call(ofProject, { at: [NOBODY] });
}

/** The groups of what failed, one of them archived and brought back. */
async function driveErrorGroups(driver: Driver, path: string) {
  const { json } = await driver.call<Made[]>(`GET ${path}`, { query: { limit: 2 } });
  const at = [String(json[0]?.id)];
  await driver.call(`GET ${path}/{id}`, { at });
  for (const body of [{ archivedUntilNextEvent: true }, { archivedUntilNextEvent: false }, {}]) {
    await driver.call(`PATCH ${path}/{id}`, { at, body });
  }
  await driver.call(`PATCH ${path}/{id}`, { at: [NOBODY], body: { archiveForEver: 1 } });
}

/** A check goes down and comes back, and every channel is told of both. */
async function driveAlerts(driver: Driver, world: World, channels: readonly string[]) {
  const { json: check } = await driver.call<Made>('POST /v1/checks/url', {
    query: ALONE,
    body: {
      name: 'watched',
      request: { url: `${world.targetUrl}/up` },
      ...NEVER,
      ...PATIENT,
      useGlobalAlertSettings: false,
      alertChannelSubscriptions: channels.map((id) => ({ alertChannelId: id, activated: true })),
    },
  });
  const log = 'GET /v1/alert-notifications';
  const toldOf = (count: number) =>
    driver.until<{ status: string }[]>(
      log,
      { query: { limit: 100 } },
      (told) => told.length === count && !told.some(({ status }) => OWED.has(status)),
    );
  await runOnce(driver, check.id, 'v2');
  world.target.isUp = false;
  await runOnce(driver, check.id, 'v2');
  await toldOf(channels.length);
  world.target.isUp = true;
  await runOnce(driver, check.id, 'v2');
  await toldOf(2 * channels.length);
  await driver.call(log, { query: { limit: 3, page: 2 } });
  await driver.call(log, { query: { hasFailures: true } });
  const [first = ''] = channels;
  const { json: told } = await driver.call<Made[]>(log, { query: { alertChannelId: first } });
  await driver.call('POST /app/alert-notifications/{id}/resend', { at: [told[0]?.id ?? ''] });
  await driver.call('POST /app/alert-notifications/{id}/resend', { at: [NOBODY] });
  await toldOf(2 * channels.length + 1);
  await driver.call('GET /v1/check-alerts', { query: { limit: 1, page: 2 } });
  await driver.call('GET /v1/check-alerts');
  await driver.call('GET /v1/check-alerts/{checkId}', { at: [check.id] });
  await driver.call('GET /app/check-alerts', { query: { checkId: check.id } });
  await driver.call('GET /app/check-alerts', { query: { says: 'failing', isTold: false } });
  const { json: alerts } = await driver.call<{ created_at: string }[]>('GET /v1/check-alerts');
  const moments = alerts.map(({ created_at }) => Date.parse(created_at));
  const simulated = {
    checkId: check.id,
    from: Math.min(...moments) - 3_600_000,
    to: Math.max(...moments) + 3_600_000,
    alertSettings: { runBasedEscalation: { failedRunThreshold: 2 } },
  };
  const simulate = 'POST /app/alert-policy/simulate';
  await driver.call(simulate, { body: simulated });
  await driver.call(simulate, { body: { from: simulated.from, to: simulated.to } });
  await driver.call(simulate, { body: { ...simulated, to: 0, checkIds: [NOBODY], more: 1 } });
}

async function driveMaintenance(driver: Driver) {
  const windows = '/v1/maintenance-windows';
  const once = {
    name: 'once',
    startsAt: '2045-03-01T10:00:00.000Z',
    endsAt: '2045-03-01T12:00:00.000Z',
  };
  const { json } = await driver.call<Made>(`POST ${windows}`, {
    body: { ...once, tags: ['api'], statusPageVisibility: { enabled: true, severity: 'MINOR' } },
  });
  await driver.call(`POST ${windows}`, {
    body: {
      name: 'daily',
      startsAt: '2044-03-26T02:30:00',
      endsAt: '2044-03-26T03:30:00',
      repeatUnit: 'DAY',
      repeatInterval: 1,
      repeatEndsAt: '2044-03-29',
      timezone: 'Europe/Berlin',
    },
  });
  const wrong = { ...once, endsAt: PAST, repeatUnit: 'DAY', timezone: 'Mars/Base', tags: 1 };
  await driver.call(`POST ${windows}`, { body: wrong });
  const at = [json.id];
  await driver.call(`PUT ${windows}/{id}`, { at, body: { silenceAllAlerts: true } });
  await driver.call(`PUT ${windows}/{id}`, { at, body: { endsAt: PAST } });
  await driver.call(`GET ${windows}/{id}`, { at });
  await driver.call(`GET ${windows}`, { query: { limit: 1, page: 3 } });
  await driver.call(`GET ${windows}`, { query: { 'startsAt[gt]': PAST, 'endsAt[lte]': FUTURE } });
  const { json: daily } = await driver.call<Made[]>(`GET ${windows}/{id}/maintenances`, {
    at: [Number(json.id) + 1],
  });
  await driver.call(`DELETE ${windows}/{id}/maintenances/{maintenanceId}`, {
    at: [Number(json.id) + 1, daily[0]?.id ?? ''],
  });
  const { json: planned } = await driver.call<Made[]>(`GET ${windows}/{id}/maintenances`, { at });
  const one = `${windows}/{id}/maintenances/{maintenanceId}`;
  const which = [json.id, planned[0]?.id ?? ''];
  await driver.call(`GET ${one}`, { at: which });
  const moved = { endsAt: '2045-03-01T13:00:00.000Z' };
  await driver.call(`PATCH ${one}`, { at: which, body: moved });
  await driver.call(`PATCH ${one}`, { at: which, body: { endsAt: PAST } });
  const said = { status: 'IN_PROGRESS', description: 'begun' };
  const { json: update } = await driver.call<Made>(`POST ${one}/updates`, {
    at: which,
    body: said,
  });
  const edit = { description: 'begun early' };
  await driver.call(`PUT ${one}/updates/{updateId}`, { at: [...which, update.id], body: edit });
  await driver.call(`POST ${one}/updates`, { at: which, body: { ...said, status: 'SCHEDULED' } });
  await driver.call(`POST ${one}/updates`, { at: which, body: { ...said, status: 'COMPLETED' } });
  await driver.call(`PATCH ${one}`, { at: which, body: moved });
  await driver.call(`DELETE ${one}/updates/{updateId}`, { at: [...which, update.id] });
  await driver.call(`GET ${one}`, { at: which });
}

async function driveAccount(driver: Driver) {
  await driver.call('GET /app/account');
  const changes = { name: 'Ours', runtimeId: '2024.09', retryStrategy: null };
  await driver.call('PUT /app/account', { body: changes });
  await driver.call('PUT /app/account', { body: { name: '', colour: 'red', flapping: 1 } });
  await driver.call('PUT /app/account', {
    body: { retryStrategy: 'FALLBACK', flapping: { changes: 7 }, alertSettings: {} },
  });
  const storms = { alerts: 3, messagesPerMinute: 20 };
  await driver.call('PUT /app/account', { body: { storms } });
  await driver.call('PUT /app/account', { body: { storms: null } });
  await driver.call('GET /app/connectivity');
  await driver.call('GET /app/storage');
  await driver.call('GET /app/vitals');
  await driver.call('GET /app/settings');
  await driver.call('POST /app/storage/confirm-clock');
  const check = 'POST /app/scripts/check';
  await driver.call(check, { body: { code: 'await 1' } });
  await driver.call(check, { body: { code: 'let a;\nlet a;' } });
  await driver.call(check, { body: { code: 1, runtimeId: 'old' } });
}

async function driveSignIns(driver: Driver) {
  const as = 'nobody';
  await driver.call('POST /app/sign-in', { as, body: {} });
  await driver.call('POST /app/sign-in', { as, body: { key: 'wrong' } });
  await driver.call('GET /app/sign-in', { as });
  await driver.call('POST /app/sign-in-links');
  const admin = { as: 'admin' } as const;
  const { json: link } = await driver.call<{ token: string }>('POST /app/sign-in-links', admin);
  const begin = { as, body: { token: link.token } } as const;
  const { headers, json } = await driver.call<{ signIn: Made }>('POST /app/sign-in', begin);
  await driver.call('POST /app/sign-in', begin);
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  await driver.call('GET /app/sign-in', { as, headers: { cookie } });
  await driver.call('DELETE /app/sign-in', { as, headers: { cookie } });
  await driver.call('GET /app/sign-ins');
  const { origin } = new URL(driver.url);
  await driver.call('DELETE /app/sign-in', { as, headers: { cookie, origin } });
  await driver.call('DELETE /app/sign-ins/{id}', { at: [json.signIn.id] });
  const { json: again } = await driver.call<{ token: string }>('POST /app/sign-in-links', admin);
  const { json: other } = await driver.call<{ signIn: Made }>('POST /app/sign-in', {
    as,
    body: { token: again.token },
  });
  await driver.call('DELETE /app/sign-ins/{id}', { at: [other.signIn.id] });
  await driver.call('DELETE /app/sign-ins');
}

async function driveKeys(driver: Driver) {
  const as = 'admin';
  await driver.call('GET /app/keys');
  await driver.call('POST /app/keys', { as, body: { name: '' } });
  const { json } = await driver.call<{ id: string; key: string }>('POST /app/keys', {
    as,
    body: { name: 'second' },
  });
  const headers = { authorization: `Bearer ${json.key}` };
  await driver.call('GET /v1/accounts/me', { headers });
  await driver.call('GET /app/keys', { as });
  await driver.call('DELETE /app/keys/{id}', { at: [json.id], as });
  await driver.call('DELETE /app/keys/{id}', { at: [json.id], as });
  await driver.call('GET /v1/accounts/me', { headers });
}

/** What goes with what is deleted: a channel's subscriptions, a check's results, a group's trigger. */
async function driveDeletions(
  driver: Driver,
  { tcp, api, group }: { tcp: string; api: string; group: string },
) {
  await driver.call('DELETE /v1/checks/{id}', { at: [tcp] });
  await driver.call('GET /v1/check-results/{checkId}', { at: [tcp] });
  const windows = '/v1/maintenance-windows/{id}';
  const { json } = await driver.call<Made>('POST /v1/maintenance-windows', {
    body: { name: 'gone', startsAt: PAST, endsAt: '2020-01-02T00:00:00.000Z' },
  });
  await driver.call(`DELETE ${windows}`, { at: [json.id] });
  const { json: channel } = await driver.call<Made>('POST /v1/alert-channels', {
    body: {
      type: 'EMAIL',
      config: { address: 'gone@example.com' },
      subscriptions: [{ checkId: api, activated: true }],
    },
  });
  await driver.call('DELETE /v1/alert-channels/{id}', { at: [channel.id] });
  await driver.call('GET /v1/checks/{id}', { at: [api] });
  await driver.call('PUT /v1/checks/api/{id}', { at: [api], body: { groupId: null } });
  const triggers = '/v1/triggers/check-groups/{groupId}';
  await driver.call(`GET ${triggers}`, { at: [group] });
  await driver.call(`DELETE ${triggers}`, { at: [group] });
  await driver.call('POST /app/alert-channels/{id}/subscribe-all', { at: [1] });
  for (const version of ['v1', 'v2', 'v3']) await driver.call(`GET /${version}/checks`);
  for (const path of ['check-groups', 'alert-channels', 'check-statuses', 'maintenance-windows']) {
    await driver.call(`GET /v1/${path}`);
  }
}
