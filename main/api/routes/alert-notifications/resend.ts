import { notFound } from '#main/services/service-error.ts';
import { alertNotification } from '#shared/notifications/alert-notification.ts';
import { KEY, operation } from '../../operation.ts';
import { idParams } from '../checks/find-check.ts';
import { viewNotification } from './view.ts';

export const resendNotification = operation({
  id: 'resendAlertNotification',
  method: 'post',
  path: '/app/alert-notifications/{id}/resend',
  tag: 'Alert notifications',
  summary: 'Send a notification again',
  description: 'It is sent as a new notification, which is answered.',
  access: KEY,
  internal: true,
  params: idParams,
  status: 200,
  response: alertNotification,
  handle: async ({ params: { id } }, context) => {
    const again = await context.outbox.resend(id);
    if (again === null)
      throw notFound(`No notification over a channel that exists has the id ${id}`);
    return { content: { json: viewNotification(again, context) } };
  },
});
