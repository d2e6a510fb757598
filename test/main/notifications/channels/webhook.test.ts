import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SendPorts } from '#main/notifications/channels/sender.ts';
import { sendNotice } from '#main/notifications/channels/senders.ts';
import type { AlertContent, NotificationContent } from '#shared/notifications/notice.ts';
import {
  DIGEST,
  FAILURE,
  LINK,
  makeChannel,
  RECOVERY,
  SSL,
} from '../../../fixtures/notification-contents.ts';
import { Receiver } from '../../../fixtures/receiver.ts';
import { testEgress, testPorts } from '../../../fixtures/send-ports.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = (response) => response.end();
});
afterAll(() => receiver[Symbol.asyncDispose]());

const send = (
  config: object,
  notice: NotificationContent = FAILURE,
  ports: Partial<SendPorts> = {},
) => {
  const whole = { name: 'hook', url: `${receiver.url}/hook`, ...config };
  return sendNotice(makeChannel('WEBHOOK', whole), notice, testPorts(ports));
};

const FACTS = [
  ['Target', 'https://shop.example.com/health'],
  ['Assertion', 'status: wanted 200, got 503'],
  ['Since', '2026-01-15 11:58:00 UTC'],
  ['Location', 'Ireland'],
  ['Response time', '235 ms'],
  ['Status', '503 Service Unavailable'],
  ['Run at', '2026-01-15 12:00:00 UTC'],
  ['Description', 'The shop'],
  ['Check type', 'API'],
  ['Group', 'Shops'],
  ['Tags', 'team:ops, prod'],
] as const;
const TITLE = '"Shop "A&B" <eu>" has failed';
const LINES = FACTS.map(([label, value]) => `${label}: ${value}`).join('\n');
const TEXT = `${LINES}\nResult: ${LINK}`;

