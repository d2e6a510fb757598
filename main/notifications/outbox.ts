import { IdSequence, type NextId } from '#main/platform/id-sequence.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { Collection } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import { groupsAlerts } from '#shared/notifications/incident-key.ts';
import type { ApplianceContent, NotificationContent } from '#shared/notifications/notice.ts';
import {
  applianceNotification,
  type StoredNotification,
} from '#shared/notifications/notification.ts';
import { ChannelActors } from './channel-actors.ts';
import { type ChannelTrouble, MAX_PENDING_WHILE_UNHEALTHY } from './channel-health.ts';
import { failed, nothingToSend } from './channels/delivery.ts';
import type { Delivery } from './channels/sender.ts';
import { DeliveryWriter } from './delivery-keeper.ts';
import type { DeliveryInput, DeliveryPort, OutboxLimits } from './delivery-port.ts';
import { channelContent, resolveNotification, sentAgain } from './new-notification.ts';
import type { OutboxPort } from './outbox-port.ts';
import { PendingQueue } from './pending-queue.ts';
import { logDelivery, type SendParts, sendWithTimeout } from './send-with-timeout.ts';

export interface OutboxParts extends SendParts {
  history: Pick<
    History,
    'write' | 'loadPendingNotifications' | 'loadChannelStates' | 'findNotification'
  >;
  channels: Pick<Collection<AlertChannel>, 'get' | 'all' | 'subscribe'>;
  limits: OutboxLimits;
  /** Most notifications held in memory; {@link MAX_PENDING} where it is left out. */
  maxPending?: number;
}

/** Most pending notifications in memory; the others wait in the store. */
export const MAX_PENDING = 10_000;
/** The share of memory that all unhealthy channels together may use, so that the others have room. */
const DEAD_SHARE = 0.5;

/**
 * Sends notifications through the delivery actor of each channel, whose port is bound here. A channel
 * that is slow, limited or unhealthy delays no other.
 */
