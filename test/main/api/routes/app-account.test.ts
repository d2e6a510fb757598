import { afterEach, beforeEach, expect, test } from 'vitest';
import { flapSettings } from '#shared/alerting/flap-settings.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import { alertSettings } from '#shared/checks/blocks.ts';
import { ACCOUNT_ID, type Harness, startApi } from '../../../fixtures/api-harness.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const put = (body: object) => api.call('PUT', '/app/account', { body });
const AS_IT_WAS = {
  id: ACCOUNT_ID,
  name: 'Tests',
  runtimeId: '2025.04',
  retryStrategy: 'FALLBACK',
  alertSettings: alertSettings.parse({}),
  flapping: flapSettings.parse({}),
  storms: { alerts: 5, messagesPerMinute: 10 },
};
const LINEAR = { type: 'LINEAR', baseBackoffSeconds: 5, sameRegion: true, maxRetries: 3 };

test('the settings of the account are read and changed, those left out stay', async () => {
  expect((await api.call('GET', '/app/account')).body).toEqual(AS_IT_WAS);
  const renamed = await put({ name: 'Ours', runtimeId: '2024.02' });
  const expected = { ...AS_IT_WAS, name: 'Ours', runtimeId: '2024.02' };
  expect([renamed.status, renamed.body]).toEqual([200, expected]);
  expect((await api.call('GET', '/v1/accounts/me')).body).toMatchObject({ name: 'Ours' });
  expect((await put({})).body).toEqual(expected);
});

test.each([
  [LINEAR, LINEAR],
  [null, null],
  ['FALLBACK', undefined],
])('the default strategy %j is kept as %j', async (given, kept) => {
  await put({ retryStrategy: { type: 'SINGLE_RETRY' } });
  expect((await put({ retryStrategy: given })).body).toEqual({
    ...AS_IT_WAS,
    retryStrategy: given,
  });
  await put({ name: 'Ours' });
  expect(api.configuration.account.get(ACCOUNT_ID)?.retryStrategy).toEqual(kept);
  expect((await api.call('GET', '/app/account')).body).toMatchObject({ retryStrategy: given });
});

test('a number of retries beside SINGLE_RETRY is refused', async () => {
  const refused = await put({ retryStrategy: { type: 'SINGLE_RETRY', maxRetries: 1 } });
  expect([refused.status, (refused.body as ErrorBody).validation?.keys]).toEqual([
    400,
    ['retryStrategy.maxRetries'],
  ]);
});

test('alert settings are changed whole, and are those that the public API shows', async () => {
  const given = { escalationType: 'TIME_BASED', reminders: { amount: 2 } };
  const kept = alertSettings.parse(given);
  const flapping = flapSettings.parse({ changes: 7, withinRuns: 50 });
  const { body } = await put({ alertSettings: given, flapping: { changes: 7, withinRuns: 50 } });
  expect(body).toEqual({ ...AS_IT_WAS, alertSettings: kept, flapping });
  expect((await api.call('GET', '/v1/accounts/me')).body).toMatchObject({ alertSettings: kept });
  await put({ name: 'Ours' });
  expect((await put({ alertSettings: {} })).body).toMatchObject({
    alertSettings: AS_IT_WAS.alertSettings,
    flapping,
  });
});

test.each([
  [{ nmae: 'Ours' }, 'nmae: expected no member of this name'],
  [{ name: '' }, 'name: expected at least 1 character, got ""'],
  [{ runtimeId: '1.0' }, /^runtimeId: expected "2026.04", "2025.04"/],
  [{ retryStrategy: 'NEVER' }, 'retryStrategy: expected "FALLBACK" or an object, got "NEVER"'],
  [{ alertSettings: { reminders: { amount: 7 } } }, /^alertSettings.reminders.amount: expected 0/],
  [{ flapping: { changes: 9, withinRuns: 8 } }, 'flapping.changes: expected at most withinRuns'],
  [
    { storms: { alerts: 1_001, messagesPerMinute: 1 } },
    /^storms.alerts: expected a whole number from 0 to 1000/,
  ],
  [{ retryStrategy: { type: 'NEVER' } }, /^retryStrategy.type: expected "FIXED"/],
])('%j is refused, and nothing changes', async (body, message) => {
  const answer = await put(body);
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).message).toMatch(message);
  expect((await api.call('GET', '/app/account')).body).toEqual(AS_IT_WAS);
});

test('storms are the account’s, or again those of the start', async () => {
  const storms = { alerts: 0, messagesPerMinute: 60 };
  expect((await put({ storms })).body).toEqual({ ...AS_IT_WAS, storms });
  expect((await put({ name: 'Ours' })).body).toMatchObject({ storms });
  expect((await put({ storms: null, name: 'Tests' })).body).toEqual(AS_IT_WAS);
});

test('two changes at once are both kept', async () => {
  await Promise.all([put({ name: 'Ours' }), put({ retryStrategy: null })]);
  expect((await api.call('GET', '/app/account')).body).toEqual({
    ...AS_IT_WAS,
    name: 'Ours',
    retryStrategy: null,
  });
});

test('a key is needed', async () => {
  expect((await api.call('GET', '/app/account', { key: null })).status).toBe(401);
});
