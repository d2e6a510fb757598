import type { Message } from '#shared/notifications/message.ts';
import { bodyText } from '../message-text.ts';
import type { WebhookFormat } from './format.ts';

const PRIORITIES = {
  down: 8,
  degraded: 6,
  warning: 6,
  up: 4,
  info: 4,
} as const satisfies Record<Message['tone'], number>;

/** Gotify: the URL is that of `/message`; its token is a query parameter or a header. */
export const gotify: WebhookFormat = {
  compose: ({ url, query, message }) => ({
    url,
    query,
    body: {
      title: message.title,
      message: bodyText(message),
      priority: PRIORITIES[message.tone],
      ...(message.link !== null && {
        extras: { 'client::notification': { click: { url: message.link } } },
      }),
    },
  }),
};
