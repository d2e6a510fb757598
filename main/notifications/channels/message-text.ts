import type { Message } from '#shared/notifications/message.ts';

/** A message in lines of plain text, without its title. */
export function bodyText({ facts, link }: Message): string {
  const lines = facts.map(({ label, value }) => `${label}: ${value}`);
  return [...lines, ...(link === null ? [] : [`Result: ${link}`])].join('\n');
}

/** `#rrggbb` of each tone. */
export const TONE_COLOURS = {
  down: '#d92d20',
  degraded: '#dc8400',
  warning: '#dc8400',
  up: '#12805c',
  info: '#1570ef',
} as const satisfies Record<Message['tone'], string>;
