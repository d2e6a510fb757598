import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPassword } from '#main/platform/password-hash.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import { THEME_COLOURS } from '#shared/status-pages/page-members.ts';
import type { PageService } from '#shared/status-pages/page-service.ts';
import { MAX_STATUS_PAGES } from '#shared/status-pages/status-page.ts';
import { ACCOUNT_ID, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makePageService, makeStatusPage } from '../../fixtures/status-pages.ts';
import { makeEndedIncident, makeIncident, makeSubscription } from '../store/incident-records.ts';

const PATH = '/v1/status-pages';
const DAY = 86_400_000;
const UNKNOWN = randomUUID();
const iso = (ms: number) => new Date(ms).toISOString();

let api: Harness;
let service: PageService;
beforeEach(async () => {
  api = await startApi();
  service = makePageService();
  await api.configuration.pageServices.put(service);
});
afterEach(() => api.close());

type Card = { id: string; name: string; services: object[]; updated_at: string | null };
type Page = Record<string, unknown> & { id: string; cards: Card[]; version: number };
const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;
const leastOf = (members: object = {}) => ({
  name: 'Acme',
  url: 'acme',
  cards: [{ name: 'Shop', services: [{ id: service.id }] }],
  ...members,
});
const create = (members: object = {}) => api.call('POST', PATH, { body: leastOf(members) });
const created = async (members: object = {}) => (await create(members)).body as Page;
const change = (id: string, body: object) => api.call('PUT', `${PATH}/${id}`, { body });
const read = async (id: string) => (await api.call('GET', `${PATH}/${id}`)).body as Page;
const palette = Object.fromEntries(THEME_COLOURS.map((name) => [name, '#1A2B3C']));
const THEME = { light: palette, dark: { ...palette, linkFontColor: '#FFF' } };
const CLEARED = {
  customDomain: null,
  description: null,
  logo: null,
  logoDark: null,
  favicon: null,
  redirectTo: null,
  themeColors: null,
};
const FULL = {
  customDomain: 'status.acme.example',
  description: 'How our services are.',
  logo: 'https://acme.example/logo.png',
  logoDark: 'https://acme.example/logo-dark.svg?v=2',
  favicon: 'https://acme.example/favicon.ico',
  redirectTo: 'https://acme.example/',
  defaultTheme: 'DARK',
  themeColors: THEME,
};

