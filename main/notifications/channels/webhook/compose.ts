import { messageOf } from '#shared/notifications/message.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { variablesOf } from '#shared/notifications/variables.ts';
import { compileTemplate } from '../../template/compile.ts';
import type { Context } from '../../template/escape.ts';
import { renderTemplate, type Variables } from '../../template/render.ts';
import type { WebhookConfig } from './format.ts';
import { formatOf } from './formats.ts';

/** A webhook's request, ready to be signed and sent. */
export interface Composed {
  url: string;
  headers: Record<string, string>;
  /** Undefined where the method has none. */
  body: string | undefined;
}

interface World {
  now: Date;
  /** The account's variables; those of the notice go before them. */
  variables: Readonly<Record<string, string>>;
}

/**
 * Fills in everything of a webhook that may hold templates.
 *
 * @throws TemplateError where a template cannot be used, or makes too much
 * @throws TypeError of code ERR_INVALID_URL where what becomes of the URL is none
 */
export function composeRequest(
  config: WebhookConfig,
  notice: NotificationContent,
  world: World,
): Composed {
  const variables: Variables = { ...world.variables, ...variablesOf(notice) };
  const fill = (text: string, context: Context) =>
    renderTemplate(compileTemplate(text), variables, { context, now: world.now });
  const url = new URL(fill(config.url, 'uri'));
  const query = config.queryParameters.map(
    ({ key, value }) => [key, fill(value, 'plain')] as const,
  );
  const headers = headersOf(config, (value) => fill(value, 'plain'));
  const { template } = config;
  if (template) {
    const context = contextOf(headers['content-type'], config);
    const filled = fill(template, context);
    const body = context === 'form' || context === 'formHtml' ? formText(filled) : filled;
    return { url: withQuery(url, query), headers, body: hasBody(config) ? body : undefined };
  }
  const draft = { url, query, notice, message: messageOf(notice) };
  const composed = formatOf(config.webhookType).compose(draft);
  const body = hasBody(config) ? JSON.stringify(composed.body) : undefined;
  return { url: withQuery(composed.url, composed.query), headers, body };
}

function hasBody({ method }: WebhookConfig): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function withQuery(url: URL, query: readonly (readonly [string, string])[]): string {
  const target = new URL(url);
  for (const [key, value] of query) target.searchParams.append(key, value);
  return target.href;
}

/** By lower-case names; what the template is, unless a header says otherwise. */
function headersOf(
  { headers, template }: WebhookConfig,
  fill: (value: string) => string,
): Record<string, string> {
  const given = headers.map(({ key, value }) => [key.toLowerCase(), headerText(fill(value))]);
  const type = FORM.test(template ?? '') ? 'x-www-form-urlencoded' : 'json';
  return { 'content-type': `application/${type}`, ...Object.fromEntries(given) };
}

/** A template that begins with the name of a field: no JSON does. */
const FORM = /^\s*[\w.%[\]-]+=/;

/** What the user wrote between the values may hold signs that no form does, such as `<b>` or `100%`. */
function formText(text: string): string {
  return text
    .trim()
    .toWellFormed()
    .replace(/[^!-~]+|["<>\\^`{|}]|%(?![\da-f]{2})/giu, encodeURIComponent);
}

/** A header holds one line of bytes: what a variable has beyond that must not end it. */
function headerText(value: string): string {
  return Buffer.from(value.replace(/\p{Cc}+/gu, ' ').trim(), 'utf8').toString('latin1');
}

/** What values of a body are made safe for, by its content type. */
function contextOf(contentType = '', { webhookType }: WebhookConfig): Context {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (type.includes('json')) return 'json';
  // The templates that clients send for Telegram are HTML inside a form.
  if (type.includes('urlencoded')) return webhookType === 'WEBHOOK_TELEGRAM' ? 'formHtml' : 'form';
  return type.includes('html') || type.includes('xml') ? 'html' : 'plain';
}
