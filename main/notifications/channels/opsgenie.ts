import { cut } from '#shared/assertions/text.ts';
import type { ChannelConfigs } from '#shared/notifications/config.ts';
import { incidentKey } from '#shared/notifications/incident-key.ts';
import { messageOf } from '#shared/notifications/message.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { deliveryOf, nothingToSend } from './delivery.ts';
import { postJson } from './json-post.ts';
import { bodyText } from './message-text.ts';
import type { ChannelSender } from './sender.ts';

const MAX_MESSAGE = 130;
const MAX_TAGS = 20;
const MAX_TAG = 50;

/** Opsgenie's alerts: one for each check, known by its alias and closed by its recovery. */
export const opsgenie: ChannelSender<'OPSGENIE'> = {
  async send({ config }, notice, ports) {
    const { opsgenieEu, opsgenieUs } = ports.endpoints;
    const base = config.region === 'EU' ? opsgenieEu : opsgenieUs;
    const alias = incidentKey(notice);
    if (alias === null) return nothingToSend();
    const { path, body } = callOf(notice, alias, config);
    const headers = { authorization: `GenieKey ${config.apiKey}` };
    return deliveryOf(await postJson(ports, base + path, body, headers));
  },
};

function callOf(
  notice: NotificationContent,
  alias: string,
  { priority }: ChannelConfigs['OPSGENIE'],
): { path: string; body: object } {
  const message = messageOf(notice);
  if (message.tone === 'up') {
    const body = { source: 'Watchpost', note: `${message.title}\n${bodyText(message)}` };
    return { path: `/v2/alerts/${alias}/close?identifierType=alias`, body };
  }
  const tags = 'check' in notice ? notice.check.tags : [];
  const body = {
    message: cut(message.title, MAX_MESSAGE),
    alias,
    description: bodyText(message),
    source: 'Watchpost',
    tags: tags.slice(0, MAX_TAGS).map((tag) => cut(tag, MAX_TAG)),
    details: Object.fromEntries(message.facts.map(({ label, value }) => [label, value])),
    ...(priority && { priority }),
  };
  return { path: '/v2/alerts', body };
}