test('without a template, the default body is sent', async () => {
  expect(await send({})).toMatchObject({
    outcome: 'SUCCESS',
    detail: expect.stringMatching(/^HTTP 200 in \d+ ms$/),
    permanent: false,
  });
  expect(receiver.last).toMatchObject({ method: 'POST', url: '/hook' });
  expect(receiver.last.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(receiver.last.headers).not.toHaveProperty('x-checkly-signature');
  expect(receiver.json).toEqual({
    alert_title: TITLE,
    alert_type: 'ALERT_FAILURE',
    started_at: '2026-01-15T12:00:00.000Z',
    check_id: FAILURE.check.id,
    check_name: 'Shop "A&B" <eu>',
    check_type: 'API',
    description: 'The shop',
    target: 'https://shop.example.com/health',
    check_result_id: 'r-1',
    assertion: 'status: wanted 200, got 503',
    status_code: 503,
    status_text: 'Service Unavailable',
    response_time: 235,
    run_location: 'Ireland',
    region: 'eu-west-1',
    group: 'Shops',
    tags: ['team:ops', 'prod'],
    link: LINK,
  });
  await send({}, SSL);
  expect(receiver.json).toMatchObject({ ssl_days_remaining: 7, ssl_domain: 'shop.example.com' });
});

test('a template fills the URL, the headers, the query and the body, each made safe for its place', async () => {
  const delivery = await send(
    {
      url: `${receiver.url}/{{CHECK_TYPE}}/{{CHECK_NAME}}`,
      method: 'PUT',
      headers: [{ key: 'X-Title', value: '{{CHECK_NAME}} é' }],
      queryParameters: [{ key: 'tag', value: '{{tagValue TAGS "team"}} {{SECRET}}' }],
      template:
        '{"title": "{{ALERT_TITLE}}", "ms": {{RESPONSE_TIME}}, "error": {{CHECK_ERROR_MESSAGE}}}',
    },
    FAILURE,
    { variables: () => ({ SECRET: 'a&b', ALERT_TITLE: 'not this one' }) },
  );
  expect(delivery.outcome).toBe('SUCCESS');
  expect(receiver.last).toMatchObject({
    method: 'PUT',
    url: '/API/Shop%20%22A%26B%22%20%3Ceu%3E?tag=ops+a%26b',
  });
  const title = Buffer.from(String(receiver.last.headers['x-title']), 'latin1').toString('utf8');
  expect(title).toBe('Shop "A&B" <eu> é');
  expect(receiver.json).toEqual({ title: TITLE, ms: 235, error: null });
});

test.each([
  ['text/plain', 'x={{CHECK_NAME}}', 'x=Shop "A&B" <eu>'],
  ['application/x-www-form-urlencoded', 'x={{CHECK_NAME}}', 'x=Shop%20%22A%26B%22%20%3Ceu%3E'],
  [
    'text/html; charset=utf-8',
    '<b>{{CHECK_NAME}}</b>',
    '<b>Shop &quot;A&amp;B&quot; &lt;eu&gt;</b>',
  ],
  ['application/cloudevents+json', '["{{CHECK_NAME}}"]', '["Shop \\"A&B\\" <eu>"]'],
])('a body of %s escapes as that does', async (type, template, body) => {
  await send({ template, headers: [{ key: 'Content-Type', value: type }] });
  expect(receiver.last.body).toBe(body);
  expect(receiver.last.headers['content-type']).toBe(type);
});

test('a variable ends neither a header nor the request', async () => {
  const notice = { ...FAILURE, error: 'a\r\nx-evil: 1\r\n\r\nGET / HTTP/1.1' };
  await send({ headers: [{ key: 'x-error', value: '{{CHECK_ERROR_MESSAGE}}' }] }, notice);
  expect(receiver.last.headers).not.toHaveProperty('x-evil');
  expect(receiver.last.headers['x-error']).toBe('a x-evil: 1 GET / HTTP/1.1');
});

test('with a secret, the very bytes of the body are signed', async () => {
  await send({ webhookSecret: 's3cret', template: '{"name":"é {{CHECK_NAME}}"}' });
  const { body, headers } = receiver.last;
  const expected = createHmac('sha256', 's3cret').update(Buffer.from(body)).digest('hex');
  expect(headers['x-checkly-signature']).toBe(expected);
  expect(headers['x-checkly-signature']).toMatch(/^[0-9a-f]{64}$/);
  expect(headers['x-checkly-timestamp']).toBe(String(Date.UTC(2026, 0, 15, 12)));
});

test('GET has no body, and its signature is that of none', async () => {
  await send({ method: 'GET', webhookSecret: 's3cret', template: '{"a": 1}' });
  expect(receiver.last).toMatchObject({ method: 'GET', body: '' });
  expect(receiver.last.headers).not.toHaveProperty('content-type');
  const signature = createHmac('sha256', 's3cret').update('').digest('hex');
  expect(receiver.last.headers['x-checkly-signature']).toBe(signature);
});

test('Discord gets an embed that mentions nobody', async () => {
  await send({ webhookType: 'WEBHOOK_DISCORD' });
  expect(receiver.json).toEqual({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: '"Shop "A&B" \\<eu\\>" has failed',
        color: 0xd92d20,
        fields: FACTS.map(([name, value = '']) => ({ name, value })),
        timestamp: '2026-01-15T12:00:00.000Z',
        url: LINK,
      },
    ],
  });
});

test('Teams gets an adaptive card', async () => {
  await send({ webhookType: 'WEBHOOK_MSTEAMS' }, RECOVERY);
  expect(receiver.json).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [
            {
              type: 'RichTextBlock',
              inlines: [
                { type: 'TextRun', text: '"Shop "A&B" <eu>" has recovered', color: 'good' },
              ],
            },
            {
              type: 'RichTextBlock',
              inlines: [
                { type: 'TextRun', text: 'Was down for: ', weight: 'bolder' },
                { type: 'TextRun', text: '1 h 2 min' },
              ],
            },
            ...Array(10).fill({ type: 'RichTextBlock' }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'See the result', url: LINK }],
        },
      },
    ],
  });
});

interface Field {
  name: string;
  value: string;
}

