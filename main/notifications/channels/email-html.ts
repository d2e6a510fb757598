import type { Message } from '#shared/notifications/message.ts';
import { escapeHtml } from '../template/escape.ts';
import { TONE_COLOURS } from './message-text.ts';

/** A message as the HTML of a mail: a title, a table and a link, with nothing loaded from anywhere. */
export function emailHtml({ title, tone, facts, link }: Message): string {
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th align="left" style="padding:2px 16px 2px 0;color:#666">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const result = link === null ? '' : `<p><a href="${escapeHtml(link)}">See the result</a></p>`;
  return [
    '<!doctype html><html><body style="font:15px/1.5 sans-serif">',
    `<h1 style="font-size:20px;color:${TONE_COLOURS[tone]}">${escapeHtml(title)}</h1>`,
    `<table style="border-collapse:collapse">${rows.join('')}</table>`,
    `${result}</body></html>`,
  ].join('\n');
}
