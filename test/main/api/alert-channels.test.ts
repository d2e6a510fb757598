import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreError } from '#main/store/store-error.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import { MAX_CHANNELS } from '#shared/notifications/channel.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';
import { makeChannel } from '../../fixtures/notification-contents.ts';
import { Receiver } from '../../fixtures/receiver.ts';
import { testEgress } from '../../fixtures/send-ports.ts';

let api: Harness;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver[Symbol.asyncDispose]());
beforeEach(async () => {
  receiver.requests.length = 0;
  receiver.answer = (response) => response.end();
  api = await startApi();
});
afterEach(() => api.close());

const EMAIL = { type: 'EMAIL', config: { address: 'ops@example.com' } };
const post = (body: object) => api.call('POST', '/v1/alert-channels', { body });
const put = (id: number, body: object) => api.call('PUT', `/v1/alert-channels/${id}`, { body });
const read = async (id: number) => (await api.call('GET', `/v1/alert-channels/${id}`)).body;
const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;
const subscribe = (id: number, body: object) =>
  api.call('PUT', `/v1/alert-channels/${id}/subscriptions`, { body });

async function createCheck(members: object = {}, query = '?autoAssignAlerts=false') {
  const body = { name: 'A check', ...LEAST_BODIES.API, ...members };
  const created = await api.call('POST', `/v1/checks/api${query}`, { body });
  return created.body as { id: string; alertChannelSubscriptions: object[] };
}

test('a channel is created, read, changed and deleted', async () => {
  const at = new Date(NOW).toISOString();
  const channel = {
    id: 1,
    ...EMAIL,
    subscriptions: [],
    subscribedChecks: 0,
    warnings: ['No mail server is set, so every send fails: set WATCHPOST_SMTP_HOST'],
    sendRecovery: true,
    sendFailure: true,
    sendDegraded: false,
    sslExpiry: false,
    sslExpiryThreshold: 30,
    autoSubscribe: false,
    created_at: at,
    updated_at: null,
  };
  const created = await post(EMAIL);
  expect([created.status, created.body]).toEqual([201, channel]);
  const projectBindings = { owner: null, references: [] };
  expect(await read(1)).toEqual({ ...channel, projectBindings });
  const changed = await put(1, {
    ...EMAIL,
    config: { address: 'b@example.com' },
    sendDegraded: true,
  });
  expect([changed.status, changed.body]).toEqual([
    200,
    { ...channel, config: { address: 'b@example.com' }, sendDegraded: true, updated_at: at },
  ]);
  expect((await api.call('DELETE', '/v1/alert-channels/1')).status).toBe(204);
  for (const method of ['GET', 'DELETE']) {
    expect((await api.call(method, '/v1/alert-channels/1')).status).toBe(404);
  }
  expect((await put(1, EMAIL)).status).toBe(404);
  expect((await post(EMAIL)).body).toMatchObject({ id: 2 });
});

test.each<[string, object, object]>([
  ['SLACK', { url: 'https://hooks.slack.test/1', channel: '#a' }, {}],
  [
    'WEBHOOK',
    { name: 'w', url: 'https://w.test/{{CHECK_ID}}' },
    { method: 'POST', headers: [], queryParameters: [] },
  ],
  [
    'WEBHOOK',
    {
      name: 'w',
      url: 'https://w.test/',
      method: 'PUT',
      headers: [{ key: 'a', value: 'b', locked: true }],
      queryParameters: [{ key: 'a', value: 'b', locked: false }],
      template: '{{ALERT_TITLE}}',
      webhookSecret: 's',
      webhookType: 'WEBHOOK_ILERT',
    },
    {},
  ],
  ['PAGERDUTY', { serviceKey: 'k', account: 'a', serviceName: 's' }, {}],
  ['OPSGENIE', { name: 'o', apiKey: 'k', region: 'EU', priority: 'P3' }, {}],
])('the config of %s is taken and answered: %j', async (type, config, defaults) => {
  const created = await post({ type, config: { ...config, unknown: 1 } });
  expect([created.status, created.body]).toMatchObject([
    201,
    { type, config: { ...config, ...defaults } },
  ]);
  expect(created.headers.get('x-ignored-fields')).toBe('config.unknown');
});

