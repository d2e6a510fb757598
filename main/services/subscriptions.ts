import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';

/** An entry of `alertChannelSubscriptions`. */
export interface Subscription {
  alertChannelId: number;
  activated: boolean;
}

/** A check or a group, as far as channels are concerned. */
export interface Subscriber {
  alertChannelSubscriptions: readonly Subscription[];
}

type Channels = Pick<Configuration, 'channels'>;

/**
 * A new check or group with its subscriptions: those that it names, then every other channel with
 * `autoAssignAlerts`, or else those that subscribe new ones by themselves.
 */
export function withAutoSubscriptions<T extends Subscriber>(
  created: T,
  autoAssignAlerts: boolean,
  { channels }: Channels,
): T {
  const { alertChannelSubscriptions: explicit } = created;
  const named = new Set(explicit.map(({ alertChannelId }) => alertChannelId));
  const isAdded = ({ id, autoSubscribe }: AlertChannel) =>
    !named.has(Number(id)) && (autoAssignAlerts || autoSubscribe);
  const added = channels
    .all()
    .filter(isAdded)
    .map(({ id }) => ({ alertChannelId: Number(id), activated: true }));
  return { ...created, alertChannelSubscriptions: [...explicit, ...added] };
}

/**
 * A check or group without its subscriptions to deleted channels. A deletion leaves them stored until
 * the next change of the check or group: ids are never used again, so they alert nobody.
 */
export function withLivingSubscriptions<T extends Subscriber>(
  subscriber: T,
  { channels }: Channels,
): T {
  const isLiving = ({ alertChannelId }: Subscription) =>
    channels.get(String(alertChannelId)) !== undefined;
  const { alertChannelSubscriptions: all } = subscriber;
  if (all.every(isLiving)) return subscriber;
  return { ...subscriber, alertChannelSubscriptions: all.filter(isLiving) };
}
