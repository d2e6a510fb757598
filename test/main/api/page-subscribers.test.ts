import { EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Mailer } from '#main/incidents/mailer.ts';
import { sendMail } from '#main/notifications/smtp.ts';
import { hashPassword } from '#main/platform/password-hash.ts';
import { SubscriberMails } from '#main/status-pages/subscriber-mails.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';
import { testPorts } from '../../fixtures/send-ports.ts';
import { SmtpSink, type TakenMail } from '../../fixtures/smtp-sink.ts';
import { makePageService, makeStatusPage } from '../../fixtures/status-pages.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let sink: SmtpSink;
let api: Harness;
let mailer: Mailer;
let page: StatusPage;
const arrived = new EventEmitter<{ mail: [TakenMail] }>();

beforeAll(async () => {
  sink = await SmtpSink.start();
  sink.onMail = (mail) => arrived.emit('mail', mail);
  const server = { host: '127.0.0.1', port: sink.port, user: null, password: null, secure: false };
  const smtp = { ...server, from: 'Acme <status@acme.test>' };
  api = await startApi({ trustedProxies: ['127.0.0.1'] }, { smtp });
  const mails = new SubscriberMails(() => api.url);
  const { clock, history, configuration } = api;
  const mail = {
    isSet: true,
    compose: mails.compose.bind(mails),
    send: (one: Parameters<typeof sendMail>[0]) => sendMail(one, testPorts({ smtp })),
  };
  const log = pino({ level: 'silent' });
  mailer = new Mailer({ clock, history, configuration, log, mail, perMinute: 10_000 });
  mailer.start();
});
afterAll(async () => {
  await mailer.stop();
  await api.close();
  await sink[Symbol.asyncDispose]();
});

beforeEach(async () => {
  sink.mails.length = 0;
  await api.clock.advance(25 * HOUR);
  page = makeStatusPage([makePageService()], { name: 'Acme <status>' });
  await api.configuration.statusPages.put(page);
});

let senders = 0;
const someone = () => `2001:db8:${(senders++).toString(16)}::1`;

const form = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

