import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';
import { keptStatus } from '../../fixtures/fake-monitor.ts';
import { makeResult } from '../store/records.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const board = (path = 'all', key: null | undefined = null) =>
  api.call('GET', `/dashboards/${path}`, { key });
const markup = async (path?: string) => String((await board(path)).body);

interface Made {
  id: number;
  dashboardId: string;
}

async function createDashboard(members: object = {}): Promise<Made> {
  const body = { header: 'All of it', customUrl: 'all', ...members };
  return (await api.call('POST', '/v1/dashboards', { body })).body as Made;
}

const change = ({ dashboardId }: Made, body: object) =>
  api.call('PUT', `/v1/dashboards/${dashboardId}`, { body });

async function createCheck(name: string, members: object = {}): Promise<string> {
  const body = { name, ...LEAST_BODIES.URL, ...members };
  return ((await api.call('POST', '/v1/checks/url', { body })).body as { id: string }).id;
}

/** The names of the checks in the order of the page. */
const shownNames = (html: string) =>
  [...html.matchAll(/<span class="called">([^<]*)<\/span>/g)].map(([, name]) => name);

test('a board answers without a key, and neither a private one nor one that is not there', async () => {
  const dashboard = await createDashboard();
  const open = await board('ALL');
  expect([open.status, open.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  await change(dashboard, { isPrivate: true });
  const [hidden, unknown] = [await board(), await board('none')];
  expect([hidden.status, hidden.body]).toEqual([404, unknown.body]);
  // Its ids are for those with a key.
  for (const id of [dashboard.id, dashboard.dashboardId]) {
    expect((await board(String(id))).status).toBe(404);
  }
});

test('a board tells where its checks stand and nothing of what they request', async () => {
  await createDashboard({ customCSS: 'body { color: red }', description: 'In Europe.' });
  const id = await createCheck('Shop', {
    request: { url: 'https://secret.example.com/health' },
    description: 'internal',
  });
  api.monitor.statuses.set(id, keptStatus({ hasFailures: true }));
  const failure = { cause: 'CONNECTION_REFUSED', message: 'Nobody listens there.' } as const;
  const results = [0, 1, 2].map((minute) =>
    makeResult({
      checkId: id,
      createdAt: NOW - minute * 60_000,
      responseTime: 100 + minute,
      hasFailures: minute === 0,
      failure: minute === 0 ? failure : null,
      statusCode: 418,
    }),
  );
  await api.history.write({ results });
  const html = await markup();
  for (const told of [
    '<h1>The check fails</h1>',
    'In Europe.',
    'Failing',
    'Shop',
    'aria-label="Last 3 runs: 1 failing, 2 passing"',
    '<dd>66.66 %</dd>',
    '<dd>102 ms</dd>',
  ]) {
    expect(html).toContain(told);
  }
  for (const secret of ['secret.example', 'internal', 'REFUSED', 'Nobody', '418', 'red', id]) {
    expect(html).not.toContain(secret);
  }
});

test('names, tags and texts are text, never markup', async () => {
  const attack = `"><script>alert(1)</script><img src=x onerror='a'>`;
  const { id } = await createDashboard({
    header: attack,
    description: attack,
    enableIncidents: true,
  });
  await createCheck(attack, { tags: [attack] });
  const incidentUpdates = [{ status: 'IDENTIFIED', description: attack }];
  const body = { name: attack, dashboardId: id, incidentUpdates };
  await api.call('POST', '/v1/incidents', { body });
  const html = await markup();
  expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(5);
  expect(html).not.toMatch(/<script>|<img/);
});

test('a board shows the checks that have its tags, own or of their group', async () => {
  const group = await api.call('POST', '/v2/check-groups', { body: { name: 'g', tags: ['eu'] } });
  const { id: groupId } = group.body as { id: number };
  await createCheck('both', { tags: ['shop'], groupId });
  await createCheck('shop', { tags: ['shop'] });
  await createCheck('neither', { tags: ['other'] });
  const dashboard = await createDashboard({ tags: ['shop', 'eu'] });
  expect(shownNames(await markup())).toEqual(['both', 'shop']);
  await change(dashboard, { useTagsAndOperator: true });
  expect(shownNames(await markup())).toEqual(['both']);
  await change(dashboard, { tags: [] });
  expect(shownNames(await markup())).toEqual(['both', 'neither', 'shop']);
});

test('what a dashboard does not show is left out', async () => {
  const group = await api.call('POST', '/v2/check-groups', { body: { name: 'Payments' } });
  const { id: groupId } = group.body as { id: number };
  const id = await createCheck('Shop', { tags: ['production'], groupId });
  await api.history.write({ results: [makeResult({ checkId: id, createdAt: NOW })] });
  const dashboard = await createDashboard({ header: 'The title', link: 'https://acme.example' });
  const parts = ['class="brand"', 'https://acme.example', 'Payments', 'production', 'p95', 'p99'];
  const all = await markup();
  for (const part of parts) expect(all).toContain(part);
  await change(dashboard, {
    showHeader: false,
    showGroupNames: false,
    hideTags: true,
    showP95: false,
    showP99: false,
  });
  const least = await markup();
  for (const part of parts) expect(least).not.toContain(part);
});

test('checks come in pages, by name or with the worst first', async () => {
  const dashboard = await createDashboard({ checksPerPage: 2 });
  for (const name of ['c', 'a', 'b']) {
    const id = await createCheck(name);
    api.monitor.statuses.set(id, keptStatus({ hasFailures: name === 'c' }));
  }
  const first = await markup();
  expect(shownNames(first)).toEqual(['a', 'b']);
  expect(first).toContain('rel="next" href="?page=2"');
  expect(first).not.toContain('rel="prev"');
  const last = await markup('all?page=2');
  expect(shownNames(last)).toEqual(['c']);
  expect(last).toContain('rel="prev" href="?page=1"');
  expect(last).toContain('<h1>1 of 3 checks fails</h1>');
  await change(dashboard, { sortByStatus: true });
  expect(shownNames(await markup())).toEqual(['c', 'a']);
  await change(dashboard, { paginate: false });
  expect(shownNames(await markup())).toEqual(['c', 'a', 'b']);
  expect((await board('all?page=x')).status).toBe(400);
});

test('incidents are shown where the dashboard has them shown', async () => {
  const dashboard = await createDashboard();
  const incidentUpdates = [{ status: 'IDENTIFIED', description: 'It is the **cache**.' }];
  const body = { name: 'Slow', impact: 'MAJOR', dashboardId: dashboard.id, incidentUpdates };
  await api.call('POST', '/v1/incidents', { body });
  expect(await markup()).not.toContain('Slow');
  await change(dashboard, { enableIncidents: true });
  const html = await markup();
  for (const told of ['Slow', 'Major', 'Identified', '<strong>cache</strong>']) {
    expect(html).toContain(told);
  }
});

test('the browser loads the page again as often as the dashboard says', async () => {
  const dashboard = await createDashboard({ refreshRate: 300 });
  expect((await board()).headers.get('refresh')).toBe('300');
  await change(dashboard, { refreshRate: 1 });
  expect((await board()).headers.get('refresh')).toBe('10');
  await change(dashboard, { refreshRate: 0 });
  expect((await board()).headers.get('refresh')).toBeNull();
});

test('a board runs our script alone, and loads images of its own logo alone', async () => {
  await createDashboard({ logo: 'https://cdn.example/logo.png', width: '960PX' });
  const { headers, body } = await board();
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("img-src 'self' https://cdn.example;");
  expect(headers.get('cache-control')).toBe('public, max-age=10');
  const names = [...String(body).matchAll(/(?:href|src)="assets\/([^"]+)"/g)];
  expect(names).toHaveLength(3);
  for (const [, name] of names) {
    const asset = await board(`assets/${name}`);
    expect(asset.status).toBe(200);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000');
  }
  expect((await board('assets/page.css')).status).toBe(404);
});

test('however many ask, a board is made once in ten seconds, and at once after a change', async () => {
  const dashboard = await createDashboard();
  const made = vi.spyOn(api.history, 'summariseRuns');
  await Promise.all(Array.from({ length: 30 }, () => board()));
  expect(made).toHaveBeenCalledTimes(1);
  await api.clock.advance(9_999);
  await board();
  expect(made).toHaveBeenCalledTimes(1);
  await api.clock.advance(1);
  await board();
  expect(made).toHaveBeenCalledTimes(2);
  await change(dashboard, { header: 'Other' });
  expect(await markup()).toContain('Other');
  expect(made).toHaveBeenCalledTimes(3);
});

test('one board is made at a time, and once for all who wait for it', async () => {
  await createDashboard();
  await createDashboard({ customUrl: 'other' });
  const summarise = api.history.summariseRuns.bind(api.history);
  const gate = Promise.withResolvers<void>();
  const made = { running: 0, most: 0, times: 0 };
  api.history.summariseRuns = async (query) => {
    made.times += 1;
    made.running += 1;
    made.most = Math.max(made.most, made.running);
    await gate.promise;
    made.running -= 1;
    return summarise(query);
  };
  const answers = Array.from({ length: 10 }, (_, index) => board(index % 2 ? 'all' : 'other'));
  // Once this is answered, the others have come in.
  await api.call('GET', '/healthz');
  gate.resolve();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  expect(made).toEqual({ running: 0, most: 1, times: 2 });
});

test('a page that is not there is the last one, made once whatever its number', async () => {
  await createDashboard();
  const made = vi.spyOn(api.history, 'summariseRuns');
  for (const page of [999, 1, 2, 998]) expect((await board(`all?page=${page}`)).status).toBe(200);
  expect(made).toHaveBeenCalledTimes(1);
});

test('a board is at the root of a domain of its own, where nothing else answers', async () => {
  const host = 'board.example.com';
  const dashboard = await createDashboard({ customUrl: null, customDomain: host });
  const at = async (path: string) => {
    const { hostname, port } = new URL(api.url);
    const sent = request({ hostname, port, path, headers: { host } }).end();
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, text: await text(response) };
  };
  const page = await at('/');
  expect(page).toEqual({ status: 200, text: expect.stringContaining('All of it') });
  const assets = [...page.text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)];
  expect(assets.length).toBeGreaterThan(0);
  for (const [, path] of assets) expect((await at(`/${path}`)).status).toBe(200);
  for (const path of ['/v1/locations', '/healthz', '/docs', '/status', '/dashboards/all']) {
    expect((await at(path)).status).toBe(404);
  }
  await change(dashboard, { isPrivate: true });
  expect((await at('/')).status).toBe(404);
  await change(dashboard, { customDomain: null });
  expect((await at('/')).status).toBe(403);
});
