import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SendPorts } from '#main/notifications/channels/sender.ts';
import { channelProblems, sendNotice } from '#main/notifications/channels/senders.ts';
import type { ChannelType } from '#shared/notifications/config.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import {
  BLIND,
  CHECK_ID,
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
let ports: SendPorts;
beforeAll(async () => {
  receiver = await Receiver.start();
  const { url } = receiver;
  ports = testPorts({
    endpoints: { pagerduty: url, opsgenieUs: `${url}/us`, opsgenieEu: `${url}/eu`, slack: url },
    phone: { url, accountSid: 'AC1', token: 't0ken', from: '+15550001111' },
    slackToken: 'xoxb-1',
  });
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = (response) => response.end();
});
afterAll(() => receiver[Symbol.asyncDispose]());

const send = (type: ChannelType, config: object, notice: NotificationContent = FAILURE) =>
  sendNotice(makeChannel(type, config), notice, ports);

const TITLE = '"Shop "A&B" <eu>" has failed';
const ESCAPED = '"Shop "A&amp;B" &lt;eu&gt;" has failed';

describe('Slack', () => {
  test('gets blocks in which nothing of a name is a link or a mention', async () => {
    const delivery = await send('SLACK', { url: `${receiver.url}/services/1`, channel: '#ops' });
    expect(delivery.outcome).toBe('SUCCESS');
    expect(receiver.json).toEqual({
      channel: '#ops',
      text: ESCAPED,
      attachments: [
        {
          color: '#d92d20',
          fallback: TITLE,
          blocks: [
            { type: 'section', text: { type: 'mrkdwn', text: `*<${LINK}|${ESCAPED}>*` } },
            {
              type: 'section',
              text: {
                type: 'mrkdwn',
                text: [
                  '*Target:* https://shop.example.com/health',
                  '*Assertion:* status: wanted 200, got 503',
                  '*Since:* 2026-01-15 11:58:00 UTC',
                  '*Location:* Ireland',
                  '*Response time:* 235 ms',
                  '*Status:* 503 Service Unavailable',
                  '*Run at:* 2026-01-15 12:00:00 UTC',
                  '*Description:* The shop',
                  '*Check type:* API',
                  '*Group:* Shops',
                  '*Tags:* team:ops, prod',
                ].join('\n'),
              },
            },
          ],
        },
      ],
    });
  });

  test.each(['@everyone', '@channel', '@here', '@all', '<!channel>', '<@U1>'])(
    'a check called %s calls nobody',
    async (name) => {
      const check = { ...FAILURE.check, name };
      await send('SLACK', { url: `${receiver.url}/1` }, { ...FAILURE, check });
      expect(receiver.json).toMatchObject({ text: expect.stringContaining('has failed') });
      expect((receiver.json as { text: string }).text).not.toContain(name);
    },
  );

  test('an app writes to each of its channels, and hears of a refusal with status 200', async () => {
    receiver.answer = (response, { body }) =>
      response.end(
        JSON.stringify(
          body.includes('"#gone"') ? { ok: false, error: 'not_in_channel' } : { ok: true },
        ),
      );
    expect((await send('SLACK_APP', { slackChannels: ['#a', '#b'] })).outcome).toBe('SUCCESS');
    expect(receiver.requests.map(({ url }) => url)).toEqual(Array(2).fill('/api/chat.postMessage'));
    expect(receiver.last.headers.authorization).toBe('Bearer xoxb-1');
    const refused = await send('SLACK_APP', { slackChannels: ['#a', '#gone'] });
    expect(refused).toMatchObject({
      outcome: 'FAILURE',
      permanent: true,
      answer: 'not_in_channel',
    });
    // One that may yet be reached has all tried again, although another never will be.
    receiver.answer = (response, { body }) => {
      const error = body.includes('"#gone"') ? 'channel_not_found' : 'internal_error';
      response.end(JSON.stringify({ ok: false, error }));
    };
    expect(await send('SLACK_APP', { slackChannels: ['#gone', '#a'] })).toMatchObject({
      outcome: 'FAILURE',
      permanent: false,
      answer: 'internal_error',
    });
    expect(refused.detail).toMatch(/^HTTP 200 in \d+ ms: Slack refused$/);
  });
});

