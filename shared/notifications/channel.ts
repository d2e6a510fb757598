import { z } from 'zod';
import { CHANNEL_CONFIGS, CHANNEL_TYPES, type ChannelConfigs, type ChannelType } from './config.ts';

/** Most channels of an account: what a check's list of subscriptions holds. */
export const MAX_CHANNELS = 200;
/** Most subscriptions that one body may carry. */
const MAX_SUBSCRIPTIONS = 2_000;

/** What a channel wants to hear of. None of them is ever null: clients read them as booleans. */
export interface ChannelFlags {
  sendRecovery: boolean;
  sendFailure: boolean;
  sendDegraded: boolean;
  sslExpiry: boolean;
  /** Days before a certificate ends, 1 to 30. */
  sslExpiryThreshold: number;
  /** Whether new checks are subscribed to it. */
  autoSubscribe: boolean;
}

export const CHANNEL_FLAG_DEFAULTS: ChannelFlags = {
  sendRecovery: true,
  sendFailure: true,
  sendDegraded: false,
  sslExpiry: false,
  sslExpiryThreshold: 30,
  autoSubscribe: false,
};

interface ChannelRecord<T extends ChannelType> extends ChannelFlags {
  /** A positive whole number in decimal digits. */
  id: string;
  type: T;
  config: ChannelConfigs[T];
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string;
  updated_at: string | null;
}

/** A channel of one kind as it is stored. Checks and groups store who subscribes to it. */
export type ChannelOf<T extends ChannelType> = { [K in T]: ChannelRecord<K> }[T];
export type AlertChannel = ChannelOf<ChannelType>;

/** Null stands for the default, as clients send it. */
const flag = z
  .boolean()
  .nullable()
  .transform((value): boolean | undefined => value ?? undefined);

const flags = {
  sendRecovery: flag,
  sendFailure: flag,
  sendDegraded: flag,
  sslExpiry: flag,
  sslExpiryThreshold: z
    .int()
    .min(1)
    .max(30)
    .nullable()
    .transform((days) => days ?? undefined),
  autoSubscribe: flag,
};

const subscriber = {
  checkId: z.guid().toLowerCase().nullish(),
  groupId: z.int().positive().nullish(),
  activated: z.boolean(),
};

interface Subscriber {
  checkId?: string | null | undefined;
  groupId?: number | null | undefined;
}

const namesOne = ({ checkId, groupId }: Subscriber) => (checkId == null) !== (groupId == null);

/** Body of `PUT /v1/alert-channels/{id}/subscriptions`. */
export const subscriptionBody = z
  .object(subscriber)
  .refine(namesOne, { error: 'expected either checkId or groupId' });
export type SubscriptionBody = z.output<typeof subscriptionBody>;

const subscriptions = z
  .array(
    z
      .object({ id: z.number().nullish(), ...subscriber })
      .refine(namesOne, { error: 'expected either checkId or groupId' }),
  )
  .max(MAX_SUBSCRIPTIONS)
  .nullish();

/** What a body may say of a channel, after its schema. */
export interface ChannelBody extends Partial<ChannelFlags> {
  type: ChannelType;
  config?: ChannelConfigs[ChannelType];
  subscriptions?: readonly SubscriptionBody[] | null;
}

function bodyOf(type: ChannelType, needsConfig: boolean) {
  const config: z.ZodType = CHANNEL_CONFIGS[type];
  return z.object({
    type: needsConfig ? z.literal(type) : z.literal(type).default(type as never),
    config: needsConfig ? config : config.optional(),
    ...z.object(flags).partial().shape,
    subscriptions,
  });
}

/** Bodies of `POST` and `PUT /v1/alert-channels` by kind; a `PUT` leaves what it does not name. */
export const CHANNEL_BODIES = Object.fromEntries(
  CHANNEL_TYPES.map((type) => [type, { create: bodyOf(type, true), update: bodyOf(type, false) }]),
) as unknown as Record<
  ChannelType,
  { create: z.ZodType<ChannelBody>; update: z.ZodType<ChannelBody> }
>;

/** The kind that a body names. */
export const typedChannel = z.object({ type: z.enum(CHANNEL_TYPES) });

/** The flags that a body sets over those there were; null or left out changes nothing. */
export function flagsOf(body: Partial<ChannelFlags>, before: ChannelFlags): ChannelFlags {
  const names = Object.keys(CHANNEL_FLAG_DEFAULTS) as (keyof ChannelFlags)[];
  return Object.fromEntries(
    names.map((name) => [name, body[name] ?? before[name]]),
  ) as unknown as ChannelFlags;
}

/** What people call a channel: its name, address, number or service. */
export function channelName(channel: AlertChannel): string {
  const {
    name,
    address,
    number,
    serviceName,
    channel: room,
  } = channel.config as Record<string, unknown>;
  const told = [name, address, number, serviceName, room].find(
    (word) => typeof word === 'string' && word !== '',
  );
  return `${channel.type} ${told ?? channel.id}`;
}
