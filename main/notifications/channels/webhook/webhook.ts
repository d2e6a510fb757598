import { createHmac } from 'node:crypto';
import type { Problem } from '#shared/api/problems.ts';
import type { EgressCause } from '../../egress/failure.ts';
import { compileTemplate } from '../../template/compile.ts';
import { TemplateError } from '../../template/template-error.ts';
import { addressProblems } from '../address-problems.ts';
import { deliveryOf, failed } from '../delivery.ts';
import { USER_AGENT } from '../json-post.ts';
import { type ChannelSender, type Delivery, SEND_TIMEOUT_MS } from '../sender.ts';
import { type Composed, composeRequest } from './compose.ts';
import type { WebhookConfig } from './format.ts';
import { formatOf } from './formats.ts';

/** A request to wherever the user wants, filled in from templates and signed. */
export const webhook: ChannelSender<'WEBHOOK'> = {
  async problems({ config }, ports) {
    const address = await addressProblems('config.url', config.url, ports);
    return [...templateProblems(config), ...missingParameters(config), ...address];
  },
  async send({ config }, notice, ports) {
    const now = ports.now();
    const world = { now: new Date(now), variables: ports.variables() };
    const composed = attemptTo(() => composeRequest(config, notice, world));
    if ('outcome' in composed) return composed;
    const { url, body } = composed;
    const headers = {
      'user-agent': USER_AGENT,
      ...(body === undefined ? without(composed.headers, 'content-type') : composed.headers),
      ...signatureOf(config, body ?? '', now),
    };
    const { method } = config;
    const outcome = await ports.egress.send({
      method,
      url,
      headers,
      body,
      timeoutMs: SEND_TIMEOUT_MS,
    });
    return deliveryOf(outcome, { triesAll: true });
  },
};

/** `x-checkly-signature`: the lower-case hex HMAC-SHA256 of the very bytes that are sent. */
function signatureOf(
  { webhookSecret }: WebhookConfig,
  body: string,
  nowMs: number,
): Record<string, string> {
  if (!webhookSecret) return {};
  const signature = createHmac('sha256', webhookSecret).update(body, 'utf8').digest('hex');
  return { 'x-checkly-signature': signature, 'x-checkly-timestamp': String(nowMs) };
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
}

/** A template that worked when it was saved may still make too much, or a URL that is none. */
function attemptTo(compose: () => Composed): Composed | Delivery {
  try {
    return compose();
  } catch (error) {
    if (error instanceof TemplateError)
      return failed(`Template: ${error.message}`, { permanent: true });
    if ((error as NodeJS.ErrnoException).code !== 'ERR_INVALID_URL') throw error;
    const cause: EgressCause = 'INVALID_URL';
    return failed(`${cause}: the templates of the URL make none`, { permanent: true });
  }
}

function templateProblems({ url, template, headers, queryParameters }: WebhookConfig): Problem[] {
  const texts: [string, string][] = [
    ['config.url', url],
    ['config.template', template ?? ''],
    ...headers.map(({ value }, at): [string, string] => [`config.headers.${at}.value`, value]),
    ...queryParameters.map(({ value }, at): [string, string] => [
      `config.queryParameters.${at}.value`,
      value,
    ]),
  ];
  return texts.flatMap(([path, text]) => problemOf(path, text) ?? []);
}

function problemOf(path: string, text: string): Problem | null {
  try {
    compileTemplate(text);
    return null;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { path, message: `expected a template: ${error.message}` };
  }
}

function missingParameters({ webhookType, template, queryParameters }: WebhookConfig): Problem[] {
  if (template) return [];
  const given = new Set(queryParameters.map(({ key }) => key));
  const missing = (formatOf(webhookType).needs ?? []).filter((name) => !given.has(name));
  return missing.map((name) => ({
    path: 'config.queryParameters',
    message: `expected "${name}", which ${webhookType} needs without a template`,
  }));
}