test('flags are never null, and an update leaves what it does not name', async () => {
  const none = {
    sendRecovery: null,
    sendFailure: false,
    sslExpiryThreshold: null,
    autoSubscribe: null,
  };
  expect((await post({ ...EMAIL, ...none })).body).toMatchObject({
    sendRecovery: true,
    sendFailure: false,
    sslExpiryThreshold: 30,
    autoSubscribe: false,
  });
  expect((await put(1, { sslExpiry: true, sendFailure: null })).body).toMatchObject({
    ...EMAIL,
    sendFailure: false,
    sslExpiry: true,
  });
});

test('another type needs its config', async () => {
  await post(EMAIL);
  const refused = await put(1, { type: 'SLACK' });
  expect([refused.status, message(refused)]).toEqual([
    400,
    'config: expected an object, got nothing',
  ]);
  const config = { url: 'https://hooks.slack.test/1' };
  expect((await put(1, { type: 'SLACK', config })).body).toMatchObject({
    id: 1,
    type: 'SLACK',
    config,
  });
});

describe('a bad channel is refused, and nothing is kept', () => {
  const hook = (config: object) => ({
    type: 'WEBHOOK',
    config: { name: 'w', url: 'https://w.test/', ...config },
  });

  test.each<[object, string]>([
    [{ config: {} }, 'type: expected "EMAIL", "SLACK", "SLACK_APP", "WEBHOOK"'],
    [{ type: 'FAX', config: {} }, 'got "FAX"'],
    [{ type: 'EMAIL' }, 'config: expected an object, got nothing'],
    [
      { ...EMAIL, config: { address: 'a@b.test\r\nBcc: c@d.test' } },
      'config.address: expected one e-mail address',
    ],
    [
      { ...EMAIL, config: { address: 'a@b.test,c@d.test' } },
      'config.address: expected one e-mail address',
    ],
    [
      { ...EMAIL, sslExpiryThreshold: 31 },
      'sslExpiryThreshold: expected a whole number from 1 to 30, got 31',
    ],
    [
      { type: 'SMS', config: { number: '0170 1234567' } },
      'config.number: expected a phone number such as +4915112345678',
    ],
    [
      { type: 'SMS', config: { number: '+491701234567' } },
      'type: SMS needs a gateway: set WATCHPOST_TWILIO_ACCOUNT_SID',
    ],
    [{ type: 'DESKTOP', config: {} }, 'type: DESKTOP needs the desktop app'],
    [hook({ url: 'ftp://w.test/' }), 'config.url: expected an http or https URL'],
    [
      hook({ url: 'https://a:b@w.test/' }),
      'config.url: expected a URL without a user name or password',
    ],
    [
      hook({ url: 'https://a:b@{{REGION}}.test/' }),
      'config.url: expected a URL without a user name or password',
    ],
    [hook({ method: 'TRACE' }), 'config.method: expected "POST", "GET", "PUT"'],
    [
      hook({ headers: [{ key: 'a b', value: '' }] }),
      'config.headers.0.key: expected the name of a header',
    ],
    [
      hook({ headers: [{ key: 'Host', value: 'x' }] }),
      'config.headers.0.key: expected a header other than those of the connection',
    ],
    [
      hook({ headers: [{ key: 'a', value: 'b\nc: d' }] }),
      'config.headers.0.value: expected a value on one line',
    ],
    [
      hook({ template: '{"a": "{{#if CHECK_NAME}}"}' }),
      'config.template: expected a template: this block has no end (line 1, column 8)',
    ],
    [hook({ webhookType: 'WEBHOOK_TELEGRAM' }), 'config.queryParameters: expected "chat_id"'],
    [
      { ...EMAIL, subscriptions: [{ activated: true }] },
      'subscriptions.0: expected either checkId or groupId',
    ],
    [
      { ...EMAIL, subscriptions: [{ groupId: 7, activated: true }] },
      'subscriptions.0.groupId: no check group 7 exists',
    ],
  ])('%j', async (body, expected) => {
    const answer = await post(body);
    expect([answer.status, message(answer)]).toEqual([400, expect.stringContaining(expected)]);
    expect(api.configuration.channels.size).toBe(0);
  });

  test('a private address, unless the operator allows it', async () => {
    await api.close();
    api = await startApi({}, { egress: testEgress(['10.0.0.0/8']) });
    const refused = await post(hook({ url: 'http://192.168.0.1/' }));
    expect([refused.status, message(refused)]).toEqual([
      400,
      'config.url: expected a public address: 192.168.0.1 is not a public address (private); WATCHPOST_ALLOW_PRIVATE_EGRESS allows more',
    ]);
    expect((await post(hook({ url: 'http://10.0.0.1/' }))).status).toBe(201);
    expect((await put(1, hook({ url: 'http://127.0.0.1/' }))).status).toBe(400);
  });

  test('more than there may be', async () => {
    for (let id = 1; id <= MAX_CHANNELS; id++) {
      await api.configuration.channels.put(makeChannel('EMAIL', EMAIL.config, { id: String(id) }));
    }
    expect((await post(EMAIL)).status).toBe(409);
  });
});

