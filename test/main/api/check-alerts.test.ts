import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AlertType } from '#shared/alerting/alert-type.ts';
import type { CheckAlert } from '#shared/alerting/check-alert.ts';
import { UNTOLD_REASONS } from '#shared/alerting/stored-alert.ts';
import type { ErrorBody } from '#shared/api/errors.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { LEAST_BODIES } from '../../fixtures/check-bodies.ts';
import { makeAlert, makeNotification } from '../store/alert-records.ts';

const HOUR = 3_600_000;

let api: Harness;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

async function createCheck(): Promise<string> {
  const body = { name: 'A check', ...LEAST_BODIES.API };
  const created = await api.call('POST', '/v1/checks/api', { body });
  return (created.body as { id: string }).id;
}

const iso = (ms: number) => new Date(ms).toISOString();
const seconds = (ms: number) => String(ms / 1_000);
const list = (path = '', query = '') => api.call('GET', `/v1/check-alerts${path}${query}`);
const idsOf = ({ body }: { body: unknown }) => (body as CheckAlert[]).map(({ id }) => id);

test('an alert is shown with all that 2.8 names', async () => {
  const checkId = await createCheck();
  const alert = makeAlert({ checkId, createdAt: NOW - HOUR });
  await api.history.write({ alerts: [alert] });
  const expected = {
    id: alert.id,
    name: 'a check',
    checkId,
    alertType: 'ALERT_FAILURE',
    checkType: 'API',
    runLocation: 'eu-west-1',
    responseTime: 12,
    error: 'Nobody listens at 127.0.0.1:9.',
    statusCode: '503',
    created_at: iso(NOW - HOUR),
    startedAt: iso(NOW - HOUR - 12),
  };
  for (const path of ['', `/${checkId}`, `/${checkId.toUpperCase()}`]) {
    const answer = await list(path);
    expect([answer.status, answer.body]).toEqual([200, [expected]]);
    expect(answer.headers.get('content-range')).toBe('0-0/1');
  }
});

test.each(UNTOLD_REASONS)('an alert that nobody was told of says why: %s', async (withheld) => {
  await api.history.write({ alerts: [makeAlert({ createdAt: NOW - 1, withheld })] });
  expect((await list()).body).toMatchObject([{ withheld }]);
});

test('an alert of a heartbeat has neither place nor times of a run', async () => {
  const nothing = { runLocation: null, responseTime: null, statusCode: null, resultId: null };
  const alert = makeAlert({ checkType: 'HEARTBEAT', createdAt: NOW - 1, ...nothing });
  await api.history.write({ alerts: [alert] });
  const [shown] = (await list()).body as CheckAlert[];
  expect(shown).toMatchObject({ checkType: 'HEARTBEAT', statusCode: null });
  const missing = ['runLocation', 'responseTime'].filter((name) => !(name in (shown ?? {})));
  expect(missing).toEqual(['runLocation', 'responseTime']);
});

test('of one check only its own are listed; an unknown check answers 404', async () => {
  const checkId = await createCheck();
  const [own, other] = [
    makeAlert({ checkId, createdAt: NOW - 1 }),
    makeAlert({ createdAt: NOW - 2 }),
  ];
  await api.history.write({ alerts: [own, other] });
  expect(idsOf(await list(`/${checkId}`))).toEqual([own.id]);
  expect(idsOf(await list())).toEqual([own.id, other.id]);
  expect((await list(`/${randomUUID()}`)).status).toBe(404);
});

test('alerts that nobody was told of are listed, NO_ALERT is not', async () => {
  const alerts = [
    makeAlert({ createdAt: NOW - 1, withheld: 'muted' }),
    makeAlert({ createdAt: NOW - 2, withheld: 'flapping' }),
    makeAlert({ createdAt: NOW - 3, withheld: 'maintenance' }),
    makeAlert({ createdAt: NOW - 4, withheld: 'untold', alertType: 'NO_ALERT' }),
  ];
  await api.history.write({ alerts });
  expect(idsOf(await list())).toEqual(alerts.slice(0, 3).map(({ id }) => id));
});

test('pages are newest first, ten by default, and Content-Range has the total', async () => {
  const alerts = Array.from({ length: 12 }, (_, index) =>
    makeAlert({ createdAt: NOW - 1 - index }),
  );
  await api.history.write({ alerts });
  const ids = alerts.map(({ id }) => id);
  const page = async (query: string) => {
    const answer = await list('', query);
    return [idsOf(answer), answer.headers.get('content-range')];
  };
  expect(await page('')).toEqual([ids.slice(0, 10), '0-9/12']);
  expect(await page('?page=2')).toEqual([ids.slice(10), '10-11/12']);
  expect(await page('?limit=5&page=2')).toEqual([ids.slice(5, 10), '5-9/12']);
  expect(await page('?page=3')).toEqual([[], '*/12']);
});

