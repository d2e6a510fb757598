import type { Problem } from '#shared/api/problems.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import { type ChannelType, mapChannelSecrets } from '#shared/notifications/config.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { desktop } from './desktop.ts';
import { email } from './email.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { call, sms } from './phone.ts';
import { responseExcerpt } from './response-excerpt.ts';
import type { ChannelSender, Delivery, SendPorts } from './sender.ts';
import { slack } from './slack.ts';
import { slackApp } from './slack-app.ts';
import { webhook } from './webhook/webhook.ts';

/** The sender of each kind of channel. */
const CHANNEL_SENDERS = {
  EMAIL: email,
  SLACK: slack,
  SLACK_APP: slackApp,
  WEBHOOK: webhook,
  SMS: sms,
  CALL: call,
  PAGERDUTY: pagerduty,
  OPSGENIE: opsgenie,
  DESKTOP: desktop,
} as const satisfies { [K in ChannelType]: ChannelSender<K> };

function senderOf(type: ChannelType): ChannelSender<ChannelType> {
  // The table has for each type the sender of that type, which the type system cannot follow.
  return CHANNEL_SENDERS[type] as ChannelSender<ChannelType>;
}

/** What keeps a channel from being saved, as far as it can be known before anything is sent. */
export async function channelProblems(
  channel: Pick<AlertChannel, 'type' | 'config'>,
  ports: SendPorts,
): Promise<Problem[]> {
  return (await senderOf(channel.type).problems?.(channel, ports)) ?? [];
}

/** What is missing of a kind of channel that can be saved all the same: every send fails. */
export function channelWarnings(type: ChannelType, ports: SendPorts): string[] {
  return senderOf(type).warnings?.(ports) ?? [];
}

/** Sends a notice over a channel, once. Who calls decides whether it is tried again. */
export async function sendNotice(
  channel: AlertChannel,
  notice: NotificationContent,
  ports: SendPorts,
): Promise<Delivery> {
  const delivery = await senderOf(channel.type).send(channel, notice, ports);
  if (delivery.answer === null) return delivery;
  const secrets = [...secretsOf(channel), ...ports.secrets()];
  return { ...delivery, answer: responseExcerpt(delivery.answer, secrets) };
}

/** Of a URL its path as well, which is what a receiver sees of it. */
function secretsOf(channel: AlertChannel): string[] {
  const secrets: string[] = [];
  mapChannelSecrets(channel, (text) => secrets.push(text));
  return secrets.flatMap((text) => {
    const url = URL.parse(text);
    return url === null
      ? [text]
      : [text, url.href, url.pathname + url.search, url.pathname, ...url.searchParams.values()];
  });
}