test('a change of the flags that waits for one of the type keeps what that made of the channel', async () => {
  await post(EMAIL);
  const { channels } = api.configuration;
  const keep = channels.put.bind(channels);
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  channels.put = async (channel) => {
    entered.resolve();
    await gate.promise;
    await keep(channel);
  };
  const config = { name: 'w', url: receiver.url };
  const first = put(1, { type: 'WEBHOOK', config });
  await entered.promise;
  const parsed = Promise.withResolvers<void>();
  const get = channels.get.bind(channels);
  channels.get = (id) => {
    parsed.resolve();
    return get(id);
  };
  const second = put(1, { sendDegraded: true });
  await parsed.promise;
  gate.resolve();
  expect((await first).body).toMatchObject({ type: 'WEBHOOK', sendDegraded: false });
  expect((await second).body).toMatchObject({ type: 'WEBHOOK', config, sendDegraded: true });
});

test('the list comes in pages with the total, ids ascend and are never used again', async () => {
  await Promise.all(Array.from({ length: 12 }, () => post(EMAIL)));
  const second = await api.call('GET', '/v1/alert-channels?page=2');
  expect(second.headers.get('content-range')).toBe('10-11/12');
  expect((second.body as { id: number }[]).map(({ id }) => id)).toEqual([11, 12]);
});

