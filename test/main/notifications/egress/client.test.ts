import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EgressClient } from '#main/notifications/egress/client.ts';
import { systemResolver } from '#main/notifications/egress/resolver.ts';
import { createAuthority } from '../../../fixtures/net/certificates.ts';
import { startServer } from '../../../fixtures/net/servers.ts';
import { Receiver } from '../../../fixtures/receiver.ts';
import { testEgress } from '../../../fixtures/send-ports.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = (response) => response.end();
});
afterAll(() => receiver[Symbol.asyncDispose]());

const get = (client: EgressClient, url: string, timeoutMs = 5_000) =>
  client.send({ method: 'GET', url, timeoutMs });

describe('private addresses are denied, however they are written ', () => {
  test.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://0x7f.0.0.0x1',
    'http://127.0.0.1.',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[64:ff9b::127.0.0.1]',
    'http://0.0.0.0',
    'http://[::]',
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://①②⑦.⓪.⓪.①',
    'http://localhost',
    'http://LOCALHOST.',
    'http://x.localhost',
  ])('%s', async (origin) => {
    const client = new EgressClient({ allowPrivate: [], resolve: systemResolver() });
    const outcome = await get(client, `${origin}:${receiver.port}/`);
    expect(outcome).toMatchObject({ failure: 'DENIED_ADDRESS' });
    expect(receiver.requests).toEqual([]);
  });
});

describe('what is no URL to send to is refused', () => {
  test.each([
    ['http://user:pass@127.0.0.1/', 'it holds a user name or password'],
    ['http://user@127.0.0.1/', 'it holds a user name or password'],
    ['http://example.com:80@127.0.0.1/', 'it holds a user name or password'],
    ['file:///etc/passwd', 'it is not http or https'],
    ['ftp://127.0.0.1/', 'it is not http or https'],
    ['gopher://127.0.0.1/', 'it is not http or https'],
    ['http://', 'it is not a URL'],
    ['http://256.1.1.1/', 'it is not a URL'],
  ])('%s', async (url, why) => {
    expect(await get(testEgress(), url)).toMatchObject({
      failure: 'INVALID_URL',
      message: `The URL cannot be sent to: ${why}`,
    });
  });
});

test('a name is resolved once, and what was looked at is what is connected to', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1']];
  const asked: string[] = [];
  const client = new EgressClient({
    allowPrivate: ['127.0.0.0/8'],
    resolve: async (host) => {
      asked.push(host);
      return answers.shift() ?? [];
    },
  });
  expect(await get(client, `http://rebinding.test:${receiver.port}/`)).toMatchObject({
    status: 200,
  });
  expect(asked).toEqual(['rebinding.test']);
  expect(receiver.last.headers.host).toBe(`rebinding.test:${receiver.port}`);
  // The second answer leads inside: another request looks again.
  const second = await get(client, `http://rebinding.test:${receiver.port}/`);
  expect(second).toMatchObject({ failure: 'DENIED_ADDRESS' });
  expect(receiver.requests).toHaveLength(1);
});

test('one private address among public ones denies the name', async () => {
  const client = testEgress([], { 'mixed.test': ['93.184.216.34', '192.168.0.1'] });
  expect(await get(client, 'http://mixed.test/')).toMatchObject({
    failure: 'DENIED_ADDRESS',
    message: expect.stringContaining('mixed.test (192.168.0.1) is not a public address (private)'),
  });
});

test('the next address is taken where the first does not answer', async () => {
  const client = testEgress(true, { 'two.test': ['127.0.0.2', '127.0.0.1'] });
  expect(await get(client, `http://two.test:${receiver.port}/`)).toMatchObject({ status: 200 });
});

test('redirects are not followed', async () => {
  receiver.answer = (response) =>
    response.writeHead(302, { location: `${receiver.url}/inside` }).end();
  expect(await get(testEgress(), receiver.url)).toMatchObject({ status: 302 });
  expect(receiver.requests).toHaveLength(1);
});

test('a request arrives as it is given, on a connection of its own', async () => {
  const request = {
    method: 'PUT',
    url: `${receiver.url}/a?b=c`,
    headers: { 'x-one': '1' },
    body: 'é',
    timeoutMs: 5_000,
  };
  expect(await testEgress().send(request)).toMatchObject({ status: 200, body: '' });
  expect(receiver.last).toMatchObject({ method: 'PUT', url: '/a?b=c', body: 'é' });
  expect(receiver.last.headers).toMatchObject({
    'x-one': '1',
    'content-length': '2',
    connection: 'close',
  });
});

test('no connection stays open after an answer, also where the receiver would keep it', async () => {
  const closed: Promise<unknown>[] = [];
  receiver.answer = (response) => {
    if (response.socket) closed.push(once(response.socket, 'close'));
    response.shouldKeepAlive = true;
    response.setHeader('connection', 'keep-alive');
    response.end('ok');
  };
  expect(await get(testEgress(), receiver.url)).toMatchObject({ status: 200, body: 'ok' });
  expect(closed).toHaveLength(1);
  await Promise.all(closed);
});

