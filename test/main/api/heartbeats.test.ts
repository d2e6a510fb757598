import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { makeCheck } from '../../fixtures/checks.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const check = makeCheck('HEARTBEAT');
const other = makeCheck('URL');
/** A ping every two hours for ten days; every fifth one was missed. */
const EVENTS = Array.from({ length: 120 }, (_, index) => event(NOW - index * 2 * HOUR, index));

let api: Harness;
beforeAll(async () => {
  api = await startApi();
  await api.configuration.checks.put(check);
  await api.configuration.checks.put(other);
  await api.history.write({ heartbeatEvents: EVENTS.toReversed() });
});
afterAll(() => api.close());

function event(timestamp: number, index: number): StoredHeartbeatEvent {
  const missed = index % 5 === 4;
  return {
    id: uuidv7({ msecs: timestamp }),
    checkId: check.id,
    state: missed ? 'FAILING' : 'RECEIVED',
    timestamp,
    source: missed ? null : 'https://jobs.test',
    userAgent: missed ? null : 'curl/8',
  };
}

const path = `/v1/checks/heartbeats/${check.id}`;
const STATS = {
  last24Hours: {
    successRatio: { previousPeriod: 83.33, currentPeriod: 83.33 },
    totalEntitiesCurrentPeriod: 12,
  },
  last7Days: {
    successRatio: { previousPeriod: 77.78, currentPeriod: 80.95 },
    totalEntitiesCurrentPeriod: 84,
  },
};

interface Item {
  events: { id: string }[];
  stats: unknown;
}

async function events(query = ''): Promise<Item> {
  const answer = await api.call('GET', `${path}/events${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const items = answer.body as Item[];
  expect(items).toHaveLength(1);
  return items[0] as Item;
}

test('the events of the last day are listed, newest first, at most ten', async () => {
  const { events: listed, stats } = await events();
  expect(listed.map(({ id }) => id)).toEqual(EVENTS.slice(0, 10).map(({ id }) => id));
  expect(stats).toEqual(STATS);
});

test('an event shows what is known of its ping', async () => {
  const { events: listed } = await events('?limit=5');
  expect(listed[0]).toEqual({
    id: EVENTS[0]?.id,
    state: 'RECEIVED',
    timestamp: new Date(NOW).toISOString(),
    source: 'https://jobs.test',
    userAgent: 'curl/8',
  });
  expect(listed[4]).toMatchObject({ state: 'FAILING', source: null, userAgent: null });
});

const at = (ms: number) => new Date(ms).toISOString();

test.each([
  ['a start and an end', `?startTime=${at(NOW - 7 * HOUR)}&endTime=${at(NOW - HOUR)}`, [1, 2, 3]],
  ['only a start', `?startTime=${(NOW - 5 * HOUR) / 1_000}`, [0, 1, 2]],
  ['only an end within the day', `?endTime=${at(NOW - 20 * HOUR)}`, [11]],
  ['only an end before the day', `?endTime=${at(NOW - 9 * DAY)}&limit=2`, [109, 110]],
  ['a date', '?startTime=2026-01-15&endTime=2026-01-16', [0, 1, 2, 3, 4, 5, 6]],
])('%s bounds the events', async (_name, query, indices) => {
  const { events: listed } = await events(query);
  expect(listed.map(({ id }) => id)).toEqual(indices.map((index) => EVENTS[index]?.id));
});

test.each([
  ['limit=11', 'limit: expected a whole number from 1 to 10, got 11'],
  ['limit=0', 'limit: expected a whole number from 1 to 10, got 0'],
  ['startTime=once', 'startTime: expected a UNIX timestamp in seconds or an ISO 8601 date'],
  [
    'startTime=2026-01-15&endTime=2026-01-14',
    'endTime: expected a time that is not before startTime',
  ],
])('?%s is refused', async (query, message) => {
  const answer = await api.call('GET', `${path}/events?${query}`);
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).message).toBe(message);
});

test('one event is read by its id', async () => {
  const answer = await api.call('GET', `${path}/events/${EVENTS[50]?.id}`);
  expect(answer.body).toMatchObject({ event: { id: EVENTS[50]?.id }, stats: STATS });
});

test('availability is that of the window and of the one before it', async () => {
  expect((await api.call('GET', `${path}/availability`)).body).toEqual(STATS.last24Hours);
  const query = `?startTime=${at(NOW - 4 * HOUR)}&endTime=${at(NOW + 4 * HOUR)}`;
  expect((await api.call('GET', `${path}/availability${query}`)).body).toEqual({
    successRatio: { previousPeriod: 75, currentPeriod: 100 },
    totalEntitiesCurrentPeriod: 3,
  });
});

test.each(['events', `events/${randomUUID()}`, 'availability'])(
  'a check of another type has no heartbeat %s',
  async (rest) => {
    const answer = await api.call('GET', `/v1/checks/heartbeats/${other.id}/${rest}`);
    expect(answer.status).toBe(404);
    expect((answer.body as ErrorBody).message).toBe(`No heartbeat check has the id ${other.id}`);
  },
);
