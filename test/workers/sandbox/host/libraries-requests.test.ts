import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { ScriptHttpRequest } from '#shared/sandbox/script-host.ts';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { setupTask } from '../../../fixtures/scripts.ts';

/** What the scripts of a test sent; each is answered as a JSON-RPC server would, or never. */
const sent: ScriptHttpRequest[] = [];
const host = createScriptHost({
  fetch: async (request) => {
    sent.push(request);
    if (request.url.startsWith('http://silent.test')) await new Promise(() => {});
    const body = '{"jsonrpc":"2.0","id":1,"result":"0x10"}';
    const [, status = '200', location] = /^http:..(3\d\d).test(\/to)?/.exec(request.url) ?? [];
    const headers: Record<string, string> = location === undefined ? {} : { location };
    return {
      response: { status: Number(status), statusText: '', headers, body, url: request.url },
    };
  },
});
beforeEach(() => {
  sent.length = 0;
});
afterAll(() => host.close());

const run = (code: string) => host.run(setupTask(code));

const FORM = `const form = new (require('form-data'))(); form.setBoundary('B');
  form.append('name', 'välue', { header: { 'X-Part': '1' } });
  form.append('file"\\r\\n', Buffer.from('text'), 'a.txt');`;
const FORM_BODY = [
  '--B',
  'Content-Disposition: form-data; name="name"',
  'X-Part: 1',
  '',
  'välue',
  '--B',
  'Content-Disposition: form-data; name="file%22%0D%0A"; filename="a.txt"',
  'Content-Type: application/octet-stream',
  '',
  'text',
  '--B--',
  '',
].join('\r\n');

test.each([
  ['axios', `await require('axios').post('http://t.test/', form)`],
  [
    'axios with the headers of the form',
    `await require('axios').post('http://t.test/', form, { headers: form.getHeaders() })`,
  ],
  [
    'fetch',
    `await fetch('http://t.test/', { method: 'POST', body: form, headers: form.getHeaders() })`,
  ],
])('a form of form-data is sent with %s', async (_way, call) => {
  const { error } = await run(`${FORM} ${call}`);
  expect(error).toBeNull();
  expect(sent).toMatchObject([{ method: 'POST', body: FORM_BODY }]);
  expect(sent[0]?.headers['content-type']).toBe('multipart/form-data; boundary=B');
});

describe.each([
  ['memory', `new TextEncoder().encode('hi').buffer`],
  ['a DataView', `new DataView(new TextEncoder().encode('-hi').buffer, 1)`],
  ['16-bit numbers', `new Uint16Array([0x6968])`],
])('%s as a body is its bytes', (_what, body) => {
  test.each([
    ['fetch', `await fetch('http://t.test/', { method: 'POST', body: ${body} })`],
    ['axios', `await require('axios').post('http://t.test/', ${body})`],
  ])('with %s', async (_way, call) => {
    const { error } = await run(call);
    expect(error).toBeNull();
    expect(sent).toMatchObject([{ body: 'hi' }]);
  });

  test('in a form of form-data', async () => {
    const { request } = await run(`const form = new (require('form-data'))();
      form.append('a', ${body}); request.body = form`);
    expect(request.body).toMatch(/\r\n\r\nhi\r\n--/);
  });
});

test('a form tells its length in bytes', async () => {
  const { request } = await run(`${FORM} form.getLength((error, length) => {
    request.body = [error, length, form.getLengthSync(), form.hasKnownLength()].join() });
    await null`);
  const bytes = Buffer.byteLength(FORM_BODY);
  expect(request.body).toBe(`,${bytes},${bytes},true`);
});

test.each([
  [`form.append('a', { pipe() {} })`, 'takes texts and bytes, not streams'],
  [`form.append('a', [])`, 'Arrays are not supported'],
  [`form.setBoundary('C')`, 'before the first field'],
])('form-data refuses %s', async (call, message) => {
  const { error } = await run(`${FORM} ${call}`);
  expect(error?.message).toContain(message);
});