describe('subscriptions', () => {
  beforeEach(() => post(EMAIL));

  test('stand with the check and are shown by the channel', async () => {
    const { id: checkId } = await createCheck();
    const made = await subscribe(1, { checkId, activated: true });
    const subscription = { id: expect.any(Number), checkId, groupId: null, activated: true };
    expect([made.status, made.body]).toEqual([200, subscription]);
    const { id } = made.body as { id: number };
    expect(Number.isSafeInteger(id) && id > 0).toBe(true);
    const check = await api.call('GET', `/v1/checks/${checkId}`);
    expect(check.body).toMatchObject({
      alertChannelSubscriptions: [{ alertChannelId: 1, activated: true }],
    });
    expect(await read(1)).toMatchObject({ subscriptions: [{ ...subscription, id }] });
    // The same row is changed, not another one made.
    const off = await subscribe(1, { checkId: checkId.toUpperCase(), activated: false });
    expect(off.body).toEqual({ ...subscription, id, activated: false });
    expect(await read(1)).toMatchObject({ subscriptions: [{ id, activated: false }] });
  });

  test.each<[object, number, string]>([
    [{ activated: true }, 400, 'body: expected either checkId or groupId'],
    [
      { checkId: crypto.randomUUID(), groupId: 1, activated: true },
      400,
      'body: expected either checkId or groupId',
    ],
    [{ checkId: 'x', activated: true }, 400, 'checkId: expected a UUID, got "x"'],
    [{ checkId: null, groupId: 4, activated: true }, 404, 'No check group has the id 4'],
    [
      { checkId: '0f6f0a0e-54c5-4b8e-8b0f-3a8e1b6a9d01', activated: true },
      404,
      'No check has the id 0f6f0a0e-54c5-4b8e-8b0f-3a8e1b6a9d01',
    ],
  ])('%j is refused', async (body, status, expected) => {
    const answer = await subscribe(1, body);
    expect([answer.status, message(answer)]).toEqual([status, expected]);
  });

  test('of a channel that is not there are refused', async () => {
    const { id: checkId } = await createCheck();
    expect((await subscribe(9, { checkId, activated: true })).status).toBe(404);
    const body = { alertChannelSubscriptions: [{ alertChannelId: 9, activated: true }] };
    const refused = await api.call('PUT', `/v1/checks/api/${checkId}`, { body });
    expect([refused.status, message(refused)]).toEqual([
      400,
      'alertChannelSubscriptions.0.alertChannelId: no alert channel 9 exists',
    ]);
  });

  test('in the body of a channel replace those there were; left out they stay', async () => {
    const [one, two] = [await createCheck(), await createCheck()];
    const subscriptions = [
      { checkId: one.id, activated: true },
      { checkId: two.id, activated: false },
    ];
    const second = await post({ ...EMAIL, subscriptions });
    expect(second.body).toMatchObject({ id: 2, subscriptions });
    expect((await put(2, { sendDegraded: true })).body).toMatchObject({ subscriptions });
    const fewer = await put(2, { subscriptions: [{ checkId: two.id, activated: true }] });
    expect(fewer.body).toMatchObject({ subscriptions: [{ checkId: two.id, activated: true }] });
    expect((await put(2, { subscriptions: [] })).body).toMatchObject({ subscriptions: [] });
  });

  test('of all channels of a page are found in one pass; of a channel listed twice the first holds', async () => {
    for (let n = 0; n < 3; n++) await post(EMAIL);
    const to = (alertChannelId: number, activated = true) => ({ alertChannelId, activated });
    const one = await createCheck({ alertChannelSubscriptions: [to(2), to(1), to(2, false)] });
    const two = await createCheck({ alertChannelSubscriptions: [to(3), to(2, false)] });
    const passes = vi.spyOn(api.configuration.checks, 'all');
    const { body } = await api.call('GET', '/v1/alert-channels?limit=2');
    const listed = body as { subscriptions: { checkId: string; activated: boolean }[] }[];
    expect(passes).toHaveBeenCalledOnce();
    expect(
      listed.map(({ subscriptions }) =>
        subscriptions.map(({ checkId, activated }) => [checkId, activated]),
      ),
    ).toEqual([
      [[one.id, true]],
      [
        [one.id, true],
        [two.id, false],
      ],
    ]);
  });

  test('that cannot be kept are refused without a word on the channel, which may be there', async () => {
    const { id } = await createCheck();
    api.configuration.checks.failure = new StoreError('FULL', 'no room');
    const refused = await post({ ...EMAIL, subscriptions: [{ checkId: id, activated: true }] });
    expect([refused.status, message(refused)]).toEqual([
      503,
      'The store cannot do this now: the disk of the data folder is full',
    ]);
    expect(await read(1)).toMatchObject({ subscriptions: [] });
  });

  test('end with the check, and with the channel', async () => {
    const [one, two] = [await createCheck(), await createCheck()];
    for (const { id: checkId } of [one, two]) await subscribe(1, { checkId, activated: true });
    await api.call('DELETE', `/v1/checks/${one.id}`);
    expect(await read(1)).toMatchObject({ subscriptions: [{ checkId: two.id }] });
    await api.call('DELETE', '/v1/alert-channels/1');
    const check = await api.call('GET', `/v1/checks/${two.id}`);
    expect(check.body).toMatchObject({ alertChannelSubscriptions: [] });
  });

  test('of groups are the same', async () => {
    const created = await api.call('POST', '/v2/check-groups?autoAssignAlerts=0', {
      body: { name: 'g' },
    });
    const { id: groupId } = created.body as { id: number };
    const made = await subscribe(1, { groupId, activated: false });
    const subscription = { id: expect.any(Number), checkId: null, groupId, activated: false };
    expect([made.status, made.body]).toEqual([200, subscription]);
    expect(await read(1)).toMatchObject({ subscriptions: [subscription] });
    const subscriptions = [{ groupId, activated: true }];
    expect((await put(1, { subscriptions })).body).toMatchObject({ subscriptions });
    await api.call('DELETE', '/v1/alert-channels/1');
    const group = await api.call('GET', `/v1/check-groups/${groupId}`);
    expect(group.body).toMatchObject({ alertChannelSubscriptions: [] });
  });

  test('of many are made in a few writes, and another change of one is not lost', async () => {
    const { checks } = api.configuration;
    const { id } = await createCheck();
    const check = checks.get(id);
    if (check === undefined) throw new Error('It was made just now');
    const ids = Array.from({ length: 250 }, () => crypto.randomUUID());
    for (const each of ids) await checks.put({ ...check, id: each });
    let open = 0;
    const together: number[] = [];
    const keep = checks.put.bind(checks);
    checks.put = async (record) => {
      if (open === 0) together.push(0);
      open += 1;
      together.push((together.pop() ?? 0) + 1);
      await keep(record);
      open -= 1;
    };
    const renamed = ids.at(-1) ?? '';
    const [all] = await Promise.all([
      api.call('POST', '/app/alert-channels/1/subscribe-all'),
      api.call('PUT', `/v1/checks/api/${renamed}`, { body: { name: 'renamed' } }),
    ]);
    expect(all.body).toMatchObject({ subscribedChecks: 251 });
    expect(together.length).toBeLessThanOrEqual(5);
    expect(checks.get(renamed)).toMatchObject({
      name: 'renamed',
      alertChannelSubscriptions: [{ alertChannelId: 1, activated: true }],
    });
  });
});

