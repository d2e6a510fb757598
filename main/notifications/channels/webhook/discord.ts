import { cut } from '#shared/assertions/text.ts';
import type { Fact, Message } from '#shared/notifications/message.ts';
import { TONE_COLOURS } from '../message-text.ts';
import type { WebhookFormat } from './format.ts';

/** What an embed takes: a longer one is refused whole. */
const MAX_TITLE = 256;
const MAX_VALUE = 1_024;
/** Of all its texts: 6,000, without what is taken here for names of fields. */
const MAX_CHARS = 5_600;

/** Discord's incoming webhooks: an embed, and nobody mentioned by a check's name. */
export const discord: WebhookFormat = {
  compose: ({ url, query, message }) => {
    const { tone, link, at } = message;
    const title = cut(escapeMarkdown(message.title), MAX_TITLE);
    const embed = {
      title,
      color: Number.parseInt(TONE_COLOURS[tone].slice(1), 16),
      fields: fieldsOf(message, MAX_CHARS - title.length),
      timestamp: at,
      ...(link !== null && { url: link }),
    };
    return { url, query, body: { allowed_mentions: { parse: [] }, embeds: [embed] } };
  },
};

/** As many as there is room for; what matters most comes first. */
function fieldsOf({ facts }: Pick<Message, 'facts'>, maxChars: number) {
  let room = maxChars;
  return facts.map(fieldOf).filter(({ value }) => {
    room -= value.length;
    return room >= 0;
  });
}

function fieldOf({ label, value }: Fact) {
  return { name: label, value: cut(escapeMarkdown(value), MAX_VALUE) };
}

/** What a name or a target's answer says is text: no link, no mention and nothing bold. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~|`<>[\]#]/g, '\\$&');
}
