import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '#main/platform/password-hash.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import {
  HOUR,
  idOf,
  incidentOf,
  MINUTE,
  pageOf,
  pastIncident,
  serviceOf,
} from '../../fixtures/public-pages.ts';
import { publishedWindow } from '../../fixtures/published-windows.ts';

const CARDS = { Shop: ['Checkout', 'Search'] };
const COLOURS = Object.fromEntries(
  [
    'bodyBackgroundColor',
    'headerBackgroundColor',
    'headerFontColor',
    'titleFontColor',
    'bodyFontColor',
    'bodyFontColorMuted',
    'navigationFontColor',
    'linkFontColor',
    'cardBackgroundColor',
    'borderColor',
    'primaryButtonBackgroundColor',
    'primaryButtonFontColor',
  ].map((name) => [name, '#123456']),
) as NonNullable<StatusPage['themeColors']>['light'];
const INCIDENT = pastIncident(7, ['Checkout'], [NOW - 2 * HOUR, NOW - HOUR], { name: 'Fire' });

let api: Harness;
beforeAll(async () => {
  api = await startApi({ allowedHosts: ['watch.intern'] });
  for (const name of ['Checkout', 'Search', 'Hidden']) {
    await api.configuration.pageServices.put(serviceOf(name));
  }
  const put = (number: number, url: string, members: Partial<StatusPage> = {}) =>
    api.configuration.statusPages.put(
      pageOf(CARDS, { id: idOf(number), name: `Page ${url}`, url, ...members }),
    );
  await put(1, 'acme', { themeColors: { light: COLOURS, dark: COLOURS } });
  await put(2, 'quiet', { visibility: 'UNLISTED' });
  const passwordHash = await hashPassword('open sesame');
  await put(3, 'secret', { visibility: 'PRIVATE', passwordHash });
  await put(7, 'twin', { visibility: 'PRIVATE', passwordHash });
  await put(4, 'locked', { visibility: 'PRIVATE' });
  await put(5, 'own', { customDomain: 'status.own.example' });
  await put(6, 'taken', { customDomain: 'watch.intern' });
  const other = incidentOf(8, ['Hidden'], [{ publishedAt: NOW - MINUTE }]);
  await api.history.write({ incidents: [INCIDENT, other] });
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  api.call('GET', path, { key: null, headers });
const READER = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

test('what is refused is held by no cache: it may be there a moment later', async () => {
  for (const path of ['/status/nothing', '/status/secret/feed.rss', '/status/acme/incidents/1']) {
    const { status, headers } = await get(path);
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  }
});

describe('a page', () => {
  test.each([
    ['/status/acme', 'acme/'],
    ['/status/aCME', 'acme/'],
    ['/status/%61cme', 'acme/'],
    ['/status/acme/', './'],
    [`/status/acme/incidents/${INCIDENT.id}`, '../'],
    ['/status/acme/history/2026-01', '../'],
    ['/status/acme/history/2026-01/', '../../'],
    ['/status/acme/history/2026-01.html', '../'],
    [`/status/acme/incidents/${INCIDENT.id}.html`, '../'],
  ])('at %s refers to its folder as %s', async (path, root) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(body).toContain(`<link rel="stylesheet" href="${root}assets/page.`);
    for (const [, to = ''] of String(body).matchAll(/(?:href|src)="(\.[^"#]*|acme\/[^"]*)"/g)) {
      const { pathname, search } = new URL(to, api.url + path);
      const found = await get(pathname + search);
      expect([to, found.status]).toEqual([to, 200]);
    }
  });

  test.each(['/status/acme/status.json', '/status/acme/feed.rss', '/status/acme'])(
    '%s may be read by pages of every Origin, which may do nothing else',
    async (path) => {
      const origin = 'https://elsewhere.example';
      expect((await get(path, { origin })).status).toBe(200);
      const domain = { host: 'status.own.example', origin };
      const ownPath = path.replace('/status/acme', '') || '/';
      expect((await raw({ path: ownPath, headers: domain })).status).toBe(200);
      expect((await get('/v1/status-pages', { origin })).status).toBe(403);
      const login = {
        key: null,
        headers: { origin, 'content-type': 'application/json' },
        body: {},
      };
      expect((await api.call('POST', '/status/secret/login', login)).status).toBe(403);
    },
  );

  test('has the policy of pages, and may be held by nobody without asking', async () => {
    const { headers } = await get('/status/acme');
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(headers.get('vary')).toMatch(/accept-encoding/i);
  });

  test('is answered with 304 to whoever has it, until it changes', async () => {
    const etag = (await get('/status/acme')).headers.get('etag') ?? '';
    // `fetch` would say that it has nothing.
    const asked = { path: '/status/acme', headers: { 'if-none-match': etag } };
    const { status, bytes } = await raw(asked);
    expect([status, bytes.length]).toEqual([304, 0]);
    await api.configuration.pageServices.put({ ...serviceOf('Search'), name: 'Find' });
    expect((await raw(asked)).status).toBe(200);
    await api.configuration.pageServices.put(serviceOf('Search'));
  });

  test('is sent compressed to whoever takes that', async () => {
    const plain = await raw({ path: '/status/acme', headers: { 'accept-encoding': 'identity' } });
    const zipped = await raw({ path: '/status/acme', headers: { 'accept-encoding': 'gzip' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });

  test('answers HEAD without a body', async () => {
    const answer = await api.call('HEAD', '/status/acme', { key: null });
    expect(answer).toMatchObject({ status: 200, body: null });
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1_000);
  });

  test.each([
    ['status.json', 'application/json; charset=utf-8', '"headline":"All systems work"'],
    ['feed.rss', 'application/rss+xml; charset=utf-8', '<title>Fire: Resolved</title>'],
    ['feed.atom', 'application/atom+xml; charset=utf-8', '<title>Fire: Resolved</title>'],
    ['slack.rss', 'application/rss+xml; charset=utf-8', '<title>Fire: Resolved</title>'],
    ['theme.css', 'text/css; charset=utf-8', '--text:light-dark(#123456,#123456);'],
  ])('has %s', async (file, type, content) => {
    const { status, headers, body } = await get(`/status/acme/${file}`);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(typeof body === 'string' ? body : JSON.stringify(body)).toContain(content);
  });

  test('names addresses under which others reach it', async () => {
    const { body } = await get('/status/own/feed.rss');
    expect(body).toContain(`<link>https://status.own.example/incidents/${INCIDENT.id}#update-`);
    expect((await get('/status/acme/feed.rss')).body).toContain(
      `<link>${api.url}/status/acme/incidents/${INCIDENT.id}#update-`,
    );
  });

  test('has maintenance at an address of its own', async () => {
    const at = (ms: number) => new Date(NOW + ms).toISOString();
    const times = { name: 'A larger disk', startsAt: at(HOUR), endsAt: at(2 * HOUR) };
    const window = publishedWindow({ affectAllServices: true }, times);
    await api.configuration.maintenanceWindows.put(window);
    const { body } = await get('/status/acme');
    const [, link = ''] = /href="acme(\/maintenances\/[^"]+)"/.exec(String(body)) ?? [];
    expect((await get(`/status/acme${link}`)).body).toContain(
      '<h1 class="lead">A larger disk</h1>',
    );
  });

  test.each([
    '/status/nobody',
    '/status/acme/nothing',
    '/status/acme/assets/page.css',
    '/status/assets/..%2f..%2fassets.ts',
    '/status/own/theme.css',
    `/status/acme/incidents/${idOf(8, NOW - MINUTE)}`,
    `/status/acme/incidents/${idOf(99)}`,
    '/status/acme/incidents/x',
    '/status/acme/maintenances/x',
    '/status/acme/history/2026-02',
    '/status/acme/history/2026-01.2',
  ])('%s is nothing: JSON to programs, a page to readers', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, body: { statusCode: 404 } });
    const page = await get(path, READER);
    expect(page.status).toBe(404);
    expect(page.body).toContain('<h1 class="lead">Nothing is here</h1>');
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self'");
  });
});

