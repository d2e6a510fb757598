import { z } from 'zod';
import { flag, instant, integer, limit, page } from '#shared/api/query.ts';
import {
  alertNotification,
  viewAlertNotification,
} from '#shared/notifications/alert-notification.ts';
import { KEY, operation } from '../operation.ts';
import { listedPage } from '../pagination.ts';
import { idParams } from '../params.ts';

const tag = 'Alert notifications';

const listNotifications = operation({
  id: 'listAlertNotifications',
  method: 'get',
  path: '/v1/alert-notifications',
  tag,
  summary: 'List what was sent to alert channels',
  description:
    'Newest first, of at most 24 hours. A bound left out is 24 hours from the other one; without both, the last 24 hours. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({
    limit: limit(100, 10),
    page,
    from: instant.optional(),
    to: instant.optional(),
    alertChannelId: integer(1, 1_000_000_000).optional(),
    hasFailures: flag.optional().meta({
      description:
        '`true`: only notifications that did not arrive (`FAILURE`, `RATE_LIMITED`); `false`: all others',
    }),
  }),
  status: 200,
  response: z.array(alertNotification),
  handle: async ({ query }, { alertNotifications }) =>
    listedPage(await alertNotifications.list(query), query, viewAlertNotification),
});

const resendNotification = operation({
  id: 'resendAlertNotification',
  method: 'post',
  path: '/app/alert-notifications/{id}/resend',
  tag,
  summary: 'Send a notification again',
  description: 'Creates and answers a new notification; the old one does not change.',
  access: KEY,
  internal: true,
  params: idParams,
  status: 200,
  response: alertNotification,
  handle: async ({ params: { id } }, { alertNotifications }) => ({
    content: { json: viewAlertNotification(await alertNotifications.resend(id)) },
  }),
});

export const alertNotificationOperations = [listNotifications, resendNotification];
