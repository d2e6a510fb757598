import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Check } from '#shared/checks/check.ts';
import { errorGroupKey, TEST_SESSIONS } from '#shared/error-groups/error-group.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeResult } from '../store/records.ts';
import { makeTestResult, makeTestSession } from '../store/session-records.ts';

const [shop, quiet] = (['API', 'TCP'] as const).map((type) => makeCheck(type) as Check) as [
  Check,
  Check,
];
const MESSAGE = 'Timed out after 5000 ms';
const group = errorGroupKey(shop.id, MESSAGE);
const ofTests = errorGroupKey(TEST_SESSIONS, MESSAGE);

let api: Harness;
const fail = (createdAt: number) =>
  api.history.write({
    results: [
      makeResult({
        checkId: shop.id,
        createdAt,
        slot: null,
        hasFailures: true,
        failure: { cause: 'TIMEOUT_RESPONSE', message: MESSAGE },
      }),
    ],
  });

beforeAll(async () => {
  api = await startApi();
  for (const check of [shop, quiet]) await api.configuration.checks.put(check);
  await fail(NOW - 1_000);
  const { results: _, ...head } = makeTestSession();
  const result = makeTestResult({ status: 'FAILED', errorGroupId: ofTests.id, stoppedAt: NOW });
  await api.history.write({
    testSessions: [head],
    testResults: [{ sessionId: head.id, result, error: MESSAGE }],
  });
});
afterAll(() => api.close());

const alike = {
  rawErrorMessage: MESSAGE,
  cleanedErrorMessage: 'Timed out after <number> ms',
  archivedUntilNextEvent: false,
  archivedForEver: false,
  rootCauseAnalyses: [],
};
const at = (ms: number) => new Date(ms).toISOString();

test('the groups of all checks, of one and one alone', async () => {
  const { id, errorHash } = group;
  const times = { firstSeen: at(NOW - 1_000), lastSeen: at(NOW - 1_000) };
  const expected = { id, checkId: shop.id, errorHash, ...times, ...alike };
  const all = await api.call('GET', '/v1/error-groups');
  expect(all.body).toEqual([expected]);
  expect(all.headers.get('content-range')).toBe('0-0/1');
  expect((await api.call('GET', `/v1/error-groups/checks/${shop.id}`)).body).toEqual([expected]);
  expect((await api.call('GET', `/v1/error-groups/checks/${quiet.id}`)).body).toEqual([]);
  expect((await api.call('GET', `/v1/error-groups/${id}`)).body).toEqual(expected);
  expect((await api.call('GET', '/v1/error-groups?page=2')).body).toEqual([]);
});

test('the groups of test sessions have no check', async () => {
  const { id, errorHash } = ofTests;
  const times = { firstSeen: at(NOW), lastSeen: at(NOW) };
  const none = { projectId: null, environments: null, pwtMetadata: null };
  const expected = { id, errorHash, ...times, ...none, ...alike };
  expect((await api.call('GET', '/v1/test-session-error-groups')).body).toEqual([expected]);
  expect((await api.call('GET', `/v1/test-session-error-groups/${id}`)).body).toEqual(expected);
  const ofProject = `/v1/test-session-error-groups/projects/${randomUUID()}`;
  expect((await api.call('GET', ofProject)).body).toEqual([]);
});

test('archived until the next failure, a group leaves the lists until then', async () => {
  const patch = (body: object) => api.call('PATCH', `/v1/error-groups/${group.id}`, { body });
  const { status, body } = await patch({ archivedUntilNextEvent: true });
  expect([status, body]).toMatchObject([200, { id: group.id, archivedUntilNextEvent: true }]);
  expect((await api.call('GET', '/v1/error-groups')).body).toEqual([]);
  await fail(NOW);
  expect((await api.call('GET', '/v1/error-groups')).body).toMatchObject([
    { id: group.id, archivedUntilNextEvent: false, lastSeen: at(NOW) },
  ]);
  expect((await patch({ archiveForEver: true })).body).toMatchObject({ archivedForEver: true });
  await fail(NOW + 1);
  expect((await api.call('GET', '/v1/error-groups')).body).toEqual([]);
  expect((await patch({ archiveForEver: false })).body).toMatchObject({ archivedForEver: false });
  expect((await patch({ archiveForEver: 'yes' })).status).toBe(400);
});

test('neither kind is found under the path of the other, nor what there is not', async () => {
  for (const path of [
    `/v1/error-groups/${ofTests.id}`,
    `/v1/error-groups/${randomUUID()}`,
    `/v1/error-groups/checks/${randomUUID()}`,
    `/v1/test-session-error-groups/${group.id}`,
  ]) {
    expect((await api.call('GET', path)).status, path).toBe(404);
  }
  const body = { archiveForEver: true };
  const foreign = await api.call('PATCH', `/v1/test-session-error-groups/${group.id}`, { body });
  expect(foreign.status).toBe(404);
});
