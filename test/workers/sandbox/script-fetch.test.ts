import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createNetwork } from '#workers/net/network.ts';
import { createScriptHost } from '#workers/sandbox/host.ts';
import { createScriptFetch } from '#workers/sandbox/script-fetch.ts';
import {
  closedPort,
  type RawAnswer,
  type ReceivedRequest,
  startRawServer,
  startServer,
} from '../../fixtures/net/servers.ts';
import { setupTask } from '../../fixtures/scripts.ts';

/** Runs a script that finds the address of a server in BASE, and leaves a text in the body. */
async function runAgainst(
  answer: (request: ReceivedRequest) => RawAnswer | string,
  code: string,
  members = {},
) {
  await using server = await startRawServer(answer);
  const host = createScriptHost({ fetch: createScriptFetch(createNetwork()) });
  try {
    const env = { BASE: `http://${server.authority}` };
    const outcome = await host.run(setupTask(code, { env, ...members }));
    return { ...outcome, requests: server.requests };
  } finally {
    await host.close();
  }
}

const json = (body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

test('fetch sends what it is given and reads the answer', async () => {
  const { request, error, requests } = await runAgainst(
    () => json('{"token":"t1"}'),
    `const answer = await fetch(process.env.BASE + '/login', { method: 'post', headers: { 'X-A': 'b' }, body: 'user=1' });
     const { token } = await answer.json();
     request.body = [answer.status, answer.ok, answer.headers.get('Content-Type'), token].join()`,
  );
  expect(error).toBeNull();
  expect(request.body).toBe('200,true,application/json,t1');
  expect(requests[0]).toMatchObject({ line: 'POST /login HTTP/1.1', body: 'user=1' });
  expect(requests[0]?.headers['x-a']).toBe('b');
});

test('axios posts JSON with parameters', async () => {
  const { request, error, requests } = await runAgainst(
    () => json('{"id":7}'),
    `const axios = require('axios');
     const { data, status } = await axios.post(process.env.BASE + '/items', { name: 'n' }, { params: { a: 'b' } });
     request.body = data.id + ',' + status`,
  );
  expect(error).toBeNull();
  expect(request.body).toBe('7,200');
  expect(requests[0]).toMatchObject({ line: 'POST /items?a=b HTTP/1.1', body: '{"name":"n"}' });
  expect(requests[0]?.headers['content-type']).toBe('application/json');
});

test('a redirect is the answer where the script asks for that', async () => {
  const { request, requests } = await runAgainst(
    () => 'HTTP/1.1 302 Found\r\nlocation: /next\r\ncontent-length: 0\r\n\r\n',
    `const { status, headers } = await fetch(process.env.BASE, { redirect: 'manual' });
     request.body = status + headers.get('location')`,
  );
  expect(request.body).toBe('302/next');
  expect(requests).toHaveLength(1);
});

test('axios throws at a bad status, with the response', async () => {
  const { request } = await runAgainst(
    () => 'HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno',
    `try { await require('axios').get(process.env.BASE) } catch (e) { request.body = [e.message, e.response.data, e.isAxiosError].join() }`,
  );
  expect(request.body).toBe('Request failed with status code 404,no,true');
});

test('the login of the guide works', async () => {
  const guide = await readFile('docs/guide/scripts.md', 'utf8');
  const [, login = ''] = /```js\n(.*?)```/s.exec(guide) ?? [];
  const { error, request, requests } = await runAgainst(
    () => json('{"token":"t0k3n"}'),
    `const [base, guided] = [process.env.BASE, fetch];
globalThis.fetch = (url, options) => guided(url.replace('https://shop.example.com', base), options);
process.env.PASSWORD = 'p4ss';
${login}`,
  );
  expect(error).toBeNull();
  expect(request.headers).toMatchObject({ authorization: 'Bearer t0k3n' });
  expect(requests[0]).toMatchObject({
    line: 'POST /api/login HTTP/1.1',
    body: '{"user":"probe","password":"p4ss"}',
  });
});

test('a denied range is out of reach of scripts too', async () => {
  const { error, requests } = await runAgainst(() => json('{}'), `await fetch(process.env.BASE)`, {
    deniedRanges: ['127.0.0.0/8'],
  });
  expect(error?.message).toContain('denies checks to 127.0.0.1');
  expect(requests).toEqual([]);
});

test.each(['fetch(url)', "require('axios').get(url)"])(
  'a request of %s that is refused names its line and its address',
  async (call) => {
    const port = await closedPort();
    const { error } = await runAgainst(
      () => '',
      `const url = 'http://127.0.0.1:${port}/login?key=k3y';
await 0;
const answer = ${call};
await answer;`,
    );
    expect(error).toMatchObject({
      line: 3,
      message: expect.stringMatching(
        new RegExp(
          `: GET http://127\\.0\\.0\\.1:${port}/login: The connection was refused: 127\\.0\\.0\\.1:${port} \\(ECONNREFUSED\\)$`,
        ),
      ),
    });
  },
);

test('a response of more than 5 MB is refused', async () => {
  const { error } = await runAgainst(
    () => json('x'.repeat(5 * 1024 * 1024 + 1)),
    `await fetch(process.env.BASE)`,
  );
  expect(error?.message).toMatch(
    /^TypeError: GET http:\/\/127\.0\.0\.1:\d+\/: The body of the response is larger than 5 MB$/,
  );
});

test.each([
  [
    '1,001 headers',
    '{ headers: Object.fromEntries([...Array(1001)].map((_, n) => ["x" + n, ""])) }',
  ],
  ['150,000 headers', '{ headers: many }'],
  ['headers of 64 KB', '{ headers: { a: "x".repeat(65536) } }'],
])('a request with %s is refused', async (_what, options) => {
  const many = options.includes('many')
    ? `const many = {}; for (let n = 0; n < 150000; n++) many['x' + n] = '';`
    : '';
  const { error, requests } = await runAgainst(
    () => json('{}'),
    `${many} await fetch(process.env.BASE, ${options})`,
  );
  expect(error?.message).toContain('A request may have 1000 headers at most, of 64 KB together');
  expect(requests).toEqual([]);
});

test('a request to a URL of more than 64 KB is refused', async () => {
  const { error } = await runAgainst(
    () => json('{}'),
    `await fetch(process.env.BASE + '/' + 'x'.repeat(65536))`,
  );
  expect(error?.message).toContain('The URL of a request may take 64 KB at most');
});

test.each([
  ['headers', 'request.headers'],
  ['query parameters', 'request.queryParameters'],
  ['variables', 'process.env'],
])('a script that leaves thousands of %s behind is told that it may not', async (_what, record) => {
  const { error } = await runAgainst(
    () => json('{}'),
    `for (let n = 0; n < 3000; n++) ${record}['x' + n] = '';`,
  );
  expect(error).toMatchObject({ kind: 'too-large', message: expect.stringContaining('1000') });
});

test('a twenty-first request is refused', async () => {
  const { error, requests } = await runAgainst(
    () => json('{}'),
    `for (;;) await fetch(process.env.BASE)`,
  );
  expect(error?.message).toContain('at most 20 requests');
  expect(requests).toHaveLength(20);
});

test.each([
  ['a server that never answers', [], `await fetch(process.env.BASE)`],
  ['a body that never ends', [json('xx').slice(0, -1)], `await fetch(process.env.BASE)`],
])('%s ends with the time of the script', async (_case, pieces, code) => {
  const { error } = await runAgainst(() => ({ pieces, hold: true }), code, { timeoutMs: 500 });
  expect(['timeout', 'thrown']).toContain(error?.kind);
});

test('a request ends with its script', async () => {
  const script = new AbortController();
  const closed = Promise.withResolvers<void>();
  await using server = await startServer((socket) => {
    socket.resume();
    socket.on('end', () => closed.resolve());
    script.abort();
  });
  const fetch = createScriptFetch(createNetwork());
  const answer = await fetch(requestTo(`http://${server.authority}/`), {
    ...limits([]),
    timeoutMs: 600_000,
    signal: script.signal,
  });
  expect(answer.error).toBeDefined();
  await closed.promise;
});

test('a server with an IPv6 address only is found, by address and by name', async () => {
  await using server = await startRawServer(() => json('{}'), { host: '::1' });
  const network = createNetwork();
  const six = await createScriptFetch({
    ...network,
    known: (host, family) => (host === 'six.test' ? null : network.known(host, family)),
    resolve: async (_host, family) =>
      family === 'IPv6'
        ? { address: '::1', family }
        : { failure: { cause: 'DNS_FAILURE', code: 'ENODATA', message: 'none' } },
  });
  for (const name of ['[::1]', 'six.test']) {
    const answer = await six(requestTo(`http://${name}:${server.port}/`), limits([]));
    expect(answer).toMatchObject({ response: { status: 200 } });
  }
  expect(server.requests).toHaveLength(2);
});

test.each([
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.1/',
  'http://127.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::]/',
  'http://0/',
  'http://localhost/',
  'http://inside.test/',
])('a denied range is out of reach as %s', async (url) => {
  const network = createNetwork();
  const fetch = createScriptFetch({
    ...network,
    known: (host, family) => (host === 'inside.test' ? null : network.known(host, family)),
    resolve: async (_host, family) => ({ address: '127.0.0.1', family }),
  });
  const { error } = await fetch(requestTo(url), limits(['127.0.0.0/8', '::1/128']));
  expect(error).toContain('denies checks to');
});

test('a denied range is out of reach by a redirect', async () => {
  const target = 'HTTP/1.1 302 Found\r\nlocation: http://[::1]:1/\r\ncontent-length: 0\r\n\r\n';
  await using server = await startRawServer(() => target);
  const fetch = createScriptFetch(createNetwork());
  const { error } = await fetch(requestTo(`http://${server.authority}/`), limits(['::1/128']));
  expect(error).toContain('denies checks to ::1');
});

const requestTo = (url: string) => ({
  method: 'GET',
  url,
  headers: {},
  body: '',
  followRedirects: true,
});
const limits = (deniedRanges: string[]) => ({
  timeoutMs: 2_000,
  deniedRanges,
  signal: new AbortController().signal,
});