/** A notice whose every text is as long as it may be, of signs that services read as markup. */
function hostile(signs: string): AlertContent {
  const text = signs.repeat(1_000);
  const [name, groupName, error, tags] = [text, text, text, [text]];
  return { ...FAILURE, groupName, error, check: { ...FAILURE.check, name, tags } };
}

test('what a target says is no link, no mention and no markup at Discord and Teams', async () => {
  const evil = '[log in](https://evil.example) **x** <@&1> @everyone ||y|| `z` ~a~ # _b_';
  const notice = { ...FAILURE, error: evil };
  await send({ webhookType: 'WEBHOOK_DISCORD' }, notice);
  const { embeds } = receiver.json as { embeds: { fields: { value: string }[] }[] };
  expect(embeds[0]?.fields[0]?.value).toBe(
    '\\[log in\\](https://evil.example) \\*\\*x\\*\\* \\<@&1\\> @everyone \\|\\|y\\|\\| \\`z\\` \\~a\\~ \\# \\_b\\_',
  );
  await send({ webhookType: 'WEBHOOK_MSTEAMS' }, notice);
  expect(receiver.last.body).not.toMatch(/"TextBlock"|"FactSet"/);
});

test.each(['*', '"', 'ü', '𝕏', '<'])(
  'a message of %j stays within what services take',
  async (signs) => {
    const notice = hostile(signs);
    await send({ webhookType: 'WEBHOOK_DISCORD' }, notice);
    const { embeds } = receiver.json as { embeds: [{ title: string; fields: Field[] }] };
    const [{ title, fields }] = embeds;
    expect(title.length).toBeLessThanOrEqual(256);
    for (const { value } of fields) expect(value.length).toBeLessThanOrEqual(1_024);
    const texts = [title, ...fields.flatMap(({ name, value }) => [name, value])];
    expect(texts.join('').length).toBeLessThanOrEqual(6_000);

    await send({ webhookType: 'WEBHOOK_NTFY', url: `${receiver.url}/alerts` }, notice);
    const { message } = receiver.json as { message: string };
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096);
    expect(message.isWellFormed()).toBe(true);

    await send({ webhookType: 'WEBHOOK_MSTEAMS' }, notice);
    expect(Buffer.byteLength(receiver.last.body)).toBeLessThan(28 * 1_024);
  },
);

test('Pushover gets no link that it would refuse', async () => {
  const resultLink = `https://watch.example.com/${'x'.repeat(500)}`;
  const webhookType = 'WEBHOOK_PUSHOVER';
  const queryParameters = ['token', 'user'].map((key) => ({ key, value: 'a' }));
  await send({ webhookType, queryParameters }, { ...FAILURE, resultLink });
  expect(receiver.json).not.toHaveProperty('url');
});

test('a topic of ntfy that is none is for ntfy to refuse', async () => {
  await send({ webhookType: 'WEBHOOK_NTFY', url: `${receiver.url}/%zz` });
  expect(receiver.json).toMatchObject({ topic: '%zz' });
});

test('Telegram gets its parameters in the body', async () => {
  await send({
    webhookType: 'WEBHOOK_TELEGRAM',
    url: `${receiver.url}/bot1:token/sendMessage`,
    queryParameters: [{ key: 'chat_id', value: '-100' }],
  });
  expect(receiver.last.url).toBe('/bot1:token/sendMessage');
  expect(receiver.json).toEqual({
    chat_id: '-100',
    text: `${TITLE}\n\n${TEXT}`,
    disable_web_page_preview: true,
  });
});

test('the template that clients send for Telegram is HTML inside a form', async () => {
  await send({
    webhookType: 'WEBHOOK_TELEGRAM',
    headers: [{ key: 'Content-Type', value: 'application/x-www-form-urlencoded' }],
    template:
      'chat_id=-100&parse_mode=HTML&text=<b>{{ALERT_TITLE}}</b> {{#each TAGS}}<i>{{this}}</i>{{#unless @last}}, {{/unless}}{{/each}}',
  });
  const form = new URLSearchParams(receiver.last.body);
  expect(form.get('text')).toBe(
    '<b>&quot;Shop &quot;A&amp;B&quot; &lt;eu&gt;&quot; has failed</b> <i>team:ops</i>, <i>prod</i>',
  );
});

