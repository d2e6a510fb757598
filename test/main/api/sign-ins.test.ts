import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { refuseOtherOrigins } from '#main/api/http/sign-in-cookie.ts';
import type { Access, SignInView } from '#shared/sign-ins/sign-in.ts';
import { ADMIN_TOKEN, type Harness, startApi } from '../../fixtures/api-harness.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
// Tries are counted by the minute.
beforeEach(() => api.clock.jump(61_000));

const SITE = { 'sec-fetch-site': 'same-origin' };
const sameOrigin = () => ({ origin: api.url, ...SITE });

async function signIn(body: object = { key: api.key }) {
  const answer = await api.call('POST', '/app/sign-in', { key: null, body, headers: sameOrigin() });
  const setCookie = answer.headers.get('set-cookie') ?? '';
  return {
    ...answer,
    setCookie,
    cookie: setCookie.split(';')[0] ?? '',
    access: answer.body as Access,
  };
}

async function createLink(): Promise<string> {
  const answer = await api.call('POST', '/app/sign-in-links', { key: ADMIN_TOKEN });
  return (answer.body as { token: string }).token;
}

const renew = (cookie: string, headers: Record<string, string> = sameOrigin()) =>
  api.call('GET', '/app/sign-in', { key: null, headers: { cookie, ...headers } });

test('a key signs a browser in: a cookie that scripts do not see, and a token that the API takes', async () => {
  const { status, setCookie, access } = await signIn();
  expect(status).toBe(201);
  expect(setCookie).toMatch(
    /^watchpost-5e1d6f3a=[\w-]{43}; Max-Age=2592000; Path=\/app; HttpOnly; SameSite=Strict$/,
  );
  expect(access.signIn).toMatchObject({ keyName: 'tests', isCurrent: true });
  const me = await api.call('GET', '/v1/accounts/me', { key: access.accessToken });
  expect(me.status).toBe(200);
});

test('only the hash of the cookie is stored', async () => {
  const { cookie } = await signIn();
  const stored = JSON.stringify(api.configuration.signIns.all());
  expect(stored).not.toContain(cookie.split('=')[1]);
});

test('a wrong key, and a wrong token, sign nobody in', async () => {
  expect((await signIn({ key: 'wp_wrong' })).body).toMatchObject({
    statusCode: 401,
    message: 'key: this is no API key of this appliance',
  });
  expect((await signIn({ token: 'wrong' })).status).toBe(401);
  expect((await signIn({})).status).toBe(400);
});

test('the token of a link signs in once, and not after its time', async () => {
  const token = await createLink();
  expect((await signIn({ token })).access.signIn.keyName).toBeNull();
  expect((await signIn({ token })).status).toBe(401);
  const late = await createLink();
  api.clock.jump(900_000);
  expect((await signIn({ token: late })).status).toBe(401);
});

test('few wrong keys are tried within a minute', async () => {
  for (let tries = 0; tries < 10; tries++) await signIn({ key: 'wp_wrong' });
  const { status, headers } = await signIn();
  expect([status, headers.get('retry-after')]).toEqual([429, '60']);
});

test('the cookie opens nothing but its own paths: no API with it alone', async () => {
  const { cookie } = await signIn();
  for (const path of [
    '/v1/accounts/me',
    '/v1/checks',
    '/app/account',
    '/app/sign-ins',
    '/metrics',
  ]) {
    const answer = await api.call('GET', path, { key: null, headers: { cookie, ...sameOrigin() } });
    expect([path, answer.status]).toEqual([path, 401]);
  }
  expect((await renew(cookie)).status).toBe(200);
});

test.each([
  ['GET', { 'sec-fetch-site': 'same-site' }],
  ['GET', { 'sec-fetch-site': 'cross-site' }],
  ['GET', { origin: 'http://127.0.0.1:1' }],
  ['DELETE', {}],
  ['DELETE', { origin: 'http://127.0.0.1:1' }],
  ['DELETE', { origin: 'https://evil.example' }],
  ['DELETE', { origin: 'null' }],
])('%s with the cookie is refused from elsewhere: %o', async (method, headers) => {
  const { cookie } = await signIn();
  const sent = { cookie, ...headers } as Record<string, string>;
  const answer = await api.call(method, '/app/sign-in', { key: null, headers: sent });
  expect(answer.status).toBe(403);
  expect((await renew(cookie)).status).toBe(200);
});

test('an origin that is none is another one', () => {
  const headers = new Map([
    ['origin', 'null'],
    ['host', 'watchpost.example'],
  ]);
  expect(() => refuseOtherOrigins('POST', (name) => headers.get(name), null)).toThrow(
    'Only the pages of this appliance',
  );
});