describe('PagerDuty', () => {
  const config = { serviceKey: 'k3y' };

  test('has an incident for each check', async () => {
    await send('PAGERDUTY', config);
    expect(receiver.last.url).toBe('/v2/enqueue');
    expect(receiver.json).toEqual({
      routing_key: 'k3y',
      event_action: 'trigger',
      dedup_key: `watchpost-check-${CHECK_ID}`,
      client: 'Watchpost',
      payload: {
        summary: TITLE,
        source: 'Shop "A&B" <eu>',
        severity: 'critical',
        timestamp: '2026-01-15T12:00:00.000Z',
        custom_details: expect.objectContaining({ Assertion: 'status: wanted 200, got 503' }),
      },
      links: [{ href: LINK, text: 'Result' }],
    });
  });

  test('resolves it on recovery', async () => {
    await send('PAGERDUTY', config, RECOVERY);
    expect(receiver.json).toEqual({
      routing_key: 'k3y',
      event_action: 'resolve',
      dedup_key: `watchpost-check-${CHECK_ID}`,
    });
  });

  test.each([
    [SSL, `watchpost-certificate-${CHECK_ID}`, 'warning'],
    [DIGEST, 'watchpost-storm-1', 'critical'],
    [BLIND, 'watchpost-own-blind', 'warning'],
  ])('%#: other notices have keys of their own', async (notice, dedup_key, severity) => {
    await send('PAGERDUTY', config, notice);
    expect(receiver.json).toMatchObject({ dedup_key, payload: { severity } });
  });

  test.each([
    [{ ...DIGEST, direction: 'recovered' as const }],
    [
      {
        kind: 'closing' as const,
        incident: 'watchpost-storm-1',
        startedAt: FAILURE.startedAt,
        link: null,
      },
    ],
  ])('%#: what closes an incident names it', async (notice) => {
    await send('PAGERDUTY', config, notice);
    expect(receiver.json).toEqual({
      routing_key: 'k3y',
      event_action: 'resolve',
      dedup_key: 'watchpost-storm-1',
    });
  });

  test('a recovery that ends no incident sends nothing', async () => {
    const notice = { ...DIGEST, direction: 'recovered' as const, incident: null };
    for (const type of ['PAGERDUTY', 'OPSGENIE'] as const) {
      const delivery = await send(type, { ...config, name: 'ops', apiKey: 'g3nie' }, notice);
      expect(delivery).toMatchObject({ outcome: 'SUCCESS', isUnsent: true });
    }
    expect(receiver.requests).toEqual([]);
  });
});

describe('Opsgenie', () => {
  const config = { name: 'ops', apiKey: 'g3nie', region: 'EU', priority: 'P1' };

  test('has an alert for each check', async () => {
    await send('OPSGENIE', config);
    expect(receiver.last.url).toBe('/eu/v2/alerts');
    expect(receiver.last.headers.authorization).toBe('GenieKey g3nie');
    expect(receiver.json).toMatchObject({
      message: TITLE,
      alias: `watchpost-check-${CHECK_ID}`,
      source: 'Watchpost',
      priority: 'P1',
      tags: ['team:ops', 'prod'],
      details: { Location: 'Ireland' },
      description: expect.stringContaining('Assertion: status: wanted 200, got 503'),
    });
  });

  test('closes it on recovery', async () => {
    await send('OPSGENIE', { ...config, region: 'US' }, RECOVERY);
    expect(receiver.last.url).toBe(
      `/us/v2/alerts/watchpost-check-${CHECK_ID}/close?identifierType=alias`,
    );
    expect(receiver.json).toMatchObject({
      note: expect.stringContaining('Was down for: 1 h 2 min'),
    });
  });

  test('what it says of a refusal is kept, and trying again is no use', async () => {
    receiver.answer = (response) => response.writeHead(422).end('{"message":"key g3nie is wrong"}');
    expect(await send('OPSGENIE', config)).toMatchObject({
      outcome: 'FAILURE',
      permanent: true,
      answer: '{"message":"key *** is wrong"}',
    });
  });
});

describe('phones', () => {
  test('a text message is short and has its link', async () => {
    await send('SMS', { number: '+4915112345678' });
    const { url, headers, body } = receiver.last;
    expect(url).toBe('/2010-04-01/Accounts/AC1/Messages.json');
    expect(headers.authorization).toBe(`Basic ${Buffer.from('AC1:t0ken').toString('base64')}`);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      To: '+4915112345678',
      From: '+15550001111',
      Body: `${TITLE}. Target: https://shop.example.com/health. Assertion: status: wanted 200, got 503. ${LINK}`,
    });
  });

  test('a call reads the message out, and nothing of a name is an instruction', async () => {
    await send('CALL', { number: '+4915112345678' });
    expect(receiver.last.url).toBe('/2010-04-01/Accounts/AC1/Calls.json');
    expect(new URLSearchParams(receiver.last.body).get('Twiml')).toBe(
      '<Response><Say loop="2">Watchpost. &quot;Shop &quot;A&amp;B&quot; &lt;eu&gt;&quot; has failed. Target: https://shop.example.com/health. Assertion: status: wanted 200, got 503.</Say></Response>',
    );
  });

  test('an endless name leaves room for the link', async () => {
    const check = { ...FAILURE.check, name: 'n'.repeat(500) };
    await send('SMS', { number: '+4915112345678' }, { ...FAILURE, check });
    const text = new URLSearchParams(receiver.last.body).get('Body') ?? '';
    expect(text).toHaveLength(300);
    expect(text.endsWith(LINK)).toBe(true);
  });
});

