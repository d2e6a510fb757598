import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompress, deflate, gzip, zstdCompress } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';

const LIMIT = 64 * 1024;

let api: Harness;
beforeAll(async () => {
  api = await startApi({ bodyLimitBytes: LIMIT });
});
afterAll(() => api.close());

const ENCODERS = {
  gzip: promisify(gzip),
  deflate: promisify(deflate),
  br: promisify(brotliCompress),
  zstd: promisify(zstdCompress),
};
type Encoding = keyof typeof ENCODERS;
const ENCODINGS = Object.keys(ENCODERS) as Encoding[];
const BODY = { name: 'x', request: { url: 'http://127.0.0.1:9/' } };

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/checks/url', { body, headers });
const compressed = async (encoding: Encoding, text: string) =>
  post(Uint8Array.from(await ENCODERS[encoding](text)), { 'content-encoding': encoding });

test.each(ENCODINGS)('a body in %s is read', async (encoding) => {
  expect((await compressed(encoding, JSON.stringify(BODY))).status).toBe(201);
});

test.each(ENCODINGS)('a bomb in %s is refused for what comes out of it', async (encoding) => {
  const answer = await compressed(
    encoding,
    JSON.stringify({ ...BODY, name: 'x'.repeat(2 * LIMIT) }),
  );
  expect(answer.status).toBe(413);
});

test.each(ENCODINGS)('a body that only claims to be %s is refused', async (encoding) => {
  const answer = await post(JSON.stringify(BODY), { 'content-encoding': encoding });
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).message).toBe(
    'The body is not in the encoding that its header names',
  );
});

test('another encoding answers 415', async () => {
  expect((await post(JSON.stringify(BODY), { 'content-encoding': 'compress' })).status).toBe(415);
});

test('a body over the limit answers 413', async () => {
  const answer = await post({ ...BODY, script: 'x'.repeat(LIMIT) });
  expect(answer.status).toBe(413);
  expect((answer.body as ErrorBody).error).toBe('Payload Too Large');
});

test.each([
  ['application/json', 201],
  ['application/json; charset=utf-8', 201],
  ['application/vnd.api+json', 201],
  ['APPLICATION/JSON', 201],
  ['application/json; charset="UTF-8"', 201],
  ['application/json; charset=koi8-r', 415],
  ['application/jsonp', 415],
  ['text/json', 415],
  ['', 415],
])('content-type "%s" answers %i', async (type, status) => {
  expect((await post(JSON.stringify(BODY), { 'content-type': type })).status).toBe(status);
});

test.each(['{', '{"name":}', '"text"', '5', 'null', 'undefined', '{"a":1}{"b":2}', '\u0000'])(
  'the body %s is no JSON object',
  async (body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect((answer.body as ErrorBody).message).toBe('body: expected a JSON object');
  },
);

test('no body at all is told by what is missing', async () => {
  const answer = await api.call('POST', '/v1/checks/url');
  expect((answer.body as ErrorBody).validation).toEqual({
    source: 'payload',
    keys: ['name', 'request'],
  });
});

test('a list is no body', async () => {
  const answer = await post([BODY]);
  expect((answer.body as ErrorBody).message).toBe('body: expected an object, got a list');
});

test('nesting without end is no trouble', async () => {
  const depth = 10_000;
  const body = `{"name":"x","request":{"url":"http://127.0.0.1/"},"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const answer = await post(body);
  expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([201, 'deep']);
});

test('a body is not even read without a key', async () => {
  const answer = await api.call('POST', '/v1/checks/url', {
    key: null,
    body: 'x'.repeat(2 * LIMIT),
  });
  expect(answer.status).toBe(401);
});

test.each([
  ['brackets', '['.repeat(20_001)],
  ['empty lists', `[${'[],'.repeat(10_001)}[]]`],
  ['members', `{${'"":1,'.repeat(20_001)}"":1}`],
])('a body of too many values, %s, answers 413 and is not parsed', async (_name, value) => {
  const large = await startApi();
  const answer = await large.call('POST', '/v1/checks/url', { body: `{"deep":${value}}` });
  expect(answer.status).toBe(413);
  expect((answer.body as ErrorBody).message).toBe(
    'The body has more values than this server takes',
  );
  await large.close();
});

test.each<[string, BufferEncoding, string]>([
  ['UTF-16, in which a text could hide values from their count', 'utf16le', 'utf-16le'],
  ['Latin-1 under the name of UTF-8', 'latin1', 'utf-8'],
])('only UTF-8 is read, not %s', async (_case, encoding, charset) => {
  const bytes = Buffer.from(JSON.stringify({ ...BODY, name: 'é' }), encoding);
  const headers = { 'content-type': `application/json; charset=${charset}` };
  const answer = await post(Uint8Array.from(bytes), headers);
  expect([answer.status, (answer.body as ErrorBody).message]).toEqual([
    415,
    'The body must be in UTF-8',
  ]);
});

test('what a long text holds is no value', async () => {
  const large = await startApi();
  const script = '[{,"\\'.repeat(40_000);
  const answer = await large.call('POST', '/v1/checks/browser', { body: { name: 'x', script } });
  expect(answer.status).toBe(201);
  await large.close();
});

test('a length over the limit is answered before the body is sent', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const headers = {
    host: 'localhost',
    authorization: `Bearer ${api.key}`,
    'content-type': 'application/json',
    'content-length': String(LIMIT + 1),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /v1/checks/url HTTP/1.1\r\n${lines.join('')}\r\n{`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});