describe('subscriptions to a channel that was deleted', () => {
  const on = (alertChannelId: number) => ({ alertChannelId, activated: true });
  const own = { alertChannelSubscriptions: [on(2)] };
  let checkId: string;

  beforeEach(async () => {
    await post(EMAIL);
    await post(EMAIL);
    await api.call('POST', '/v2/check-groups', {
      body: { name: 'g', useGlobalAlertSettings: true },
    });
    checkId = (await createCheck({ groupId: 1 }, '')).id;
    await createCheck({}, '');
    const { checks, groups } = api.configuration;
    const writes = [vi.spyOn(checks, 'put'), vi.spyOn(groups, 'put')];
    expect((await api.call('DELETE', '/v1/alert-channels/1')).status).toBe(204);
    // Nobody waits until each check and group is written again.
    for (const write of writes) expect(write).not.toHaveBeenCalled();
  });

  test.each([
    ...['v1', 'v2', 'v3'].flatMap((version) => [
      `/${version}/checks`,
      `/${version}/checks?applyGroupSettings=true`,
    ]),
    '/v1/check-groups',
    '/v1/check-groups/1/checks',
    '/v2/check-groups/1/checks',
  ])('are not in the list %s', async (path) => {
    const listed = (await api.call('GET', path)).body as object[];
    expect(listed.length).toBeGreaterThan(0);
    for (const one of listed) expect(one).toMatchObject(own);
  });

  test('are not where one check or group is read', async () => {
    const paths = [
      ...['v1', 'v2', 'v3'].map((version) => `/${version}/checks/${checkId}`),
      `/v1/checks/${checkId}?applyGroupSettings=true`,
      '/v1/check-groups/1',
      `/v1/check-groups/1/checks/${checkId}`,
    ];
    for (const path of paths) expect((await api.call('GET', path)).body).toMatchObject(own);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['of the check', () => api.call('PUT', `/v1/checks/api/${checkId}`, { body: { name: 'b' } })],
    [
      'of the check by the route of any type',
      () => api.call('PUT', `/v1/checks/${checkId}`, { body: { name: 'b' } }),
    ],
    ['of its subscription', () => subscribe(2, { checkId, activated: true })],
  ])('go with the next change %s', async (_of, change) => {
    expect(await change()).toMatchObject({ status: 200 });
    expect(api.configuration.checks.get(checkId)).toMatchObject(own);
  });

  test('go with the next change of the group', async () => {
    const changed = await api.call('PUT', '/v2/check-groups/1', { body: { name: 'b' } });
    expect(changed.body).toMatchObject(own);
    expect(api.configuration.groups.get('1')).toMatchObject(own);
  });

  test('cannot be sent again, and are no new channel’s', async () => {
    const body = { alertChannelSubscriptions: [on(1)] };
    const refused = await api.call('PUT', `/v1/checks/api/${checkId}`, { body });
    expect([refused.status, message(refused)]).toEqual([
      400,
      'alertChannelSubscriptions.0.alertChannelId: no alert channel 1 exists',
    ]);
    expect((await post(EMAIL)).body).toMatchObject({ id: 3, subscriptions: [] });
  });

  test('are not shown by a check that named the channel while it was deleted', async () => {
    const body = { alertChannelSubscriptions: [on(2)] };
    const [deleted, ...saved] = await Promise.all([
      api.call('DELETE', '/v1/alert-channels/2'),
      api.call('PUT', `/v1/checks/api/${checkId}`, { body }),
      subscribe(2, { checkId, activated: true }),
      api.call('POST', '/v1/checks/api', { body: { name: 'new', ...LEAST_BODIES.API } }),
    ]);
    expect(deleted?.status).toBe(204);
    expect(saved.every(({ status }) => [200, 201, 400, 404].includes(status))).toBe(true);
    const listed = (await api.call('GET', '/v1/checks')).body as object[];
    for (const one of listed) expect(one).toMatchObject({ alertChannelSubscriptions: [] });
  });
});