test.each([
  ['neither bound', '', [-1, -6]],
  ['only `to`', `?to=${seconds(NOW - 2 * HOUR)}`, [-6, -7, -8]],
  ['only `from`', `?from=${seconds(NOW - 7 * HOUR)}`, [-6, -7]],
  ['both', `?from=${seconds(NOW - 6 * HOUR)}&to=${seconds(NOW)}`, [-1, -6]],
  ['both, as ISO 8601', `?from=${iso(NOW - 7 * HOUR)}&to=${iso(NOW - HOUR)}`, [-6, -7]],
])('with %s the window is 6 hours, its end exclusive', async (_, query, hours) => {
  const alerts = [0, -1, -6, -7, -8].map((hour) => makeAlert({ createdAt: NOW + hour * HOUR }));
  await api.history.write({ alerts });
  const listed = ((await list('', query)).body as CheckAlert[]).map(
    ({ created_at }) => (Date.parse(created_at) - NOW) / HOUR,
  );
  expect(listed).toEqual(hours);
});

test.each([
  [
    'a wider window',
    `from=0&to=${seconds(6 * HOUR + 1_000)}`,
    'to: expected at most 6 hours after from',
  ],
  ['a window that ends first', 'from=9&to=8', 'to: expected a time that is not before from'],
  ['no time', 'from=yesterday', 'from: expected a UNIX timestamp in seconds or an ISO 8601 date'],
  ['too many', 'limit=101', 'limit: expected a whole number from 1 to 100, got 101'],
  ['no page', 'page=0', 'page: expected a whole number from 1'],
])('%s is refused', async (_, query, message) => {
  const checkId = await createCheck();
  for (const path of ['', `/${checkId}`]) {
    const answer = await list(path, `?${query}`);
    expect(answer.status).toBe(400);
    expect((answer.body as ErrorBody).message).toContain(message);
  }
});

test('the interface reads alerts of any age, each with what was sent for it', async () => {
  const checkId = await createCheck();
  const alert = makeAlert({ checkId, createdAt: NOW - 100 * HOUR });
  const other = makeAlert({ createdAt: NOW - 100 * HOUR });
  const sent = makeNotification({
    checkId,
    channelId: '7',
    checkAlertId: alert.id,
    createdAt: alert.createdAt,
    status: 'FAILURE',
    outcome: 'HTTP 500',
  });
  await api.history.write({ alerts: [alert, other], notifications: [sent] });
  const { status, body } = await api.call('GET', `/app/check-alerts?checkId=${checkId}`);
  expect([status, body]).toMatchObject([
    200,
    [
      {
        id: alert.id,
        occasion: 'run',
        checkResultId: alert.resultId,
        told: [{ alertChannelId: 7, status: 'FAILURE', notificationResult: 'HTTP 500' }],
      },
    ],
  ]);
  expect((await api.call('GET', '/app/check-alerts')).body).toHaveLength(2);
});

test('alerts with what was sent say when their check passed again', async () => {
  const checkId = await createCheck();
  const types = ['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_FAILURE', 'NO_ALERT', 'ALERT_FAILURE'];
  const alerts = types.map((alertType, minute) =>
    makeAlert({
      checkId,
      alertType: alertType as AlertType,
      createdAt: NOW - HOUR + minute * 60_000,
    }),
  );
  const another = makeAlert({ alertType: 'ALERT_RECOVERY', createdAt: NOW - 60_000 });
  await api.history.write({ alerts: [...alerts, another] });
  const { body } = await api.call('GET', `/app/check-alerts?checkId=${checkId}`);
  const ends = (body as { endedAt: string | null }[]).map(({ endedAt }) => endedAt);
  expect(ends).toEqual([null, iso(NOW - HOUR + 180_000), null, iso(NOW - HOUR + 60_000)]);
});

test('alerts with what was sent are filtered by what they say and by whether anybody was told', async () => {
  const alerts = [
    makeAlert({ createdAt: NOW - 1, alertType: 'ALERT_DEGRADED_FAILURE' }),
    makeAlert({ createdAt: NOW - 2, alertType: 'ALERT_RECOVERY' }),
    makeAlert({ createdAt: NOW - 3, withheld: 'muted' }),
    makeAlert({ createdAt: NOW - 4, alertType: 'ALERT_SSL' }),
  ];
  await api.history.write({ alerts });
  const places = async (query: string) => {
    const ids = idsOf(await api.call('GET', `/app/check-alerts?${query}`));
    return ids.map((id) => alerts.findIndex((alert) => alert.id === id));
  };
  expect(await places('says=failing')).toEqual([0, 2]);
  expect(await places('says=failing&isTold=true')).toEqual([0]);
  expect(await places('isTold=false')).toEqual([2]);
  expect(await places('says=expiry')).toEqual([3]);
  const refused = await api.call('GET', '/app/check-alerts?says=nothing');
  expect([refused.status, (refused.body as ErrorBody).message]).toEqual([
    400,
    expect.stringMatching(/^says: expected "failing", "degraded"/),
  ]);
});
