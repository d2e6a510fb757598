import type { Message } from '#shared/notifications/message.ts';
import { bodyText } from '../message-text.ts';
import type { WebhookFormat } from './format.ts';

const PRIORITIES = {
  down: 5,
  degraded: 4,
  warning: 4,
  up: 3,
  info: 3,
} as const satisfies Record<Message['tone'], number>;

const SIGNS = {
  down: 'rotating_light',
  degraded: 'warning',
  warning: 'warning',
  up: 'white_check_mark',
  info: 'information_source',
} as const satisfies Record<Message['tone'], string>;

/** What a message holds (docs.ntfy.sh, "Limitations"); a longer one becomes a file, or is refused. */
const MAX_BYTES = 4_096;

/** ntfy: the URL is that of a topic; JSON goes to the server, with the topic in it. */
export const ntfy: WebhookFormat = {
  compose: ({ url, query, message }) => {
    const [topic = '', ...before] = url.pathname
      .split('/')
      .filter((part) => part !== '')
      .reverse();
    const server = new URL(url);
    server.pathname = before.reverse().join('/');
    const body = {
      topic,
      title: message.title,
      message: cutBytes(bodyText(message), MAX_BYTES),
      priority: PRIORITIES[message.tone],
      tags: [SIGNS[message.tone]],
      ...(message.link !== null && { click: message.link }),
    };
    return { url: server, query, body };
  },
};

function cutBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  // Half of a character at the end reads as a sign of its own.
  return bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
