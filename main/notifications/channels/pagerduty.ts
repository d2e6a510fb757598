import { cut } from '#shared/assertions/text.ts';
import { incidentKey } from '#shared/notifications/incident-key.ts';
import { type Message, messageOf } from '#shared/notifications/message.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { deliveryOf, nothingToSend } from './delivery.ts';
import { postJson } from './json-post.ts';
import type { ChannelSender } from './sender.ts';

const SEVERITIES = {
  down: 'critical',
  degraded: 'warning',
  warning: 'warning',
  up: 'info',
  info: 'info',
} as const satisfies Record<Message['tone'], string>;

const MAX_SOURCE = 255;

/** PagerDuty's Events API v2: one incident for each check, resolved by its recovery. */
export const pagerduty: ChannelSender<'PAGERDUTY'> = {
  async send({ config }, notice, ports) {
    const dedup_key = incidentKey(notice);
    if (dedup_key === null) return nothingToSend();
    const event = { routing_key: config.serviceKey, dedup_key, ...eventOf(notice) };
    return deliveryOf(await postJson(ports, `${ports.endpoints.pagerduty}/v2/enqueue`, event));
  },
};

function eventOf(notice: NotificationContent): object {
  const message = messageOf(notice);
  if (message.tone === 'up') return { event_action: 'resolve' };
  return {
    event_action: 'trigger',
    client: 'Watchpost',
    payload: {
      summary: message.title,
      source: 'check' in notice ? cut(notice.check.name, MAX_SOURCE) : 'Watchpost',
      severity: SEVERITIES[message.tone],
      timestamp: message.at,
      custom_details: Object.fromEntries(message.facts.map(({ label, value }) => [label, value])),
    },
    links: message.link === null ? [] : [{ href: message.link, text: 'Result' }],
  };
}
