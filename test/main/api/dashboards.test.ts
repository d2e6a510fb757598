import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

interface Made {
  id: number;
  dashboardId: string;
}

const create = (body: object) => api.call('POST', '/v1/dashboards', { body });
const made = async (body: object) => (await create(body)).body as Made;
const path = ({ dashboardId }: Made) => `/v1/dashboards/${dashboardId}`;
const message = ({ body }: { body: unknown }) => (body as { message: string }).message;

test('a dashboard has every default, and no time of a change at first', async () => {
  const { status, body } = await create({ header: 'All' });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: 1,
    dashboardId: expect.stringMatching(/^[0-9a-f]{8}$/),
    customUrl: null,
    customDomain: null,
    logo: null,
    favicon: null,
    link: null,
    header: 'All',
    description: null,
    width: 'FULL',
    refreshRate: 60,
    paginate: true,
    paginationRate: 60,
    sortByStatus: false,
    checksPerPage: 15,
    useTagsAndOperator: false,
    hideTags: false,
    enableIncidents: false,
    expandChecks: false,
    tags: [],
    showHeader: true,
    showCheckRunLinks: false,
    showGroupNames: true,
    customCSS: '',
    isPrivate: false,
    showP95: true,
    showP99: true,
    keys: [],
    created_at: new Date(NOW).toISOString(),
    updated_at: null,
  });
});

test('a change leaves what it does not name', async () => {
  const before = await made({ header: 'All', customUrl: 'all', tags: ['b', 'a'], width: '960PX' });
  const body = { header: 'Most', customUrl: null, checksPerPage: null, tags: null };
  const { status, body: after } = await api.call('PUT', path(before), { body });
  expect(status).toBe(200);
  const updated_at = new Date(NOW).toISOString();
  expect(after).toEqual({ ...before, ...body, tags: [], updated_at });
  expect((await api.call('GET', path(before))).body).toEqual(after);
});

test('a dashboard is found by its id, its URL and its domain', async () => {
  const dashboard = await made({
    header: 'All',
    customUrl: 'All-Of-It',
    customDomain: 'Board.Example.com',
  });
  expect(dashboard).toMatchObject({ customUrl: 'all-of-it', customDomain: 'board.example.com' });
  for (const [value, query] of [
    [dashboard.dashboardId, ''],
    ['all-of-it', '?type=customUrl'],
    ['ALL-OF-IT', '?type=customUrl'],
    ['board.example.com', '?type=customDomain'],
  ]) {
    const { body } = await api.call('GET', `/v1/dashboards/${value}${query}`);
    expect(body).toEqual(dashboard);
  }
  for (const wrong of ['all-of-it', '1', 'all-of-it?type=customDomain']) {
    expect((await api.call('GET', `/v1/dashboards/${wrong}`)).status).toBe(404);
  }
});

test('no two dashboards have a URL or a domain in common', async () => {
  const first = await made({ header: 'a', customUrl: 'one', customDomain: 'one.example.com' });
  const second = await made({ header: 'b', customUrl: 'two' });
  await made({ header: 'without either' });
  const url = await create({ header: 'c', customUrl: 'ONE' });
  expect([url.status, message(url)]).toEqual([409, 'customUrl: another dashboard has "one"']);
  const body = { customDomain: 'one.example.com' };
  const domain = await api.call('PUT', path(second), { body });
  expect([domain.status, message(domain)]).toEqual([
    409,
    'customDomain: another dashboard has "one.example.com"',
  ]);
  expect((await api.call('PUT', path(first), { body })).status).toBe(200);
  const raced = await Promise.all(['x', 'y'].map((header) => create({ header, customUrl: 'new' })));
  expect(raced.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test('texts that are empty say that there is none', async () => {
  const names = ['customUrl', 'customDomain', 'logo', 'favicon', 'link'];
  const dashboard = await made({
    header: 'All',
    ...Object.fromEntries(names.map((name) => [name, ''])),
  });
  for (const name of names) expect(dashboard).toHaveProperty(name, null);
});

test.each<[object, string]>([
  [{}, 'header: expected a string'],
  [{ header: ' ' }, 'header: expected a name that is not only spaces'],
  [{ customUrl: 'a/b' }, 'customUrl: expected letters, digits and hyphens, such as "acme"'],
  [{ customUrl: '-a' }, 'customUrl: expected letters, digits and hyphens, such as "acme"'],
  [{ customDomain: '10.0.0.1' }, 'customDomain: expected a host name such as status.example.com'],
  [{ logo: 'javascript:alert(1)' }, 'logo: expected an http or https URL'],
  [{ favicon: 'data:image/svg+xml,x' }, 'favicon: expected an http or https URL'],
  [{ link: 'https://a.example/"><script>' }, 'link: expected an http or https URL'],
  [{ width: '100PX' }, 'width: expected "FULL" or "960PX", got "100PX"'],
  [{ checksPerPage: 21 }, 'checksPerPage: expected a whole number from 1 to 20, got 21'],
  [{ refreshRate: -1 }, 'refreshRate: expected a whole number from 0 to 86400, got -1'],
])('%j is refused: %s', async (members, words) => {
  const header = 'header' in members || Object.keys(members).length === 0 ? {} : { header: 'x' };
  const { status, body } = await create({ ...header, ...members });
  expect(status).toBe(400);
  expect(message({ body })).toContain(words);
});

test('keys are never stored, and named as ignored', async () => {
  const { headers, body } = await create({ header: 'All', keys: [{ rawKey: 'secret' }] });
  expect(headers.get('x-ignored-fields')).toBe('keys');
  expect(body).toHaveProperty('keys', []);
});

test('the list comes in pages with the total', async () => {
  for (const header of ['a', 'b', 'c']) await made({ header });
  const { headers, body } = await api.call('GET', '/v1/dashboards?limit=2&page=2');
  expect(headers.get('content-range')).toBe('2-2/3');
  expect(body).toMatchObject([{ header: 'c', projectBindings: { owner: null, references: [] } }]);
});

test('a dashboard that is deleted takes its incidents along, and no other', async () => {
  const [gone, stays] = [await made({ header: 'a' }), await made({ header: 'b' })];
  for (const { id } of [gone, stays]) {
    const incidentUpdates = [{ status: 'INVESTIGATING', description: 'x' }];
    const body = { name: 'down', dashboardId: id, incidentUpdates };
    expect((await api.call('POST', '/v1/incidents', { body })).status).toBe(200);
  }
  expect((await api.call('DELETE', path(gone))).status).toBe(204);
  expect((await api.call('GET', path(gone))).status).toBe(404);
  const left = api.configuration.dashboardIncidents.all();
  expect(left.map(({ dashboardId }) => dashboardId)).toEqual([stays.id]);
});

test('the zero values of typed clients set nothing', async () => {
  const unset = {
    customUrl: '',
    customDomain: '',
    logo: '',
    width: '',
    checksPerPage: 0,
    tags: null,
  };
  expect(await create({ header: 'All', ...unset })).toMatchObject({
    status: 201,
    body: { customUrl: null, width: 'FULL', checksPerPage: null, tags: [] },
  });
  const before = await made({ header: 'All', width: '960PX' });
  expect(await api.call('PUT', path(before), { body: unset })).toMatchObject({
    status: 200,
    body: { width: '960PX' },
  });
});
