import { hash } from 'node:crypto';
import type { SubscriptionBody } from '#shared/channel/channel.ts';
import type { SubscriptionView } from '#shared/channel/view.ts';
import { checkKey } from '../checks/keep-check.ts';
import type { Context } from '../operation.ts';
import { REFERENCES } from '../references.ts';

/** An entry of `alertChannelSubscriptions`. */
export interface Subscription {
  alertChannelId: number;
  activated: boolean;
}

/** A check or a group, as far as channels are concerned. */
export interface Subscriber {
  id: string;
  alertChannelSubscriptions: readonly Subscription[];
}

/** What keeps subscriptions. A channel's own list is made of what checks and groups keep. */
export interface SubscriberKind {
  /** The member of a body that names one. */
  member: 'checkId' | 'groupId';
  all(): readonly Subscriber[];
  get(id: string): Subscriber | undefined;
  /** Keeps another list; nothing where the subscriber is gone. The list may name new channels. */
  change(id: string, edit: (before: readonly Subscription[]) => Subscription[]): Promise<void>;
}

export function subscriberKinds(context: Context): readonly SubscriberKind[] {
  return [checkSubscribers(context), groupSubscribers(context)];
}

function checkSubscribers({ configuration, serial }: Context): SubscriberKind {
  const { checks } = configuration;
  return {
    member: 'checkId',
    all: () => checks.all(),
    get: (id) => checks.get(id),
    // A channel is deleted while none is added to it, so both wait for each other.
    change: (id, edit) =>
      serial(checkKey(id), () =>
        serial(REFERENCES, async () => {
          const check = checks.get(id);
          if (check === undefined) return;
          const alertChannelSubscriptions = edit(check.alertChannelSubscriptions);
          await checks.put({ ...check, alertChannelSubscriptions });
        }),
      ),
  };
}

function groupSubscribers({ configuration, serial }: Context): SubscriberKind {
  const { groups } = configuration;
  return {
    member: 'groupId',
    all: () => groups.all(),
    get: (id) => groups.get(id),
    change: (id, edit) =>
      serial(REFERENCES, async () => {
        const group = groups.get(id);
        if (group === undefined) return;
        const alertChannelSubscriptions = edit(group.alertChannelSubscriptions);
        await groups.put({ ...group, alertChannelSubscriptions });
      }),
  };
}

/** Who subscribes to a channel, as the API shows it. */
export function subscriptionsOf(channelId: number, context: Context): SubscriptionView[] {
  return subscriberKinds(context).flatMap((kind) =>
    kind.all().flatMap((one) => viewOf(one, kind, channelId) ?? []),
  );
}

function viewOf(
  { id, alertChannelSubscriptions }: Subscriber,
  { member }: Pick<SubscriberKind, 'member'>,
  channelId: number,
): SubscriptionView | null {
  const entry = alertChannelSubscriptions.find((one) => one.alertChannelId === channelId);
  return entry === undefined ? null : viewSubscription(channelId, { member, id }, entry.activated);
}

export function viewSubscription(
  channelId: number,
  { member, id }: { member: SubscriberKind['member']; id: string },
  activated: boolean,
): SubscriptionView {
  return {
    id: subscriptionId(channelId, member, id),
    checkId: member === 'checkId' ? id : null,
    groupId: member === 'groupId' ? Number(id) : null,
    activated,
  };
}

/** Six bytes of a hash: the same for the same pair, and nothing to keep. */
function subscriptionId(channelId: number, member: string, id: string): number {
  const digits = hash('sha256', `${channelId} ${member} ${id}`).slice(0, 12);
  return Number.parseInt(digits, 16) + 1;
}

/** The subscriber that a body names; undefined where there is none. */
export function namedSubscriber(
  { checkId, groupId }: Pick<SubscriptionBody, 'checkId' | 'groupId'>,
  context: Context,
): { kind: SubscriberKind; id: string } | undefined {
  const member = checkId == null ? 'groupId' : 'checkId';
  const id = String(checkId ?? groupId);
  const kind = subscriberKinds(context).find((one) => one.member === member);
  return kind?.get(id) === undefined ? undefined : { kind, id };
}
