import type { Delivery, SendPorts } from '#main/notifications/channels/sender.ts';
import {
  channelProblems,
  channelWarnings,
  sendNotice,
} from '#main/notifications/channels/senders.ts';
import { RateLimiter } from '#main/platform/rate-limiter.ts';
import {
  type AlertChannel,
  CHANNEL_FLAG_DEFAULTS,
  type ChannelBody,
  flagsOf,
  MAX_CHANNELS,
  type SubscriptionBody,
} from '#shared/notifications/channel.ts';
import { testNotice } from '#shared/notifications/notice.ts';
import type { ChannelUse, SubscriptionView, UsedChannel } from '#shared/notifications/view.ts';
import { type Listed, Resource, type ServiceParts } from './resource.ts';
import { refuseProblems, tooMany } from './service-error.ts';
import { Subscribers } from './subscribers.ts';

interface AlertChannelParts extends ServiceParts {
  sendPorts: SendPorts;
}

/** Changes of channels wait for each other, so that none is lost between a read and a write. */
const CHANNELS = 'alert channels';
/** Tests go to other people's phones and servers. */
const MAX_TESTS_A_MINUTE = 10;

const NO_USE = { subscriptions: [], subscribedChecks: 0 };

/** Where alerts go, and who subscribes to that. */
export class AlertChannels {
  readonly #parts: AlertChannelParts;
  readonly #channels: Resource<AlertChannel>;
  readonly #subscribers: Subscribers;
  readonly #tests = new RateLimiter(MAX_TESTS_A_MINUTE);

  constructor(parts: AlertChannelParts) {
    this.#parts = parts;
    const kind = {
      noun: 'alert channel',
      plural: 'alert channels',
      counter: 'channels',
      max: MAX_CHANNELS,
    };
    this.#channels = new Resource(kind, parts.configuration.channels, parts);
    this.#subscribers = new Subscribers(parts);
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: number): AlertChannel {
    return this.#channels.find(id);
  }

  /** In the order of their ids; pages begin with 1. */
  async list({ page, limit }: { page: number; limit: number }): Promise<Listed<UsedChannel>> {
    const all = this.#channels.all();
    const shown = all.slice((page - 1) * limit, page * limit);
    return { items: await this.#withUse(shown), total: all.length };
  }

  /** @throws ServiceError NOT_FOUND */
  read(id: number): Promise<UsedChannel> {
    return this.#used(this.find(id));
  }

  /**
   * @throws ServiceError INVALID where nothing can be sent over it, or where it names subscribers that
   * do not exist; CONFLICT where there are too many channels
   */
  async create(body: ChannelBody): Promise<UsedChannel> {
    await this.#refuseUnusable(body);
    const members = {
      type: body.type,
      config: body.config,
      ...flagsOf(body, CHANNEL_FLAG_DEFAULTS),
      // The schema of the type let this config through, which the type system cannot follow.
    } as AlertChannel;
    const channel = await this.#parts.mutex(CHANNELS, () => this.#channels.create(members));
    // Nobody subscribes to an id that was never given out: there is nothing to look for in all checks.
    if (!body.subscriptions?.length) return this.#shown(channel, NO_USE);
    return this.#withSubscriptions(channel, body);
  }

  /** Members left out stay as they were. @throws ServiceError NOT_FOUND, or INVALID as {@link create} */
  async change(id: number, body: ChannelBody): Promise<UsedChannel> {
    await this.#refuseUnusable(body);
    const channel = await this.#parts.mutex(CHANNELS, async () => {
      const before = this.find(id);
      // Another change may have given it another type since this one was parsed.
      const { type, config } = body.config === undefined ? before : body;
      const changes = { ...flagsOf(body, before), type, config } as Partial<AlertChannel>;
      return this.#channels.change(before, changes);
    });
    return this.#withSubscriptions(channel, body);
  }

  /** Ends its subscriptions: what checks and groups still store of it counts for nothing. */
  delete(id: number): Promise<void> {
    return this.#parts.mutex(CHANNELS, async () => this.#channels.delete(this.find(id)));
  }

  /** Subscribes a check or a group. @throws ServiceError NOT_FOUND */
  async subscribe(id: number, body: SubscriptionBody): Promise<SubscriptionView> {
    this.find(id);
    return this.#subscribers.subscribe(id, body);
  }

  /** Subscribes all checks and groups, also where a subscription was switched off. */
  async subscribeAll(id: number): Promise<UsedChannel> {
    const channel = this.find(id);
    await this.#subscribers.subscribeAll(id);
    return this.#used(channel);
  }

  /** Sends a test. @throws ServiceError NOT_FOUND, or TOO_MANY of all channels within a minute */
  async test(id: number): Promise<Delivery> {
    const channel = this.find(id);
    const now = this.#parts.clock.now();
    const waitMs = this.#tests.take('tests', now);
    if (waitMs > 0) throw tooMany('Too many tests within a minute', waitMs);
    return sendNotice(channel, testNotice(now), this.#parts.sendPorts);
  }

  /** Asks name servers and, for e-mail, the mail server. */
  async #refuseUnusable({ type, config, subscriptions }: ChannelBody): Promise<void> {
    this.#subscribers.refuseUnknown(subscriptions ?? []);
    if (config === undefined) return;
    const channel = { type, config } as AlertChannel;
    const problems = await channelProblems(channel, this.#parts.sendPorts);
    refuseProblems({ source: 'payload', problems });
  }

  async #withSubscriptions(channel: AlertChannel, body: ChannelBody): Promise<UsedChannel> {
    const { subscriptions } = body;
    if (subscriptions) await this.#subscribers.replace(Number(channel.id), subscriptions);
    return this.#used(channel);
  }

  async #used(channel: AlertChannel): Promise<UsedChannel> {
    const [used] = await this.#withUse([channel]);
    return used as UsedChannel;
  }

  async #withUse(channels: readonly AlertChannel[]): Promise<UsedChannel[]> {
    const useOf = await this.#subscribers.usesOf(channels);
    return channels.map((channel) => this.#shown(channel, useOf(channel)));
  }

  #shown(channel: AlertChannel, use: Omit<ChannelUse, 'warnings'>): UsedChannel {
    return { channel, use: { ...use, warnings: this.#warningsOf(channel, use) } };
  }

  /** Warnings about a channel that can be saved but cannot send yet. */
  #warningsOf(
    { id, type }: AlertChannel,
    { subscribedChecks }: { subscribedChecks: number },
  ): string[] {
    const { configuration, sendPorts } = this.#parts;
    const warnings = channelWarnings(type, sendPorts);
    if (subscribedChecks > 0 || configuration.checks.size === 0) return warnings;
    const help = `POST /app/alert-channels/${id}/subscribe-all subscribes all checks`;
    return [`No check alerts this channel: ${help}`, ...warnings];
  }
}
