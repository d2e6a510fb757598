import { channelText } from '#renderer/messages/alerting.ts';
import type { ChannelType, WebhookType } from '#shared/notifications/config.ts';

const channels = channelText;

interface Named {
  type: ChannelType;
  config: Readonly<Record<string, unknown>>;
}

/** What people call a channel: its name, else whom it reaches; `undefined` where it says neither. */
export function channelName({ config }: Pick<Named, 'config'>): string | undefined {
  const { name, address, number, serviceName, channel, slackChannels } = config;
  const words = [name, address, number, serviceName, channel, [slackChannels].flat().join(', ')];
  return words.find((word): word is string => typeof word === 'string' && word !== '');
}

/** The service that a channel leads to: `Slack`, `Discord`. */
export function serviceName({ type, config }: Named): string {
  const { webhookType } = config;
  return type === 'WEBHOOK' && typeof webhookType === 'string'
    ? (channels.webhooks[webhookType as WebhookType] ?? webhookType)
    : channels.kinds[type];
}
