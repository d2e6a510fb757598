import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';

interface Subscribing {
  alertChannelSubscriptions: readonly { alertChannelId: number; activated: boolean }[];
}

/**
 * A new check or group with its subscriptions: those that it names, then every other channel with
 * `autoAssignAlerts`, or else those that subscribe new ones by themselves.
 */
export function withAutoSubscriptions<T extends Subscribing>(
  created: T,
  autoAssignAlerts: boolean,
  { channels }: Pick<Configuration, 'channels'>,
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
