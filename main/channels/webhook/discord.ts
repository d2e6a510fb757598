import { TONE_COLOURS } from '../message-text.ts';
import type { Dialect } from './dialect.ts';

/** Discord's incoming webhooks: an embed, and nobody mentioned by a check's name. */
export const discord: Dialect = {
  compose: ({ url, query, message: { title, tone, facts, link, at } }) => ({
    url,
    query,
    body: {
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title,
          color: Number.parseInt(TONE_COLOURS[tone].slice(1), 16),
          fields: facts.map(({ label, value }) => ({ name: label, value })),
          timestamp: at,
          ...(link !== null && { url: link }),
        },
      ],
    },
  }),
};
