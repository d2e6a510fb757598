import type { Problem } from '#shared/api/problems.ts';
import type { AlertChannel } from '#shared/channel/channel.ts';
import type { ChannelType } from '#shared/channel/config.ts';
import type { Notice } from '#shared/channel/notice.ts';
import { cut } from '#shared/rules/assertion/text.ts';
import { mapChannel } from '../store/json/secret-members.ts';
import { desktop } from './desktop.ts';
import { email } from './email.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { call, sms } from './phone.ts';
import type { ChannelSender, Delivery, SendPorts } from './sender.ts';
import { slack } from './slack.ts';
import { slackApp } from './slack-app.ts';
import { webhook } from './webhook/webhook.ts';

/** The one table of senders: a new kind of channel is a line here, and its config in shared/. */
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

/** What is kept of what a receiver says. */
const MAX_ANSWER_CHARS = 1_000;
/** A shorter text tells nobody anything, and would take the letters out of every word. */
const MIN_SECRET_CHARS = 3;

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

/** Sends a notice over a channel, once. Who calls decides whether it is tried again. */
export async function sendNotice(
  channel: AlertChannel,
  notice: Notice,
  ports: SendPorts,
): Promise<Delivery> {
  const delivery = await senderOf(channel.type).send(channel, notice, ports);
  if (delivery.answer === null) return delivery;
  const secrets = [...secretsOf(channel), ...ports.secrets()];
  // Cut afterwards: of a secret that was cut in two, a part would stay.
  return { ...delivery, answer: cut(withoutSecrets(delivery.answer, secrets), MAX_ANSWER_CHARS) };
}

/** A receiver may say what it was sent. */
function withoutSecrets(answer: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .flatMap(formsOf)
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, secret) => text.replaceAll(secret, '***'), answer);
}

/** As it stands in JSON, in a URL, in a form and in base64, too (threats 15). */
function formsOf(secret: string): string[] {
  const text = secret.toWellFormed();
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(text),
    new URLSearchParams([['', text]]).toString().slice(1),
    Buffer.from(text, 'utf8').toString('base64'),
    Buffer.from(text, 'utf8').toString('base64url'),
  ];
}

/** Of a URL its path as well, which is what a receiver sees of it. */
function secretsOf(channel: AlertChannel): string[] {
  const secrets: string[] = [];
  mapChannel(channel, (text) => secrets.push(text));
  return secrets.flatMap((text) => {
    const url = URL.parse(text);
    return url === null
      ? [text]
      : [text, url.href, url.pathname + url.search, url.pathname, ...url.searchParams.values()];
  });
}
