import { channelText } from '#renderer/messages/alerting.ts';
import {
  CHANNEL_TYPES,
  type ChannelType,
  WEBHOOK_TYPES,
  type WebhookType,
} from '#shared/notifications/config.ts';

const channels = channelText;

/** Where alerts can go, as people choose it: a kind of channel, or a service with a webhook. */
export interface Service {
  /** Stands in addresses. */
  key: ChannelType | WebhookType;
  type: ChannelType;
  /** Null of a webhook that is of no service, and of other kinds. */
  webhookType: WebhookType | null;
  name: string;
}

const ofType = (type: ChannelType): Service => ({
  key: type,
  type,
  webhookType: null,
  name: channels.kinds[type],
});
const ofWebhook = (webhookType: WebhookType): Service => ({
  key: webhookType,
  type: 'WEBHOOK',
  webhookType,
  name: channels.webhooks[webhookType],
});

/** What most look for. */
const FIRST: readonly Service[] = [
  ofType('EMAIL'),
  ofType('SLACK'),
  ofType('WEBHOOK'),
  ofWebhook('WEBHOOK_MSTEAMS'),
  ofWebhook('WEBHOOK_DISCORD'),
  ofWebhook('WEBHOOK_TELEGRAM'),
  ofType('PAGERDUTY'),
  ofType('OPSGENIE'),
  ofWebhook('WEBHOOK_NTFY'),
];
const isFirst = (service: Service) => FIRST.some(({ key }) => key === service.key);
const REST = [...CHANNEL_TYPES.map(ofType), ...WEBHOOK_TYPES.map(ofWebhook)];

/** Every one of them, those that most look for first. */
export const SERVICES: readonly Service[] = [
  ...FIRST,
  ...REST.filter((service) => !isFirst(service)),
];

export function serviceOf(key: string | undefined): Service | undefined {
  return SERVICES.find((service) => service.key === key);
}

/** Query parameters that a service cannot do without. */
const QUERIES: Partial<Record<WebhookType, readonly string[]>> = {
  WEBHOOK_TELEGRAM: ['chat_id'],
  WEBHOOK_GOTIFY: ['token'],
  WEBHOOK_PUSHOVER: ['token', 'user'],
};

export function needsQuery({ webhookType }: Service): boolean {
  return webhookType !== null && webhookType in QUERIES;
}

/** The body of a channel as its form begins with it. */
export function blankChannel(service: Service): Record<string, unknown> {
  return { type: service.type, config: blankConfig(service) };
}

function blankConfig({ type, webhookType, name }: Service): Record<string, unknown> {
  switch (type) {
    case 'EMAIL':
      return { address: '' };
    case 'SLACK':
      return { url: '', channel: '' };
    case 'SLACK_APP':
      return { slackChannels: [] };
    case 'SMS':
    case 'CALL':
      return { number: '', name: '' };
    case 'PAGERDUTY':
      return { serviceKey: '', serviceName: '', account: '' };
    case 'OPSGENIE':
      return { name: '', apiKey: '', region: null, priority: null };
    case 'DESKTOP':
      return { name: '' };
    case 'WEBHOOK': {
      const names = (webhookType && QUERIES[webhookType]) ?? [];
      return {
        name: webhookType === null ? '' : name,
        url: '',
        method: 'POST',
        headers: [],
        queryParameters: names.map((key) => ({ key, value: '', locked: key !== 'chat_id' })),
        template: null,
        webhookSecret: null,
        webhookType,
      };
    }
  }
}
