import { z } from 'zod';
import { contentRange } from '#shared/api/content-range.ts';
import { flag, instant, integer, limit, page } from '#shared/api/query.ts';
import { NOTIFICATION_WINDOW_MS } from '#shared/api/time-range.ts';
import { alertNotification } from '#shared/notifications/alert-notification.ts';
import { KEY, operation } from '../../operation.ts';
import { timeRangeOf } from '../../time-range.ts';
import { viewNotification } from './view.ts';

/** Contract 1.2 and 6.4. */
export const listNotifications = operation({
  id: 'listAlertNotifications',
  method: 'get',
  path: '/v1/alert-notifications',
  tag: 'Alert notifications',
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
      description: 'Only those that nobody got (`FAILURE`, `RATE_LIMITED`), or all others',
    }),
  }),
  status: 200,
  response: z.array(alertNotification),
  handle: async ({ query }, context) => {
    const { alertChannelId, hasFailures, limit } = query;
    const offset = (query.page - 1) * limit;
    const { notifications, total } = await context.history.listNotifications({
      ...timeRangeOf(query, NOTIFICATION_WINDOW_MS, context),
      channelId: alertChannelId === undefined ? undefined : String(alertChannelId),
      hasFailures,
      limit,
      offset,
    });
    return {
      headers: { 'content-range': contentRange(offset, notifications.length, total) },
      content: { json: notifications.map((one) => viewNotification(one, context)) },
    };
  },
});