export class Outbox implements OutboxPort {
  readonly #parts: OutboxParts;
  readonly #ids = new IdSequence();
  readonly #pending: PendingQueue;
  readonly #writer: DeliveryWriter;
  readonly #actors: ChannelActors;
  readonly #listeners: ((settled: StoredNotification) => void)[] = [];
  #unsubscribe = () => {};
  #stopping: Promise<void> | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#pending = new PendingQueue({
      ...parts,
      max: parts.maxPending ?? MAX_PENDING,
      deliver: (notifications) => this.#deliver(notifications),
      follow: (id) => this.#ids.follow(id, parts.clock.now()),
    });
    this.#writer = new DeliveryWriter(parts);
    this.#actors = new ChannelActors({
      ...parts,
      inputOf: (channelId) => this.#inputOf(channelId),
      // A channel whose actor failed begins anew with the pending notifications of the store.
      lost: (channelId) => this.#pending.abandon(channelId),
    });
  }

  /** Sends what is pending since before the last stop, and from then on what comes. Rejects as the store. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#parts.channels.subscribe(({ kind, record }) => {
      this.#actors.sendIfThere(record.id, { type: 'TRY_NOW' });
      if (kind === 'delete') this.#writer.forget(record.id);
    });
    await this.#writer.open();
    await this.#pending.open();
  }

  /** Lets the sends under way end, and leaves what is pending to the next start. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Pending notifications in memory. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Calls a listener for each notification that is no longer pending. */
  listen(listener: (settled: StoredNotification) => void): void {
    this.#listeners.push(listener);
  }

  stamp(): NextId {
    return this.#ids.next(this.#parts.clock.now());
  }

  enqueue(notifications: readonly StoredNotification[]): void {
    this.#pending.enqueue(notifications);
  }

  async writeAndEnqueue(news: readonly StoredNotification[]): Promise<void> {
    const { history, log } = this.#parts;
    if (news.length === 0) return;
    const notifications = news.map((one) => sentAgain(one, this.stamp()));
    try {
      await history.write({ notifications });
    } catch (error) {
      // The news may be that the store fails: it is sent all the same, and written once it is sent.
      log.error({ err: error }, 'News of the monitor itself could not be kept.');
    }
    this.enqueue(notifications);
  }

  resolve(checkId: string, channels: readonly AlertChannel[]): Promise<void> {
    const grouping = channels.filter(({ type }) => groupsAlerts(type));
    return this.writeAndEnqueue(
      grouping.map((channel) => resolveNotification(channel, checkId, this.stamp())),
    );
  }

  /** The network is back: every wait for a retry ends. */
  tryNow(): void {
    this.#actors.sendAll({ type: 'TRY_NOW' });
  }

  async resend(notificationId: string): Promise<StoredNotification | null> {
    const { history, channels } = this.#parts;
    const notification = await history.findNotification(notificationId);
    if (notification === null || !channels.get(notification.channelId)) return null;
    const again = sentAgain(notification, this.stamp());
    await history.write({ notifications: [again] });
    this.enqueue([again]);
    return again;
  }

  async #stop(): Promise<void> {
    this.#pending.close();
    this.#unsubscribe();
    await this.#actors.stop();
    await this.#writer.close();
  }

  #deliver(notifications: readonly StoredNotification[]): void {
    for (const [channelId, pending] of Map.groupBy(notifications, (one) => one.channelId)) {
      this.#actors.send(channelId, { type: 'ENQUEUE', notifications: pending });
    }
  }

  #inputOf(channelId: string): DeliveryInput {
    const { clock, limits } = this.#parts;
    const state = this.#writer.stateOf(channelId);
    return { clock, limits, state, port: this.#portOf(channelId) };
  }

  #portOf(channelId: string): DeliveryPort {
    return {
      stamp: () => this.stamp(),
      channelExists: () => this.#parts.channels.get(channelId) !== undefined,
      groupsAlerts: () => {
        const channel = this.#parts.channels.get(channelId);
        return channel !== undefined && groupsAlerts(channel.type);
      },
      send: ({ notice }) => this.#send(channelId, notice),
      write: (notifications, state) => this.#write(channelId, notifications, state),
      release: (notifications) => this.#release(notifications),
      reportTrouble: (trouble) => void this.#reportTrouble(channelId, trouble),
      mostPendingWhileUnhealthy: () => this.#mostPendingWhileUnhealthy(),
    };
  }

  #release(notifications: readonly StoredNotification[]): void {
    this.#pending.release(notifications);
    for (const settled of notifications) {
      for (const listener of this.#listeners) listener(settled);
    }
  }

  async #send(channelId: string, content: NotificationContent): Promise<Delivery> {
    const channel = this.#parts.channels.get(channelId);
    if (!channel) return failed('The channel was deleted.', { permanent: true });
    // A resolve event is for the service that the channel had before its edit, and not for people.
    if (content.kind === 'closing' && !groupsAlerts(channel.type)) return nothingToSend();
    const delivery = await sendWithTimeout(channel, content, this.#parts);
    logDelivery(this.#parts.log, { channel, content, delivery });
    return delivery;
  }

  /** The state of a deleted channel is deleted with the write. */
  #write(channelId: string, notifications: readonly StoredNotification[], state: ChannelState) {
    const isThere = this.#parts.channels.get(channelId) !== undefined;
    return this.#writer.keep(channelId, notifications, isThere ? state : null);
  }

  #mostPendingWhileUnhealthy(): number {
    const dead = Math.max(1, this.#actors.countDead());
    const share = ((this.#parts.maxPending ?? MAX_PENDING) * DEAD_SHARE) / dead;
    return Math.min(MAX_PENDING_WHILE_UNHEALTHY, Math.floor(share));
  }

  /** Notifies the other channels, but for the unhealthy ones. */
  async #reportTrouble(channelId: string, trouble: ChannelTrouble): Promise<void> {
    const { channels, clock, log } = this.#parts;
    const channel = channels.get(channelId);
    if (!channel) return;
    const at = clock.now();
    const content: ApplianceContent = channelContent(channel, trouble, at);
    log.warn({ channelId, isOver: trouble.isOver }, content.reason);
    const notifications = channels
      .all()
      .filter(({ id, sendFailure }) => id !== channelId && sendFailure && this.#isWell(id))
      .map((other) => applianceNotification(other, content, { id: uuidAt(at), at }));
    await this.writeAndEnqueue(notifications);
  }

  #isWell(channelId: string): boolean {
    const health = this.#actors.healthOf(channelId) ?? this.#writer.stateOf(channelId)?.health;
    return health === undefined || health.failingSince === null;
  }
}
