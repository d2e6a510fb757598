import type { StoredNotification } from '#shared/channel/notification.ts';
import type { Clock } from '#shared/clock.ts';
import type { Delivery } from '../channels/sender.ts';
import { givenUp, owedAgain, retryWaitMs, settled, type Verdict, verdictOf } from './attempt.ts';
import {
  afterFailedTry,
  type ChannelHealth,
  type ChannelTrouble,
  excessOf,
  HEALTHY,
} from './channel-health.ts';
import { type OutboxLimits, type Owed, planNext } from './delivery-plan.ts';
import { type Parcel, parcelOf } from './digest.ts';
import type { Stamp } from './ordered-ids.ts';

/** What the machine of a channel knows, and how that changes. */

export interface DeliveryInput {
  clock: Clock;
  limits: OutboxLimits;
  /** Given with the input and not by `provide`, which would make a machine for each channel. */
  port: DeliveryPort;
}

/** What the machine has done by others. None of it throws or rejects. */
export interface DeliveryPort {
  /** For a notification that comes to be owed now. */
  stamp(): Stamp;
  /** Whether there still is such a channel. */
  channelExists(): boolean;
  /** Sends once, by the channel's config of now. */
  send(notification: StoredNotification): Promise<Delivery>;
  /** Has notifications kept as they are; resolves, after the first try, with whether they are. */
  keep(notifications: readonly StoredNotification[]): Promise<boolean>;
  /** Nothing more is done about these. */
  release(notifications: readonly StoredNotification[]): void;
  /** The channel counts as dead, or works again. */
  tellTrouble(trouble: ChannelTrouble): void;
  /** How many notifications a dead channel may owe. */
  mostOwedWhileDead(): number;
}

export interface DeliveryContext extends DeliveryInput, Owed {
  /** What is being sent, or is to be tried again. */
  parcel: Parcel | null;
  /** When tries were made in the last minute, epoch ms. */
  sentAt: readonly number[];
  isStopping: boolean;
  health: ChannelHealth;
}

export const RATE_WINDOW_MS = 60_000;

export function inHand(parcel: Parcel | null): Parcel {
  if (parcel === null) throw new Error('No message is under way.');
  return parcel;
}

/** The message first: its id names the whole. */
export function allOf({ notification, instead }: Parcel): StoredNotification[] {
  return [notification, ...instead];
}

/** The next message, taken out of the queue; at least one notification is in it. */
export function chosen(context: DeliveryContext): Partial<DeliveryContext> {
  const { queue, clock, port } = context;
  const at = clock.now();
  const step = planNext(context, at);
  if (step.kind === 'together') {
    return taken(context, parcelOf(step.notifications, port.stamp()));
  }
  // Where the clock was set since it was looked at, the oldest goes.
  const notification = step.kind === 'alone' ? step.notification : queue[0];
  return notification ? taken(context, { notification, instead: [] }) : {};
}

function taken({ queue }: DeliveryContext, parcel: Parcel): Partial<DeliveryContext> {
  return { parcel, queue: without(queue, allOf(parcel)), wasLimited: false };
}

function without(
  queue: readonly StoredNotification[],
  gone: readonly StoredNotification[],
): StoredNotification[] {
  const ids = new Set(gone.map(({ id }) => id));
  return queue.filter(({ id }) => !ids.has(id));
}

export function verdict({ parcel, health }: DeliveryContext, delivery: Delivery): Verdict {
  const { tries } = inHand(parcel).notification;
  return verdictOf(delivery, { tries, isDead: health.dead !== null });
}

/** The message and the channel's health after a try. */
export function afterDelivery(
  context: DeliveryContext,
  delivery: Delivery,
): Pick<DeliveryContext, 'parcel' | 'health'> {
  const at = context.clock.now();
  const end = verdict(context, delivery);
  const health =
    end === 'told' ? HEALTHY : afterFailedTry(context.health, { at, gaveUp: end === 'givenUp' });
  // A dead channel is tried again when it is probed.
  const dueAt = health.dead?.probeAt ?? at + retryWaitMs(delivery);
  const parcel = replaced(context, (one) =>
    end === 'again' ? owedAgain(one, delivery, dueAt) : settled(one, delivery, at),
  );
  return { parcel, health };
}

/** Somebody changed the channel: it may work now. */
export function retriedNow(context: DeliveryContext): Partial<DeliveryContext> {
  const { health, parcel, clock } = context;
  const now = clock.now();
  return {
    health: health.dead === null ? health : { ...health, dead: { probes: 0, probeAt: now } },
    parcel: parcel && replaced(context, (one) => ({ ...one, dueAt: now })),
  };
}

function replaced(
  { parcel }: DeliveryContext,
  change: (notification: StoredNotification) => StoredNotification,
): Parcel {
  const { notification, instead } = inHand(parcel);
  return { notification: change(notification), instead };
}

/** What a dead channel owes beyond its bounds, given up; with what that stood for. */
export function excess({ parcel, queue, clock, port }: DeliveryContext): StoredNotification[] {
  const owes = parcel ? [parcel.notification, ...queue] : queue;
  const gone = excessOf(owes, { now: clock.now(), most: port.mostOwedWhileDead() });
  return parcel && isAmong(gone, parcel.notification) ? [...gone, ...parcel.instead] : gone;
}

export function withoutExcess(context: DeliveryContext): Partial<DeliveryContext> {
  const { parcel, queue } = context;
  const gone = excess(context);
  const isParcelGone = parcel !== null && isAmong(gone, parcel.notification);
  return { queue: without(queue, gone), parcel: isParcelGone ? null : parcel };
}

function isAmong(some: readonly StoredNotification[], { id }: StoredNotification): boolean {
  return some.some((one) => one.id === id);
}

/** All that is owed, given up because its channel is gone. */
export function orphans({ parcel, queue, clock }: DeliveryContext): StoredNotification[] {
  const owes = parcel ? [parcel.notification, ...queue] : queue;
  const given = owes.map((one) => givenUp(one, 'The channel was deleted.', clock.now()));
  return [...given, ...(parcel?.instead ?? [])];
}

/** Times of the last minute; one that is still to come is that of a clock that was set back. */
export function recent(times: readonly number[], now: number): number[] {
  return times.filter((at) => at <= now && now - at < RATE_WINDOW_MS);
}

/** Whether a time is to be waited for; no wait is longer than this, unless the clock was set back. */
export function isAhead(at: number, now: number, longestMs: number): boolean {
  return now < at && at - now <= longestMs;
}

export function bounded(ms: number, longestMs: number): number {
  return Math.min(Math.max(0, ms), longestMs);
}