/** A request to the domain of a page, which `fetch` could not name; answers the status. */
async function postAt(
  { customDomain }: StatusPage,
  path: string,
  body = '',
  headers: Record<string, string> = {},
): Promise<number> {
  const { hostname, port } = new URL(api.url);
  const host = customDomain ?? '';
  const sent = request({ hostname, port, path, method: 'POST', headers: { ...headers, host } });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

function subscribe(address: string, { from = someone(), to = page, more = {}, cookie = '' } = {}) {
  const { body, headers } = form({ address, ...more });
  const sent = { ...headers, 'x-forwarded-for': from, cookie };
  return api.call('POST', `/status/${to.url}/subscribe`, { key: null, body, headers: sent });
}

const open = (method: 'GET' | 'POST', link: string) =>
  api.call(method, link.replace(api.url, ''), { key: null });

/** The next mail that the server takes. */
async function nextMail(): Promise<TakenMail> {
  const mail = once(arrived, 'mail') as Promise<[TakenMail]>;
  mailer.enqueue();
  const [taken] = await mail;
  return { ...taken, source: taken.source.replaceAll('=\n', '').replaceAll('=3D', '=') };
}

const linkIn = ({ source }: TakenMail, name: string) =>
  new RegExp(`http://\\S+/${name}\\b`).exec(source)?.[0] ?? '';

const subscriptions = () =>
  [...api.history.ofIncidents.subscriptions.values()].filter(({ pageId }) => pageId === page.id);

/** Subscribes an address as its owner does, and answers its subscription. */
async function subscribed(address: string) {
  await subscribe(address);
  await open('POST', linkIn(await nextMail(), 'confirm'));
}

describe('who subscribes', () => {
  test('gets a mail whose link confirms it, and then the mails of the page', async () => {
    expect(await subscribe(' Ann@Example.com ')).toMatchObject({ status: 200 });
    const confirmation = await nextMail();
    expect(confirmation.to).toBe('ann@example.com');
    expect(subscriptions()).toMatchObject([{ address: 'ann@example.com', status: 'PENDING' }]);
    const link = linkIn(confirmation, 'confirm');
    // What scans mails follows links.
    expect((await open('GET', link)).body).toContain('Confirm your subscription');
    expect(subscriptions()).toMatchObject([{ status: 'PENDING' }]);
    const done = await open('POST', link);
    expect(done).toMatchObject({ status: 200 });
    expect(done.body).toContain('You are subscribed');
    expect(subscriptions()).toMatchObject([{ status: 'VERIFIED' }]);
    // Once more does no harm.
    expect((await open('POST', link)).status).toBe(200);
  });

  test('is told the same whether the address is known or not, and a known one is not mailed', async () => {
    const unknown = await subscribe('ann@example.com');
    await open('POST', linkIn(await nextMail(), 'confirm'));
    await api.clock.advance(HOUR);
    const known = await subscribe('ann@example.com');
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    mailer.enqueue();
    await api.clock.advance(HOUR);
    expect(sink.mails).toHaveLength(1);
  });

  test('is asked for the confirmation at most every ten minutes', async () => {
    for (const minutes of [0, 9, 1]) {
      await api.clock.advance(minutes * MINUTE);
      await subscribe('ann@example.com');
    }
    const [subscription] = subscriptions();
    const asked = [...api.history.ofIncidents.mailings.values()].filter(
      ({ content }) =>
        content.kind === 'confirmation' && content.subscriptionId === subscription?.id,
    );
    expect(asked).toHaveLength(2);
    expect(subscriptions()).toHaveLength(1);
  });

  test('has to give an address', async () => {
    for (const address of ['', 'nobody', 'a@b, c@d', 'a@b\r\nBcc: c@d', `${'a'.repeat(251)}@b.c`]) {
      const answer = await subscribe(address);
      expect(answer.status).toBe(400);
      expect(answer.body).toContain('This is not an e-mail address');
    }
    expect(subscriptions()).toEqual([]);
  });

  test('is a person: a field that people do not see stays empty', async () => {
    expect(await subscribe('bot@example.com', { more: { website: 'x' } })).toMatchObject({
      status: 200,
    });
    expect(subscriptions()).toEqual([]);
  });

  test('reads a page that there is, and knows the password of a private one', async () => {
    const passwordHash = await hashPassword('open sesame');
    const hidden = makeStatusPage([], { visibility: 'PRIVATE', passwordHash });
    await api.configuration.statusPages.put(hidden);
    for (const to of [hidden, makeStatusPage()]) {
      expect((await subscribe('ann@example.com', { to })).status).toBe(404);
    }
    const logIn = { ...form({ password: 'open sesame' }), key: null };
    const { headers } = await api.call('POST', `/status/${hidden.url}/login`, logIn);
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await subscribe('ann@example.com', { to: hidden, cookie })).status).toBe(200);
    // Who reads the mail may sit at another device.
    const link = linkIn(await nextMail(), 'confirm');
    expect((await open('POST', link)).status).toBe(200);
  });

  test('does all of it at the domain of the page too', async () => {
    const own = makeStatusPage([], { customDomain: 'status.acme.test' });
    await api.configuration.statusPages.put(own);
    const { body, headers } = form({ address: 'ann@example.com' });
    const origin = 'https://status.acme.test';
    expect(await postAt(own, '/subscribe', body, { ...headers, origin })).toBe(200);
    const mail = await nextMail();
    const link = /https:\/\/status\.acme\.test(\/\S+\/confirm)/.exec(mail.source)?.[1] ?? '';
    expect(await postAt(own, link, '', { origin })).toBe(200);
    const [ann] = [...api.history.ofIncidents.subscriptions.values()].filter(
      ({ pageId }) => pageId === own.id,
    );
    expect(ann?.status).toBe('VERIFIED');
    expect(await postAt(own, link.replace('confirm', 'unsubscribe'))).toBe(200);
    expect(await postAt(own, link)).toBe(404);
  });

  test('sends a form and nothing else', async () => {
    const path = `/status/${page.url}/subscribe`;
    const json = await api.call('POST', path, { key: null, body: { address: 'a@b.c' } });
    expect(json.status).toBe(415);
    const long = await subscribe('a'.repeat(20_000));
    expect(long.status).toBe(413);
    const { body, headers } = form({ address: 'ann@example.com' });
    const foreign = { ...headers, origin: 'https://evil.example.com' };
    expect((await api.call('POST', path, { key: null, body, headers: foreign })).status).toBe(403);
  });
});

