import { cut } from '#shared/assertions/text.ts';
import type { Message } from '#shared/notifications/message.ts';
import type { WebhookFormat } from './format.ts';

const PRIORITIES = {
  down: 1,
  degraded: 0,
  warning: 0,
  up: 0,
  info: 0,
} as const satisfies Record<Message['tone'], number>;

/** What a message of Pushover holds. */
const MAX_TEXT = 1_000;
const MAX_LINK = 512;

/** Pushover: the query parameters, `token` and `user` among them, become members of the body. */
export const pushover: WebhookFormat = {
  needs: ['token', 'user'],
  compose: ({ url, query, message }) => {
    const lines = message.facts.map(({ label, value }) => `${label}: ${value}`);
    const body = {
      ...Object.fromEntries(query),
      title: message.title,
      message: cut(lines.join('\n'), MAX_TEXT),
      priority: PRIORITIES[message.tone],
      timestamp: Math.floor(Date.parse(message.at) / 1_000),
      ...(message.link !== null &&
        message.link.length <= MAX_LINK && { url: message.link, url_title: 'See the result' }),
    };
    return { url, query: [], body };
  },
};
