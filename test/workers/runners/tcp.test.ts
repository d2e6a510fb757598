import { describe, expect, test } from 'vitest';
import { startNameServer } from '../../fixtures/dns/server.ts';
import { runTcpCheck } from '../../fixtures/net/runs.ts';
import { freePort, startFullServer, startServer } from '../../fixtures/net/servers.ts';

/** Long enough to reach any phase on a busy machine; those who wait for it do so side by side. */
const TIME_MS = 1_500;

const expectData = (comparison: string, target: string) => [
  { source: 'RESPONSE_DATA', comparison, target },
];

describe('a TCP check', () => {
  test('passes once connected, and asks for nothing more', async () => {
    await using server = await startServer(() => undefined);
    const result = await runTcpCheck({ hostname: '127.0.0.1', port: server.port });
    expect(result).toMatchObject({ failure: null, hasFailures: false, statusCode: null });
    expect(result.tcp).toMatchObject({
      request: { hostname: '127.0.0.1', port: server.port, data: null, ipFamily: 'IPv4' },
      response: { data: '' },
      requestError: null,
    });
    expect(result.metrics).toEqual(result.tcp.timingPhases);
    expect(result.responseTime).toBe(result.metrics.connection);
    expect(result.metrics.data).toBe(0);
    expect(server.connections).toBe(1);
  });

  test('hides the secrets in its reach, in assertions, messages and the reply', async () => {
    await using server = await startServer((socket) => socket.end('hello s3cret-word'));
    const request = { hostname: '127.0.0.1', port: server.port };
    const assertions = expectData('EQUALS', 'x');
    const scope = { secrets: ['s3cret-word'] };
    const result = await runTcpCheck({ ...request, assertions }, { scope });
    expect(result.tcp.response.data).toBe('hello ***');
    expect(result.failure?.message).toContain('hello ***');
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  test.each([
    ['127.0.0.1', 'IPv4'],
    ['localhost', 'IPv4'],
    ['::1', 'IPv6'],
    ['[::1]', 'IPv6'],
    ['localhost', 'IPv6'],
  ])('reaches %s over %s', async (hostname, ipFamily) => {
    const host = ipFamily === 'IPv6' ? '::1' : '127.0.0.1';
    await using server = await startServer(() => undefined, { host });
    const result = await runTcpCheck({ hostname, port: server.port, ipFamily });
    expect(result.failure).toBeNull();
  });

  test('sends its data and reads the reply until the peer closes', async () => {
    await using server = await startServer((socket) => {
      socket.on('data', (bytes) => socket.end(`got ${bytes}`));
    });
    const assertions = expectData('EQUALS', 'got püng');
    const request = { hostname: '127.0.0.1', port: server.port, data: 'püng', assertions };
    const result = await runTcpCheck(request);
    expect(result).toMatchObject({ failure: null, tcp: { response: { data: 'got püng' } } });
    expect(result.metrics.data).toBeGreaterThan(0);
    const { dns = 0, connection = 0, data = 0, total } = result.metrics;
    expect(dns + connection + data).toBeCloseTo(total ?? 0, 2);
  });

  test('takes a reply for complete when the peer falls silent', async () => {
    await using server = await startServer((socket) => {
      socket.on('data', () => socket.write('+PONG\r\n'));
    });
    const result = await runTcpCheck({
      hostname: '127.0.0.1',
      port: server.port,
      data: 'PING\r\n',
    });
    expect(result.tcp.response.data).toBe('+PONG\r\n');
    expect(result.stoppedAt - result.startedAt - (result.metrics.data ?? 0)).toBeGreaterThan(190);
  });

  test('waits for more while the peer has not fallen silent', async () => {
    await using server = await startServer((socket) => {
      const drip = (left: number) => {
        socket.write('.');
        if (left > 1) setTimeout(drip, 40, left - 1);
      };
      socket.once('data', () => drip(8));
    });
    const result = await runTcpCheck({ hostname: '127.0.0.1', port: server.port, data: 'go' });
    expect(result.tcp.response.data).toBe('........');
  });

  test('reads a greeting where an assertion asks for it', async () => {
    await using server = await startServer((socket) => socket.write('220 mail.test ESMTP\r\n'));
    const assertions = expectData('CONTAINS', 'ESMTP');
    const result = await runTcpCheck({ hostname: '127.0.0.1', port: server.port, assertions });
    expect(result).toMatchObject({ failure: null, hasFailures: false });
    const wrong = expectData('CONTAINS', 'IMAP');
    const failing = await runTcpCheck({
      hostname: '127.0.0.1',
      port: server.port,
      assertions: wrong,
    });
    expect(failing.failure?.cause).toBe('ASSERTION');
    expect(failing.tcp.assertions[0]).toMatchObject({ actual: '220 mail.test ESMTP\r\n' });
  });

  test('reads 64 KiB and no more', async () => {
    await using server = await startServer((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write('x'.repeat(16_384)));
      };
      socket.on('drain', more);
      more();
    });
    const result = await runTcpCheck({ hostname: '127.0.0.1', port: server.port, data: 'go' });
    expect(result.failure).toBeNull();
    expect(result.tcp.response.data).toBe('x'.repeat(65_536));
  });

  test('lets a reply stand that ends in a reset', async () => {
    await using server = await startServer((socket) => {
      const reset = () => socket.resetAndDestroy();
      socket.once('data', () => socket.write('bye', () => setTimeout(reset, 50)));
    });
    const result = await runTcpCheck({ hostname: '127.0.0.1', port: server.port, data: 'QUIT' });
    expect(result).toMatchObject({ failure: null, tcp: { response: { data: 'bye' } } });
  });
});

