import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { runApiCheck } from '../../fixtures/net/runs.ts';
import { response, startRawServer } from '../../fixtures/net/servers.ts';

const assertion = (source: string, comparison: string, target = '', property = '') => ({
  source,
  comparison,
  target,
  property,
});

describe('what an API check sends', () => {
  test('is the method, the URL and our headers, closing the connection', async () => {
    await using server = await startRawServer(() => response('{}'));
    await runApiCheck({ url: `http://${server.authority}/a%20b?x=1#part` });
    expect(server.requests[0]?.line).toBe('GET /a%20b?x=1 HTTP/1.1');
    expect(server.requests[0]?.headers).toEqual({
      host: server.authority,
      'user-agent': expect.stringMatching(/^Watchpost\/\d+\.\d+\.\d+$/),
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      connection: 'close',
    });
  });

  test.each([['GET'], ['POST'], ['PUT'], ['HEAD'], ['DELETE'], ['PATCH']])(
    'asks with %s',
    async (method) => {
      await using server = await startRawServer(() => response(''));
      const result = await runApiCheck({ method, url: `http://${server.authority}/` });
      expect(server.requests[0]?.line).toBe(`${method} / HTTP/1.1`);
      expect(result).toMatchObject({ failure: null, statusCode: 200 });
    },
  );

  test('has the query parameters appended to those of the URL', async () => {
    await using server = await startRawServer(() => response());
    const queryParameters = [
      { key: 'q', value: 'a&b=c d' },
      { key: 'ü', value: '1' },
    ];
    const result = await runApiCheck({ url: `http://${server.authority}/?k=+v`, queryParameters });
    expect(server.requests[0]?.line).toBe('GET /?k=+v&q=a%26b%3Dc%20d&%C3%BC=1 HTTP/1.1');
    expect(result.api.request.params).toEqual({ q: 'a&b=c d', ü: '1' });
  });

  test('lets the user’s headers win, whatever their case', async () => {
    await using server = await startRawServer(() => response());
    const headers = [
      { key: 'USER-Agent', value: 'mine' },
      { key: 'Host', value: 'virtual.test' },
      { key: 'X-Twice', value: '1' },
      { key: 'X-Twice', value: '2' },
    ];
    await runApiCheck({ url: `http://${server.authority}/`, headers });
    const lines = server.requests[0]?.lines ?? [];
    expect(lines.filter((line) => /^(user-agent|host|x-twice):/i.test(line))).toEqual([
      'USER-Agent: mine',
      'Host: virtual.test',
      'X-Twice: 1',
      'X-Twice: 2',
    ]);
  });

  test.each([
    ['JSON', '{"a":"ü"}', 'application/json', '{"a":"ü"}'],
    ['GRAPHQL', '{ me { id } }', 'application/json', '{"query":"{ me { id } }"}'],
    ['GRAPHQL', '{"query":"{ me }"}', 'application/json', '{"query":"{ me }"}'],
    ['FORM', 'a=1&b=2', 'application/x-www-form-urlencoded', 'a=1&b=2'],
    ['RAW', 'plain', undefined, 'plain'],
    ['NONE', 'ignored', undefined, ''],
  ])('has a body of type %s: %s', async (bodyType, body, contentType, sent) => {
    await using server = await startRawServer(() => response());
    const url = `http://${server.authority}/`;
    const result = await runApiCheck({ method: 'POST', url, bodyType, body });
    const [request] = server.requests;
    expect(request?.headers['content-type']).toBe(contentType);
    expect(Buffer.from(request?.body ?? '', 'latin1').toString()).toBe(sent);
    expect(request?.headers['content-length']).toBe(`${Buffer.byteLength(sent)}`);
    expect(result.api.request.data).toBe(sent);
  });

  test('keeps the user’s content type', async () => {
    await using server = await startRawServer(() => response());
    const headers = [{ key: 'content-type', value: 'application/vnd.api+json' }];
    const url = `http://${server.authority}/`;
    await runApiCheck({ method: 'POST', url, bodyType: 'JSON', body: '{}', headers });
    expect(server.requests[0]?.lines.filter((line) => /^content-type/i.test(line))).toEqual([
      'content-type: application/vnd.api+json',
    ]);
  });

  test('sends a large body whole', async () => {
    await using server = await startRawServer(() => response());
    const body = 'x'.repeat(1_000_000);
    const url = `http://${server.authority}/`;
    const result = await runApiCheck({ method: 'PUT', url, bodyType: 'RAW', body });
    expect(server.requests[0]?.body.length).toBe(1_000_000);
    expect(result.api.request.data.length).toBe(64 * 1024);
  });

  test.each([
    [{ basicAuth: { username: 'user', password: 'pä:ss' } }, '', 'user:pä:ss'],
    [{}, 'me:p%40ss@', 'me:p@ss'],
    [{ basicAuth: { username: '', password: '' } }, '', undefined],
    [{ basicAuth: null }, '', undefined],
  ])('authenticates with %j and %j in the URL', async (members, userInfo, credentials) => {
    await using server = await startRawServer(() => response());
    await runApiCheck({ url: `http://${userInfo}${server.authority}/`, ...members });
    const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    expect(server.requests[0]?.headers.authorization).toBe(expected);
  });
});

