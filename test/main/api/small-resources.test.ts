import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCATIONS, RUNTIME_IDS } from '#shared/checks/enums.ts';
import { ACCOUNT_ID, type Harness, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { keptStatus } from '../../fixtures/fake-monitor.ts';

let api: Harness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('the statuses of all checks come in one array, without those that have none', async () => {
  expect((await api.call('GET', '/v1/check-statuses')).body).toEqual([]);
  const checks = Array.from({ length: 450 }, () => makeCheck('URL'));
  for (const check of checks) await api.configuration.checks.put(check);
  const known = checks.slice(25);
  for (const { id } of known) api.monitor.statuses.set(id, keptStatus({ lastRun: 90 }));
  const answer = await api.call('GET', '/v1/check-statuses');
  expect(answer.body).toEqual(
    known.map(({ id, name }) => ({ name, checkId: id, ...keptStatus() })),
  );
});

test('a list of statuses that was read before shows what changed since, of checks and of their results', async () => {
  const check = makeCheck('URL', { name: 'before' });
  await api.configuration.checks.put(check);
  api.monitor.statuses.set(check.id, keptStatus());
  const read = async () => {
    const { body } = await api.call('GET', '/v1/check-statuses');
    return (body as { checkId: string }[]).find(({ checkId }) => checkId === check.id);
  };
  expect(await read()).toMatchObject({ name: 'before', hasFailures: false });
  await api.configuration.checks.put({ ...check, name: 'after' });
  expect(await read()).toMatchObject({ name: 'after', hasFailures: false });
  api.monitor.statuses.set(check.id, keptStatus({ hasFailures: true }));
  expect(await read()).toMatchObject({ name: 'after', hasFailures: true });
  await api.configuration.checks.delete(check.id);
  expect(await read()).toBeUndefined();
});

test('one status is read by the id of its check, 404 before the first result', async () => {
  const check = makeCheck('URL', { name: 'One' });
  await api.configuration.checks.put(check);
  expect((await api.call('GET', `/v1/check-statuses/${check.id}`)).status).toBe(404);
  api.monitor.statuses.set(check.id, keptStatus({ hasFailures: true }));
  const answer = await api.call('GET', `/v1/check-statuses/${check.id}`);
  expect(answer.body).toMatchObject({ name: 'One', checkId: check.id, hasFailures: true });
});

test('the 22 locations need no key', async () => {
  const answer = await api.call('GET', '/v1/locations', { key: null });
  const locations = answer.body as { region: string; name: string }[];
  expect(locations.map(({ region }) => region)).toEqual(LOCATIONS);
  expect(locations).toContainEqual({ region: 'eu-central-1', name: 'Frankfurt' });
});

test('the runtimes need no key', async () => {
  const answer = await api.call('GET', '/v1/runtimes', { key: null });
  expect((answer.body as { name: string }[]).map(({ name }) => name)).toEqual(RUNTIME_IDS);
  expect((await api.call('GET', '/v1/runtimes/2024.09', { key: null })).body).toMatchObject({
    name: '2024.09',
    multiStepSupport: true,
  });
  expect((await api.call('GET', '/v1/runtimes/1999.01', { key: null })).status).toBe(404);
});

test('the account is read by its id and as me', async () => {
  const me = (await api.call('GET', '/v1/accounts/me')).body;
  expect(me).toMatchObject({ id: ACCOUNT_ID, name: 'Tests', runtimeId: '2025.04' });
  const all = { tier: 'team', tierDisplayName: 'Self-hosted' };
  expect(me).toMatchObject({
    plan: 'self-hosted',
    planDisplayName: 'Self-hosted',
    addons: { communicate: all, resolve: all },
  });
  expect((await api.call('GET', `/v1/accounts/${ACCOUNT_ID}`)).body).toEqual(me);
  expect((await api.call('GET', '/v1/accounts')).body).toEqual([me]);
});