describe('a TCP check that fails', () => {
  test('shows what the system said of a refused connection', async () => {
    const port = await freePort();
    const result = await runTcpCheck({ hostname: '127.0.0.1', port });
    expect(result).toMatchObject({
      failure: { cause: 'CONNECTION_REFUSED' },
      hasFailures: true,
      hasErrors: false,
    });
    expect(result.failure).not.toHaveProperty('code');
    expect(result.tcp.response).toEqual({
      data: '',
      error: {
        code: 'ECONNREFUSED',
        errno: expect.any(Number),
        syscall: 'connect',
        address: '127.0.0.1',
        port,
      },
    });
  });

  test('passes where it should', async () => {
    const request = { hostname: '127.0.0.1', port: await freePort() };
    const result = await runTcpCheck(request, { check: { shouldFail: true } });
    expect(result).toMatchObject({ hasFailures: false, hasErrors: false });
    expect(result.tcp.requestError).toContain('ECONNREFUSED');
  });

  test('shows what the name servers said', async () => {
    await using names = await startNameServer({});
    const network = { nameServers: [`127.0.0.1:${names.port}`] };
    const result = await runTcpCheck({ hostname: 'no.test', port: 1 }, { network });
    expect(result.failure?.cause).toBe('DNS_FAILURE');
    expect(result.tcp.response.error).toEqual({
      code: 'ENOTFOUND',
      syscall: 'queryA',
      hostname: 'no.test',
    });
  });

  test.each([
    [
      'an address of the other family',
      { hostname: '127.0.0.1', ipFamily: 'IPv6' },
      'ERR_INVALID_IP_ADDRESS',
    ],
    ['a template', { hostname: '{{HOST}}' }, 'ERR_INVALID_HOST_NAME'],
  ])('names %s as an invalid target', async (_what, request, code) => {
    const result = await runTcpCheck({ port: 1, ...request });
    expect(result.failure?.cause).toBe('INVALID_TARGET');
    expect(result.tcp.response.error).toMatchObject({ code });
  });

  test('is not made to a denied range', async () => {
    await using server = await startServer(() => undefined);
    const request = { hostname: '0.0.0.0', port: server.port };
    const result = await runTcpCheck(request, { deniedRanges: ['127.0.0.0/8'] });
    expect(result.failure?.cause).toBe('DENIED_TARGET');
    expect(server.connections).toBe(0);
  });

  test.concurrent('runs out of time while connecting', async () => {
    await using server = await startFullServer();
    const request = { hostname: '127.0.0.1', port: server.port };
    const result = await runTcpCheck(request, { timeoutMs: TIME_MS });
    expect(result.failure?.cause).toBe('TIMEOUT_CONNECT');
    expect(result.tcp.response.error).toMatchObject({
      code: 'SOCKET_TIMEOUT',
      address: '127.0.0.1',
      port: server.port,
    });
  });

  test.concurrent('runs out of time waiting for a reply', async () => {
    await using server = await startServer(() => undefined);
    const request = { hostname: '127.0.0.1', port: server.port, data: 'hello?' };
    const result = await runTcpCheck(request, { timeoutMs: TIME_MS });
    expect(result.failure?.cause).toBe('TIMEOUT_RESPONSE');
    expect(result.tcp.response.error).toMatchObject({ code: 'SOCKET_TIMEOUT' });
  });

  test('is a reset where the peer resets before it answers', async () => {
    await using server = await startServer((socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    const request = { hostname: '127.0.0.1', port: server.port, data: 'hello?' };
    const result = await runTcpCheck(request);
    expect(result.failure).toMatchObject({
      cause: 'CONNECTION_RESET',
      message: `The connection was closed by the other side: 127.0.0.1:${server.port} (ECONNRESET)`,
    });
  });
});
