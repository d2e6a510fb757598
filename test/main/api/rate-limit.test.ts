import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKey } from '#main/api/keys.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';

let api: Harness;
beforeEach(async () => {
  api = await startApi({ rateLimitPerMinute: 5 });
});
afterEach(() => api.close());

const statuses = async (count: number, path: string, key?: string | null) => {
  const found: number[] = [];
  for (let turn = 0; turn < count; turn++)
    found.push((await api.call('GET', path, { key })).status);
  return found;
};

test('a key may send so many requests a minute, then is told when to come back', async () => {
  expect(await statuses(5, '/v1/checks')).toEqual([200, 200, 200, 200, 200]);
  const answer = await api.call('GET', '/v1/checks');
  expect(answer.status).toBe(429);
  expect((answer.body as ErrorBody).message).toBe('More than 5 requests within a minute');
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
});

test('keys are counted apart, and apart from senders without one', async () => {
  const { record, key } = createKey('other', NOW);
  await api.configuration.keys.put(record);
  await statuses(6, '/v1/checks');
  expect(await statuses(5, '/v1/checks', key)).toEqual([200, 200, 200, 200, 200]);
  expect(await statuses(6, '/v1/locations', null)).toEqual([200, 200, 200, 200, 200, 429]);
});

test('guesses of a key are counted by their address', async () => {
  const guesses: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    guesses.push((await api.call('GET', '/v1/checks', { key: `wp_${turn}` })).status);
  }
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
});

test('a ping of a known heartbeat is never refused, guesses are', async () => {
  const check = makeCheck('HEARTBEAT');
  await api.configuration.checks.put(check);
  const guesses: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    guesses.push((await api.call('GET', `/ping/${randomUUID()}`, { key: null })).status);
  }
  expect(guesses).toEqual([404, 404, 404, 404, 404, 429]);
  const path = `/ping/${check.heartbeat.pingToken}`;
  expect(await statuses(7, path, null)).toEqual([200, 200, 200, 200, 200, 200, 200]);
  expect(await statuses(1, `${path}/`, null)).toEqual([200]);
  expect(await statuses(1, path.toUpperCase(), null)).toEqual([200]);
});
