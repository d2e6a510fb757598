import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi({
    allowedHosts: ['watch.intern'],
    host: 'monitor-box',
    publicUrl: 'https://Monitor.Example.org/base',
  });
});
afterAll(() => api.close());

/** `fetch` sets Host itself, so this one is sent by hand. */
function status(
  headers: Record<string, string>,
  path = '/v1/locations',
): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const sent = request(api.url + path, { headers }, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  sent.on('error', reject).end();
  return promise;
}

const ALLOWED = [
  'localhost',
  'localhost:8440',
  'LOCALHOST:1',
  '127.0.0.1:8440',
  '192.168.1.20',
  '[::1]:8440',
  'watch.intern',
  'monitor-box:8440',
  'monitor.example.org',
];
const REFUSED = [
  'evil.example',
  'localhost.evil.example',
  'evil.example:8440',
  'a@localhost',
  'localhost/evil.example',
  'watch.intern.evil.example',
  'evil-watch.intern',
  'evil.localhost',
  '',
  '127.0.0.1.evil.example',
];

test.each(ALLOWED)('Host: %s is answered', async (host) => {
  expect(await status({ host })).toBe(200);
});

test.each(REFUSED.filter((host) => host !== ''))('Host: %s is refused', async (host) => {
  expect(await status({ host })).toBe(403);
});

test('a request without any Host is refused', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /v1/locations HTTP/1.0\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /);
  socket.destroy();
});

const ELSEWHERE = '192.168.1.20';

test.each(ALLOWED.filter((host) => host !== ELSEWHERE))(
  'Origin: http://%s is answered',
  async (host) => {
    expect(await status({ host: 'localhost', origin: `http://${host}` })).toBe(200);
  },
);

test('the Origin of a page at an address must be the address asked for', async () => {
  const origin = `http://${ELSEWHERE}`;
  expect(await status({ host: `${ELSEWHERE}:8440`, origin })).toBe(200);
  expect(await status({ host: '127.0.0.1:8440', origin })).toBe(403);
  expect(await status({ host: 'localhost', origin })).toBe(403);
  expect(await status({ host: '[::1]:8440', origin: 'http://[2001:db8::1]' })).toBe(403);
});

test.each([
  ...REFUSED.map((host) => `http://${host}`),
  'null',
  'file://',
  'chrome-extension://abc',
])('Origin: %s is refused', async (origin) => {
  expect(await status({ host: 'localhost', origin })).toBe(403);
});

test('a ping may come from any Origin, but not to any Host', async () => {
  const check = makeCheck('HEARTBEAT');
  await api.configuration.checks.put(check);
  const path = `/ping/${check.heartbeat.pingToken}`;
  expect(await status({ host: 'localhost', origin: 'https://jobs.example' }, path)).toBe(200);
  expect(await status({ host: 'evil.example' }, path)).toBe(403);
});

test('ping URLs start with the public URL', async () => {
  const heartbeat = { period: 1, periodUnit: 'hours', grace: 0, graceUnit: 'hours' };
  const answer = await api.call('POST', '/v1/checks/heartbeat', { body: { name: 'x', heartbeat } });
  const { pingUrl, pingToken } = (answer.body as { heartbeat: Record<string, string> }).heartbeat;
  expect(pingUrl).toBe(`https://Monitor.Example.org/base/ping/${pingToken}`);
});

test('every answer has the security headers, errors too', async () => {
  for (const path of ['/v1/locations', '/v1/nothing', '/docs']) {
    const { headers } = await api.call('GET', path, { key: null });
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});
