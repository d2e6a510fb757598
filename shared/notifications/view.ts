import { z } from 'zod';
import { NO_PROJECT, projectBindings } from '#shared/api/project.ts';
import type { AlertChannel } from './channel.ts';
import { CHANNEL_TYPES } from './config.ts';

/** A subscription as the API answers it: exactly one of both ids is not null. */
export const subscriptionView = z.object({
  id: z.int().positive(),
  checkId: z.guid().nullable(),
  groupId: z.int().positive().nullable(),
  activated: z.boolean(),
});
export type SubscriptionView = z.output<typeof subscriptionView>;

/** A channel as a write answers it. */
export const channelView = z.object({
  id: z.int().positive(),
  type: z.enum(CHANNEL_TYPES),
  config: z.record(z.string(), z.unknown()),
  subscriptions: z.array(subscriptionView),
  /** How many checks alert it, by themselves or as their group has it. */
  subscribedChecks: z.int().min(0),
  /** What keeps it from being of use, and what helps; empty where nothing does. */
  warnings: z.array(z.string()),
  sendRecovery: z.boolean(),
  sendFailure: z.boolean(),
  sendDegraded: z.boolean(),
  sslExpiry: z.boolean(),
  sslExpiryThreshold: z.int().min(1).max(30),
  autoSubscribe: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().nullable(),
});
type ChannelView = z.output<typeof channelView>;

/** What a channel shows beside itself. */
export type ChannelUse = Pick<ChannelView, 'subscriptions' | 'subscribedChecks' | 'warnings'>;

export interface UsedChannel {
  channel: AlertChannel;
  use: ChannelUse;
}

/** The same as it is read. */
export const channelReadView = channelView.extend({ projectBindings });
export type ShownChannel = z.output<typeof channelView>;

/** What came of a test: the receiver's status and the time, and nothing that it wrote. */
export const testedChannel = z.object({
  outcome: z.enum(['SUCCESS', 'FAILURE', 'RATE_LIMITED']),
  detail: z.string(),
});
export type TestedChannel = z.output<typeof testedChannel>;

export function viewChannel({ channel, use }: UsedChannel): ChannelView {
  return {
    id: Number(channel.id),
    type: channel.type,
    config: { ...channel.config },
    ...use,
    sendRecovery: channel.sendRecovery,
    sendFailure: channel.sendFailure,
    sendDegraded: channel.sendDegraded,
    sslExpiry: channel.sslExpiry,
    sslExpiryThreshold: channel.sslExpiryThreshold,
    autoSubscribe: channel.autoSubscribe,
    created_at: channel.created_at,
    updated_at: channel.updated_at,
  };
}

export function viewChannelRead(used: UsedChannel): z.output<typeof channelReadView> {
  return { ...viewChannel(used), projectBindings: NO_PROJECT };
}
