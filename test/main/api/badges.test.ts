import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BADGE_STYLES, BADGE_THEMES } from '#shared/badges/badge.ts';
import { type Harness, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';
import { keptStatus } from '../../fixtures/fake-monitor.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

async function createCheck(members: object = {}): Promise<string> {
  const body = { name: 'Shop', ...LEAST_BODIES.URL, ...members };
  return ((await api.call('POST', '/v1/checks/url', { body })).body as { id: string }).id;
}

async function createGroup(members: object = {}): Promise<number> {
  const body = { name: 'Shops', ...members };
  return ((await api.call('POST', '/v2/check-groups', { body })).body as { id: number }).id;
}

const makePublic = (kind: 'checks' | 'groups', id: string | number, isPublic = true) =>
  api.call('PUT', `/app/badges/${kind}/${id}`, { body: { isPublic } });
const badge = (path: string) => api.call('GET', `/v1/badges/${path}`, { key: null });

test('a badge answers without a key once it is public, and not before or after', async () => {
  const id = await createCheck();
  expect((await badge(`checks/${id}`)).status).toBe(404);
  expect((await api.call('GET', `/app/badges/checks/${id}`)).body).toEqual({ isPublic: false });
  expect((await makePublic('checks', id)).body).toEqual({ isPublic: true });
  expect((await api.call('GET', `/app/badges/checks/${id}`)).body).toEqual({ isPublic: true });
  const shown = await badge(`checks/${id}`);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([
    200,
    'image/svg+xml; charset=utf-8',
  ]);
  expect(shown.body).toContain('aria-label="Shop: unknown"');
  await makePublic('checks', id, false);
  expect((await badge(`checks/${id}`)).status).toBe(404);
});

test('what is not public is refused as what is not there', async () => {
  const [check, group] = [await createCheck(), await createGroup()];
  const answers = await Promise.all(
    [`checks/${check}`, `checks/${randomUUID()}`, `groups/${group}`, 'groups/4711'].map(badge),
  );
  const [first, ...others] = answers.map(({ status, body }) => ({ status, body }));
  expect(first?.status).toBe(404);
  for (const other of others) expect(other).toEqual(first);
});

test('a public check does not make its group public, nor a group its checks', async () => {
  const groupId = await createGroup();
  const id = await createCheck({ groupId });
  await makePublic('checks', id);
  expect((await badge(`groups/${groupId}`)).status).toBe(404);
  await makePublic('checks', id, false);
  await makePublic('groups', groupId);
  expect((await badge(`checks/${id}`)).status).toBe(404);
});

test('a badge shows the last response time where that is asked for', async () => {
  const id = await createCheck();
  await makePublic('checks', id);
  api.monitor.statuses.set(id, keptStatus({ lastRun: 87 }));
  expect((await badge(`checks/${id}`)).body).toContain('aria-label="Shop: passing"');
  for (const yes of ['true', '1']) {
    const { body } = await badge(`checks/${id}?responseTime=${yes}`);
    expect(body).toContain('aria-label="Shop: passing, 87 ms"');
  }
});

test('a group shows the worst of the checks that are on, and the slowest of them', async () => {
  const groupId = await createGroup();
  const [good, bad, off] = [
    await createCheck({ groupId }),
    await createCheck({ groupId }),
    await createCheck({ groupId, activated: false }),
  ];
  const elsewhere = await createCheck();
  await makePublic('groups', groupId);
  const shown = async () => (await badge(`groups/${groupId}?responseTime=true`)).body;
  expect(await shown()).toContain('aria-label="Shops: unknown"');
  api.monitor.statuses.set(good, keptStatus({ lastRun: 20 }));
  api.monitor.statuses.set(bad, keptStatus({ isDegraded: true, lastRun: 900 }));
  for (const id of [off, elsewhere]) {
    api.monitor.statuses.set(id, keptStatus({ hasFailures: true, lastRun: 5_000 }));
  }
  expect(await shown()).toContain('aria-label="Shops: degraded, 900 ms"');
  await api.call('PUT', `/v2/check-groups/${groupId}`, { body: { activated: false } });
  expect(await shown()).toContain('aria-label="Shops: paused"');
});

test('a name is text in every style and theme, never markup', async () => {
  const id = await createCheck({ name: `</title><script>alert("&'")</script>` });
  await makePublic('checks', id);
  for (const style of BADGE_STYLES) {
    for (const theme of BADGE_THEMES) {
      const { status, body } = await badge(`checks/${id}?style=${style}&theme=${theme}`);
      expect(status).toBe(200);
      expect(String(body)).toMatch(/^<svg /);
      expect(String(body).toLowerCase()).not.toContain('<script');
    }
  }
});

test('a style or theme that is none is refused', async () => {
  const id = await createCheck();
  await makePublic('checks', id);
  const { status, body } = await badge(`checks/${id}?style=round&theme=pink&responseTime=maybe`);
  expect(status).toBe(400);
  expect((body as { message: string }).message).toBe(
    'style: expected "flat", "plastic", "flat-square", "for-the-badge" or "social", got "round"; theme: expected "light", "dark" or "default", got "pink"; responseTime: expected true or false, got "maybe"',
  );
});

test('caches keep a badge for a minute and other sites may show it', async () => {
  const id = await createCheck();
  await makePublic('checks', id);
  const { headers } = await badge(`checks/${id}`);
  expect(headers.get('cache-control')).toBe('public, max-age=60');
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  // `fetch` asks that nothing of a cache is used where it is given an ETag.
  const asked = get(`${api.url}/v1/badges/checks/${id}`, {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  const [again] = (await once(asked, 'response')) as [IncomingMessage];
  expect(again.resume().statusCode).toBe(304);
});

test('a check or a group that is deleted takes its badge along', async () => {
  const [id, group] = [await createCheck(), await createGroup()];
  await makePublic('checks', id);
  await makePublic('groups', group);
  expect(api.configuration.badges.size).toBe(2);
  await api.call('DELETE', `/v1/checks/${id}`);
  await api.call('DELETE', `/v1/check-groups/${group}`);
  await expect.poll(() => api.configuration.badges.size).toBe(0);
  expect((await badge(`checks/${id}`)).status).toBe(404);
});

test('only what is there is made public, and by a known member', async () => {
  expect((await makePublic('checks', randomUUID())).status).toBe(404);
  const id = await createCheck();
  const path = `/app/badges/checks/${id}`;
  expect((await api.call('PUT', path, { body: { public: true } })).status).toBe(400);
  expect((await api.call('PUT', path, { body: { isPublic: 'yes' } })).status).toBe(400);
});
