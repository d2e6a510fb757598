import type { ChannelHealth } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import {
  MAX_RETRY_AFTER_MS,
  owedAgain,
  retryWaitMs,
  settled,
  underWay,
  type Verdict,
  verdictOf,
} from './attempt.ts';
import { afterFailedTry, HEALTHY, LONGEST_OWED_MS } from './channel-health.ts';
import type { Delivery } from './channels/sender.ts';
import { type DeliveryContext, inHand } from './delivery-context.ts';
import { isBackingOff } from './delivery-plan.ts';
import type { Parcel } from './digest.ts';
import { isClosing, recent } from './next-step.ts';

/** What a try of the message in hand changes. */

/** The message is tried now. */
export function begun({ parcel, sentAt, closedAt, clock }: DeliveryContext) {
  const { notification, instead } = inHand(parcel);
  const at = clock.now();
  const tried = isClosing(notification)
    ? { sentAt, closedAt: at }
    : { sentAt: [...recent(sentAt, at), at], closedAt };
  return { ...tried, parcel: { notification: underWay(notification), instead } };
}

export function verdict({ parcel, health, clock }: DeliveryContext, delivery: Delivery): Verdict {
  const { notification } = inHand(parcel);
  const isDead = health.dead !== null;
  const end = verdictOf(delivery, { tries: notification.tries, isDead });
  // A closing makes no probe, at which a dead channel gives up what is too old.
  const isTooOld = isDead && clock.now() - notification.createdAt >= LONGEST_OWED_MS;
  const isHopeless = isTooOld && isClosing(notification) && !delivery.isOurFault;
  return end === 'again' && isHopeless ? 'givenUp' : end;
}

/** The message and the channel's health after a try. */
export function afterDelivery(
  context: DeliveryContext,
  delivery: Delivery,
): Pick<DeliveryContext, 'parcel' | 'health'> {
  const at = context.clock.now();
  const end = verdict(context, delivery);
  const health = healthAfter(context, delivery, end);
  const dueAt = at + waitMs(context, delivery, health);
  const parcel = replaced(context, (one) =>
    end === 'again' ? owedAgain(one, delivery, dueAt) : settled(one, delivery, at),
  );
  return { parcel, health };
}

/**
 * What nobody was sent says nothing of the channel, and no more does the end of an incident: that a
 * service does not take it must keep no alert waiting, nor have the channel called dead.
 */
function healthAfter(
  { health: before, parcel, clock }: DeliveryContext,
  { isOurFault, isUnsent }: Delivery,
  end: Verdict,
): ChannelHealth {
  if (isUnsent || isClosing(inHand(parcel).notification)) return before;
  if (end === 'told') return HEALTHY;
  // One that is dead is probed on, at its own pace.
  if (end === 'again' && isOurFault && before.dead === null) return before;
  return afterFailedTry(before, { at: clock.now(), gaveUp: end === 'givenUp' });
}

/** A dead channel is tried again when it is probed; incidents are closed beside that, seldom. */
function waitMs(
  { parcel, clock }: DeliveryContext,
  delivery: Delivery,
  { dead }: ChannelHealth,
): number {
  if (dead === null) return retryWaitMs(delivery);
  if (isClosing(inHand(parcel).notification)) return MAX_RETRY_AFTER_MS;
  return dead.probeAt - clock.now();
}

/** A closing that is to be tried again waits among what is owed: messages do not wait for it. */
export function putBack({ parcel, queue }: DeliveryContext): Partial<DeliveryContext> {
  const { notification } = inHand(parcel);
  return isClosing(notification) ? { parcel: null, queue: [notification, ...queue] } : {};
}

/** All that waits is due, where the channel was changed or the network came back: it may work now. */
export function retriedIfAsked(context: DeliveryContext): Partial<DeliveryContext> {
  const { isAskedAgain, health, parcel, queue, clock } = context;
  if (!isAskedAgain) return {};
  const now = clock.now();
  const due = (one: StoredNotification) => ({ ...one, dueAt: now });
  return {
    isAskedAgain: false,
    health: health.dead === null ? health : { ...health, dead: { probes: 0, probeAt: now } },
    parcel: parcel && replaced(context, due),
    queue: queue.map((one) => (isBackingOff(one, now) ? due(one) : one)),
  };
}

function replaced(
  { parcel }: DeliveryContext,
  change: (notification: StoredNotification) => StoredNotification,
): Parcel {
  const { notification, instead } = inHand(parcel);
  return { notification: change(notification), instead };
}