test.each([
  ['WEBHOOK_TELEGRAM', '<b>&quot;Shop &quot;A&amp;B&quot; &lt;eu&gt;&quot; has failed</b>\n+é'],
  [undefined, '<b>"Shop "A&B" <eu>" has failed</b>\n+é'],
])(
  'a template that is a form leaves as one without a header, for %s',
  async (webhookType, text) => {
    const template = '\nchat_id=42&parse_mode=HTML&text=<b>{{ALERT_TITLE}}</b>\n%2Bé ';
    await send({ webhookType, template });
    const { headers, body } = receiver.last;
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(body).toMatch(/^[!-~]+$/);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      chat_id: '42',
      parse_mode: 'HTML',
      text,
    });
  },
);

test('a per cent sign that the template of a form writes out arrives as one', async () => {
  await send({ template: 'text=100% of {{CHECK_NAME}}, 5%, %C3%A9 %2' });
  expect(receiver.last.body).toMatch(/^(?:[!-$&-~]|%[0-9A-F]{2})+$/);
  expect(new URLSearchParams(receiver.last.body).get('text')).toBe(
    '100% of Shop "A&B" <eu>, 5%, é %2',
  );
});

test.each(['{"a=b": 1}', '["a=b"]', '"a=b"', 'no form: a=b', '{{{CHECK_ERROR_MESSAGE}}}'])(
  'the template %s is no form',
  async (template) => {
    await send({ template });
    expect(receiver.last.headers['content-type']).toBe('application/json');
  },
);

test('a location without a name of its own is said once', async () => {
  await send({}, { ...FAILURE, location: { code: 'local', name: 'local' } });
  expect(receiver.json).toMatchObject({ region: 'local' });
  expect(receiver.json).not.toHaveProperty('run_location');
});

test('ntfy gets JSON at its root, with the topic in it', async () => {
  await send({ webhookType: 'WEBHOOK_NTFY', url: `${receiver.url}/my-alerts` });
  expect(receiver.last.url).toBe('/');
  expect(receiver.json).toEqual({
    topic: 'my-alerts',
    title: TITLE,
    message: TEXT,
    priority: 5,
    tags: ['rotating_light'],
    click: LINK,
  });
});

test('Gotify gets a message with its token in the URL', async () => {
  const queryParameters = [{ key: 'token', value: 'T0ken', locked: true }];
  await send({ webhookType: 'WEBHOOK_GOTIFY', url: `${receiver.url}/message`, queryParameters });
  expect(receiver.last.url).toBe('/message?token=T0ken');
  expect(receiver.json).toEqual({
    title: TITLE,
    message: TEXT,
    priority: 8,
    extras: { 'client::notification': { click: { url: LINK } } },
  });
});

test('Pushover gets its parameters in the body', async () => {
  const queryParameters = [
    { key: 'token', value: 'app' },
    { key: 'user', value: 'me' },
  ];
  await send({
    webhookType: 'WEBHOOK_PUSHOVER',
    url: `${receiver.url}/1/messages.json`,
    queryParameters,
  });
  expect(receiver.last.url).toBe('/1/messages.json');
  expect(receiver.json).toEqual({
    token: 'app',
    user: 'me',
    title: TITLE,
    message: LINES,
    priority: 1,
    timestamp: Date.UTC(2026, 0, 15, 12) / 1_000,
    url: LINK,
    url_title: 'See the result',
  });
});

test('a digest is sent as any other notice', async () => {
  await send({}, DIGEST);
  expect(receiver.json).toEqual({
    alert_title: '500 checks have failed',
    alert_type: 'ALERT_FAILURE',
    started_at: '2026-01-15T12:00:00.000Z',
    check_name: '500 checks',
    error: 'connection refused; timeout',
    tags: [],
  });
});