describe('a new check', () => {
  beforeEach(async () => {
    await post(EMAIL);
    await post({ ...EMAIL, autoSubscribe: true });
    await post(EMAIL);
  });
  const on = (alertChannelId: number) => ({ alertChannelId, activated: true });

  test('subscribes to every channel, and what its body says wins', async () => {
    const alertChannelSubscriptions = [{ alertChannelId: 3, activated: false }];
    const created = await createCheck({ alertChannelSubscriptions }, '');
    expect(created.alertChannelSubscriptions).toEqual([...alertChannelSubscriptions, on(1), on(2)]);
  });

  test('subscribes only to those that ask for it where autoAssignAlerts is off', async () => {
    expect((await createCheck()).alertChannelSubscriptions).toEqual([on(2)]);
  });

  test('is no other than a new group in this', async () => {
    const grouped = (query: string) =>
      api.call('POST', `/v2/check-groups${query}`, { body: { name: 'g' } });
    expect((await grouped('')).body).toMatchObject({
      alertChannelSubscriptions: [on(1), on(2), on(3)],
    });
    const own = await grouped('?autoAssignAlerts=false');
    expect(own.body).toMatchObject({ alertChannelSubscriptions: [on(2)] });
  });

  test('an update subscribes it to nothing more', async () => {
    const { id } = await createCheck();
    const changed = await api.call('PUT', `/v1/checks/api/${id}`, { body: { name: 'b' } });
    expect(changed.body).toMatchObject({ alertChannelSubscriptions: [on(2)] });
  });
});

