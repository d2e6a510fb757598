import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '#main/services/keys.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';
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

test('supervisors are answered whatever the limit', async () => {
  await statuses(6, '/v1/locations', null);
  expect(await statuses(1, '/v1/locations', null)).toEqual([429]);
  for (const path of ['/healthz', '/readyz', '/healthz/', '/READYZ']) {
    expect(await statuses(7, path, null)).toEqual(Array(7).fill(200));
  }
});

describe('behind a proxy', () => {
  const from = async (client: string) => {
    const headers = { 'x-forwarded-for': client, 'x-forwarded-proto': 'https' };
    return (await api.call('GET', '/v1/locations', { key: null, headers })).status;
  };

  test('that is trusted, clients are counted apart', async () => {
    await api.close();
    api = await startApi({ rateLimitPerMinute: 5, trustedProxies: ['127.0.0.0/8'] });
    for (let turn = 0; turn < 5; turn++) expect(await from('192.0.2.1')).toBe(200);
    expect(await from('192.0.2.1')).toBe(429);
    expect(await from('192.0.2.2')).toBe(200);
    // What a client says of itself stands before what the proxy adds.
    expect(await from('192.0.2.9, 192.0.2.1')).toBe(429);
    const { body } = await api.call('POST', '/v1/checks/heartbeat', {
      body: { name: 'job', ...LEAST_BODIES.HEARTBEAT },
      headers: { 'x-forwarded-proto': 'https' },
    });
    const { heartbeat } = body as { heartbeat: { pingUrl: string } };
    expect(heartbeat.pingUrl).toMatch(/^https:/);
  });

  test('that nobody named, all are one', async () => {
    for (let turn = 0; turn < 5; turn++) expect(await from(`192.0.2.${turn}`)).toBe(200);
    expect(await from('192.0.2.9')).toBe(429);
  });
});