test('a provider of ethers asks over HTTP', async () => {
  const { request, error } = await run(`const { JsonRpcProvider } = require('ethers');
    const provider = new JsonRpcProvider('http://t.test/rpc', 1, { staticNetwork: true });
    request.body = await provider.getBlockNumber()`);
  expect(error).toBeNull();
  expect(request.body).toBe('16');
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ method: 'eth_blockNumber' });
});

describe('axios', () => {
  test('has defaults of an instance, of all and of one method, and headers of a request', async () => {
    const { error } = await run(`const axios = require('axios');
      axios.defaults.headers.common['X-All'] = 'all';
      axios.defaults.headers.post['X-Post'] = 'post';
      await axios.post('http://t.test/', 'a=b');
      const own = axios.create({ baseURL: 'http://t.test/api/', headers: { 'X-Own': 'own', 'X-Both': '1' } });
      await own.get('/items', { headers: { 'x-both': '2' } });
      await own.get('http://other.test/');`);
    expect(error).toBeNull();
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST http://t.test/',
      'GET http://t.test/api/items',
      'GET http://other.test/',
    ]);
    expect(sent[0]?.headers).toMatchObject({ 'x-all': 'all', 'x-post': 'post' });
    expect(sent[1]?.headers).toEqual({ 'x-own': 'own', 'x-both': '2' });
  });

  test.each([
    [`{ a: 1, b: null, c: undefined, d: 'x y' }`, '?a=1&d=x+y'],
    [`{ a: [1, 2] }`, '?a%5B%5D=1&a%5B%5D=2'],
    [`{ at: new Date(0), o: { b: 1 } }`, '?at=1970-01-01T00%3A00%3A00.000Z&o=%7B%22b%22%3A1%7D'],
    [`new URLSearchParams('q=1&q=2')`, '?q=1&q=2'],
  ])('puts the parameters %s into the URL', async (params, query) => {
    const { error } = await run(
      `await require('axios')({ url: 'http://t.test/', params: ${params} })`,
    );
    expect(error).toBeNull();
    expect(sent[0]?.url).toBe(`http://t.test/${query}`);
  });

  test('sends bytes as text and credentials in UTF-8', async () => {
    await run(
      `await require('axios').put('http://t.test/', Buffer.from('hällo'), { auth: { username: 'ü', password: 'p' } })`,
    );
    expect(sent[0]).toMatchObject({
      body: 'hällo',
      headers: { authorization: `Basic ${Buffer.from('ü:p').toString('base64')}` },
    });
  });

  test('has the same instance as its default', async () => {
    const { error } = await run(`const axios = require('axios');
      axios.defaults.headers.common['x-k'] = '1'; await axios.default.get('http://t.test/')`);
    expect(error).toBeNull();
    expect(sent[0]?.headers['x-k']).toBe('1');
  });

  test.each([
    [`{ grant_type: 'x y', n: 1, no: null, not: undefined }`, 'grant_type=x+y&n=1'],
    [`{ a: [1, 'ü', null], at: new Date(0) }`, 'a[]=1&a[]=ü&at=1970-01-01T00:00:00.000Z'],
    [`{ a: { b: [1, 2], c: { d: true } } }`, 'a[b][0]=1&a[b][1]=2&a[c][d]=true'],
    [`{ a: [{ b: 1 }, 2] }`, 'a[0][b]=1&a[1]=2'],
  ])('sends %s as a form where the content type says so', async (data, form) => {
    const { error } = await run(`await require('axios').post('http://t.test/', ${data},
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' } })`);
    expect(error).toBeNull();
    expect(decodeURIComponent((sent[0]?.body ?? '').replaceAll('+', ' '))).toBe(
      form.replace('+', ' '),
    );
    expect(sent[0]?.headers['content-type']).toContain('x-www-form-urlencoded');
  });

  test('refuses an object as multipart/form-data, by name', async () => {
    const { error } = await run(`await require('axios').post('http://t.test/', { a: 1 },
      { headers: { 'Content-Type': 'multipart/form-data' } })`);
    expect(error?.message).toContain('multipart/form-data from form-data only');
  });

  test('waits for no timeout once it has its answer', async () => {
    const { error } = await run(`await require('axios').get('http://t.test/', { timeout: 60_000 });
      await new Promise(() => {})`);
    expect(error?.message).toContain('The script can never finish');
  });

  test('follows no redirect where it may not', async () => {
    await run(`await require('axios').get('http://t.test/', { maxRedirects: 0 })`);
    await run(`await require('axios').get('http://t.test/')`);
    expect(sent.map(({ followRedirects }) => followRedirects)).toEqual([false, true]);
  });

  test('waits no longer than it may', async () => {
    const { request } = await run(
      `try { await require('axios').get('http://silent.test/', { timeout: 20 }) } catch (e) { request.body = [e.isAxiosError, e.code, e.message].join() }`,
    );
    expect(request.body).toBe('true,ECONNABORTED,timeout of 20ms exceeded');
  });

  test('sends nothing where its signal was aborted before', async () => {
    const { request } = await run(
      `request.body = await require('axios').get('http://t.test/', { signal: AbortSignal.abort() }).catch((e) => e.code)`,
    );
    expect([request.body, sent]).toEqual(['ERR_CANCELED', []]);
  });

  test('stops waiting when its signal says so', async () => {
    const { request } = await run(`const stop = new AbortController();
      const got = require('axios').get('http://silent.test/', { signal: stop.signal });
      stop.abort();
      request.body = await got.catch((e) => e.code)`);
    expect(request.body).toBe('ERR_CANCELED');
  });
});

