import { cut } from '#shared/assertions/text.ts';
import type { Message } from '#shared/notifications/message.ts';
import { bodyText } from '../message-text.ts';
import type { WebhookFormat } from './format.ts';

/** What a message of a bot holds. */
const MAX_TEXT = 4_000;

/** Telegram's `sendMessage`: the query parameters, `chat_id` among them, become members of the body. */
export const telegram: WebhookFormat = {
  needs: ['chat_id'],
  compose: ({ url, query, message }) => ({
    url,
    query: [],
    body: { ...Object.fromEntries(query), text: textOf(message), disable_web_page_preview: true },
  }),
};

/** Plain text: no name of a check can break a markup that is not there. */
function textOf(message: Message): string {
  return cut(`${message.title}\n\n${bodyText(message)}`, MAX_TEXT);
}
