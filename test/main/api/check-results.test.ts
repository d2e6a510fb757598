import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCursor, writeCursor } from '#main/api/cursor.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';

const HOUR = 3_600_000;
const check = makeCheck('URL', { name: 'Home page' });
/** One result every half hour, the newest a minute ago; every third one failed. */
const RESULTS = Array.from({ length: 40 }, (_, index) =>
  result(NOW - 60_000 - index * 0.5 * HOUR, index),
);

let api: Harness;
beforeAll(async () => {
  api = await startApi();
  await api.configuration.checks.put(check);
  await api.history.write({ results: RESULTS.map((one) => ({ result: one, detail: '{}' })) });
});
afterAll(() => api.close());

type Json = Record<string, unknown>;
const v1 = `/v1/check-results/${check.id}`;
const v2 = `/v2/check-results/${check.id}`;

function result(createdAt: number, index: number): StoredResult {
  return {
    id: uuidv7({ msecs: createdAt }),
    checkId: check.id,
    checkType: 'URL',
    resultType: index % 10 === 9 ? 'ATTEMPT' : 'FINAL',
    slot: createdAt - 1_000,
    runLocation: index % 2 === 0 ? 'eu-central-1' : 'us-east-1',
    ranOn: 'embedded',
    startedAt: createdAt - 500,
    stoppedAt: createdAt - 100,
    createdAt,
    responseTime: 42.4,
    checkRunId: createdAt,
    attempts: 0,
    sequenceId: randomUUID(),
    statusCode: 200,
    failure: null,
    metrics: {},
    hasFailures: index % 3 === 0,
    hasErrors: false,
    isDegraded: false,
    overMaxResponseTime: false,
  };
}

async function ids(path: string): Promise<unknown[]> {
  const answer = await api.call('GET', path);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as Json[]).map(({ id }) => id);
}

const finalIds = (filter: (one: StoredResult, index: number) => boolean) =>
  RESULTS.filter(({ resultType }) => resultType === 'FINAL')
    .filter(filter)
    .map(({ id }) => id);
const seconds = (ms: number) => ms / 1_000;

test('v1 answers the last six hours, ten at a time, newest first', async () => {
  const recent = finalIds(({ createdAt }) => createdAt >= NOW - 6 * HOUR);
  const answer = await api.call('GET', v1);
  expect((answer.body as Json[]).map(({ id }) => id)).toEqual(recent.slice(0, 10));
  expect(answer.headers.get('content-range')).toBe(`0-9/${recent.length}`);
  expect(await ids(`${v1}?page=2`)).toEqual(recent.slice(10));
});

test('a result is shown as the specification has it', async () => {
  const [one] = (await api.call('GET', v1)).body as Json[];
  expect(one).toMatchObject({
    name: 'Home page',
    checkId: check.id,
    resultType: 'FINAL',
    created_at: new Date(NOW - 60_000).toISOString(),
    responseTime: 42,
    attempts: 0,
  });
});

test.each([
  ['only from: six hours after it', { from: NOW - 12 * HOUR }, [NOW - 12 * HOUR, NOW - 6 * HOUR]],
  ['only to: six hours before it', { to: NOW - 6 * HOUR }, [NOW - 12 * HOUR, NOW - 6 * HOUR]],
  ['both', { from: NOW - 9 * HOUR, to: NOW - 8 * HOUR }, [NOW - 9 * HOUR, NOW - 8 * HOUR]],
] as const)('v1 with %s', async (_name, bounds, [from, to]) => {
  const wanted = finalIds(({ createdAt }) => createdAt >= from && createdAt < to);
  expect(wanted).not.toEqual([]);
  for (const scale of [1, 1_000]) {
    const query = Object.entries(bounds)
      .map(([name, ms]) => `${name}=${ms / scale}`)
      .join('&');
    expect(await ids(`${v1}?limit=100&${query}`)).toEqual(wanted);
  }
  const query = Object.entries(bounds)
    .map(([name, ms]) => `${name}=${new Date(ms).toISOString()}`)
    .join('&');
  expect(await ids(`${v1}?limit=100&${query}`)).toEqual(wanted);
});

test('from belongs to the window, to does not', async () => {
  const at = RESULTS[4]?.createdAt ?? 0;
  expect(await ids(`${v1}?from=${at}&to=${at + 1}`)).toEqual([RESULTS[4]?.id]);
  expect(await ids(`${v1}?from=${at - 1}&to=${at}`)).toEqual([]);
});

test.each([
  ['hasFailures=true', (one: StoredResult) => one.hasFailures],
  ['hasFailures=0', (one: StoredResult) => !one.hasFailures],
  ['location=us-east-1', (one: StoredResult) => one.runLocation === 'us-east-1'],
  ['checkType=URL', () => true],
  ['checkType=API', () => false],
])('both versions filter by %s', async (filter, keeps) => {
  const since = NOW - 6 * HOUR;
  const wanted = finalIds((one) => one.createdAt >= since && keeps(one));
  expect(await ids(`${v1}?limit=100&${filter}`)).toEqual(wanted);
  const answer = await api.call('GET', `${v2}?limit=100&from=${seconds(since)}&${filter}`);
  expect((answer.body as { entries: Json[] }).entries.map(({ id }) => id)).toEqual(wanted);
});

test.each([
  ['FINAL', 36],
  ['ATTEMPT', 4],
  ['ALL', 40],
])('resultType=%s finds %i results', async (resultType, length) => {
  const answer = await api.call('GET', `${v2}?limit=100&resultType=${resultType}`);
  expect(answer.body).toMatchObject({ length, nextId: null });
});

