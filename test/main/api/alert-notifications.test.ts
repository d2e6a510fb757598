import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/api/errors.ts';
import type { AlertNotification } from '#shared/notifications/alert-notification.ts';
import { ABOUT_NO_CHECK, NOTIFICATION_STATUSES } from '#shared/notifications/notification.ts';
import { type Harness, NOW, startApi } from '../../fixtures/api-harness.ts';
import { BLIND, DIGEST, makeChannel } from '../../fixtures/notification-contents.ts';
import { makeNotification } from '../store/alert-records.ts';

const HOUR = 3_600_000;

let api: Harness;
beforeEach(async () => {
  api = await startApi();
  await api.configuration.channels.put(makeChannel('EMAIL', { address: 'ops@example.com' }));
});
afterEach(() => api.close());

const seconds = (ms: number) => String(ms / 1_000);
const list = (query = '') => api.call('GET', `/v1/alert-notifications${query}`);
const linesOf = ({ body }: { body: unknown }) => body as AlertNotification[];
const resend = (id: string) => api.call('POST', `/app/alert-notifications/${id}/resend`);

test('a notification is shown with all its members', async () => {
  const sent = makeNotification({
    createdAt: NOW - HOUR,
    status: 'FAILURE',
    channelType: 'EMAIL',
    outcome: '550 in 12 ms',
    settledAt: NOW - HOUR + 12,
  });
  await api.history.write({ notifications: [sent] });
  const answer = await list();
  expect(answer.body).toEqual([
    {
      id: sent.id,
      type: 'EMAIL',
      status: 'FAILURE',
      alertConfig: { address: 'ops@example.com' },
      notificationResult: '550 in 12 ms',
      timestamp: new Date(NOW - HOUR).toISOString(),
      checkType: 'API',
      checkId: sent.checkId,
      checkAlertId: sent.checkAlertId,
      alertChannelId: 1,
      checkResultId: sent.checkResultId,
    },
  ]);
  expect(answer.headers.get('content-range')).toBe('0-0/1');
});

test('what is about no check names none', async () => {
  const about = { checkId: null, checkType: null, checkAlertId: null, checkResultId: null };
  const notifications = [makeNotification({ createdAt: NOW - 1, notice: BLIND, ...about })];
  await api.history.write({ notifications });
  const [line] = linesOf(await list());
  expect(Object.keys(line ?? {}).filter((name) => name in about)).toEqual([]);
});

test.each(NOTIFICATION_STATUSES)('%s is shown by a status that clients know', async (status) => {
  await api.history.write({ notifications: [makeNotification({ createdAt: NOW - 1, status })] });
  const shown = { PENDING: 'IN_PROGRESS', DIGESTED: 'SUCCESS' }[status as string] ?? status;
  expect(linesOf(await list())[0]?.status).toBe(shown);
});

test('secrets of the config are hidden, in the log and in what is sent again', async () => {
  await api.configuration.channels.put(
    makeChannel(
      'WEBHOOK',
      {
        name: 'chat',
        url: 'https://chat.test/hook/T0P',
        webhookSecret: 'T0P',
        headers: [
          { key: 'x-key', value: 'T0P', locked: true },
          { key: 'x-open', value: 'seen', locked: false },
        ],
        queryParameters: [{ key: 'token', value: 'T0P', locked: true }],
      },
      { id: '2' },
    ),
  );
  const sent = makeNotification({ createdAt: NOW - 1, channelId: '2' });
  await api.history.write({ notifications: [sent] });
  const again = await resend(sent.id);
  for (const body of [(await list('?alertChannelId=2')).body, again.body]) {
    expect(JSON.stringify(body)).not.toContain('T0P');
  }
  expect((again.body as AlertNotification).alertConfig).toMatchObject({
    name: 'chat',
    url: '***',
    webhookSecret: '***',
    headers: [
      { key: 'x-key', value: '***' },
      { key: 'x-open', value: 'seen' },
    ],
  });
});

test('a notification over a channel that is gone is still in the log', async () => {
  const sent = makeNotification({ createdAt: NOW - 1, channelId: '9' });
  await api.history.write({ notifications: [sent] });
  expect((await list()).body).toMatchObject([{ id: sent.id, alertChannelId: 9, alertConfig: {} }]);
});

