import { markdownText } from '#shared/notifications/markdown-text.ts';
import { textOf } from './helpers.ts';
import type { Value } from './syntax-tree.ts';

/** What a value of `{{…}}` is made safe for. `formHtml` is HTML inside a form, as Telegram's. */
export type Context = 'json' | 'uri' | 'form' | 'formHtml' | 'html' | 'markdown' | 'plain';

/** A value as it may stand in a context. `isQuoted`: inside a string of JSON. */
export function escapeFor(context: Context, value: Value, isQuoted: boolean): string {
  return ESCAPES[context](value, isQuoted);
}

const ESCAPES: { readonly [C in Context]: (value: Value, isQuoted: boolean) => string } = {
  json: jsonText,
  uri: uriText,
  form: uriText,
  formHtml: (value) => uriText(escapeHtml(textOf(value))),
  html: (value) => escapeHtml(textOf(value)),
  markdown: (value) => markdownText(textOf(value)),
  plain: textOf,
};

/** What is nothing outside of quotes would leave `"response_time": ,` behind. */
function jsonText(value: Value, isQuoted: boolean): string {
  if (!isQuoted && (value === null || value === undefined)) return 'null';
  return JSON.stringify(textOf(value)).slice(1, -1);
}

function uriText(value: Value): string {
  return encodeURIComponent(textOf(value).toWellFormed());
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
