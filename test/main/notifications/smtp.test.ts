import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { sendMail, verifyMailServer } from '#main/notifications/smtp.ts';
import { startServer } from '../../fixtures/net/servers.ts';
import { testPorts } from '../../fixtures/send-ports.ts';
import { SmtpSink } from '../../fixtures/smtp-sink.ts';

const MAIL = {
  to: 'reader@example.com',
  subject: 'Grüße',
  text: 'Hello',
  html: '<p>Hello</p>',
  headers: { 'message-id': '<one@example.com>', 'x-list': 'a' },
};

const portsTo = (port: number) =>
  testPorts({
    smtp: { host: '127.0.0.1', port, user: null, password: null, from: 'us@test', secure: false },
  });

test('a mail goes out with its headers', async () => {
  await using sink = await SmtpSink.start();
  expect(await sendMail(MAIL, portsTo(sink.port))).toMatchObject({
    outcome: 'SUCCESS',
    isServerDown: false,
  });
  expect(sink.mails).toMatchObject([{ from: 'us@test', to: 'reader@example.com' }]);
  const [{ source } = { source: '' }] = sink.mails;
  expect(source).toMatch(/^Message-ID: <one@example\.com>$/im);
  expect(source).toMatch(/^x-list: a$/im);
});

test('an address that the server does not take leaves the server up', async () => {
  await using sink = await SmtpSink.start();
  for (const [reply, permanent] of [
    ['550 nobody', true],
    ['450 later', false],
  ] as const) {
    sink.reply = reply;
    const delivery = await sendMail(MAIL, portsTo(sink.port));
    expect(delivery).toMatchObject({ outcome: 'FAILURE', permanent, isServerDown: false });
  }
});

test('an address that is none leaves the server up', async () => {
  await using sink = await SmtpSink.start();
  expect(await sendMail({ ...MAIL, to: '' }, portsTo(sink.port))).toMatchObject({
    outcome: 'FAILURE',
    permanent: true,
    isServerDown: false,
  });
});

test.each<[string, boolean, (socket: Socket) => void]>([
  ['refuses at the greeting is down', true, (socket) => socket.end('421 too busy\r\n')],
  ['says nothing and closes is down', true, (socket) => socket.end()],
  [
    'refuses the sender is down',
    true,
    (socket) => {
      socket.write('220 test\r\n');
      socket.on('data', (line) =>
        socket.write(String(line).startsWith('EHLO') ? '250 test\r\n' : '550 not you\r\n'),
      );
    },
  ],
  [
    'breaks off at the recipient is up',
    false,
    (socket) => {
      socket.write('220 test\r\n');
      socket.on('data', (line) =>
        String(line).startsWith('RCPT') ? socket.destroy() : socket.write('250 ok\r\n'),
      );
    },
  ],
])('a server that %s', async (_, isServerDown, serve) => {
  await using server = await startServer((socket) => {
    socket.on('error', () => socket.destroy());
    serve(socket);
  });
  const delivery = await sendMail(MAIL, portsTo(server.port));
  expect(delivery).toMatchObject({ outcome: 'FAILURE', isServerDown });
});

test('a port that is closed, and no server at all, are down', async () => {
  const sink = await SmtpSink.start();
  const { port } = sink;
  await sink[Symbol.asyncDispose]();
  const down = { outcome: 'FAILURE', isServerDown: true };
  expect(await sendMail(MAIL, portsTo(port))).toMatchObject(down);
  expect(await sendMail(MAIL, testPorts())).toMatchObject({ ...down, permanent: true });
  expect(await verifyMailServer(testPorts())).toMatchObject(down);
});
