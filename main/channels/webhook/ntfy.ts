import type { Message } from '#shared/channel/message.ts';
import { bodyText } from '../message-text.ts';
import type { Dialect } from './dialect.ts';

const PRIORITIES = {
  down: 5,
  degraded: 4,
  warning: 4,
  up: 3,
} as const satisfies Record<Message['tone'], number>;

const SIGNS = {
  down: 'rotating_light',
  degraded: 'warning',
  warning: 'warning',
  up: 'white_check_mark',
} as const satisfies Record<Message['tone'], string>;

/** ntfy: the URL is that of a topic; JSON goes to the server, with the topic in it. */
export const ntfy: Dialect = {
  compose: ({ url, query, message }) => {
    const [topic = '', ...before] = url.pathname
      .split('/')
      .filter((part) => part !== '')
      .reverse();
    const server = new URL(url);
    server.pathname = before.reverse().join('/');
    const body = {
      topic: decodeURIComponent(topic),
      title: message.title,
      message: bodyText(message),
      priority: PRIORITIES[message.tone],
      tags: [SIGNS[message.tone]],
      ...(message.link !== null && { click: message.link }),
    };
    return { url: server, query, body };
  },
};