test('v2 takes an empty nextId for none', async () => {
  const answer = await api.call('GET', `${v2}?nextId=`);
  expect([answer.status, answer.body]).toMatchObject([200, { length: 10 }]);
});

test('v2 leads through every result by nextId, back to the oldest', async () => {
  const seen: unknown[] = [];
  let query = '';
  for (let turn = 0; turn < 10; turn++) {
    const answer = await api.call('GET', `${v2}${query}`);
    const page = answer.body as { length: number; entries: Json[]; nextId: string | null };
    expect(page.length).toBe(page.entries.length);
    seen.push(...page.entries.map(({ id }) => id));
    if (page.nextId === null) break;
    query = `?nextId=${page.nextId}`;
  }
  expect(seen).toEqual(finalIds(() => true));
});

test.each(['fields=id,createdAt', 'fields[]=id&fields[]=createdAt', 'fields=id&fields=createdAt'])(
  '%s selects members of each entry',
  async (query) => {
    const answer = await api.call('GET', `${v2}?limit=1&${query}`);
    const [first] = RESULTS;
    const createdAt = new Date(first?.createdAt ?? 0).toISOString();
    expect((answer.body as { entries: Json[] }).entries).toEqual([{ id: first?.id, createdAt }]);
  },
);

test('one result is read by its id', async () => {
  const answer = await api.call('GET', `${v1}/${RESULTS[9]?.id}`);
  expect(answer.body).toMatchObject({
    id: RESULTS[9]?.id,
    resultType: 'ATTEMPT',
    name: 'Home page',
  });
});

test.each([
  [v1, 'limit=0', 'limit: expected a whole number from 1 to 100, got 0'],
  [v1, 'limit=101', 'limit: expected a whole number from 1 to 100, got 101'],
  [v2, 'limit=ten', 'limit: expected a whole number from 1 to 100, got "ten"'],
  [v1, 'page=0', 'page: expected a whole number from 1 to 1000000000, got 0'],
  [v1, 'from=soon', 'from: expected a UNIX timestamp in seconds or an ISO 8601 date'],
  [
    v1,
    `from=${seconds(NOW - 7 * HOUR)}&to=${seconds(NOW)}`,
    'to: expected at most 6 hours after from',
  ],
  [
    v1,
    `from=${seconds(NOW)}&to=${seconds(NOW - HOUR)}`,
    'to: expected a time that is not before from',
  ],
  [
    v2,
    `from=${seconds(NOW)}&to=${seconds(NOW - HOUR)}`,
    'to: expected a time that is not before from',
  ],
  [v1, 'resultType=SOME', 'resultType: expected "FINAL", "ATTEMPT" or "ALL", got "SOME"'],
  [v1, 'hasFailures=maybe', 'hasFailures: expected true or false, got "maybe"'],
  [v2, 'nextId=nonsense', 'nextId: expected the nextId of an earlier answer'],
  [v2, `nextId=${randomUUID()}`, 'nextId: expected the nextId of an earlier answer'],
])('%s?%s is refused', async (path, query, message) => {
  const answer = await api.call('GET', `${path}?${query}`);
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).message).toBe(message);
});

test('an unknown location or field is refused by its name', async () => {
  const location = (await api.call('GET', `${v1}?location=mars`)).body as ErrorBody;
  const fields = (await api.call('GET', `${v2}?fields=id,secret`)).body as ErrorBody;
  expect(location.validation).toEqual({ source: 'query', keys: ['location'] });
  expect(fields.validation).toEqual({ source: 'query', keys: ['fields.1'] });
});

test('runs without a data center are found by their location, with the check that has it', async () => {
  const placed = makeCheck('URL', { name: 'Inside', privateLocations: ['office', 'plant-2'] });
  await api.configuration.checks.put(placed);
  const [at = NOW] = RESULTS.map(({ createdAt }) => createdAt);
  const runs = ['office', 'local', 'eu-west-1'].map((runLocation, index) => ({
    ...result(at - index, 0),
    checkId: placed.id,
    runLocation,
  }));
  await api.history.write({ results: runs.map((one) => ({ result: one, detail: '{}' })) });
  for (const [index, run] of runs.entries()) {
    const query = `location=${run.runLocation}`;
    expect(await ids(`/v1/check-results/${placed.id}?${query}`)).toEqual([runs[index]?.id]);
    const answer = await api.call('GET', `/v2/check-results/${placed.id}?${query}`);
    expect(answer.body).toMatchObject({ length: 1, entries: [{ runLocation: run.runLocation }] });
  }
  expect(await ids(`/v1/check-results/${placed.id}?location=plant-2`)).toEqual([]);
  for (const path of [
    `${v1}?location=office`,
    `/v2/check-results/${placed.id}?location=mars&limit=0`,
  ]) {
    const answer = await api.call('GET', path);
    expect((answer.body as ErrorBody).validation?.keys).toContain('location');
  }
});

test('fields of kinds of checks that do not exist here are null', async () => {
  const names = [
    'agenticCheckResult',
    'tracerouteCheckResult',
    'grpcCheckResult',
    'sslCheckResult',
  ];
  const answer = await api.call('GET', `${v2}?limit=1&fields=id,${names.join()}`);
  expect((answer.body as { entries: Json[] }).entries).toEqual([
    { id: RESULTS[0]?.id, ...Object.fromEntries(names.map((name) => [name, null])) },
  ]);
});

test('a cursor is opaque and stands for one id only', () => {
  const id = uuidv7();
  const cursor = writeCursor(id);
  expect(cursor).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(readCursor(cursor)).toBe(id);
  expect(readCursor(`${cursor.slice(0, -1)}B`)).toBeUndefined();
});