test('headers that belong to the connection do not keep a request from leaving', async () => {
  const headers = { 'keep-alive': 'timeout=5', expect: '100-continue', 'x-one': '1' };
  const request = { method: 'POST', url: receiver.url, headers, body: '{}', timeoutMs: 5_000 };
  expect(await testEgress().send(request)).toMatchObject({ status: 200 });
  expect(receiver.last.headers).toMatchObject({ 'x-one': '1' });
});

test('a receiver that closes the connection without an answer, or after half of one, is a value', async () => {
  const answered = async (answer: string) => {
    await using server = await startServer((socket) =>
      socket.once('data', () => socket.end(answer)),
    );
    return await get(testEgress(), `http://${server.authority}/`);
  };
  expect(await answered('')).toMatchObject({
    failure: 'CONNECTION_FAILED',
    message: expect.stringMatching(/failed \(ECONNRESET\)$/),
  });
  expect(await answered('HTTP/1.1 200 O')).toMatchObject({ failure: 'INVALID_RESPONSE' });
  const long = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`;
  expect(await answered(long)).toMatchObject({ failure: 'INVALID_RESPONSE' });
});

test('no more than 64 KB of an answer are read', async () => {
  receiver.answer = (response) => {
    response.on('error', () => response.destroy());
    const more = () => {
      while (response.write('x'.repeat(16_384)));
      response.once('drain', more);
    };
    more();
  };
  const outcome = await get(testEgress(), receiver.url);
  expect(outcome).toMatchObject({ status: 200, body: 'x'.repeat(65_536) });
});

describe('of an answer whose body breaks off the status counts, and what came', () => {
  test.each([
    // Its head has to come within the time that it is waited for.
    ['it never ends', 3_000, () => undefined],
    ['the connection is reset', 30_000, (socket: Socket) => socket.resetAndDestroy()],
    ['the connection is closed', 30_000, (socket: Socket) => socket.end()],
  ])('%s', async (_name, timeoutMs, breakOff) => {
    receiver.answer = (response) => {
      const { socket } = response;
      response.writeHead(200, { 'content-length': '10' });
      response.write('x', () => socket && breakOff(socket));
    };
    expect(await get(testEgress(), receiver.url, timeoutMs)).toMatchObject({
      status: 200,
      body: 'x',
    });
  });
});

test('Retry-After is told in milliseconds, and no longer than an hour', async () => {
  const asked = async (value: string) => {
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': value }).end();
    return get(testEgress(), receiver.url);
  };
  expect(await asked('7')).toMatchObject({ status: 429, retryAfterMs: 7_000 });
  expect(await asked('999999')).toMatchObject({ retryAfterMs: 3_600_000 });
  expect(await asked('Wed, 21 Oct 2026 07:28:00 GMT')).not.toHaveProperty('retryAfterMs');
});

describe('what is down is a value with its cause', () => {
  test('nobody listens', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const outcome = await get(testEgress(), `http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({
      failure: 'CONNECTION_FAILED',
      message: `The connection to 127.0.0.1:${port} failed (ECONNREFUSED)`,
    });
  });

  test('nobody answers', async () => {
    receiver.answer = () => undefined;
    expect(await get(testEgress(), receiver.url, 50)).toMatchObject({ failure: 'TIMEOUT' });
  });

  test('another protocol is switched to', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
    await using server = await startServer((socket) =>
      socket.once('data', () => socket.write(head)),
    );
    expect(await get(testEgress(), `http://${server.authority}/`)).toMatchObject({
      failure: 'INVALID_RESPONSE',
      message: expect.stringContaining('answers in another protocol'),
    });
  });

  test('what answers speaks no HTTP, or no TLS', async () => {
    const server = createTcpServer((socket) => socket.end('220 mail.test ESMTP\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const plain = await get(testEgress(), `http://127.0.0.1:${port}/`);
    const secure = await get(testEgress(), `https://127.0.0.1:${port}/`);
    server.close();
    expect([plain.failure, secure.failure]).toEqual(['INVALID_RESPONSE', 'TLS_FAILURE']);
  });

  test('a certificate that nobody trusts', async () => {
    const authority = await createAuthority();
    const tls = await authority.issue([{ type: 'ip', value: '127.0.0.1' }]);
    await using server = await startServer((socket) => socket.end(), { tls });
    const outcome = await get(testEgress(), `https://${server.authority}/`);
    expect(outcome).toMatchObject({
      failure: 'TLS_FAILURE',
      message: expect.stringMatching(/^No secure connection to 127\.0\.0\.1:\d+ \(UNABLE_TO_/),
    });
  });

  test('the name has no address, and names are cancelled at the deadline', async () => {
    expect(await get(testEgress(), 'http://nobody.test/')).toMatchObject({
      failure: 'DNS_FAILURE',
    });
    const slow = new EgressClient({
      allowPrivate: [],
      resolve: (_host, signal) =>
        new Promise((_resolve, reject) => {
          const stop = () => reject(Object.assign(new Error('stopped'), { code: 'ECANCELLED' }));
          signal.addEventListener('abort', stop);
        }),
    });
    expect(await get(slow, 'http://slow.test/', 20)).toMatchObject({ failure: 'TIMEOUT' });
  });
});
