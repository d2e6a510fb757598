import { notFound, refuseProblems } from '#main/services/service-error.ts';
import type { Problem } from '#shared/api/problems.ts';
import { type SubscriptionBody, subscriptionBody } from '#shared/notifications/channel.ts';
import { channelReadView, subscriptionView, viewChannelRead } from '#shared/notifications/view.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { channelParams, findChannel } from './read.ts';
import {
  activatedOf,
  namedSubscriber,
  type Subscription,
  subscriberKinds,
  viewSubscription,
} from './subscribers.ts';
import { useOf } from './use.ts';

export const subscribeChannel = operation({
  id: 'updateAlertChannelSubscription',
  method: 'put',
  path: '/v1/alert-channels/{id}/subscriptions',
  tag: 'Alert channels',
  summary: 'Subscribe a check or a group to a channel, or change its subscription',
  description:
    'Exactly one of `checkId` and `groupId`. The same stands in the `alertChannelSubscriptions` of the check or group.',
  access: KEY,
  params: channelParams,
  body: { schema: subscriptionBody },
  status: 200,
  response: subscriptionView,
  handle: async ({ params, body }, context) => {
    findChannel(params.id, context);
    const named = namedSubscriber(body, context);
    if (named === undefined) throw notFound(noSubscriber(body));
    const { kind, id } = named;
    await kind.change([id], (before) => {
      // It may have been deleted while this waited for its turn.
      findChannel(params.id, context);
      return withEntry(before, params.id, body.activated);
    });
    const { member } = kind;
    return { content: { json: viewSubscription(params.id, { member, id }, body.activated) } };
  },
});

export const subscribeAll = operation({
  id: 'subscribeAllToAlertChannel',
  method: 'post',
  path: '/app/alert-channels/{id}/subscribe-all',
  tag: 'Alert channels',
  summary: 'Subscribe all checks and groups to a channel',
  description:
    'Those that there are now, also where their subscription was switched off. New ones subscribe as they are created.',
  access: KEY,
  internal: true,
  params: channelParams,
  status: 200,
  response: channelReadView,
  handle: async ({ params: { id } }, context) => {
    const channel = findChannel(id, context);
    for (const kind of subscriberKinds(context)) {
      const others = kind.all().filter((one) => activatedOf(one, id) !== true);
      const ids = others.map((one) => one.id);
      if (ids.length > 0)
        await kind.change(ids, (before) => {
          findChannel(id, context);
          return withEntry(before, id, true);
        });
    }
    return { content: { json: viewChannelRead(channel, await useOf(channel, context)) } };
  },
});

function noSubscriber({ checkId, groupId }: SubscriptionBody): string {
  return checkId == null
    ? `No check group has the id ${groupId}`
    : `No check has the id ${checkId}`;
}

function withEntry(before: readonly Subscription[], alertChannelId: number, activated: boolean) {
  return [...without(before, alertChannelId), { alertChannelId, activated }];
}

function without(before: readonly Subscription[], channelId: number): Subscription[] {
  return before.filter(({ alertChannelId }) => alertChannelId !== channelId);
}

type Wanted = readonly SubscriptionBody[];

/** 400 where a body subscribes what there is not. */
export function refuseUnknownSubscribers(wanted: Wanted, context: Context): void {
  const problems = wanted.flatMap((one, index): Problem[] => {
    if (namedSubscriber(one, context) !== undefined) return [];
    const member = one.checkId == null ? 'groupId' : 'checkId';
    const noun = member === 'checkId' ? 'check' : 'check group';
    const path = `subscriptions.${index}.${member}`;
    return [{ path, message: `no ${noun} ${one[member]} exists` }];
  });
  refuseProblems({ source: 'payload', problems });
}

/** Makes these the subscriptions of a channel: others end, in the order of their subscribers. */
export async function replaceSubscriptions(
  channelId: number,
  wanted: Wanted,
  context: Context,
): Promise<void> {
  for (const kind of subscriberKinds(context)) {
    const entries = new Map(wanted.map((one) => [String(one[kind.member]), one.activated]));
    const ids = kind
      .all()
      .filter((one) => activatedOf(one, channelId) !== entries.get(one.id))
      .map(({ id }) => id);
    if (ids.length === 0) continue;
    await kind.change(ids, (before, id) => {
      const activated = entries.get(id);
      if (activated === undefined) return without(before, channelId);
      findChannel(channelId, context);
      return withEntry(before, channelId, activated);
    });
  }
}
