import { Yielding } from '#main/platform/yielding.ts';
import type { Collection } from '#main/store/configuration/configuration.ts';
import type { Problem } from '#shared/api/problems.ts';
import { alertedChannels, groupOf } from '#shared/groups/merge-group.ts';
import { hash32 } from '#shared/hash.ts';
import type { AlertChannel, SubscriptionBody } from '#shared/notifications/channel.ts';
import type { ChannelUse, SubscriptionView } from '#shared/notifications/view.ts';
import { checkKey } from './checks.ts';
import { REFERENCES } from './references.ts';
import type { ServiceParts } from './resource.ts';
import { notFound, refuseProblems } from './service-error.ts';
import { type Subscriber, type Subscription, withLivingSubscriptions } from './subscriptions.ts';

/** Checks, or groups. A channel's own list is made of what they store. */
interface SubscriberKind {
  /** The member of a body that names one. */
  member: 'checkId' | 'groupId';
  noun: string;
  stored: Collection<Subscriber & { id: string }>;
  /** Under which changes of some of them wait for others. */
  keys(ids: readonly string[]): readonly string[];
}

/** Whether each subscriber of an id is to alert a channel; undefined for no subscription. */
type Wanted = ReadonlyMap<string, boolean | undefined>;

/** Changes that are asked for together share a write of the file; more would hold up the actors. */
const TOGETHER = 100;

/** The checks and groups that subscribe to channels. */
export class Subscribers {
  readonly #parts: ServiceParts;
  readonly #kinds: readonly SubscriberKind[];

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    const { checks, groups } = parts.configuration;
    this.#kinds = [
      {
        member: 'checkId',
        noun: 'check',
        stored: checks as unknown as SubscriberKind['stored'],
        keys: (ids) => ids.map(checkKey),
      },
      {
        member: 'groupId',
        noun: 'check group',
        stored: groups as unknown as SubscriberKind['stored'],
        keys: () => [REFERENCES],
      },
    ];
  }

  /** @throws ServiceError INVALID where a body subscribes what there is not */
  refuseUnknown(named: readonly SubscriptionBody[]): void {
    const problems = named.flatMap((one, index): Problem[] => {
      const { kind, id, isThere } = this.#named(one);
      if (isThere) return [];
      const path = `subscriptions.${index}.${kind.member}`;
      return [{ path, message: `no ${kind.noun} ${id} exists` }];
    });
    refuseProblems({ source: 'payload', problems });
  }

  /** Subscribes one, or changes its subscription. @throws ServiceError NOT_FOUND */
  async subscribe(channelId: number, body: SubscriptionBody): Promise<SubscriptionView> {
    const { kind, id, isThere } = this.#named(body);
    if (!isThere) throw notFound(`No ${kind.noun} has the id ${id}`);
    await this.#write(kind, channelId, new Map([[id, body.activated]]));
    return viewSubscription(channelId, { member: kind.member, id }, body.activated);
  }

  async subscribeAll(channelId: number): Promise<void> {
    for (const kind of this.#kinds) await this.#bring(kind, channelId, () => true);
  }

  /** Makes these the subscriptions of a channel: others end. */
  async replace(channelId: number, named: readonly SubscriptionBody[]): Promise<void> {
    for (const kind of this.#kinds) {
      const wanted = new Map(named.map((one) => [String(one[kind.member]), one.activated]));
      await this.#bring(kind, channelId, (id) => wanted.get(id));
    }
  }

  /** Who subscribes to channels, and how many checks alert them: one pass, which lets others go first. */
  async usesOf(channels: readonly AlertChannel[]): Promise<(channel: AlertChannel) => Use> {
    const { checks, groups } = this.#parts.configuration;
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
    return (channel) => found.of(channel);
  }

  #named({ checkId, groupId }: SubscriptionBody) {
    const [checks, groups] = this.#kinds as [SubscriberKind, SubscriberKind];
    const kind = checkId == null ? groups : checks;
    const id = String(checkId ?? groupId);
    return { kind, id, isThere: kind.stored.get(id) !== undefined };
  }

  /** Changes those of a kind that stand otherwise than wanted. */
  async #bring(
    kind: SubscriberKind,
    channelId: number,
    wantedOf: (id: string) => boolean | undefined,
  ): Promise<void> {
    const others = kind.stored.all().filter((one) => stateOf(one, channelId) !== wantedOf(one.id));
    await this.#write(kind, channelId, new Map(others.map(({ id }) => [id, wantedOf(id)])));
  }

  /** Of those that are still there. */
  async #write(kind: SubscriberKind, channelId: number, wanted: Wanted): Promise<void> {
    const ids = [...wanted.keys()];
    if (ids.length === 0) return;
    const { mutex, configuration } = this.#parts;
    await mutex(kind.keys(ids), async () => {
      for (let first = 0; first < ids.length; first += TOGETHER) {
        const records = ids
          .slice(first, first + TOGETHER)
          .flatMap((id) => kind.stored.get(id) ?? [])
          .map((one) => withSubscription(one, channelId, wanted.get(one.id)))
          .map((one) => withLivingSubscriptions(one, configuration));
        await Promise.all(records.map((record) => kind.stored.put(record)));
      }
    });
  }
}

/** Whether a subscription counts; undefined where there is none. */
function stateOf(
  { alertChannelSubscriptions }: Subscriber,
  channelId: number,
): boolean | undefined {
  return alertChannelSubscriptions.find(({ alertChannelId }) => alertChannelId === channelId)
    ?.activated;
}

function withSubscription<T extends Subscriber>(
  subscriber: T,
  alertChannelId: number,
  activated: boolean | undefined,
): T {
  const others = subscriber.alertChannelSubscriptions.filter(
    (one) => one.alertChannelId !== alertChannelId,
  );
  const own = activated === undefined ? [] : [{ alertChannelId, activated }];
  return { ...subscriber, alertChannelSubscriptions: [...others, ...own] };
}

function viewSubscription(
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

/** 48 bits of a hash: the same for the same pair, and nothing to store. */
function subscriptionId(channelId: number, subscriberId: string): number {
  const high = hash32(`${channelId} ${subscriberId}`);
  const low = hash32(`${subscriberId} ${channelId}`) & 0xffff;
  return high * 0x1_0000 + low + 1;
}

type Use = Pick<ChannelUse, 'subscriptions' | 'subscribedChecks'>;

class Uses {
  readonly #byChannel: ReadonlyMap<number, Use>;

  constructor(channels: readonly AlertChannel[]) {
    const unused = (): Use => ({ subscriptions: [], subscribedChecks: 0 });
    this.#byChannel = new Map(channels.map(({ id }) => [Number(id), unused()]));
  }

  addSubscriber(member: SubscriberKind['member'], subscriber: Subscriber & { id: string }): void {
    const { id, alertChannelSubscriptions } = subscriber;
    const isAsked = (one: Subscription) => this.#byChannel.has(one.alertChannelId);
    if (!alertChannelSubscriptions.some(isAsked)) return;
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
