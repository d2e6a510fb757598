import { z } from 'zod';
import { limit, page } from '#shared/api/query.ts';
import { CHANNEL_BODIES, subscriptionBody, typedChannel } from '#shared/notifications/channel.ts';
import { CHANNEL_TYPES, type ChannelType } from '#shared/notifications/config.ts';
import {
  channelReadView,
  channelView,
  subscriptionView,
  testedChannel,
  viewChannel,
  viewChannelRead,
} from '#shared/notifications/view.ts';
import { KEY, operation } from '../operation.ts';
import { listedPage } from '../pagination.ts';
import { numberParam } from '../params.ts';

const tag = 'Alert channels';
const params = z.object({ id: numberParam });

const createChannel = operation({
  id: 'createAlertChannel',
  method: 'post',
  path: '/v1/alert-channels',
  tag,
  summary: 'Create an alert channel',
  description:
    'What `config` holds goes by `type`. 400 where a template is none, or where nothing may be sent to: see docs/guide/channels.md.',
  access: KEY,
  body: {
    schema: z.union(CHANNEL_TYPES.map((type) => CHANNEL_BODIES[type].create)),
    choose: ({ body }) => {
      const type = typeOf(body);
      return type === null ? typedChannel : CHANNEL_BODIES[type].create;
    },
  },
  status: 201,
  response: channelView,
  failures: [409],
  handle: async ({ body }, { alertChannels }) => ({
    content: { json: viewChannel(await alertChannels.create(body)) },
  }),
});

const listChannels = operation({
  id: 'listAlertChannels',
  method: 'get',
  path: '/v1/alert-channels',
  tag,
  summary: 'List alert channels',
  description: 'In the order of their ids. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({ limit: limit(100, 10), page }),
  status: 200,
  response: z.array(channelReadView),
  handle: async ({ query }, { alertChannels }) =>
    listedPage(await alertChannels.list(query), query, viewChannelRead),
});

const readChannel = operation({
  id: 'readAlertChannel',
  method: 'get',
  path: '/v1/alert-channels/{id}',
  tag,
  summary: 'Read an alert channel',
  access: KEY,
  params,
  status: 200,
  response: channelReadView,
  handle: async ({ params: { id } }, { alertChannels }) => ({
    content: { json: viewChannelRead(await alertChannels.read(id)) },
  }),
});

const changeChannel = operation({
  id: 'updateAlertChannel',
  method: 'put',
  path: '/v1/alert-channels/{id}',
  tag,
  summary: 'Change an alert channel',
  description:
    'Members left out stay as they were; `config` and `subscriptions` replace the old ones whole. Another `type` needs its `config`.',
  access: KEY,
  params,
  body: {
    schema: z.union(CHANNEL_TYPES.map((type) => CHANNEL_BODIES[type].update)),
    choose: ({ params, body }, { alertChannels }) => {
      const before = alertChannels.find(Number(params.id)).type;
      const named = (body as { type?: unknown } | null)?.type;
      const type = named === undefined ? before : typeOf(body);
      if (type === null) return typedChannel;
      return type === before ? CHANNEL_BODIES[type].update : CHANNEL_BODIES[type].create;
    },
  },
  status: 200,
  response: channelView,
  handle: async ({ params: { id }, body }, { alertChannels }) => ({
    content: { json: viewChannel(await alertChannels.change(id, body)) },
  }),
});

/** The kind that a body names; null where it names none. */
function typeOf(body: unknown): ChannelType | null {
  const named = typedChannel.safeParse(body);
  return named.success ? named.data.type : null;
}

const deleteChannel = operation({
  id: 'deleteAlertChannel',
  method: 'delete',
  path: '/v1/alert-channels/{id}',
  tag,
  summary: 'Delete an alert channel with its subscriptions',
  access: KEY,
  params,
  status: 204,
  response: null,
  // Earlier versions answer it where somebody subscribes all the time; this one never does.
  failures: [409],
  handle: async ({ params: { id } }, { alertChannels }) => {
    await alertChannels.delete(id);
    return {};
  },
});

const subscribeChannel = operation({
  id: 'updateAlertChannelSubscription',
  method: 'put',
  path: '/v1/alert-channels/{id}/subscriptions',
  tag,
  summary: 'Subscribe a check or a group to a channel, or change its subscription',
  description:
    'Exactly one of `checkId` and `groupId`. The same stands in the `alertChannelSubscriptions` of the check or group.',
  access: KEY,
  params,
  body: { schema: subscriptionBody },
  status: 200,
  response: subscriptionView,
  handle: async ({ params: { id }, body }, { alertChannels }) => ({
    content: { json: await alertChannels.subscribe(id, body) },
  }),
});

const subscribeAll = operation({
  id: 'subscribeAllToAlertChannel',
  method: 'post',
  path: '/app/alert-channels/{id}/subscribe-all',
  tag,
  summary: 'Subscribe all checks and groups to a channel',
  description:
    'Those that there are now, also where their subscription was switched off. New ones subscribe as they are created.',
  access: KEY,
  internal: true,
  params,
  status: 200,
  response: channelReadView,
  handle: async ({ params: { id } }, { alertChannels }) => ({
    content: { json: viewChannelRead(await alertChannels.subscribeAll(id)) },
  }),
});

const testChannel = operation({
  id: 'testAlertChannel',
  method: 'post',
  path: '/app/alert-channels/{id}/test',
  tag,
  summary: 'Send a test notification over a channel',
  access: KEY,
  internal: true,
  params,
  status: 200,
  response: testedChannel,
  handle: async ({ params: { id } }, { alertChannels }) => {
    const { outcome, detail } = await alertChannels.test(id);
    return { content: { json: { outcome, detail } } };
  },
});

export const alertChannelOperations = [
  createChannel,
  listChannels,
  readChannel,
  changeChannel,
  deleteChannel,
  subscribeChannel,
  subscribeAll,
  testChannel,
];
