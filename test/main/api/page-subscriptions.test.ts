import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMutex } from '#main/platform/mutex.ts';
import { CONFIRMATION_REST_MS, PageSubscriptions } from '#main/services/page-subscriptions.ts';
import { ServiceError } from '#main/services/service-error.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { MAX_SUBSCRIPTIONS } from '#shared/status-pages/subscription.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeStatusPage } from '../../fixtures/status-pages.ts';
import { makeSubscription } from '../store/incident-records.ts';

const UNKNOWN = randomUUID();

let api: Harness;
let page: StatusPage;
beforeEach(async () => {
  api = await startApi();
  page = makeStatusPage();
  await api.configuration.statusPages.put(page);
});
afterEach(() => api.close());

type Listed = { id: string; address: string; status: string };
const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;
const pathOf = (id = page.id) => `/v1/status-pages/${id}/subscriptions`;
const list = async (id?: string) => (await api.call('GET', pathOf(id))).body as Listed[];
const reader = (config: unknown) => ({ type: 'EMAIL', config });
const bulk = (addresses: readonly unknown[], members: object = {}) =>
  api.call('POST', `${pathOf()}/bulk`, {
    body: { subscriptions: addresses.map(reader), ...members },
  });
const stored = () => [...api.history.ofIncidents.subscriptions.values()];
const mailings = () => [...api.history.ofIncidents.mailings.values()];

