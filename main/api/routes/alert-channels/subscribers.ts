import { REFERENCES } from '#main/services/references.ts';
import type { Collection } from '#main/store/configuration/configuration.ts';
import { hash32 } from '#shared/hash.ts';
import type { SubscriptionBody } from '#shared/notifications/channel.ts';
import type { SubscriptionView } from '#shared/notifications/view.ts';
import type { Context } from '../../operation.ts';
import { checkKey } from '../checks/keep-check.ts';

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

/** Another list in place of the one before, for the subscriber of an id. */
type Edit = (before: readonly Subscription[], id: string) => Subscription[];

/** What keeps subscriptions. A channel's own list is made of what checks and groups keep. */
export interface SubscriberKind {
  /** The member of a body that names one. */
  member: 'checkId' | 'groupId';
  all(): readonly Subscriber[];
  get(id: string): Subscriber | undefined;
  /** Keeps other lists, of those that are still there. A list may name new channels. */
  change(ids: readonly string[], edit: Edit): Promise<void>;
}

export function subscriberKinds(context: Context): readonly SubscriberKind[] {
  return [checkSubscribers(context), groupSubscribers(context)];
}

function checkSubscribers({ configuration: { checks }, mutex }: Context): SubscriberKind {
  return {
    member: 'checkId',
    all: () => checks.all(),
    get: (id) => checks.get(id),
    // A channel is deleted while none is added to it, so both wait for each other.
    change: (ids, edit) =>
      mutex(ids.map(checkKey), () => mutex(REFERENCES, () => keepLists(checks, ids, edit))),
  };
}

function groupSubscribers({ configuration: { groups }, mutex }: Context): SubscriberKind {
  return {
    member: 'groupId',
    all: () => groups.all(),
    get: (id) => groups.get(id),
    change: (ids, edit) => mutex(REFERENCES, () => keepLists(groups, ids, edit)),
  };
}

/** Changes that are asked for together share a write of the file; more would hold up the actors. */
const TOGETHER = 100;

async function keepLists<T extends Subscriber>(
  subscribers: Collection<T>,
  ids: readonly string[],
  edit: Edit,
): Promise<void> {
  for (let first = 0; first < ids.length; first += TOGETHER) {
    const records = ids
      .slice(first, first + TOGETHER)
      .flatMap((id) => subscribers.get(id) ?? [])
      .map((one) => ({
        ...one,
        alertChannelSubscriptions: edit(one.alertChannelSubscriptions, one.id),
      }));
    await Promise.all(records.map((record) => subscribers.put(record)));
  }
}

/** Whether anything subscribes to a channel. */
export function isSubscribed(channelId: number, context: Context): boolean {
  return subscriberKinds(context).some((kind) =>
    kind.all().some((one) => activatedOf(one, channelId) !== undefined),
  );
}

/** Whether a subscription counts; undefined where there is none. */
export function activatedOf(
  { alertChannelSubscriptions }: Subscriber,
  channelId: number,
): boolean | undefined {
  return alertChannelSubscriptions.find(({ alertChannelId }) => alertChannelId === channelId)
    ?.activated;
}

export function viewSubscription(
  channelId: number,
  { member, id }: { member: SubscriberKind['member']; id: string },
  activated: boolean,
): SubscriptionView {
  return {
    id: subscriptionId(channelId, id),
    checkId: member === 'checkId' ? id : null,
    groupId: member === 'groupId' ? Number(id) : null,
    activated,
  };
}

/** 48 bits of a hash: the same for the same pair, and nothing to keep. */
function subscriptionId(channelId: number, subscriberId: string): number {
  const high = hash32(`${channelId} ${subscriberId}`);
  const low = hash32(`${subscriberId} ${channelId}`) & 0xffff;
  return high * 0x1_0000 + low + 1;
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