test('the form of another origin signs nobody in', async () => {
  const headers = { origin: 'http://127.0.0.1:1' };
  const answer = await api.call('POST', '/app/sign-in', {
    key: null,
    headers,
    body: { key: api.key },
  });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test('an access token ends after ten minutes, or where a letter of it is changed', async () => {
  const { access } = await signIn();
  const { accessToken } = access;
  const changed = accessToken.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
  const other = accessToken.replace(/\.(\d+)\./, (_all, seconds) => `.${Number(seconds) + 1}.`);
  for (const key of [changed, other]) {
    expect((await api.call('GET', '/v1/accounts/me', { key })).status).toBe(401);
  }
  api.clock.jump(599_000);
  expect((await api.call('GET', '/v1/accounts/me', { key: accessToken })).status).toBe(200);
  api.clock.jump(1_000);
  expect((await api.call('GET', '/v1/accounts/me', { key: accessToken })).status).toBe(401);
});

test('a sign-in ends 30 days after its last use', async () => {
  const { cookie } = await signIn();
  api.clock.jump(29 * 86_400_000);
  const used = await renew(cookie);
  expect(used.headers.get('set-cookie')).toContain(`${cookie}; Max-Age=2592000`);
  api.clock.jump(29 * 86_400_000);
  expect((await renew(cookie)).status).toBe(200);
  api.clock.jump(30 * 86_400_000);
  expect((await renew(cookie)).status).toBe(401);
});

test('a key that is revoked ends its sign-ins at once, and no other', async () => {
  const made = await api.call('POST', '/app/keys', { key: ADMIN_TOKEN, body: { name: 'short' } });
  const { id, key } = made.body as { id: string; key: string };
  const ended = await signIn({ key });
  const other = await signIn();
  await api.call('DELETE', `/app/keys/${id}`, { key: ADMIN_TOKEN });
  expect((await renew(ended.cookie)).status).toBe(401);
  expect((await api.call('GET', '/v1/checks', { key: ended.access.accessToken })).status).toBe(401);
  expect((await renew(other.cookie)).status).toBe(200);
});

test('a link that a key made ends with that key, and so does who came by it', async () => {
  const { body } = await api.call('POST', '/app/keys', { key: ADMIN_TOKEN, body: { name: 'ci' } });
  const { id, key } = body as { id: string; key: string };
  const { access } = await signIn({ key });
  const makeLink = async () => {
    const { body } = await api.call('POST', '/app/sign-in-links', { key: access.accessToken });
    return (body as { token: string }).token;
  };
  const [used, unused] = [await makeLink(), await makeLink()];
  const second = await signIn({ token: used });
  expect(second.access.signIn.keyName).toBe('ci');
  await api.call('DELETE', `/app/keys/${id}`, { key: ADMIN_TOKEN });
  expect((await renew(second.cookie)).status).toBe(401);
  expect((await signIn({ token: unused })).status).toBe(401);
});

test('signing out ends one browser, signing out everywhere all of them, and links too', async () => {
  const [one, other] = [await signIn(), await signIn()];
  const headers = { cookie: one.cookie, ...sameOrigin() };
  const out = await api.call('DELETE', '/app/sign-in', { key: null, headers });
  expect(out.headers.get('set-cookie')).toMatch(/^watchpost-5e1d6f3a=; Max-Age=0;/);
  expect((await renew(one.cookie)).status).toBe(401);
  const token = await createLink();
  await api.call('DELETE', '/app/sign-ins', { key: other.access.accessToken });
  expect((await renew(other.cookie)).status).toBe(401);
  expect((await signIn({ token })).status).toBe(401);
});

test('who is signed in sees all browsers and ends one of them', async () => {
  await api.call('DELETE', '/app/sign-ins');
  const [mine, other] = [await signIn(), await signIn()];
  const key = mine.access.accessToken;
  const list = (await api.call('GET', '/app/sign-ins', { key })).body as SignInView[];
  expect(list.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  await api.call('DELETE', `/app/sign-ins/${other.access.signIn.id}`, { key });
  expect((await renew(other.cookie)).status).toBe(401);
});

test('a hundred browsers are signed in at most: the one unused for longest goes', async () => {
  await api.call('DELETE', '/app/sign-ins');
  const first = await signIn();
  for (let count = 0; count < 100; count++) {
    api.clock.jump(10_000);
    await signIn();
  }
  expect(api.configuration.signIns.size).toBe(100);
  expect((await renew(first.cookie)).status).toBe(401);
});

test('behind a proxy that speaks TLS the cookie is for TLS only', async () => {
  const tls = await startApi({ publicUrl: 'https://watch.example' });
  const answer = await tls.call('POST', '/app/sign-in', {
    key: null,
    body: { key: tls.key },
    headers: { origin: 'https://watch.example', ...SITE },
  });
  expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/);
  await tls.close();
});