describe('what becomes of it', () => {
  test.each([
    [204, 'SUCCESS', false],
    [302, 'FAILURE', true],
    [404, 'FAILURE', false],
    [500, 'FAILURE', false],
    [429, 'RATE_LIMITED', false],
  ] as const)('status %i', async (status, outcome, permanent) => {
    receiver.answer = (response) => response.writeHead(status).end();
    const delivery = await send({});
    expect(delivery).toMatchObject({ outcome, permanent });
    expect(delivery.detail).toMatch(new RegExp(`^HTTP ${status} in \\d+ ms`));
  });

  test('what a failing receiver says is kept, cut and without the secrets that it was sent', async () => {
    receiver.answer = (response, { url }) =>
      response.writeHead(400).end(`no: ${url} ${'x'.repeat(2_000)}`);
    const queryParameters = [{ key: 'token', value: 'T0ken', locked: true }];
    const delivery = await send({ queryParameters });
    expect(delivery.answer).toMatch(/^no: \*\*\*\?token=\*\*\* x+$/);
    expect(delivery.answer?.length).toBeLessThanOrEqual(1_000);
    expect(delivery.detail).not.toContain('no:');
  });

  test('a secret at the place of the cut leaves no part of itself', async () => {
    const said = `${'x'.repeat(990)}T0ken-of-many-signs`;
    receiver.answer = (response) => response.writeHead(400).end(said);
    const headers = [{ key: 'x-token', value: 'T0ken-of-many-signs', locked: true }];
    expect((await send({ headers })).answer).toBe(`${'x'.repeat(990)}***`);
  });

  test('a secret is found in whatever form the receiver says it', async () => {
    const secret = 'a "b" /ü+';
    const said = [
      JSON.stringify({ secret }),
      encodeURIComponent(secret),
      new URLSearchParams({ secret }).toString(),
      Buffer.from(secret).toString('base64'),
    ];
    receiver.answer = (response) => response.writeHead(400).end(said.join(' '));
    const headers = [{ key: 'x-token', value: secret, locked: true }];
    expect((await send({ headers })).answer).toBe('{"secret":"***"} *** secret=*** ***');
  });

  test('secret variables that a template sent are not kept', async () => {
    receiver.answer = (response, { body }) => response.writeHead(400).end(body);
    const secrets = { variables: () => ({ KEY: 'v4ri4ble' }), secrets: () => ['v4ri4ble'] };
    const delivery = await send({ template: '{"key":"{{KEY}}"}' }, FAILURE, secrets);
    expect(delivery.answer).toBe('{"key":"***"}');
  });

  test('the receiver says how long to wait', async () => {
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '2' }).end();
    expect(await send({})).toMatchObject({
      outcome: 'FAILURE',
      retryAfterMs: 2_000,
      permanent: false,
    });
  });

  test('an address that is private by now, or a URL that is none', async () => {
    const ports = { egress: testEgress([], { 'moved.test': ['10.0.0.1'] }) };
    expect(await send({ url: 'http://moved.test/' }, FAILURE, ports)).toMatchObject({
      outcome: 'FAILURE',
      permanent: true,
      detail: expect.stringMatching(/^DENIED_ADDRESS after \d+ ms: moved\.test \(10\.0\.0\.1\)/),
    });
    const host = await send({ url: 'http://{{CHECK_NAME}}/' });
    expect(host).toMatchObject({
      permanent: true,
      detail: 'INVALID_URL: the templates of the URL make none',
    });
    const inside = await send(
      { url: 'http://{{{CHECK_ERROR_MESSAGE}}}/' },
      { ...FAILURE, error: 'a:b@127.0.0.1' },
    );
    expect(inside).toMatchObject({ permanent: true, detail: expect.stringContaining('user name') });
  });

  test('a template that makes too much', async () => {
    const template = `{{#each TAGS}}${'x'.repeat(60_000)}{{/each}}`;
    const check = { ...FAILURE.check, tags: Array.from({ length: 10 }, () => 'a') };
    expect(await send({ template }, { ...FAILURE, check })).toMatchObject({
      outcome: 'FAILURE',
      permanent: true,
      detail: 'Template: the text is longer than 262144 characters',
    });
  });
});
