import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import type { PageService } from '#shared/status-pages/page-service.ts';
import { MAX_PAGE_SERVICES } from '#shared/status-pages/page-service.ts';
import { ACCOUNT_ID, type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';
import { makePageService, makeStatusPage } from '../../fixtures/status-pages.ts';
import { makeEndedIncident, makeIncident } from '../store/incident-records.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const PATH = '/v1/status-pages/services';
const message = ({ body }: { body: unknown }) => (body as ErrorBody).message;
const create = async (name: string) =>
  (await api.call('POST', PATH, { body: { name } })).body as PageService;
const opening = (serviceId: string) => ({
  serviceId,
  severity: 'MAJOR',
  name: 'Down',
  description: '',
  notifySubscribers: false,
});
type Page = { length: number; entries: PageService[]; nextId: string | null };

test('a service is created, read, renamed and deleted', async () => {
  const created = await api.call('POST', PATH, { body: { name: 'Checkout' } });
  const { id } = created.body as PageService;
  const created_at = new Date(NOW).toISOString();
  const service = { id, name: 'Checkout', accountId: ACCOUNT_ID, created_at, updated_at: null };
  expect([created.status, created.body]).toEqual([201, service]);
  const one = `${PATH}/${id}`;
  expect((await api.call('GET', `${PATH}/${id.toUpperCase()}`)).body).toEqual(service);
  api.clock.advance(1_000);
  const renamed = await api.call('PUT', one, { body: { name: 'Shop' } });
  const updated_at = new Date(NOW + 1_000).toISOString();
  expect(renamed.body).toEqual({ ...service, name: 'Shop', updated_at });
  expect((await api.call('DELETE', one)).status).toBe(204);
  for (const method of ['GET', 'DELETE']) expect((await api.call(method, one)).status).toBe(404);
  const gone = await api.call('PUT', one, { body: { name: 'x' } });
  expect([gone.status, message(gone)]).toEqual([404, `No status-page service has the id ${id}`]);
});

test('a list goes by cursor in the order of creation, also when the entry of the cursor is gone', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name);
  const page = async (query: string) => (await api.call('GET', `${PATH}?${query}`)).body as Page;
  const names = ({ entries }: Page) => entries.map(({ name }) => name);
  const first = await page('limit=2');
  expect([first.length, names(first)]).toEqual([2, ['a', 'b']]);
  await api.call('DELETE', `${PATH}/${first.entries[1]?.id}`);
  const second = await page(`limit=2&nextId=${first.nextId}`);
  expect(names(second)).toEqual(['c', 'd']);
  const last = await page(`limit=2&nextId=${second.nextId}`);
  expect([names(last), last.nextId]).toEqual([['e'], null]);
  expect((await page('limit=4')).nextId).toBeNull();
  expect(names(await page(''))).toEqual(['a', 'c', 'd', 'e']);
});

test('paginated=false answers an array of all services', async () => {
  const made = [await create('a'), await create('b')];
  expect((await api.call('GET', `${PATH}?paginated=false&limit=1`)).body).toEqual(made);
});

test.each([
  ['limit=0', 'limit: expected a whole number from 1 to 100, got 0'],
  ['limit=101', 'limit: expected a whole number from 1 to 100, got 101'],
  ['nextId=x', 'nextId: expected the nextId of an earlier answer'],
  ['paginated=maybe', 'paginated: expected true or false, got "maybe"'],
])('a list refuses ?%s', async (query, expected) => {
  const answer = await api.call('GET', `${PATH}?${query}`);
  expect([answer.status, message(answer)]).toEqual([400, expected]);
});

test.each([
  [{}, 'name: expected a string, got nothing'],
  [{ name: 7 }, 'name: expected a string, got 7'],
  [{ name: '' }, 'name: expected at least 1 character, got ""'],
  [{ name: '  ' }, 'name: expected a name that is not only spaces'],
  [{ name: 'a\nb' }, 'name: expected a name without control characters'],
  [{ name: 'x'.repeat(256) }, 'name: expected at most 255 characters, got 256 characters'],
])('a service like %j is refused', async (body, expected) => {
  const { id } = await create('Checkout');
  for (const answer of [
    await api.call('POST', PATH, { body }),
    await api.call('PUT', `${PATH}/${id}`, { body }),
  ]) {
    expect([answer.status, message(answer)]).toEqual([400, expected]);
  }
});

test('there are at most so many', async () => {
  const { pageServices } = api.configuration;
  const all = Array.from({ length: MAX_PAGE_SERVICES }, () => makePageService());
  await Promise.all(all.map((service) => pageServices.put(service)));
  const answer = await api.call('POST', PATH, { body: { name: 'one more' } });
  expect([answer.status, message(answer)]).toEqual([
    409,
    'There are 1000 status-page services already',
  ]);
});

test('a service that is used stays, and the refusal names what uses it', async () => {
  const { configuration, history } = api;
  const service = await create('Checkout');
  const deleted = () => api.call('DELETE', `${PATH}/${service.id}`);
  const page = makeStatusPage([service], { name: 'Acme' });
  await configuration.statusPages.put(page);
  expect([(await deleted()).status, message(await deleted())]).toEqual([
    409,
    `The service is used by status page "Acme" (${page.id})`,
  ]);
  await configuration.statusPages.delete(page.id);
  const check = await api.call('POST', '/v1/checks/url', {
    body: { name: 'Cart', ...LEAST_BODIES.URL, triggerIncident: opening(service.id) },
  });
  const startsAt = new Date(NOW).toISOString();
  await api.call('POST', '/v1/maintenance-windows', {
    body: {
      name: 'Move',
      startsAt,
      endsAt: startsAt,
      statusPageVisibility: { serviceIds: [service.id] },
    },
  });
  const of = { services: [{ ...service }] };
  const open = makeIncident({ ...of, createdAt: NOW, name: 'Slow' });
  const endsLater = makeEndedIncident(NOW - 2, NOW + 60_000, { ...of, name: 'Over soon' });
  const over = makeEndedIncident(NOW - 3, NOW - 1, of);
  const elsewhere = makeIncident({ createdAt: NOW });
  await history.write({ incidents: [open, endsLater, over, elsewhere] });
  expect(message(await deleted())).toBe(
    `The service is used by check "Cart" (${(check.body as { id: string }).id}), ` +
      'maintenance window "Move" (1), ' +
      `incident "Slow" (${open.id}), incident "Over soon" (${endsLater.id})`,
  );
  const pages = Array.from({ length: 9 }, () => makeStatusPage([service]));
  for (const one of pages) await configuration.statusPages.put(one);
  expect(message(await deleted())).toMatch(/^(?:[^,]+, ){4}[^,]+ and 8 more$/);
});

test('of a deletion and a check that comes to name the service, one is refused', async () => {
  for (const first of ['deletion', 'check']) {
    const { id } = await create('Checkout');
    const deletion = () => api.call('DELETE', `${PATH}/${id}`);
    const creation = () =>
      api.call('POST', '/v1/checks/url', {
        body: { name: 'Cart', ...LEAST_BODIES.URL, triggerIncident: opening(id) },
      });
    const both = first === 'deletion' ? [deletion(), creation()] : [creation(), deletion()];
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(['204,400', '400,204', '409,201', '201,409']).toContain(statuses.join());
  }
});