describe('a thousand addresses', () => {
  test('from one place are limited, by minute and by hour', async () => {
    let taken = 0;
    for (let n = 0; n < 1_000; n += 1) {
      const { status } = await subscribe(`reader-${n}@example.com`, { from: '192.0.2.7' });
      taken += Number(status === 200);
      if (n % 10 === 9) await api.clock.advance(36_000);
    }
    // An hour passed.
    expect(taken).toBeLessThanOrEqual(31);
    expect(taken).toBeGreaterThanOrEqual(30);
    const first = await subscribe('other@example.com', { from: '192.0.2.8' });
    expect(first.status).toBe(200);
  });

  test('from the network of one sender count as one', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const from = `2001:db8:ffff::${n}`;
      statuses.push((await subscribe(`reader-${n}@example.com`, { from })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('a link to unsubscribe', () => {
  test('shows a form first, and ends the subscription when it is sent', async () => {
    await subscribed('ann@example.com');
    const link = await unsubscribeLink();
    expect((await open('GET', link)).body).toContain('No more mails about Acme &lt;status&gt;');
    expect(subscriptions()).toHaveLength(1);
    expect((await open('POST', link)).body).toContain('You are unsubscribed');
    expect(subscriptions()).toEqual([]);
    const again = await open('POST', link);
    expect(again.status).toBe(404);
    expect(again.body).toContain('There is no such subscription');
  });

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])('is taken from mail programs as %s', async (type, body) => {
    await subscribed('ann@example.com');
    const path = (await unsubscribeLink()).replace(api.url, '');
    const headers = { 'content-type': type };
    const answer = await api.call('POST', path, { key: null, body, headers });
    expect(answer.status).toBe(200);
    expect(subscriptions()).toEqual([]);
  });

  test('works in an old mail too: the page has another address since, which another page may have taken', async () => {
    await subscribed('ann@example.com');
    const link = await unsubscribeLink();
    await api.configuration.statusPages.put({ ...page, url: 'renamed' });
    const shown = await open('GET', link);
    expect(shown.body).toContain('No more mails about Acme');
    expect(shown.body).toContain('href="../../../../renamed/"');
    const taken = makeStatusPage([], { url: page.url, name: 'Another' });
    await api.configuration.statusPages.put(taken);
    expect((await open('POST', link)).body).toContain('No more mails about Acme');
    expect(subscriptions()).toEqual([]);
    await api.configuration.statusPages.delete(taken.id);
    expect((await open('POST', link)).status).toBe(404);
  });

  test('is of one subscription', async () => {
    await subscribed('ann@example.com');
    const link = await unsubscribeLink();
    const [own] = subscriptions();
    for (const wrong of [
      link.replace(own?.token ?? '', 'x'.repeat(43)),
      link.replace(own?.id ?? '', page.id),
      link.replace(own?.id ?? '', 'nonsense'),
    ]) {
      expect((await open('POST', wrong)).status).toBe(404);
    }
    expect(subscriptions()).toHaveLength(1);
  });

  test('has the policy of pages, and nobody caches it', async () => {
    await subscribed('ann@example.com');
    const { headers } = await open('GET', await unsubscribeLink());
    expect(headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  async function unsubscribeLink(): Promise<string> {
    const [{ id = '', token = '' } = {}] = subscriptions();
    return `${api.url}/status/${page.url}/subscriptions/${id}/${token}/unsubscribe`;
  }
});

test('without a mail server nobody can subscribe', async () => {
  const bare = await startApi();
  await bare.configuration.statusPages.put(page);
  const { body, headers } = form({ address: 'ann@example.com' });
  const answer = await bare.call('POST', `/status/${page.url}/subscribe`, {
    key: null,
    body,
    headers,
  });
  expect(answer.status).toBe(503);
  await bare.close();
});