describe('an API check whose target may not be asked', () => {
  const header = (key: string, value: string) => ({ headers: [{ key, value }] });

  test.each([
    ['a line break in the URL', { path: '/x HTTP/1.1\r\nX-Evil: 1\r\n\r\n' }],
    ['a tab in the URL', { path: '/\t' }],
    ['a template left in the URL', { path: '/{{ID}}' }],
    ['a line break in a header value', header('x', 'a\r\nX-Evil: 1')],
    ['a line feed in a header value', header('x', 'a\nb')],
    ['a null byte in a header value', header('x', 'a\0b')],
    ['a character beyond latin1 in a header value', header('x', '€')],
    ['a line break in a header name', header('x\r\nX-Evil', '1')],
    ['a space in a header name', header('x y', '1')],
    ['a colon in a header name', header('x:y', '1')],
    ['an address of the other family', { ipFamily: 'IPv6' }],
  ])('says so of %s, and sends nothing', async (_what, members) => {
    await using server = await startRawServer(() => response());
    const { path, ...request } = { path: '/', ...members };
    const result = await runApiCheck({ url: `http://${server.authority}${path}`, ...request });
    expect(result).toMatchObject({
      failure: { cause: 'INVALID_TARGET' },
      hasFailures: true,
      hasErrors: false,
      statusCode: null,
      api: { response: { status: 0 }, requestError: expect.any(String) },
    });
    expect(server.connections).toBe(0);
  });

  test('says so of an address of the operator’s denied ranges', async () => {
    await using server = await startRawServer(() => response());
    const deniedRanges = ['10.0.0.0/8', '127.0.0.0/8'];
    const result = await runApiCheck({ url: `http://${server.authority}/` }, { deniedRanges });
    expect(result).toMatchObject({
      failure: {
        cause: 'DENIED_TARGET',
        message: 'The operator of this appliance denies checks to 127.0.0.1',
      },
      hasFailures: true,
    });
    expect(server.connections).toBe(0);
  });

  test('keeps the framing of the message its own', async () => {
    await using server = await startRawServer(() => response());
    const headers = [
      { key: 'Content-Length', value: '1' },
      { key: 'Transfer-Encoding', value: 'chunked' },
    ];
    const body = 'GET /smuggled HTTP/1.1\r\n\r\n';
    const url = `http://${server.authority}/`;
    await runApiCheck({ method: 'POST', url, headers, bodyType: 'RAW', body });
    expect(server.requests.map(({ line }) => line)).toEqual(['POST / HTTP/1.1']);
    expect(server.requests[0]?.headers).toMatchObject({ 'content-length': `${body.length}` });
    expect(server.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
  });
});

describe('what an API check reads', () => {
  test('is status, headers and body, with every phase timed', async () => {
    const headers = { 'Content-Type': 'application/json', 'X-Two': 'a' };
    await using server = await startRawServer(() => response('{"a":1}', headers, '201 Made it'));
    const result = await runApiCheck({ url: `http://${server.authority}/made` });
    const { response: shown } = result.api;
    expect(shown).toMatchObject({
      status: 201,
      statusText: 'Made it',
      body: '{"a":1}',
      truncated: false,
      href: `http://${server.authority}/made`,
      headers: { 'content-type': 'application/json', 'x-two': 'a', 'content-length': '7' },
    });
    const { timings, timingPhases: phases } = shown;
    expect(Object.keys(timings)).toEqual(['socket', 'lookup', 'connect', 'response', 'end']);
    const ordered = Object.values(timings);
    expect(ordered).toEqual(ordered.toSorted((a, b) => a - b));
    expect(phases.dns).toBeCloseTo(timings.lookup - timings.socket, 2);
    expect(phases.tcp).toBeCloseTo(timings.connect - timings.lookup, 2);
    expect(phases.firstByte).toBeCloseTo(timings.response - timings.connect, 2);
    expect(phases.download).toBeCloseTo(timings.end - timings.response, 2);
    expect(phases).toMatchObject({ wait: timings.socket, total: timings.end });
    expect(result.metrics).toEqual(phases);
    expect(result.responseTime).toBe(phases.total);
    expect(result.stoppedAt).toBeGreaterThanOrEqual(result.startedAt);
  });

  test('has the members of the contract, and nothing of a script', async () => {
    await using server = await startRawServer(() => response());
    const { api } = await runApiCheck({ url: `http://${server.authority}/` });
    expect(api).toMatchObject({ requestError: null, jobAssets: null, pcapDataUrl: null });
    expect(api.jobLog).toMatchObject({ setup: [], teardown: [] });
    expect(api.jobLog.request.map(({ level }) => level)).toEqual(['DEBUG', 'DEBUG', 'INFO']);
    for (const { time } of api.jobLog.request) expect(time).toBeGreaterThan(1.7e12);
  });

  test.each([
    [
      'chunked',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n',
      'abc0123456789',
    ],
    ['until the close', 'HTTP/1.0 200 OK\r\n\r\nto the end', 'to the end'],
    [
      'after interim responses',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      'ok',
    ],
    ['with bare line feeds', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok', 'ok'],
    ['without a reason phrase', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok', 'ok'],
    [
      'with more than its length',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 Evil\r\n\r\n',
      'ok',
    ],
  ])('may come %s', async (_how, bytes, body) => {
    await using server = await startRawServer(() => bytes);
    const result = await runApiCheck({ url: `http://${server.authority}/` });
    expect(result).toMatchObject({ failure: null, statusCode: 200 });
    expect(result.api.response.body).toBe(body);
  });

  test.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\ncontent-encoding: gzip\r\n\r\n', 200],
    ['GET', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    ['GET', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 1000\r\n\r\n', 304],
  ])('ends with the header: %s, %j', async (method, bytes, status) => {
    await using server = await startRawServer(() => ({ pieces: [bytes], hold: true }));
    const result = await runApiCheck({ method, url: `http://${server.authority}/` });
    expect(result).toMatchObject({ failure: null, statusCode: status });
    expect(result.api.response.body).toBe('');
  });

  test('comes over IPv6', async () => {
    await using server = await startRawServer(() => response('six'), { host: '::1' });
    const ipFamily = 'IPv6';
    for (const url of [`http://${server.authority}/`, `http://localhost:${server.port}/`]) {
      const result = await runApiCheck({ url, ipFamily });
      expect(result.api.response.body).toBe('six');
    }
  });

  const text = JSON.stringify({ text: 'compressed '.repeat(100) });
  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['GZIP', gzipSync(text)],
  ])('is decoded from %s before assertions see it', async (coding, bytes) => {
    const headers = { 'content-encoding': coding, 'content-type': 'application/json' };
    await using server = await startRawServer(() => response(bytes, headers));
    const assertions = [assertion('JSON_BODY', 'CONTAINS', 'compressed', '$.text')];
    const result = await runApiCheck({ url: `http://${server.authority}/`, assertions });
    expect(result).toMatchObject({ failure: null, hasFailures: false });
    expect(result.api.response.body).toBe(text);
  });

  test('is left as it came in a coding that we do not know', async () => {
    await using server = await startRawServer(() => response('??', { 'content-encoding': 'lzw' }));
    const result = await runApiCheck({ url: `http://${server.authority}/` });
    expect(result.api.response.body).toBe('??');
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(26 * 1024 * 1024))],
    ['br', brotliCompressSync(Buffer.alloc(26 * 1024 * 1024))],
    ['deflate', deflateSync(Buffer.alloc(26 * 1024 * 1024))],
  ])('is never more than 25 MB once decoded from %s', async (coding, bomb) => {
    expect(bomb.length).toBeLessThan(100_000);
    await using server = await startRawServer(() => response(bomb, { 'content-encoding': coding }));
    const result = await runApiCheck({ url: `http://${server.authority}/` });
    expect(result.failure).toEqual({
      cause: 'TOO_LARGE',
      message: 'The decoded response body is larger than 25 MB',
    });
  });

  test('is asserted on whole, and kept up to a bound', async () => {
    const body = `${'ü'.repeat(60_000)}end`;
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    await using server = await startRawServer(() => response(body, headers));
    const assertions = [assertion('TEXT_BODY', 'CONTAINS', 'end')];
    const result = await runApiCheck({ url: `http://${server.authority}/`, assertions });
    expect(result.failure).toBeNull();
    expect(result.api.response).toMatchObject({ body: 'ü'.repeat(32_768), truncated: true });
  });
});

