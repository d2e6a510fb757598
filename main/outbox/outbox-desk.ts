import { type ActorRefFrom, createActor } from 'xstate';
import type { AlertChannel } from '#shared/channel/channel.ts';
import type { Notice, OwnNotice } from '#shared/channel/notice.ts';
import type { StoredNotification } from '#shared/channel/notification.ts';
import type { Clock } from '#shared/clock.ts';
import { actorClock } from '../actors/actor-clock.ts';
import { failed } from '../channels/delivery.ts';
import type { Delivery } from '../channels/sender.ts';
import type { Log } from '../log.ts';
import { LatestKeeper } from '../sessions/latest-keeper.ts';
import type { Collection } from '../store/configuration.ts';
import type { History } from '../store/history.ts';
import { type ChannelTrouble, MAX_OWED_WHILE_DEAD } from './channel-health.ts';
import { deliveryMachine } from './delivery.machine.ts';
import type { DeliveryPort } from './delivery-context.ts';
import type { OutboxLimits } from './delivery-plan.ts';
import { channelNotice, ownNotification, sentAgain } from './new-notification.ts';
import { OrderedIds, type Stamp } from './ordered-ids.ts';
import type { Outbox } from './outbox-port.ts';
import { OwedBacklog } from './owed-backlog.ts';

export interface OutboxParts {
  history: Pick<History, 'write' | 'loadOwedNotifications' | 'findNotification'>;
  channels: Pick<Collection<AlertChannel>, 'get' | 'all' | 'subscribe'>;
  limits: OutboxLimits;
  clock: Clock;
  log: Log;
  /** Most notifications held in memory; {@link MAX_OWED} where it is left out. */
  maxOwed?: number;
  /** Sends a notice once. */
  send(channel: AlertChannel, notice: Notice): Promise<Delivery>;
}

/** Notifications that are kept together; named by the first of them. */
interface Batch {
  id: string;
  notifications: readonly StoredNotification[];
}

type ChannelActor = ActorRefFrom<typeof deliveryMachine>;

/** Owed notifications that are held in memory; what is beyond waits in the store. */
export const MAX_OWED = 10_000;
/** The part of it that all dead channels together may hold, so that the others have room. */
const DEAD_SHARE = 0.5;
/** How long a stop waits for the sends under way. */
const DRAIN_MS = 5_000;
/** A send that takes longer than every sender may take got lost. */
const SEND_PATIENCE_MS = 60_000;

/**
 * Where notifications leave: an actor for each channel that was ever owed one, and where its ports
 * are bound. A channel that is slow, limited or dead delays no other.
 */