describe('a channel that no check alerts', () => {
  const hook = { type: 'WEBHOOK', config: { name: 'w', url: 'https://w.test/' } };
  const unused = [
    'No check alerts this channel: POST /app/alert-channels/1/subscribe-all subscribes all checks',
  ];
  const all = () => api.call('POST', '/app/alert-channels/1/subscribe-all');

  test('says so where there are checks, and the call that it names subscribes all', async () => {
    await createCheck();
    await createCheck({ activated: false });
    const grouped = { useGlobalAlertSettings: true };
    await api.call('POST', '/v2/check-groups', { body: { name: 'g', ...grouped } });
    await createCheck({ groupId: 1, alertChannelSubscriptions: [] });
    expect((await post(hook)).body).toMatchObject({ subscribedChecks: 0, warnings: unused });
    expect(await read(1)).toMatchObject({ subscribedChecks: 0, warnings: unused });
    const [listed] = (await api.call('GET', '/v1/alert-channels')).body as object[];
    expect(listed).toMatchObject({ subscribedChecks: 0, warnings: unused });
    const answer = await all();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: 1, subscribedChecks: 3, warnings: [] });
    expect(await read(1)).toEqual(answer.body);
    expect((await all()).body).toEqual(answer.body);
  });

  test('counts what a group decides, and no subscription that is off', async () => {
    await post(hook);
    await api.call('POST', '/v2/check-groups?autoAssignAlerts=false', {
      body: { name: 'g', useGlobalAlertSettings: true },
    });
    const { id } = await createCheck({ groupId: 1 });
    await subscribe(1, { checkId: id, activated: true });
    expect(await read(1)).toMatchObject({ subscribedChecks: 0, warnings: unused });
    await subscribe(1, { groupId: 1, activated: true });
    expect(await read(1)).toMatchObject({ subscribedChecks: 1, warnings: [] });
    await subscribe(1, { groupId: 1, activated: false });
    expect(await read(1)).toMatchObject({ subscribedChecks: 0, warnings: unused });
    expect((await all()).body).toMatchObject({ subscribedChecks: 1 });
  });

  test('is nothing to warn of before the first check', async () => {
    expect((await post(hook)).body).toMatchObject({ subscribedChecks: 0, warnings: [] });
  });

  test('looks at no check where it is new and names no subscriptions', async () => {
    await createCheck();
    const checks = vi.spyOn(api.configuration.checks, 'all');
    expect((await post(hook)).body).toMatchObject({ subscriptions: [], warnings: unused });
    expect(checks).not.toHaveBeenCalled();
    checks.mockRestore();
  });

  test('cannot be subscribed to without a key, or where there is none', async () => {
    expect((await all()).status).toBe(404);
    const answer = await api.call('POST', '/app/alert-channels/1/subscribe-all', { key: null });
    expect(answer.status).toBe(401);
  });
});

describe('a test', () => {
  const tested = () => api.call('POST', '/app/alert-channels/1/test');
  const hook = () => post({ type: 'WEBHOOK', config: { name: 'w', url: receiver.url } });

  test('is sent, and answers status and time but nothing that the receiver says', async () => {
    await hook();
    expect((await tested()).body).toEqual({
      outcome: 'SUCCESS',
      detail: expect.stringMatching(/^HTTP 200 in \d+ ms$/),
    });
    expect(receiver.json).toMatchObject({
      alert_title: 'Test notification',
      alert_type: 'TEST',
      description: 'No check has failed: this tests the channel.',
    });
    receiver.answer = (response) => response.writeHead(403).end('internal secret');
    const failed = await tested();
    expect([failed.status, failed.body]).toEqual([
      200,
      { outcome: 'FAILURE', detail: expect.stringMatching(/^HTTP 403 in \d+ ms$/) },
    ]);
  });

  test('needs a key and a channel', async () => {
    expect((await tested()).status).toBe(404);
    await hook();
    expect((await api.call('POST', '/app/alert-channels/1/test', { key: null })).status).toBe(401);
    expect(receiver.requests).toEqual([]);
  });

  test('is sent ten times a minute at most', async () => {
    await hook();
    for (let n = 0; n < 10; n++) expect((await tested()).status).toBe(200);
    const refused = await tested();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBe(60);
    expect(receiver.requests).toHaveLength(10);
  });
});
