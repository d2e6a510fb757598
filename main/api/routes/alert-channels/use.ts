import { Yielding } from '#main/platform/yielding.ts';
import { alertedChannels, groupOf } from '#shared/groups/merge-group.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import type { ChannelUse, SubscriptionView } from '#shared/notifications/view.ts';
import type { Context } from '../../operation.ts';
import { type Subscriber, type SubscriberKind, viewSubscription } from './subscribers.ts';

/** Who subscribes to a channel, how many checks alert it, and what does not work about it. */
export async function useOf(channel: AlertChannel, context: Context): Promise<ChannelUse> {
  return (await usesOf([channel], context))(channel);
}

/** The same of several channels: one pass over all checks and groups, at a pace. */
export async function usesOf(
  channels: readonly AlertChannel[],
  context: Context,
): Promise<(channel: AlertChannel) => ChannelUse> {
  const { checks, groups } = context.configuration;
  const found = new Uses(channels);
  const pace = new Yielding();
  for (const check of checks.all()) {
    if (pace.isDue) await pace.rest();
    found.addSubscriber('checkId', check);
    found.addAlerted(alertedChannels(check, groupOf(check, groups)));
  }
  for (const group of groups.all()) {
    if (pace.isDue) await pace.rest();
    found.addSubscriber('groupId', group);
  }
  return (channel) => {
    const use = found.of(channel);
    const isUnused = use.subscribedChecks === 0 && checks.size > 0;
    const warnings = context.channels.warningsOf(channel);
    return { ...use, warnings: isUnused ? [unused(channel), ...warnings] : warnings };
  };
}

function unused({ id }: AlertChannel): string {
  return `No check alerts this channel: POST /app/alert-channels/${id}/subscribe-all subscribes all checks`;
}

interface Use {
  subscriptions: SubscriptionView[];
  subscribedChecks: number;
}

class Uses {
  readonly #byChannel: ReadonlyMap<number, Use>;

  constructor(channels: readonly AlertChannel[]) {
    const unused = (): Use => ({ subscriptions: [], subscribedChecks: 0 });
    this.#byChannel = new Map(channels.map(({ id }) => [Number(id), unused()]));
  }

  addSubscriber(member: SubscriberKind['member'], subscriber: Subscriber): void {
    const { id, alertChannelSubscriptions } = subscriber;
    // Of a channel that is listed twice the first entry holds.
    const entries = new Map(
      alertChannelSubscriptions.toReversed().map((one) => [one.alertChannelId, one.activated]),
    );
    for (const [channelId, activated] of entries) {
      const subscription = viewSubscription(channelId, { member, id }, activated);
      this.#byChannel.get(channelId)?.subscriptions.push(subscription);
    }
  }

  addAlerted(channelIds: ReadonlySet<number>): void {
    for (const channelId of channelIds) {
      const use = this.#byChannel.get(channelId);
      if (use) use.subscribedChecks += 1;
    }
  }

  of({ id }: AlertChannel): Use {
    return this.#byChannel.get(Number(id)) ?? { subscriptions: [], subscribedChecks: 0 };
  }
}
