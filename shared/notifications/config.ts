import { z } from 'zod';
import { httpUrl, keyValue, list } from '#shared/checks/blocks.ts';
import { type MapSecret, secret, secretMapper, secretWhereLocked } from '#shared/secrets.ts';

/** Services that a webhook may be for: those of the public API, then three of ours. */
export const WEBHOOK_TYPES = [
  'WEBHOOK_CORALOGIX',
  'WEBHOOK_DISCORD',
  'WEBHOOK_FIREHYDRANT',
  'WEBHOOK_GITLAB_ALERT',
  'WEBHOOK_ILERT',
  'WEBHOOK_INCIDENTIO',
  'WEBHOOK_MSTEAMS',
  'WEBHOOK_ROOTLY',
  'WEBHOOK_SPIKESH',
  'WEBHOOK_SPLUNK',
  'WEBHOOK_TELEGRAM',
  'WEBHOOK_NTFY',
  'WEBHOOK_GOTIFY',
  'WEBHOOK_PUSHOVER',
] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

const WEBHOOK_METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'HEAD', 'DELETE'] as const;

/** Characters of a webhook's template. */
const MAX_TEMPLATE_CHARS = 64_000;
const MAX_PARAMETERS = 50;

const words = z.string().max(500);
const visible = words.min(1).regex(/^\P{Cc}*$/u, { error: 'expected text on one line' });
const serviceKey = secret(
  z
    .string()
    .min(1)
    .max(2_000)
    .regex(/^[\x21-\x7e]+$/, { error: 'expected text without spaces' }),
);

/** One address as it stands in an envelope: nothing that a mail header could be broken with. */
export const emailAddress = z
  .string()
  .max(320)
  .regex(/^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u, {
    error: 'expected one e-mail address',
  });

/** E.164: a plus sign and up to 15 digits, no blanks. */
const phoneNumber = z.string().regex(/^\+[1-9]\d{4,14}$/, {
  error: 'expected a phone number such as +4915112345678',
});

/**
 * Where a channel sends to: of most services all that one needs to write there. Credentials in a URL
 * hide where it leads.
 */
const channelUrl = secret(
  httpUrl.refine((url) => !hasCredentials(url), {
    error: 'expected a URL without a user name or password',
  }),
);

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return /^https?:\/\/[^/?#]*@/i.test(text);
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

/** Headers that belong to the connection, not to who sends. */
const OWN_HEADERS = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer)$/i;

const header = keyValue.extend({
  key: z
    .string()
    .max(200)
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'expected the name of a header' })
    .refine((name) => !OWN_HEADERS.test(name), {
      error: 'expected a header other than those of the connection',
    }),
  value: secretWhereLocked(
    z
      .string()
      .max(8_000)
      .regex(/^\P{Cc}*$/u, { error: 'expected a value on one line' }),
  ),
});

const webhook = z.object({
  name: words,
  url: channelUrl,
  method: z
    .enum(WEBHOOK_METHODS)
    .nullish()
    .transform((method) => method ?? 'POST'),
  headers: list(header, MAX_PARAMETERS).default([]),
  queryParameters: list(keyValue, MAX_PARAMETERS).default([]),
  template: z.string().max(MAX_TEMPLATE_CHARS).nullish(),
  webhookSecret: secret(z.string().max(2_000)).nullish(),
  webhookType: z.enum(WEBHOOK_TYPES).nullish(),
});

/** `config` of each kind of channel, its secrets marked. A new kind is a line here. */
export const CHANNEL_CONFIGS = {
  EMAIL: z.object({ address: emailAddress }),
  SLACK: z.object({ url: channelUrl, channel: words.nullish() }),
  SLACK_APP: z.object({ slackChannels: z.array(visible).min(1).max(20) }),
  WEBHOOK: webhook,
  SMS: z.object({ number: phoneNumber, name: words.nullish() }),
  CALL: z.object({ number: phoneNumber, name: words.nullish() }),
  PAGERDUTY: z.object({
    serviceKey,
    account: words.nullish(),
    serviceName: words.nullish(),
  }),
  OPSGENIE: z.object({
    name: words,
    apiKey: serviceKey,
    region: z.enum(['US', 'EU']).nullish(),
    priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']).nullish(),
  }),
  DESKTOP: z.object({ name: words.nullish() }),
} as const satisfies Record<string, z.ZodObject>;

export type ChannelType = keyof typeof CHANNEL_CONFIGS;
export type ChannelConfigs = { [K in ChannelType]: z.output<(typeof CHANNEL_CONFIGS)[K]> };

export const CHANNEL_TYPES = Object.keys(CHANNEL_CONFIGS) as readonly ChannelType[];

/** A copy of a channel's config with its secrets mapped; every other member as it was. */
export function mapChannelSecrets<T extends ChannelType>(
  { type, config }: { type: T; config: ChannelConfigs[T] },
  map: MapSecret,
): Record<string, unknown> {
  const mapSecrets = secretMapper(CHANNEL_CONFIGS[type]);
  return { ...((mapSecrets?.(config, map) as object | undefined) ?? config) };
}
