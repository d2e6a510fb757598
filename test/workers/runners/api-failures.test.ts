import { describe, expect, test } from 'vitest';
import { startNameServer } from '../../fixtures/dns/server.ts';
import { runApiCheck } from '../../fixtures/net/runs.ts';
import {
  freePort,
  type RawAnswer,
  response,
  startFullServer,
  startRawServer,
  startServer,
} from '../../fixtures/net/servers.ts';

describe('an API check of a target that fails', () => {
  test('is a failure of status 0 with the reason, never an exception', async () => {
    const port = await freePort();
    const result = await runApiCheck({ url: `http://127.0.0.1:${port}/x` });
    expect(result).toMatchObject({
      hasFailures: true,
      hasErrors: false,
      statusCode: null,
      failure: {
        cause: 'CONNECTION_REFUSED',
        message: `The connection was refused: 127.0.0.1:${port} (ECONNREFUSED)`,
      },
      api: {
        assertions: [],
        requestError: `The connection was refused: 127.0.0.1:${port} (ECONNREFUSED)`,
        response: { status: 0, statusText: '', body: '', headers: {}, truncated: false },
      },
    });
    expect(result.api.jobLog.request.at(-1)).toMatchObject({
      level: 'ERROR',
      msg: result.failure?.message,
    });
  });

  test('evaluates no assertion', async () => {
    const assertions = [{ source: 'STATUS_CODE', comparison: 'NOT_EQUALS', target: '200' }];
    const url = `http://127.0.0.1:${await freePort()}/`;
    const result = await runApiCheck({ url, assertions });
    expect(result.failure?.cause).toBe('CONNECTION_REFUSED');
    expect(result.api.assertions).toEqual([]);
  });

  test.each<[string, string, RawAnswer | string]>([
    ['CONNECTION_RESET', 'no answer at all', ''],
    ['CONNECTION_RESET', 'half a header', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['CONNECTION_RESET', 'too short a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfour'],
    [
      'CONNECTION_RESET',
      'an unfinished chunked body',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nfour\r\n',
    ],
    ['PROTOCOL_ERROR', 'another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['PROTOCOL_ERROR', 'another version', 'HTTP/3.0 200 OK\r\n\r\n'],
    ['PROTOCOL_ERROR', 'a malformed field', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n'],
    ['PROTOCOL_ERROR', 'a malformed length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    [
      'PROTOCOL_ERROR',
      'two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'PROTOCOL_ERROR',
      'a malformed chunk size',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ],
    [
      'PROTOCOL_ERROR',
      'a broken coding',
      response('not gzip', { 'content-encoding': 'gzip' }).toString('latin1'),
    ],
    ['TOO_LARGE', 'an endless header', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`],
    ['TOO_LARGE', 'an announced giant', 'HTTP/1.1 200 OK\r\ncontent-length: 26214401\r\n\r\n'],
  ])('fails with %s on %s', async (cause, _what, answer) => {
    await using server = await startRawServer(() => answer);
    const result = await runApiCheck({ url: `http://${server.authority}/` });
    expect(result).toMatchObject({ failure: { cause }, hasFailures: true, statusCode: null });
  });

  test('fails with CONNECTION_RESET when the connection is reset', async () => {
    await using server = await startServer((socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    const result = await runApiCheck({ url: `http://${server.authority}/` });
    expect(result.failure?.cause).toBe('CONNECTION_RESET');
  });

  test('fails with TOO_LARGE on a body that never ends', async () => {
    const block = Buffer.alloc(1024 * 1024, 'x');
    await using server = await startServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on('drain', more);
      more();
    });
    const result = await runApiCheck({ url: `http://${server.authority}/` }, { timeoutMs: 25_000 });
    expect(result.failure?.cause).toBe('TOO_LARGE');
  });

  test('fails with DNS_FAILURE and the code on a name that does not exist', async () => {
    await using names = await startNameServer({});
    const network = { nameServers: [`127.0.0.1:${names.port}`] };
    const result = await runApiCheck({ url: 'http://nowhere.test/' }, { network });
    expect(result.failure).toEqual({
      cause: 'DNS_FAILURE',
      message: 'The name nowhere.test does not resolve to an IPv4 address (ENOTFOUND)',
    });
  });

  test('resolves names through the name servers', async () => {
    await using server = await startRawServer(() => response('found'));
    await using names = await startNameServer({
      'somewhere.test': {
        kind: 'answer',
        answers: [{ type: 'A', name: 'somewhere.test', ttl: 1, data: '127.0.0.1' }],
      },
    });
    const network = { nameServers: [`127.0.0.1:${names.port}`] };
    const result = await runApiCheck({ url: `http://somewhere.test:${server.port}/` }, { network });
    expect(result.api.response.body).toBe('found');
    expect(server.requests[0]?.headers.host).toBe(`somewhere.test:${server.port}`);
    expect(result.metrics.dns).toBeGreaterThan(0);
  });

  test('fails with our own fault, not the target’s, where the machine cannot dial', async () => {
    const { socketFailure } = await import('#workers/net/failure.ts');
    expect(socketFailure(Object.assign(new Error(), { code: 'EMFILE' }), 'x').cause).toBe(
      'INTERNAL',
    );
  });
});

/** Long enough to reach any phase on a busy machine; those who wait for it do so side by side. */
const TIME_MS = 1_500;

describe.concurrent('an API check that runs out of time', () => {
  test('names the lookup', async () => {
    await using names = await startNameServer({ 'slow.test': { kind: 'drop' } });
    const network = { nameServers: [`127.0.0.1:${names.port}`] };
    const result = await runApiCheck({ url: 'http://slow.test/' }, { network, timeoutMs: TIME_MS });
    expect(result.failure).toEqual({
      cause: 'TIMEOUT_DNS',
      message: expect.stringMatching(/^Timed out after \d+ ms while resolving the name$/),
    });
    expect(result.metrics.dns).toBeGreaterThan(40);
    expect(result.metrics.tcp).toBe(0);
  });

  test('names the connection', async () => {
    await using server = await startFullServer();
    const url = `http://127.0.0.1:${server.port}/`;
    const result = await runApiCheck({ url }, { timeoutMs: TIME_MS });
    expect(result.failure?.cause).toBe('TIMEOUT_CONNECT');
    expect(result.metrics.tcp).toBeGreaterThan(40);
  });

  test('names the TLS handshake', async () => {
    await using server = await startServer(() => undefined);
    const url = `https://127.0.0.1:${server.port}/`;
    const result = await runApiCheck({ url }, { timeoutMs: TIME_MS });
    expect(result.failure?.cause).toBe('TIMEOUT_TLS');
  });

  test('names the wait for a response', async () => {
    await using server = await startRawServer(() => ({ pieces: [], hold: true }));
    const url = `http://${server.authority}/`;
    const result = await runApiCheck({ url }, { timeoutMs: TIME_MS });
    expect(result.failure?.cause).toBe('TIMEOUT_RESPONSE');
    expect(result.metrics.firstByte).toBeGreaterThan(40);
    expect(result.responseTime).toBeGreaterThanOrEqual(50);
  });

  test.each([
    ['the middle of the header', 'HTTP/1.1 200 OK\r\n'],
    ['the middle of the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfour'],
  ])('names the download in %s', async (_where, start) => {
    await using server = await startRawServer(() => ({ pieces: [start], hold: true }));
    const url = `http://${server.authority}/`;
    const result = await runApiCheck({ url }, { timeoutMs: TIME_MS });
    expect(result.failure?.cause).toBe('TIMEOUT_DOWNLOAD');
  });

  test('counts redirects against the one limit', async () => {
    await using server = await startRawServer(({ line }) =>
      line.includes('/start')
        ? response('', { location: '/end' }, '302 Found')
        : { pieces: [], hold: true },
    );
    const url = `http://${server.authority}/start`;
    const result = await runApiCheck({ url }, { timeoutMs: TIME_MS });
    expect(result.failure?.cause).toBe('TIMEOUT_RESPONSE');
    expect(result.responseTime).toBeLessThan(10_000);
  });
});