describe('the verdict on an API check', () => {
  test.each([
    [404, {}, [], 'STATUS'],
    [404, {}, [assertion('STATUS_CODE', 'EQUALS', '404')], 'STATUS'],
    [404, { shouldFail: true }, [assertion('STATUS_CODE', 'EQUALS', '404')], null],
    [404, { shouldFail: true }, [], null],
    [200, { shouldFail: true }, [], 'STATUS'],
    [200, {}, [assertion('HEADERS', 'EQUALS', 'b', 'X-A')], 'ASSERTION'],
    [200, {}, [assertion('HEADERS', 'EQUALS', 'a', 'X-A')], null],
    [200, {}, [assertion('TEXT_BODY', 'CONTAINS', 'world')], null],
    [200, {}, [assertion('JSON_BODY', 'EQUALS', '1', '$.hello')], 'ASSERTION'],
  ])('of status %i with %j and %j is %s', async (status, check, assertions, cause) => {
    await using server = await startRawServer(() =>
      response('hello world', { 'x-a': 'a' }, `${status} X`),
    );
    const result = await runApiCheck({ url: `http://${server.authority}/`, assertions }, { check });
    expect(result.failure?.cause ?? null).toBe(cause);
    expect(result).toMatchObject({ hasFailures: cause !== null, statusCode: status });
    expect(result.api.assertions).toHaveLength(assertions.length);
  });
});