test('only documents of public pages are for search engines', async () => {
  const robots = async (path: string) => (await get(path)).headers.get('x-robots-tag');
  expect(await robots('/status/quiet/status.json')).toBe('noindex');
  expect(await robots('/status/quiet/feed.rss')).toBe('noindex');
  expect(await robots('/status/acme/feed.rss')).toBeNull();
});

test('only public pages are listed', async () => {
  const { body } = await get('/status');
  expect(
    [...String(body).matchAll(/class="quiet" href="(status\/[^"]*)">/g)].map(([, to]) => to),
  ).toEqual(['status/acme', 'status/own', 'status/taken']);
  expect((await get('/status/')).body).toContain('href="./acme"');
});

describe('a private page', () => {
  const logIn = (password: string, slug = 'secret', headers: Record<string, string> = {}) =>
    api.call('POST', `/status/${slug}/login`, {
      key: null,
      body: new URLSearchParams({ password }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const cookieOf = async () =>
    (await logIn('open sesame')).headers.get('set-cookie')?.split(';')[0] ?? '';

  test.each(['', '/', '/history/2026-01', `/incidents/${INCIDENT.id}`])(
    'asks for its password at %j, and tells nothing before',
    async (path) => {
      const { status, body } = await get(`/status/secret${path}`);
      expect(status).toBe(401);
      expect(body).toContain('type="password"');
      expect(body).not.toMatch(/Checkout|Fire|feed/);
    },
  );

  test.each(['status.json', 'feed.rss', 'feed.atom', 'slack.rss'])(
    'has no %s for those who did not give it',
    async (file) => {
      expect((await get(`/status/secret/${file}`)).status).toBe(404);
    },
  );

  test('is open for 30 days to the browser that gave it', async () => {
    const { status, headers } = await logIn('open sesame');
    expect([status, headers.get('location')]).toEqual([303, './']);
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^watchpost-page-[\w-]+=[\w.-]+; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    const [pair = ''] = cookie.split(';');
    const page = await get('/status/secret', { cookie: `a=b; ${pair}` });
    expect(page.body).toContain('All systems work');
    expect(page.headers.get('cache-control')).toBe('private, no-cache');
    const json = await get('/status/secret/status.json', { cookie: pair });
    expect(json.status).toBe(200);
    expect(json.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('has a session that only https gets where the sender came by https', async () => {
    await using https = await proxied();
    const { headers } = await https.call('POST', '/status/secret/login', {
      key: null,
      body: 'password=open+sesame',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-proto': 'https',
      },
    });
    expect(headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test.each<[string, (cookie: string) => string]>([
    ['nothing', () => ''],
    ['no signature', (cookie) => cookie.replace(/\..*/, '.')],
    [
      'another signature',
      (cookie) => cookie.replace(/\.(.)/, (_, c) => `.${c === 'A' ? 'B' : 'A'}`),
    ],
    ['a later end', (cookie) => cookie.replace(/=(\d+)/, (_, at) => `=${Number(at) + 60}`)],
    ['the session of another page', (cookie) => cookie.replace(idOf(3), idOf(7))],
  ])('stays closed to %s', async (_, forge) => {
    const cookie = forge(await cookieOf());
    const slug = cookie.includes(idOf(7)) ? 'twin' : 'secret';
    expect((await get(`/status/${slug}`, { cookie })).status).toBe(401);
  });

  test('is closed again with another password, and after 30 days', async () => {
    const cookie = await cookieOf();
    const page = api.configuration.statusPages.get(idOf(3));
    if (page === undefined) throw new Error('There is no such page.');
    await api.configuration.statusPages.put({ ...page, passwordHash: await hashPassword('other') });
    expect((await get('/status/secret', { cookie })).status).toBe(401);
    await api.configuration.statusPages.put(page);
    expect((await get('/status/secret', { cookie })).status).toBe(200);
    await api.clock.advance(30 * 86_400_000 + 1_000);
    expect((await get('/status/secret', { cookie })).status).toBe(401);
  });

  test('says which password was wrong to nobody, and lets few be tried within a minute', async () => {
    const wrong = await logIn('wrong', 'locked');
    expect(wrong.status).toBe(401);
    expect(wrong.body).toContain('That is not the password.');
    for (let tries = 2; tries <= 10; tries++) await logIn('wrong', 'locked');
    const refused = await logIn('open sesame', 'secret', READER);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.body).toContain('Please wait a moment');
    await api.clock.advance(MINUTE);
    expect((await logIn('open sesame')).status).toBe(303);
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }, 403],
    ['JSON', { 'content-type': 'application/json' }, 415],
  ])('takes no password from %s', async (_, headers, status) => {
    expect((await logIn('open sesame', 'secret', headers)).status).toBe(status);
  });
});

/** The API behind a proxy that it trusts, with the same private page. */
async function proxied() {
  const own = await startApi({ trustedProxies: ['loopback'] });
  await own.configuration.statusPages.put(api.configuration.statusPages.get(idOf(3)) as StatusPage);
  return { call: own.call, [Symbol.asyncDispose]: own.close };
}

describe('a domain of its own', () => {
  const host = 'status.own.example';
  const at = (path: string, headers: Record<string, string> = {}) =>
    raw({ path, headers: { host, ...headers } });

  test.each(['/', '/status.json', '/feed.rss', `/incidents/${INCIDENT.id}`, '/history/2026-01'])(
    'serves the page at %s',
    async (path) => {
      const { status, bytes } = await at(path);
      expect(status).toBe(200);
      expect(bytes.toString()).toContain('Page own');
    },
  );

  test('serves what its documents refer to', async () => {
    const { bytes } = await at('/');
    const own = [...bytes.toString().matchAll(/(?:href|src)="(\.\/[^"#]*)"/g)];
    expect(own.length).toBeGreaterThan(5);
    for (const [, to = ''] of own) {
      expect([to, (await at(new URL(to, `http://${host}/`).pathname)).status]).toEqual([to, 200]);
    }
  });

  test.each([
    '/v1/checks',
    '/v1/locations',
    '/app/keys',
    '/docs',
    '/openapi.json',
    '/metrics',
    '/healthz',
    '/ping/x',
    '/status',
    '/status/acme',
    '/../v1/locations',
    '/..%2fv1/locations',
    '//v1/locations',
    '/dashboards/x',
  ])('serves nothing at %s', async (path) => {
    const { status } = await at(path, { authorization: `Bearer ${api.key}` });
    expect(status).toBe(404);
  });

  test('has pages for its errors', async () => {
    const { status, bytes } = await at('/nowhere', READER);
    expect(status).toBe(404);
    const [, sheet = ''] = /href="(\/assets\/[^"]+)"/.exec(bytes.toString()) ?? [];
    expect((await at(sheet)).status).toBe(200);
  });

  test('that is a name of the appliance takes nothing away from it', async () => {
    const { status, bytes } = await raw({
      path: '/v1/locations',
      headers: { host: 'watch.intern' },
    });
    expect(status).toBe(200);
    expect(bytes.toString()).not.toContain('Page taken');
  });

  test('is not taken where no page has it', async () => {
    expect((await raw({ path: '/', headers: { host: 'status.other.example' } })).status).toBe(403);
  });

  test('takes a form of its own pages, and of no other', async () => {
    const post = (origin: string) =>
      raw({
        method: 'POST',
        path: '/login',
        headers: { host, origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'password=x',
      });
    expect((await post(`https://${host}`)).status).toBe(401);
    expect((await post('https://evil.example')).status).toBe(403);
  });

  test('answers an address in full as any other', async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.end(
      `GET http://${host}/v1/locations HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'close');
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 404/);
  });
});

test('readers of held documents are not counted, those of others are', async () => {
  await using own = await (async () => {
    const started = await startApi({ rateLimitPerMinute: 3 });
    return Object.assign(started, { [Symbol.asyncDispose]: started.close });
  })();
  await own.configuration.statusPages.put(pageOf(CARDS));
  const status = async (path: string) => (await own.call('GET', path, { key: null })).status;
  for (let count = 0; count < 20; count++) {
    expect(await status('/status/acme')).toBe(200);
    expect(await status('/status/acme/status.json')).toBe(200);
  }
  const others = [];
  for (let count = 0; count < 4; count++) others.push(await status('/status/acme/incidents/x'));
  expect(others).toEqual([404, 404, 404, 429]);
});

interface RawAnswer {
  status: number | undefined;
  headers: Record<string, unknown>;
  bytes: Buffer;
}

/** `fetch` sets Host itself, and inflates: this one does neither. */
async function raw({
  path,
  method = 'GET',
  headers,
  body = '',
}: {
  path: string;
  method?: string;
  headers: Record<string, string>;
  body?: string;
}): Promise<RawAnswer> {
  const { hostname, port } = new URL(api.url);
  const sent = request({ hostname, port, path, method, headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}