describe('through the API', () => {
  test('addresses are subscribed, listed and ended', async () => {
    const answer = await bulk(['b@x.test', 'a@x.test'], { autoVerify: true });
    expect([answer.status, answer.body]).toEqual([
      201,
      { created: 2, skipped: 0, status: 'VERIFIED' },
    ]);
    const at = new Date(NOW).toISOString();
    const shown = { type: 'EMAIL', status: 'VERIFIED', created_at: at, updated_at: at };
    const listed = await list();
    expect(listed).toMatchObject([
      { address: 'a@x.test', ...shown },
      { address: 'b@x.test', ...shown },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/token/);
    expect(mailings()).toEqual([]);
    const one = `${pathOf()}/${listed[0]?.id}`;
    expect((await api.call('DELETE', one)).status).toBe(204);
    expect((await list()).map(({ address }) => address)).toEqual(['b@x.test']);
    const again = await api.call('DELETE', one);
    expect([again.status, message(again)]).toEqual([404, 'There is no such subscription']);
  });

  test('without autoVerify each is asked for a confirmation', async () => {
    const answer = await bulk(['a@x.test', 'b@x.test'], { autoVerify: null });
    expect(answer.body).toEqual({ created: 2, skipped: 0, status: 'PENDING' });
    const asked = stored().map(({ id }) => ({ kind: 'confirmation', subscriptionId: id }));
    expect(mailings().map(({ content }) => content)).toEqual(asked);
    expect(api.automation.mailed).toEqual(mailings());
  });

  test('an address that the page or the body has already is skipped, in any case', async () => {
    await bulk(['A@x.test']);
    const answer = await bulk(['a@X.test', 'B@x.test', 'b@x.test'], { autoVerify: true });
    expect(answer.body).toEqual({ created: 1, skipped: 2, status: 'VERIFIED' });
    expect(await list()).toMatchObject([
      { address: 'a@x.test', status: 'PENDING' },
      { address: 'b@x.test', status: 'VERIFIED' },
    ]);
    const none = await bulk(['b@x.test']);
    expect(none.body).toEqual({ created: 0, skipped: 1, status: 'PENDING' });
  });

  test('a subscription of another page is not found', async () => {
    const theirs = makeSubscription();
    await api.history.write({ subscriptions: [theirs] });
    expect((await api.call('DELETE', `${pathOf()}/${theirs.id}`)).status).toBe(404);
    expect(stored()).toEqual([theirs]);
  });

  test('a page that there is not has none', async () => {
    const answers = [
      await api.call('GET', pathOf(UNKNOWN)),
      await api.call('POST', `${pathOf(UNKNOWN)}/bulk`, { body: {} }),
      await api.call('DELETE', `${pathOf(UNKNOWN)}/${UNKNOWN}`),
    ];
    for (const answer of answers) {
      expect([answer.status, message(answer)]).toEqual([
        404,
        `No status page has the id ${UNKNOWN}`,
      ]);
    }
  });

  test.each<[string, unknown[], string]>([
    ['none', [], 'subscriptions: expected at least 1 item, got 0 items'],
    [
      'more than a hundred',
      Array.from({ length: 101 }, (_, n) => `a${n}@x.test`),
      'subscriptions: expected at most 100 items, got 101 items',
    ],
    ['no address', ['nobody'], 'subscriptions.0.config: expected one e-mail address'],
    ['two in one', ['a@x.test, b@x.test'], 'subscriptions.0.config: expected one e-mail address'],
    [
      'a header',
      ['a@x.test\r\nBcc: b@x.test'],
      'subscriptions.0.config: expected one e-mail address',
    ],
    [
      'an address that is too long',
      [`${'a'.repeat(250)}@x.test`],
      'subscriptions.0.config: expected at most 254 characters, got 257 characters',
    ],
  ])('%s is refused', async (_, addresses, expected) => {
    const answer = await bulk(addresses);
    expect([answer.status, message(answer)]).toEqual([400, expected]);
  });

  test('another type than e-mail is refused', async () => {
    const body = { subscriptions: [{ type: 'SMS', config: 'a@x.test' }] };
    const answer = await api.call('POST', `${pathOf()}/bulk`, { body });
    expect(message(answer)).toBe('subscriptions.0.type: expected "EMAIL", got "SMS"');
  });

  test('a page has ten thousand at most, and lists them all', async () => {
    const subscriptions = Array.from({ length: MAX_SUBSCRIPTIONS - 1 }, (_, n) =>
      makeSubscription({ pageId: page.id, address: `a${n}@x.test` }),
    );
    // By hand: the fake looks through all of them for each that is written.
    for (const one of subscriptions) api.history.ofIncidents.subscriptions.set(one.id, one);
    const answer = await bulk(['x@x.test', 'y@x.test']);
    expect([answer.status, message(answer)]).toEqual([
      409,
      'The page has 9999 of at most 10000 subscriptions',
    ]);
    expect((await bulk(['x@x.test', 'a1@x.test'])).status).toBe(201);
    const addresses = (await list()).map(({ address }) => address);
    expect(new Set(addresses).size).toBe(MAX_SUBSCRIPTIONS);
  });
});

describe('by their owners', () => {
  let service: PageSubscriptions;
  beforeEach(() => {
    const { configuration, clock, history, automation } = api;
    const pages = {
      find: (id: string) => {
        const found = configuration.statusPages.get(id);
        if (found === undefined) throw new ServiceError('NOT_FOUND', 'No such page');
        return found;
      },
    };
    const { mailings: port } = automation;
    const parts = { configuration, clock, history, mailings: port, mutex: createMutex(), pages };
    service = new PageSubscriptions(parts);
  });
  const subscribe = () => service.subscribe(page.id, 'a@x.test');
  const notFound = expect.objectContaining({ code: 'NOT_FOUND' });

  test('an address that asks is pending until the link of its mail confirms it, and ended by its link', async () => {
    await subscribe();
    const [pending] = stored();
    expect(pending).toMatchObject({ address: 'a@x.test', status: 'PENDING' });
    expect(pending?.token).toMatch(/^[\w-]{43}$/);
    const { id = '', token = '' } = pending ?? {};
    expect(mailings()).toMatchObject([{ content: { kind: 'confirmation', subscriptionId: id } }]);
    expect(await service.pageOf(id, token)).toMatchObject({ id: page.id });
    await api.clock.advance(5);
    const verified = { ...pending, status: 'VERIFIED', updatedAt: NOW + 5 };
    expect(await service.confirm(id, token)).toEqual(verified);
    await api.clock.advance(5);
    expect(await service.confirm(id, token)).toEqual(verified);
    expect(await service.end(id, token)).toEqual(verified);
    expect(stored()).toEqual([]);
    for (const act of ['confirm', 'end'] as const) {
      await expect(service[act](id, token)).rejects.toEqual(notFound);
    }
    expect(await service.pageOf(id, token)).toBeNull();
  });

  test('a token that is not the one of a subscription does nothing', async () => {
    await subscribe();
    const [pending] = stored();
    const { id = '', token = '' } = pending ?? {};
    for (const wrong of ['', 'x', token.slice(0, -1), `${token}x`, token.toUpperCase()]) {
      for (const act of ['confirm', 'end'] as const) {
        await expect(service[act](id, wrong)).rejects.toEqual(notFound);
      }
      expect(await service.pageOf(id, wrong)).toBeNull();
    }
    expect(await service.pageOf(UNKNOWN, '')).toBeNull();
    expect(stored()).toEqual([pending]);
  });

  test('an address that asks again is mailed again after ten minutes, and never once it is verified', async () => {
    await Promise.all([subscribe(), subscribe()]);
    await api.clock.advance(CONFIRMATION_REST_MS - 1);
    await subscribe();
    expect([stored().length, mailings().length]).toEqual([1, 1]);
    await api.clock.advance(1);
    await subscribe();
    await subscribe();
    expect([stored().length, mailings().length]).toEqual([1, 2]);
    const [{ id, token } = { id: '', token: '' }] = stored();
    await service.confirm(id, token);
    await api.clock.advance(CONFIRMATION_REST_MS);
    await subscribe();
    const confirmedAt = NOW + CONFIRMATION_REST_MS;
    expect(stored()).toMatchObject([{ status: 'VERIFIED', updatedAt: confirmedAt }]);
    expect(mailings()).toHaveLength(2);
  });

  test('a page that is gone takes none', async () => {
    await api.configuration.statusPages.delete(page.id);
    await expect(subscribe()).rejects.toEqual(notFound);
    expect(stored()).toEqual([]);
  });
});