describe('fetch', () => {
  test.each([
    ['', true],
    [`{ redirect: 'follow' }`, true],
    [`{ redirect: 'manual' }`, false],
    [`{ redirect: 'error' }`, false],
  ])('follows redirects with the options %j: %s', async (options, followRedirects) => {
    await run(`await fetch('http://t.test/'${options && `, ${options}`})`);
    expect(sent[0]?.followRedirects).toBe(followRedirects);
  });

  test.each([
    ['301', '/to', 'unexpected redirect to /to'],
    ['308', '/to', 'unexpected redirect to /to'],
    ['302', '/', '302'],
    ['304', '/to', '304'],
    ['300', '/to', '300'],
  ])('takes a %s of %s for a redirect, or not', async (status, path, expected) => {
    const { request } = await run(`const options = { redirect: 'error' };
      const { status, message } = await fetch('http://${status}.test${path}', options).catch((e) => e);
      request.body = status ?? message`);
    expect(request.body).toBe(expected);
  });

  test.each([
    [`'text'`, 'text/plain;charset=UTF-8'],
    [`new URLSearchParams({ a: 1 })`, 'application/x-www-form-urlencoded;charset=UTF-8'],
    [`Buffer.from('x')`, undefined],
    [`'text', headers: new Headers([['Content-Type', 'a/b']])`, 'a/b'],
  ])('names the type of the body %s', async (body, type) => {
    await run(`await fetch('http://t.test/', { method: 'POST', body: ${body} })`);
    expect(sent[0]?.headers['content-type']).toBe(type);
  });

  test.each([
    [`AbortSignal.timeout(10)`, 'TimeoutError'],
    [`AbortSignal.abort()`, 'AbortError'],
    [`AbortSignal.any([new AbortController().signal, AbortSignal.timeout(10)])`, 'TimeoutError'],
  ])('waits no longer than %s', async (signal, name) => {
    const { request } = await run(
      `request.body = await fetch('http://silent.test/', { signal: ${signal} }).catch((e) => e.name)`,
    );
    expect(request.body).toBe(name);
  });

  test('gives its answer where the signal stays silent', async () => {
    const { request, error } = await run(`const { signal } = new AbortController();
      const answer = await fetch('http://t.test/', { signal });
      request.body = [answer.headers instanceof Headers, (await answer.json()).result].join()`);
    expect([request.body, error]).toEqual(['true,0x10', null]);
  });
});
