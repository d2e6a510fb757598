import { z } from 'zod';
import { nextNumericId } from '#main/services/next-id.ts';
import { REFERENCES } from '#main/services/references.ts';
import { refuseProblems } from '#main/services/service-error.ts';
import {
  type AlertChannel,
  CHANNEL_BODIES,
  CHANNEL_FLAG_DEFAULTS,
  type ChannelBody,
  flagsOf,
  MAX_CHANNELS,
  typedChannel,
} from '#shared/notifications/channel.ts';
import { CHANNEL_TYPES, type ChannelType } from '#shared/notifications/config.ts';
import { channelView, viewChannel } from '#shared/notifications/view.ts';
import { ApiError } from '../../api-error.ts';
import { type Context, KEY, operation, type Reply } from '../../operation.ts';
import { channelParams, findChannel } from './read.ts';
import { refuseUnknownSubscribers, replaceSubscriptions } from './subscribe.ts';
import { isSubscribed } from './subscribers.ts';
import { useOf } from './use.ts';

export const createChannel = operation({
  id: 'createAlertChannel',
  method: 'post',
  path: '/v1/alert-channels',
  tag: 'Alert channels',
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
  handle: async ({ body }, context) => {
    await refuseUnusable(body, context);
    const channel = await context.mutex(REFERENCES, () => keepNew(body, context));
    return finish(channel, body, context);
  },
});

async function keepNew(
  body: ChannelBody,
  { configuration, clock }: Context,
): Promise<AlertChannel> {
  const { size } = configuration.channels;
  if (size >= MAX_CHANNELS) throw new ApiError(409, `There are ${size} alert channels already`);
  const id = await nextNumericId('channels', configuration.channels, configuration);
  const channel = {
    id: String(id),
    type: body.type,
    config: body.config,
    ...flagsOf(body, CHANNEL_FLAG_DEFAULTS),
    created_at: new Date(clock.now()).toISOString(),
    updated_at: null,
    // The schema of the type let this config through, which the type system cannot follow.
  } as AlertChannel;
  await configuration.channels.put(channel);
  return channel;
}

export const changeChannel = operation({
  id: 'updateAlertChannel',
  method: 'put',
  path: '/v1/alert-channels/{id}',
  tag: 'Alert channels',
  summary: 'Change an alert channel',
  description:
    'Members left out stay as they were; `config` and `subscriptions` replace the old ones whole. Another `type` needs its `config`.',
  access: KEY,
  params: channelParams,
  body: {
    schema: z.union(CHANNEL_TYPES.map((type) => CHANNEL_BODIES[type].update)),
    choose: ({ params, body }, context) => {
      const before = findChannel(Number(params.id), context).type;
      const named = (body as { type?: unknown } | null)?.type;
      const type = named === undefined ? before : typeOf(body);
      if (type === null) return typedChannel;
      return type === before ? CHANNEL_BODIES[type].update : CHANNEL_BODIES[type].create;
    },
  },
  status: 200,
  response: channelView,
  handle: async ({ params: { id }, body }, context) => {
    await refuseUnusable(body, context);
    const channel = await context.mutex(REFERENCES, async () => {
      const before = findChannel(id, context);
      // Another change may have given it another type since this one was parsed.
      const { type, config } = body.config === undefined ? before : body;
      const updated_at = new Date(context.clock.now()).toISOString();
      const changed = {
        ...before,
        ...flagsOf(body, before),
        type,
        config,
        updated_at,
      } as AlertChannel;
      await context.configuration.channels.put(changed);
      return changed;
    });
    return finish(channel, body, context);
  },
});

export const deleteChannel = operation({
  id: 'deleteAlertChannel',
  method: 'delete',
  path: '/v1/alert-channels/{id}',
  tag: 'Alert channels',
  summary: 'Delete an alert channel with its subscriptions',
  access: KEY,
  params: channelParams,
  status: 204,
  response: null,
  failures: [409],
  handle: async ({ params: { id } }, context) => {
    findChannel(id, context);
    // Once more where somebody subscribes meanwhile.
    for (let tries = 0; tries < MAX_DELETIONS; tries++) {
      await replaceSubscriptions(id, [], context);
      if (await context.mutex(REFERENCES, () => deleteUnused(id, context))) return {};
    }
    throw new ApiError(409, 'The channel is being subscribed to all the time');
  },
});

const MAX_DELETIONS = 10;

async function deleteUnused(id: number, context: Context): Promise<boolean> {
  if (isSubscribed(id, context)) return false;
  await context.configuration.channels.delete(String(id));
  return true;
}

function typeOf(body: unknown): ChannelType | null {
  const named = typedChannel.safeParse(body);
  return named.success ? named.data.type : null;
}

/** 400 for what cannot work: found here, not at three in the morning. */
async function refuseUnusable(body: ChannelBody, context: Context): Promise<void> {
  refuseUnknownSubscribers(body.subscriptions ?? [], context);
  const { type, config } = body;
  if (config === undefined) return;
  const problems = await context.channels.problemsOf({ type, config } as AlertChannel);
  refuseProblems({ source: 'payload', problems });
}

async function finish(channel: AlertChannel, body: ChannelBody, context: Context): Promise<Reply> {
  const id = Number(channel.id);
  if (body.subscriptions) await replaceSubscriptions(id, body.subscriptions, context);
  return { content: { json: viewChannel(channel, await useOf(channel, context)) } };
}