test('the log is filtered by channel and by failure, and Content-Range counts what is left', async () => {
  const [failed, told, elsewhere] = [
    makeNotification({ createdAt: NOW - 1, status: 'RATE_LIMITED' }),
    makeNotification({ createdAt: NOW - 2, status: 'SUCCESS' }),
    makeNotification({ createdAt: NOW - 3, status: 'FAILURE', channelId: '2' }),
  ] as const;
  await api.history.write({ notifications: [failed, told, elsewhere] });
  const find = async (query: string) => {
    const answer = await list(query);
    return [linesOf(answer).map(({ id }) => id), answer.headers.get('content-range')];
  };
  expect(await find('')).toEqual([[failed.id, told.id, elsewhere.id], '0-2/3']);
  expect(await find('?alertChannelId=1')).toEqual([[failed.id, told.id], '0-1/2']);
  expect(await find('?hasFailures=true')).toEqual([[failed.id, elsewhere.id], '0-1/2']);
  expect(await find('?hasFailures=false')).toEqual([[told.id], '0-0/1']);
  expect(await find('?alertChannelId=2&hasFailures=false')).toEqual([[], '*/0']);
  expect(await find('?limit=1&page=2')).toEqual([[told.id], '1-1/3']);
});

test.each([
  ['neither bound', '', [-1, -24]],
  ['only `to`', `?to=${seconds(NOW - 12 * HOUR)}`, [-24, -36]],
  ['only `from`', `?from=${seconds(NOW - 36 * HOUR)}`, [-24, -36]],
])('with %s the window is 24 hours, its end exclusive', async (_, query, hours) => {
  const notifications = [0, -1, -24, -36, -37].map((hour) =>
    makeNotification({ createdAt: NOW + hour * HOUR }),
  );
  await api.history.write({ notifications });
  const listed = linesOf(await list(query)).map(
    ({ timestamp }) => (Date.parse(timestamp) - NOW) / HOUR,
  );
  expect(listed).toEqual(hours);
});

test.each([
  [`from=0&to=${seconds(24 * HOUR + 1_000)}`, 'to: expected at most 24 hours after from'],
  ['alertChannelId=mail', 'alertChannelId: expected a whole number from 1 to 1000000000'],
  ['hasFailures=perhaps', 'hasFailures: expected'],
])('%s is refused', async (query, message) => {
  const answer = await list(`?${query}`);
  expect(answer.status).toBe(400);
  expect((answer.body as ErrorBody).message).toContain(message);
});

test('a notification is sent again as a new one, and the old one stays', async () => {
  const failed = makeNotification({ createdAt: NOW - HOUR, status: 'FAILURE', settledAt: NOW - 1 });
  await api.history.write({ notifications: [failed] });
  const again = await resend(failed.id);
  const { id } = again.body as AlertNotification;
  expect(again.body).toMatchObject({ status: 'IN_PROGRESS', checkId: failed.checkId });
  expect(await api.history.findNotification(failed.id)).toEqual(failed);
  expect(await api.history.findNotification(id)).toMatchObject({ createdAt: NOW, tries: 0 });
});

test('an alert in a message for many shows what became of that message; both are sent again', async () => {
  const digest = makeNotification({
    createdAt: NOW - 1,
    status: 'FAILURE',
    outcome: 'HTTP 500 in 3 ms',
    notice: DIGEST,
    ...ABOUT_NO_CHECK,
  });
  const alert = makeNotification({ createdAt: NOW - 2, status: 'DIGESTED', digestId: digest.id });
  const owed = makeNotification({ createdAt: NOW - 3, notice: DIGEST });
  const waiting = makeNotification({ createdAt: NOW - 4, status: 'DIGESTED', digestId: owed.id });
  await api.history.write({ notifications: [digest, alert, owed, waiting] });
  const shown = { status: 'FAILURE', notificationResult: 'HTTP 500 in 3 ms' };
  expect(linesOf(await list('?hasFailures=true'))).toMatchObject([
    { id: digest.id, ...shown },
    { id: alert.id, ...shown, digestId: digest.id, checkId: alert.checkId },
  ]);
  expect(linesOf(await list('?hasFailures=false'))).toMatchObject([
    { id: owed.id, status: 'IN_PROGRESS' },
    { id: waiting.id, status: 'IN_PROGRESS', digestId: owed.id, notificationResult: null },
  ]);
  const [whole, one] = [await resend(digest.id), await resend(alert.id)].map(
    ({ body }) => body as AlertNotification,
  );
  expect(whole).toMatchObject({ status: 'IN_PROGRESS', notificationResult: null });
  expect(one).toMatchObject({ status: 'IN_PROGRESS', checkId: alert.checkId });
  expect(whole).not.toHaveProperty('checkId');
  expect(one).not.toHaveProperty('digestId');
});

test('what is unknown, or went over a channel that is gone, is not sent again: 404', async () => {
  const orphan = makeNotification({ createdAt: NOW - 1, channelId: '9', status: 'FAILURE' });
  await api.history.write({ notifications: [orphan] });
  for (const id of [orphan.id, randomUUID()]) {
    const answer = await resend(id);
    expect([answer.status, (answer.body as ErrorBody).message]).toEqual([
      404,
      `No notification over a channel that exists has the id ${id}`,
    ]);
  }
});