export class OutboxDesk implements Outbox {
  readonly #parts: OutboxParts;
  readonly #ids = new OrderedIds();
  readonly #owed: OwedBacklog;
  readonly #keeper: LatestKeeper<Batch>;
  readonly #actors = new Map<string, ChannelActor>();
  #unsubscribe = () => {};
  #allStopped = () => {};
  #stopping: Promise<void> | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#owed = new OwedBacklog({
      ...parts,
      max: parts.maxOwed ?? MAX_OWED,
      deliver: (notifications) => this.#deliver(notifications),
    });
    this.#keeper = new LatestKeeper({
      ...parts,
      write: ({ notifications }) => parts.history.write({ notifications: [...notifications] }),
    });
  }

  /** Sends what is owed since before the last stop, and from then on what comes. Rejects as the store. */
  async start(): Promise<void> {
    const { channels } = this.#parts;
    this.#unsubscribe = channels.subscribe(({ record }) =>
      this.#actors.get(record.id)?.send({ type: 'CHANNEL_CHANGED' }),
    );
    await this.#owed.open();
  }

  /** Lets the sends under way end, and leaves what is owed to the next start. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  stamp(): Stamp {
    return this.#ids.next(this.#parts.clock.now());
  }

  take(notifications: readonly StoredNotification[]): void {
    this.#owed.take(notifications);
  }

  async takeUnkept(news: readonly StoredNotification[]): Promise<void> {
    const { history, log } = this.#parts;
    if (news.length === 0) return;
    const notifications = news.map((one) => sentAgain(one, this.stamp()));
    try {
      await history.write({ notifications });
    } catch (error) {
      // A store that fails is what may be told of: they are kept once they are sent.
      log.error({ err: error }, 'News of the monitor itself could not be kept.');
    }
    this.take(notifications);
  }

  async resend(notificationId: string): Promise<StoredNotification | null> {
    const { history, channels } = this.#parts;
    const notification = await history.findNotification(notificationId);
    if (notification === null || !channels.get(notification.channelId)) return null;
    const again = sentAgain(notification, this.stamp());
    await history.write({ notifications: [again] });
    this.take([again]);
    return again;
  }

  async #stop(): Promise<void> {
    this.#owed.close();
    this.#unsubscribe();
    const { clock } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimeout(resolve, DRAIN_MS);
    this.#allStopped = resolve;
    for (const actor of this.#actors.values()) actor.send({ type: 'STOP' });
    if (this.#actors.size > 0) await promise;
    clock.clearTimeout(timer);
    for (const actor of this.#actors.values()) actor.stop();
    await this.#keeper.close();
  }

  #deliver(notifications: readonly StoredNotification[]): void {
    for (const [channelId, owed] of Map.groupBy(notifications, (one) => one.channelId)) {
      this.#actorOf(channelId).send({ type: 'TAKE', notifications: owed });
    }
  }

  #actorOf(channelId: string): ChannelActor {
    const known = this.#actors.get(channelId);
    if (known) return known;
    const { clock, limits } = this.#parts;
    const input = { clock, limits, port: this.#portOf(channelId) };
    const actor = createActor(deliveryMachine, { clock: actorClock(clock), input });
    this.#actors.set(channelId, actor);
    actor.subscribe({
      complete: () => this.#close(channelId),
      error: (error) => this.#revive(channelId, error),
    });
    return actor.start();
  }

  #portOf(channelId: string): DeliveryPort {
    return {
      stamp: () => this.stamp(),
      channelExists: () => this.#parts.channels.get(channelId) !== undefined,
      send: ({ notice }) => this.#send(channelId, notice),
      keep: (notifications) => this.#keep(notifications),
      release: (notifications) => this.#owed.release(notifications),
      tellTrouble: (trouble) => void this.#tellTrouble(channelId, trouble),
      mostOwedWhileDead: () => this.#mostOwedWhileDead(),
    };
  }

  /** Never rejects: a sender that fails by its own fault must not end its channel. */
  async #send(channelId: string, notice: Notice): Promise<Delivery> {
    const { channels, clock, log, send } = this.#parts;
    const channel = channels.get(channelId);
    if (!channel) return failed('The channel was deleted.', { permanent: true });
    const { promise: patience, resolve } = Promise.withResolvers<Delivery>();
    const lost = failed(`no end after ${SEND_PATIENCE_MS} ms`, { permanent: false });
    const timer = clock.setTimeout(() => resolve(lost), SEND_PATIENCE_MS);
    try {
      return await Promise.race([send(channel, notice), patience]);
    } catch (error) {
      log.error({ err: error, channelId }, 'A sender failed by a fault of ours.');
      return failed('a fault of Watchpost; its log says more', { permanent: false });
    } finally {
      clock.clearTimeout(timer);
    }
  }

  async #keep(notifications: readonly StoredNotification[]): Promise<boolean> {
    const [first] = notifications;
    if (!first) return true;
    return (await this.#keeper.keep({ id: first.id, notifications })).kept;
  }

  #mostOwedWhileDead(): number {
    const dead = [...this.#actors.values()].filter((actor) => healthOf(actor).dead !== null);
    const share = ((this.#parts.maxOwed ?? MAX_OWED) * DEAD_SHARE) / Math.max(1, dead.length);
    return Math.min(MAX_OWED_WHILE_DEAD, Math.floor(share));
  }

  /** Tells the other channels, but for those that have trouble themselves. */
  async #tellTrouble(channelId: string, trouble: ChannelTrouble): Promise<void> {
    const { channels, clock, log } = this.#parts;
    const channel = channels.get(channelId);
    if (!channel) return;
    const at = clock.now();
    const notice: OwnNotice = channelNotice(channel, trouble, at);
    log.warn({ channelId, isOver: trouble.isOver }, notice.reason);
    const notifications = channels
      .all()
      .filter(({ id, sendFailure }) => id !== channelId && sendFailure && this.#isWell(id))
      .map((other) => ownNotification(other, notice, at));
    await this.takeUnkept(notifications);
  }

  #isWell(channelId: string): boolean {
    const actor = this.#actors.get(channelId);
    return actor === undefined || healthOf(actor).failingSince === null;
  }

  #close(channelId: string): void {
    this.#actors.delete(channelId);
    if (this.#actors.size === 0) this.#allStopped();
  }

  /** A channel whose actor failed begins anew with what the store has. */
  #revive(channelId: string, error: unknown): void {
    this.#parts.log.error({ err: error, channelId }, 'The actor of an alert channel failed.');
    this.#close(channelId);
    this.#owed.abandon(channelId);
  }
}

function healthOf(actor: ChannelActor) {
  return actor.getSnapshot().context.health;
}
