import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreBusy } from '#main/monitoring/monitor-port.ts';
import { MAX_PINGS } from '#main/services/heartbeats.ts';
import { StoreError } from '#main/store/store-error.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';

let api: Harness;
const check = makeCheck('HEARTBEAT');
const token = check.heartbeat.pingToken ?? '';

beforeEach(async () => {
  api = await startApi();
  await api.configuration.checks.put(check);
});
afterEach(() => api.close());

const ping = (method = 'GET', headers: Record<string, string> = {}, to = token) =>
  api.call(method, `/ping/${to}`, { key: null, headers });

test.each(['GET', 'POST'])('%s counts, needs no key and answers the state', async (method) => {
  api.monitor.state = 'EARLY';
  const answer = await ping(method, { 'user-agent': 'curl/8.5' });
  expect([answer.status, answer.body]).toEqual([200, { state: 'EARLY' }]);
  const kept = { checkId: check.id, ping: { source: null, userAgent: 'curl/8.5' } };
  expect(api.monitor.pings).toEqual([kept]);
});

test('a token is taken in either case', async () => {
  expect((await ping('GET', {}, token.toUpperCase())).status).toBe(200);
});

test('a body of any type is ignored', async () => {
  const headers = { 'content-type': 'text/plain' };
  const answer = await api.call('POST', `/ping/${token}`, {
    key: null,
    headers,
    body: 'not {json',
  });
  expect(answer.status).toBe(200);
});

test.each(['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s does not count', async (method) => {
  const answer = await ping(method);
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET, POST');
  expect(api.monitor.pings).toEqual([]);
});

test.each([
  'Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1)',
  'Mozilla/5.0 (compatible; Discordbot/2.0)',
  'Facebot',
  'TelegramBot (like TwitterBot)',
  'WhatsApp/2.23',
  'LinkedInBot/1.0',
])('the link preview %s is refused and does not count', async (userAgent) => {
  expect((await ping('GET', { 'user-agent': userAgent })).status).toBe(403);
  expect(api.monitor.pings).toEqual([]);
});

test.each([
  ['Origin', { origin: 'https://jobs.example' }, 'https://jobs.example'],
  ['Referer without Origin', { referer: 'https://page.example/x' }, 'https://page.example/x'],
  ['Origin before Referer', { origin: 'heroku', referer: 'https://page.example/x' }, 'heroku'],
])('the source comes from %s', async (_name, headers, source) => {
  expect((await ping('POST', headers)).status).toBe(200);
  expect(api.monitor.pings[0]?.ping.source).toBe(source);
});

test('long headers are cut at 500 characters', async () => {
  await ping('GET', {
    origin: `https://${'o'.repeat(2_000)}.test`,
    'user-agent': 'u'.repeat(2_000),
  });
  const kept = api.monitor.pings[0]?.ping;
  expect([kept?.source?.length, kept?.userAgent?.length]).toEqual([500, 500]);
});

test.each([randomUUID(), 'nonsense', '__proto__'])(
  'the unknown token %s answers 404',
  async (unknown) => {
    expect((await ping('GET', {}, unknown)).status).toBe(404);
    expect(api.monitor.pings).toEqual([]);
  },
);

test('an unknown token waits for the store as a known one does', async () => {
  let writes = 0;
  const write = api.history.write.bind(api.history);
  api.history.write = (facts) => {
    writes += 1;
    return write(facts);
  };
  await ping('GET', {}, randomUUID());
  expect(writes).toBe(1);
});

test('what cannot be kept answers 503, for known and unknown tokens alike', async () => {
  api.monitor.failure = new StoreBusy();
  const known = await ping();
  api.history.write = async () => {
    throw new StoreError('FULL', 'no room');
  };
  const unknown = await ping('GET', {}, randomUUID());
  expect([known.status, unknown.status]).toEqual([503, 503]);
  expect(known.headers.get('retry-after')).toBe('5');
});

test('200 pings at once are all taken', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => ping('POST')));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(api.monitor.pings).toHaveLength(200);
});

test('a token works as soon as its check is kept, and no longer than that', async () => {
  const late = makeCheck('HEARTBEAT');
  const lateToken = late.heartbeat.pingToken ?? '';
  expect((await ping('GET', {}, lateToken)).status).toBe(404);
  await api.configuration.checks.put(late);
  expect((await ping('GET', {}, lateToken)).status).toBe(200);
  const moved = { ...late, heartbeat: { ...late.heartbeat, pingToken: randomUUID() } };
  await api.configuration.checks.put(moved);
  expect((await ping('GET', {}, lateToken)).status).toBe(404);
  expect((await ping('GET', {}, moved.heartbeat.pingToken)).status).toBe(200);
  await api.configuration.checks.delete(late.id);
  expect((await ping('GET', {}, moved.heartbeat.pingToken)).status).toBe(404);
});

test.each(['%20', '%00', '__proto__', 'x'.repeat(8_000)])(
  'a ping of the odd token %.20s answers 404',
  async (token) => {
    expect((await api.call('GET', `/ping/${token}`, { key: null })).status).toBe(404);
  },
);

test('a token that leaked cannot fill the disk: so many pings a minute, of each check', async () => {
  const other = makeCheck('HEARTBEAT');
  await api.configuration.checks.put(other);
  for (let turn = 0; turn < MAX_PINGS; turn++) expect((await ping()).status).toBe(200);
  const refused = await ping();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(refused.body).toMatchObject({
    message: 'More than 300 pings of this check within a minute',
  });
  expect(api.monitor.pings).toHaveLength(MAX_PINGS);
  expect((await ping('GET', {}, other.heartbeat.pingToken)).status).toBe(200);
  await api.clock.advance(60_000);
  expect((await ping()).status).toBe(200);
});
