import type { Message } from '#shared/notifications/message.ts';
import type { WebhookFormat } from './format.ts';

const COLOURS = {
  down: 'attention',
  degraded: 'warning',
  warning: 'warning',
  up: 'good',
  info: 'accent',
} as const satisfies Record<Message['tone'], string>;

/** Microsoft Teams: an adaptive card, which its workflows and its older connectors both take. */
export const msteams: WebhookFormat = {
  compose: ({ url, query, message }) => ({
    url,
    query,
    body: {
      type: 'message',
      attachments: [
        { contentType: 'application/vnd.microsoft.card.adaptive', content: cardOf(message) },
      ],
    },
  }),
};

function cardOf({ title, tone, facts, link }: Message): object {
  const heading = { text: title, weight: 'bolder', size: 'medium', color: COLOURS[tone] };
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      richText([heading]),
      ...facts.map(({ label, value }) =>
        richText([{ text: `${label}: `, weight: 'bolder' }, { text: value }]),
      ),
    ],
    actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: 'See the result', url: link }],
  };
}

/** Not a TextBlock or a FactSet: those read Markdown, and would make links of what a target answers. */
function richText(runs: readonly object[]): object {
  return { type: 'RichTextBlock', inlines: runs.map((run) => ({ type: 'TextRun', ...run })) };
}
