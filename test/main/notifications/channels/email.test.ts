import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SendPorts, SmtpServer } from '#main/notifications/channels/sender.ts';
import { channelProblems, sendNotice } from '#main/notifications/channels/senders.ts';
import { startServer } from '../../../fixtures/net/servers.ts';
import { FAILURE, LINK, makeChannel, RECOVERY } from '../../../fixtures/notification-contents.ts';
import { testEgress, testPorts } from '../../../fixtures/send-ports.ts';
import { SmtpSink } from '../../../fixtures/smtp-sink.ts';

let sink: SmtpSink;
beforeAll(async () => {
  sink = await SmtpSink.start();
});
beforeEach(() => {
  sink.mails.length = 0;
  sink.reply = '250 OK';
});
afterAll(() => sink[Symbol.asyncDispose]());

const channel = makeChannel('EMAIL', { address: 'ops@example.com' });
const ports = (server: Partial<SmtpServer> = {}, others: Partial<SendPorts> = {}) =>
  testPorts({
    smtp: {
      host: '127.0.0.1',
      port: sink.port,
      user: null,
      password: null,
      from: 'Watchpost <watchpost@example.com>',
      secure: false,
      ...server,
    },
    ...others,
  });

const decodeQ = (text: string) =>
  text.replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The subject of a mail, its encoded words decoded (RFC 2047). */
function subjectOf(headers: string): string {
  const [, lines = ''] = /^Subject: (.*(?:\n[ \t].*)*)/m.exec(headers) ?? [];
  const words = [...lines.matchAll(/=\?UTF-8\?Q\?(.*?)\?=/g)].map(([, word = '']) => word);
  return decodeQ(words.join('').replaceAll('_', ' '));
}

/** The parts of a mail, decoded. */
function partsOf(source: string): { headers: string; text: string; html: string } {
  const [headers = ''] = source.split('\n\n');
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1] ?? '';
  const [, text = '', html = ''] = source.split(`--${boundary}`).map((part) => {
    const [head = '', ...body] = part.trim().split('\n\n');
    const joined = body.join('\n\n');
    if (/base64/i.test(head)) return Buffer.from(joined, 'base64').toString('utf8');
    const bytes = decodeQ(joined.replace(/=\n/g, ''));
    return /quoted-printable/i.test(head) ? Buffer.from(bytes, 'latin1').toString('utf8') : joined;
  });
  return { headers, text, html };
}

test('a mail has the message as text and as escaped HTML', async () => {
  const before = sink.connections;
  const delivery = await sendNotice(channel, FAILURE, ports());
  expect(delivery).toMatchObject({
    outcome: 'SUCCESS',
    detail: expect.stringMatching(/^Taken by the mail server in \d+ ms$/),
  });
  expect(sink.connections).toBe(before + 1);
  const [mail] = sink.mails;
  expect(mail).toMatchObject({ from: 'watchpost@example.com', to: 'ops@example.com' });
  const { headers, text, html } = partsOf(mail?.source ?? '');
  expect(subjectOf(headers)).toBe('"Shop "A&B" <eu>" has failed');
  expect(headers).toMatch(/^auto-submitted: auto-generated$/im);
  expect(text).toContain('Assertion: status: wanted 200, got 503');
  expect(text).toContain(`Result: ${LINK}`);
  expect(html).toContain('&quot;Shop &quot;A&amp;B&quot; &lt;eu&gt;&quot; has failed</h1>');
  expect(html).toContain(`<a href="${LINK}">`);
  expect(html).not.toContain('<eu>');
});

test('a recovery says how long it was down', async () => {
  await sendNotice(channel, RECOVERY, ports());
  expect(partsOf(sink.mails[0]?.source ?? '').text).toContain('Was down for: 1 h 2 min');
});

test('a name with line breaks makes no header and no recipient', async () => {
  const check = { ...FAILURE.check, name: 'a\r\nBcc: evil@example.com\r\n\r\nhello' };
  await sendNotice(channel, { ...FAILURE, check }, ports());
  expect(sink.mails).toHaveLength(1);
  const { headers } = partsOf(sink.mails[0]?.source ?? '');
  expect(headers).not.toMatch(/^bcc:/im);
  expect(subjectOf(headers)).toBe('"a Bcc: evil@example.com hello" has failed');
});

test.each([
  ['550 no such user', true],
  ['451 try later', false],
])('a recipient answered with %s', async (reply, permanent) => {
  sink.reply = reply;
  const delivery = await sendNotice(channel, FAILURE, ports());
  expect(delivery).toMatchObject({
    outcome: 'FAILURE',
    permanent,
    detail: `The mail server did not take it (EENVELOPE, reply ${reply.slice(0, 3)})`,
    answer: null,
  });
});

test('a password is never sent without TLS', async () => {
  const delivery = await sendNotice(channel, FAILURE, ports({ user: 'me', password: 's3cret' }));
  expect(delivery).toMatchObject({
    outcome: 'FAILURE',
    detail: expect.stringContaining('did not take it'),
  });
  expect(sink.mails).toEqual([]);
});

test('a server that does not answer is refused when the channel is saved', async () => {
  expect(await channelProblems(channel, ports())).toEqual([]);
  const closed = await SmtpSink.start();
  const { port } = closed;
  await closed[Symbol.asyncDispose]();
  expect(await channelProblems(channel, ports({ port }))).toEqual([
    { path: 'type', message: expect.stringContaining('The mail server did not take it') },
  ]);
  expect(await sendNotice(channel, FAILURE, ports({ port }))).toMatchObject({
    outcome: 'FAILURE',
    permanent: false,
  });
});

test('a server that lets its answer drip is left at the deadline', {
  timeout: 20_000,
}, async () => {
  const left = Promise.withResolvers<void>();
  await using server = await startServer((socket) => {
    socket.write('220 drip.test\r\n');
    const dripping = setInterval(() => socket.write('250-drip.test\r\n'), 500);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearInterval(dripping);
      left.resolve();
    });
  });
  const { port } = new URL(`http://${server.authority}`);
  expect(await channelProblems(channel, ports({ port: Number(port) }))).toEqual([
    { path: 'type', message: 'The mail server took too long' },
  ]);
  await left.promise;
});

test('the mail server is looked at as every other receiver is', async () => {
  const others = { egress: testEgress([], { 'mail.test': ['192.168.0.1'] }) };
  const server = { host: 'mail.test' };
  const denied = /^DENIED_ADDRESS: mail\.test \(192\.168\.0\.1\) is not a public address/;
  expect(await sendNotice(channel, FAILURE, ports(server, others))).toMatchObject({
    outcome: 'FAILURE',
    permanent: true,
    detail: expect.stringMatching(denied),
  });
  expect(await channelProblems(channel, ports(server, others))).toEqual([
    { path: 'type', message: expect.stringMatching(denied) },
  ]);
});

test('without a server a channel can be saved, and each send says why it fails', async () => {
  expect(await channelProblems(channel, testPorts())).toEqual([]);
  expect(await sendNotice(channel, FAILURE, testPorts())).toMatchObject({
    outcome: 'FAILURE',
    permanent: true,
    detail: 'No mail server is set: see WATCHPOST_SMTP_HOST',
  });
});