test('the desktop shows a notification', async () => {
  const shown: unknown[] = [];
  const desktop = { show: async (notification: object) => void shown.push(notification) };
  const delivery = await sendNotice(makeChannel('DESKTOP', {}), FAILURE, testPorts({ desktop }));
  expect(delivery).toMatchObject({ outcome: 'SUCCESS', detail: 'Shown' });
  expect(shown).toEqual([
    { title: TITLE, body: expect.stringContaining('Location: Ireland'), link: LINK },
  ]);
});

describe('what is not there is refused when a channel is saved, and a failure when it is sent', () => {
  test.each<[ChannelType, object, string]>([
    [
      'SMS',
      { number: '+4915112345678' },
      'SMS needs a gateway: set WATCHPOST_TWILIO_ACCOUNT_SID, WATCHPOST_TWILIO_TOKEN and WATCHPOST_TWILIO_FROM',
    ],
    [
      'CALL',
      { number: '+4915112345678' },
      'CALL needs a gateway: set WATCHPOST_TWILIO_ACCOUNT_SID, WATCHPOST_TWILIO_TOKEN and WATCHPOST_TWILIO_FROM',
    ],
    [
      'SLACK_APP',
      { slackChannels: ['#a'] },
      'SLACK_APP needs the token of a Slack app: set WATCHPOST_SLACK_TOKEN',
    ],
    ['DESKTOP', {}, 'DESKTOP needs the desktop app: Watchpost runs without one here'],
  ])('%s', async (type, config, message) => {
    const channel = makeChannel(type, config);
    expect(await channelProblems(channel, testPorts())).toEqual([{ path: 'type', message }]);
    expect(await sendNotice(channel, FAILURE, testPorts())).toMatchObject({
      outcome: 'FAILURE',
      permanent: true,
    });
  });
});

describe('an address that nothing may be sent to is refused when a channel is saved', () => {
  const egress = testEgress([], { 'inside.test': ['10.0.0.1'], 'outside.test': ['93.184.216.34'] });
  const problems = (type: ChannelType, config: object) =>
    channelProblems(makeChannel(type, config), testPorts({ egress }));
  const webhook = (url: string) => problems('WEBHOOK', { name: 'w', url });

  test.each([
    'http://10.0.0.1/',
    'http://inside.test/{{CHECK_NAME}}',
    'https://inside.test:8443/?x={{{CHECK_ID}}}',
    'http://0x7f.1/',
  ])('%s', async (url) => {
    expect(await webhook(url)).toEqual([
      {
        path: 'config.url',
        message: expect.stringMatching(/^expected a public address: .* is not a public address/),
      },
    ]);
    expect(await problems('SLACK', { url })).toHaveLength(1);
  });

  test('one that is public, unknown as yet, or made by a template is not', async () => {
    expect(await webhook('https://outside.test/a')).toEqual([]);
    expect(await webhook('https://not-yet.test/a')).toEqual([]);
    expect(await webhook('https://{{REGION}}.example.com/a')).toEqual([]);
  });
});

test('templates that are none, and parameters that a service needs, are refused together', async () => {
  const channel = makeChannel('WEBHOOK', {
    name: 'w',
    url: `${receiver.url}/{{#if X}}`,
    headers: [{ key: 'x', value: '{{nothing "x"}}' }],
    queryParameters: [{ key: 'q', value: '{{' }],
    webhookType: 'WEBHOOK_PUSHOVER',
  });
  expect(
    (await channelProblems(channel, testPorts())).map(({ path, message }) => `${path}: ${message}`),
  ).toEqual([
    expect.stringMatching(
      /^config\.url: expected a template: this block has no end \(line 1, column \d+\)$/,
    ),
    'config.headers.0.value: expected a template: no helper is called "nothing" (line 1, column 3)',
    'config.queryParameters.0.value: expected a template: this is no tag of a template (line 1, column 3)',
    'config.queryParameters: expected "token", which WEBHOOK_PUSHOVER needs without a template',
    'config.queryParameters: expected "user", which WEBHOOK_PUSHOVER needs without a template',
  ]);
});