describe('a status page', () => {
  test('is created, read, changed and deleted', async () => {
    const answer = await create();
    const { id, cards } = answer.body as Page;
    const page = {
      id,
      name: 'Acme',
      url: 'acme',
      ...CLEARED,
      defaultTheme: 'AUTO',
      version: 1,
      cards: [
        {
          id: cards[0]?.id,
          name: 'Shop',
          services: [{ ...service, accountId: ACCOUNT_ID }],
          created_at: iso(NOW),
          updated_at: null,
        },
      ],
      isPrivate: false,
      whiteLabel: false,
      keys: [],
      accountId: ACCOUNT_ID,
      created_at: iso(NOW),
      updated_at: null,
      incidents: [],
      projectBindings: { owner: null, references: [] },
    };
    expect([answer.status, answer.body]).toEqual([201, page]);
    expect(await read(id)).toEqual(page);
    await api.clock.advance(1_000);
    const changed = await change(id, FULL);
    const after = { ...page, ...FULL, version: 2, updated_at: iso(NOW + 1_000) };
    expect([changed.status, changed.body]).toEqual([200, after]);
    expect(await read(id)).toEqual(after);
    expect((await api.call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      const gone = await api.call(method, `${PATH}/${id}`);
      expect([gone.status, message(gone)]).toEqual([404, `No status page has the id ${id}`]);
    }
  });

  test('keeps what a change leaves out; null and the empty text clear a member', async () => {
    const { id } = await created(FULL);
    expect((await change(id, { name: 'New' })).body).toMatchObject({ ...FULL, name: 'New' });
    const nothing = Object.fromEntries(Object.keys(CLEARED).map((name) => [name, null]));
    expect((await change(id, nothing)).body).toMatchObject({ ...CLEARED, defaultTheme: 'DARK' });
    await change(id, FULL);
    const { themeColors: _, ...texts } = CLEARED;
    const empty = Object.fromEntries(Object.keys(texts).map((name) => [name, '']));
    expect((await change(id, empty)).body).toMatchObject({ ...texts, themeColors: THEME });
  });

  test('writes its address and host in lower case, and colours in upper case', async () => {
    const light = { ...palette, bodyFontColor: '#abcdef' };
    const body = { url: 'Acme-1', customDomain: 'Status.Example.COM' };
    const page = await created({ ...body, themeColors: { light, dark: palette } });
    expect(page).toMatchObject({ url: 'acme-1', customDomain: 'status.example.com' });
    expect(page.themeColors).toMatchObject({ light: { bodyFontColor: '#ABCDEF' } });
  });

  test('is listed in the order of creation, by cursor, with what it shows', async () => {
    for (const url of ['a', 'b', 'c']) await create({ url });
    const list = async (query: string) => {
      const { body } = await api.call('GET', `${PATH}?${query}`);
      return body as { length: number; entries: Page[]; nextId: string | null };
    };
    const first = await list('limit=2');
    expect(first.entries.map(({ url }) => url)).toEqual(['a', 'b']);
    const last = await list(`limit=2&nextId=${first.nextId}`);
    expect([last.length, last.nextId]).toEqual([1, null]);
    expect(last.entries[0]?.cards[0]?.services).toMatchObject([{ name: 'Checkout' }]);
  });

  test('shows the twenty newest incidents of its services, of 90 days', async () => {
    const of = { services: [service] };
    const old = makeEndedIncident(NOW - 100 * DAY, NOW - 90 * DAY - 1, of);
    const elsewhere = makeIncident({ createdAt: NOW });
    const ended = Array.from({ length: 21 }, (_, n) =>
      makeEndedIncident(NOW - DAY + n, NOW - DAY + n, of),
    );
    const open = makeIncident({ createdAt: NOW - 99 * DAY, ...of });
    await api.history.write({ incidents: [old, elsewhere, ...ended, open] });
    const { incidents } = await created();
    const newest = ended.toReversed().slice(0, 20);
    expect((incidents as Page[]).map(({ id }) => id)).toEqual(newest.map(({ id }) => id));
    await api.history.write({
      incidents: ended.slice(1).map((one) => ({ ...one, revision: 2, isDeleted: true })),
    });
    const [page] = ((await api.call('GET', PATH)).body as { entries: Page[] }).entries;
    expect(page?.incidents).toMatchObject([{ id: ended[0]?.id }, { id: open.id }]);
  });

  test('takes its subscriptions along, and leaves services and windows', async () => {
    const { id } = await created();
    const other = await created({ url: 'other' });
    const [own, theirs] = [id, other.id].map((pageId) => makeSubscription({ pageId }));
    await api.history.write({ subscriptions: [own, theirs].flatMap((one) => one ?? []) });
    await api.call('DELETE', `${PATH}/${id}`);
    expect([...api.history.ofIncidents.subscriptions.values()]).toEqual([theirs]);
    expect(api.configuration.pageServices.size).toBe(1);
  });
});

describe('cards', () => {
  test('keep their ids where a change names them; new ones come, missing ones go, in the order given', async () => {
    const { id, cards } = await created({ cards: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    const [a, b, c] = cards as [Card, Card, Card];
    await api.clock.advance(1_000);
    const asked = [
      { ...c, id: c.id.toUpperCase() },
      { name: 'new', services: [{ id: service.id }] },
      { id: a.id, name: 'A', statusPageId: UNKNOWN },
    ];
    const { cards: after } = (await change(id, { cards: asked })).body as Page;
    expect(after.map(({ name }) => name)).toEqual(['c', 'new', 'A']);
    expect(after[0]).toEqual(c);
    expect([a.id, b.id, c.id]).not.toContain(after[1]?.id);
    expect(after[2]).toEqual({ ...a, name: 'A', updated_at: iso(NOW + 1_000) });
    const { cards: none } = (await change(id, { cards: [] })).body as Page;
    expect(none).toEqual([]);
  });

  test('have each service once, in the order given, whatever else is said of it', async () => {
    const other = makePageService({ name: 'Search' });
    await api.configuration.pageServices.put(other);
    const services = [other, { ...service, name: 'a lie', accountId: UNKNOWN }, { id: other.id }];
    const { cards } = await created({ cards: [{ name: 'Shop', services }] });
    expect(cards[0]?.services).toMatchObject([{ name: 'Search' }, { name: 'Checkout' }]);
  });

  test('of a change that names another one, an unknown one or one twice are refused', async () => {
    const { id, cards } = await created();
    const [card] = cards;
    const { cards: others } = await created({ url: 'other' });
    const asked = [
      { id: others[0]?.id, name: 'a' },
      { id: card?.id, name: 'b' },
      { id: card?.id, name: 'c', services: [{ id: UNKNOWN }] },
    ];
    const answer = await change(id, { cards: asked });
    expect([answer.status, message(answer)]).toEqual([
      400,
      `cards.0.id: the page has no card ${others[0]?.id}; cards.2.id: expected each card once; ` +
        `cards.2.services.0.id: no status-page service ${UNKNOWN} exists`,
    ]);
    expect((await read(id)).cards).toEqual(cards);
  });
});

describe('what is refused', () => {
  const IMAGE = 'expected the URL of an image, such as https://example.com/logo.png';
  const SLUG = 'expected letters, digits and hyphens, such as "acme"';
  const HOST = 'expected a host name such as status.example.com';
  const COLOUR = 'expected a colour such as #1A2B3C';
  const URL = 'expected an http or https URL';

  test.each<[object, string]>([
    [{ name: '' }, 'name: expected at least 1 character, got ""'],
    [{ name: 'x'.repeat(256) }, 'name: expected at most 255 characters, got 256 characters'],
    [{ url: '' }, `url: ${SLUG}`],
    [{ url: 'a/b' }, `url: ${SLUG}`],
    [{ url: '-a' }, `url: ${SLUG}`],
    [{ url: 'x'.repeat(64) }, 'url: expected at most 63 characters, got 64 characters'],
    [{ url: 'API' }, 'url: expected another word: this one is reserved'],
    [{ customDomain: 'localhost' }, `customDomain: ${HOST}`],
    [{ customDomain: '127.0.0.1' }, `customDomain: ${HOST}`],
    [{ customDomain: 'a.example:80' }, `customDomain: ${HOST}`],
    [
      { description: 'x'.repeat(501) },
      'description: expected at most 500 characters, got 501 characters',
    ],
    [{ logo: 'javascript:alert(1)//.png' }, `logo: ${URL}`],
    [{ logo: 'data:image/png;base64,AAAA' }, `logo: ${URL}`],
    [{ logoDark: '/logo.png' }, `logoDark: ${URL}`],
    [{ favicon: 'https://acme.example/page.html' }, `favicon: ${IMAGE}`],
    [{ logo: 'https://user:word@acme.example/a.png' }, `logo: ${URL}`],
    [{ logo: 'https://acme.example/a.png">' }, `logo: ${URL}`],
    [{ redirectTo: 'ftp://acme.example/' }, `redirectTo: ${URL}`],
    [{ defaultTheme: 'PINK' }, 'defaultTheme: expected "AUTO", "LIGHT" or "DARK", got "PINK"'],
    [
      { themeColors: { light: { ...palette, linkFontColor: 'red;}' }, dark: palette } },
      `themeColors.light.linkFontColor: ${COLOUR}`,
    ],
    [
      { themeColors: { light: palette, dark: { ...palette, borderColor: '#12345' } } },
      `themeColors.dark.borderColor: ${COLOUR}`,
    ],
    [{ themeColors: { light: palette } }, 'themeColors.dark: expected an object, got nothing'],
    [{ cards: [{ name: '' }] }, 'cards.0.name: expected at least 1 character, got ""'],
    [{ cards: [{ services: [] }] }, 'cards.0.name: expected a string, got nothing'],
    [
      { cards: [{ name: 'a', services: [{ id: 'x' }] }] },
      'cards.0.services.0.id: expected a UUID, got "x"',
    ],
    [
      { cards: [{ name: 'a', services: [{ id: UNKNOWN }] }] },
      `cards.0.services.0.id: no status-page service ${UNKNOWN} exists`,
    ],
    [
      { cards: Array.from({ length: 101 }, () => ({ name: 'a' })) },
      'cards: expected at most 100 items, got 101 items',
    ],
    [{ version: 1.5 }, 'version: expected a whole number above 0, got 1.5'],
  ])('%j', async (members, expected) => {
    const { id } = await created({ url: 'there', customDomain: 'there.example' });
    for (const answer of [await create(members), await change(id, members)]) {
      expect([answer.status, message(answer)]).toEqual([400, expected]);
    }
    expect(api.configuration.statusPages.size).toBe(1);
    expect((await read(id)).version).toBe(1);
  });

  test('a page without name, address and cards', async () => {
    const answer = await api.call('POST', PATH, { body: {} });
    expect(message(answer)).toBe(
      'name: expected a string, got nothing; url: expected a string, got nothing; ' +
        'cards: expected a list, got nothing',
    );
  });

  test.each([
    ['url', 'taken'],
    ['customDomain', 'status.taken.example'],
  ])('%s of another page', async (name, value) => {
    const taken = await created({ url: 'taken', customDomain: 'status.taken.example' });
    const own = await created();
    const expected = [409, `${name}: another status page has ${JSON.stringify(value)}`];
    for (const answer of [
      await create({ url: 'free', [name]: value.toUpperCase() }),
      await change(own.id, { [name]: value }),
    ]) {
      expect([answer.status, message(answer)]).toEqual(expected);
    }
    expect((await change(taken.id, { [name]: value })).status).toBe(200);
  });

  test('of two pages that are created at once with one address, one', async () => {
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  test('a change of a page that was changed since it was read', async () => {
    const { id, version } = await created();
    expect((await change(id, { name: 'b', version })).status).toBe(200);
    const answer = await change(id, { name: 'c', version });
    expect([answer.status, message(answer)]).toEqual([409, 'The page has the version 2 by now']);
    expect((await change(id, { name: 'c', version: 3 })).status).toBe(409);
    for (const none of [0, null]) expect((await change(id, { version: none })).status).toBe(200);
    expect((await change(id, { version: 4 })).status).toBe(200);
  });

  test('more pages than may be', async () => {
    const pages = Array.from({ length: MAX_STATUS_PAGES }, () => makeStatusPage());
    await Promise.all(pages.map((page) => api.configuration.statusPages.put(page)));
    const answer = await create();
    expect([answer.status, message(answer)]).toEqual([409, 'There are 100 status pages already']);
  });
});

describe('access', () => {
  const accessOf = (id: string) => `/app/status-pages/${id}/access`;

  test('is for everybody until it is changed; a password is hashed and never answered', async () => {
    const { id } = await created();
    const access = { visibility: 'PUBLIC', hasPassword: false, whiteLabel: false };
    expect((await api.call('GET', accessOf(id))).body).toEqual(access);
    const body = { visibility: 'PRIVATE', password: 'correct horse', whiteLabel: true };
    const changed = await api.call('PUT', accessOf(id), { body });
    const after = { visibility: 'PRIVATE', hasPassword: true, whiteLabel: true };
    expect([changed.status, changed.body]).toEqual([200, after]);
    expect(await read(id)).toMatchObject({ isPrivate: true, whiteLabel: true });
    const hash = api.configuration.statusPages.get(id)?.passwordHash ?? '';
    expect(hash).toMatch(/^scrypt\$16384\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await isPassword('correct horse', hash)).toBe(true);
    expect(await isPassword('correct horsE', hash)).toBe(false);
    expect(JSON.stringify([changed.body, await read(id)])).not.toMatch(/scrypt|correct/);
  });

  test('keeps what is left out, also over a change of the page', async () => {
    const { id } = await created();
    const body = { visibility: 'PRIVATE', password: 'correct horse' };
    await api.call('PUT', accessOf(id), { body });
    const hash = api.configuration.statusPages.get(id)?.passwordHash;
    await change(id, { name: 'New', isPrivate: false, whiteLabel: true });
    await api.call('PUT', accessOf(id), { body: { visibility: 'UNLISTED' } });
    await api.call('PUT', accessOf(id), { body: { visibility: 'PRIVATE' } });
    expect(api.configuration.statusPages.get(id)).toMatchObject({
      visibility: 'PRIVATE',
      passwordHash: hash,
      whiteLabel: false,
    });
  });

  test.each<[object, string]>([
    [{ visibility: 'PRIVATE' }, 'password: expected one, for the page has none yet'],
    [
      { visibility: 'SECRET' },
      'visibility: expected "PUBLIC", "UNLISTED" or "PRIVATE", got "SECRET"',
    ],
    [
      { password: 'x'.repeat(201) },
      'password: expected at most 200 characters, got 201 characters',
    ],
  ])('refuses %j', async (body, expected) => {
    const { id } = await created();
    const answer = await api.call('PUT', accessOf(id), { body });
    expect([answer.status, message(answer)]).toEqual([400, expected]);
  });

  test('refuses a short password without repeating it', async () => {
    const { id } = await created();
    const answer = await api.call('PUT', accessOf(id), { body: { password: 'hunter2' } });
    expect(answer.status).toBe(400);
    expect(message(answer)).toBe('password: expected at least 8 characters');
  });
});

test.each(['', 'scrypt$16384$8$1$short$x', 'plain text'])(
  'no password is that of the hash %j',
  async (hash) => {
    expect(await isPassword('', hash)).toBe(false);
  },
);
