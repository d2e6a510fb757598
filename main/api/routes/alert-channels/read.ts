import { z } from 'zod';
import { notFound } from '#main/services/service-error.ts';
import { integer, limit, page } from '#shared/api/query.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import { channelReadView, viewChannelRead } from '#shared/notifications/view.ts';
import { type Context, KEY, operation } from '../../operation.ts';
import { pageOf, shownOf } from '../../pagination.ts';
import { useOf, usesOf } from './use.ts';

export const channelParams = z.object({ id: integer(1, 1_000_000_000) });

/** The channel of an id; 404 where there is none. */
export function findChannel(id: number, { configuration }: Context): AlertChannel {
  const channel = configuration.channels.get(String(id));
  if (channel === undefined) throw notFound(`No alert channel has the id ${id}`);
  return channel;
}

export const listChannels = operation({
  id: 'listAlertChannels',
  method: 'get',
  path: '/v1/alert-channels',
  tag: 'Alert channels',
  summary: 'List alert channels',
  description: 'In the order of their ids. The header `Content-Range` has the total.',
  access: KEY,
  query: z.object({ limit: limit(100, 10), page }),
  status: 200,
  response: z.array(channelReadView),
  handle: async ({ query }, context) => {
    const channels = context.configuration.channels.all();
    const useOfOne = await usesOf(shownOf(channels, query), context);
    return pageOf(channels, query, (channel) => viewChannelRead(channel, useOfOne(channel)));
  },
});

export const readChannel = operation({
  id: 'readAlertChannel',
  method: 'get',
  path: '/v1/alert-channels/{id}',
  tag: 'Alert channels',
  summary: 'Read an alert channel',
  access: KEY,
  params: channelParams,
  status: 200,
  response: channelReadView,
  handle: async ({ params: { id } }, context) => {
    const channel = findChannel(id, context);
    return { content: { json: viewChannelRead(channel, await useOf(channel, context)) } };
  },
});
