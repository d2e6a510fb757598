import type { ChannelHealth } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import {
  MAX_RETRY_AFTER_MS,
  pendingAgain,
  retryWaitMs,
  settled,
  underWay,
  type Verdict,
  verdictOf,
} from './attempt.ts';
import { afterFailedTry, HEALTHY, LONGEST_PENDING_MS } from './channel-health.ts';
import type { Delivery } from './channels/sender.ts';
import { type DeliveryContext, inHand } from './delivery-context.ts';
import { isBackingOff } from './delivery-plan.ts';
import type { Digest } from './digest.ts';
import { isClosing, recent } from './next-step.ts';

/** What a try of the message in hand changes. */

/** The message is tried now. */
export function begun({ digest, sentAt, closedAt, clock }: DeliveryContext) {
  const { notification, instead } = inHand(digest);
  const at = clock.now();
  const tried = isClosing(notification)
    ? { sentAt, closedAt: at }
    : { sentAt: [...recent(sentAt, at), at], closedAt };
  return { ...tried, digest: { notification: underWay(notification), instead } };
}

export function verdict({ digest, health, clock }: DeliveryContext, delivery: Delivery): Verdict {
  const { notification } = inHand(digest);
  const isDead = health.dead !== null;
  const end = verdictOf(delivery, { tries: notification.tries, isDead });
  // A closing makes no probe, at which a dead channel gives up what is too old.
  const isTooOld = isDead && clock.now() - notification.createdAt >= LONGEST_PENDING_MS;
  const isHopeless = isTooOld && isClosing(notification) && !delivery.isOurFault;
  return end === 'again' && isHopeless ? 'givenUp' : end;
}

/** The message and the channel's health after a try. */
export function afterDelivery(
  context: DeliveryContext,
  delivery: Delivery,
): Pick<DeliveryContext, 'digest' | 'health'> {
  const at = context.clock.now();
  const end = verdict(context, delivery);
  const health = healthAfter(context, delivery, end);
  const dueAt = at + waitMs(context, delivery, health);
  const digest = replaced(context, (one) =>
    end === 'again' ? pendingAgain(one, delivery, dueAt) : settled(one, delivery, at),
  );
  return { digest, health };
}

/**
 * What nobody was sent says nothing of the channel, and no more does the end of an incident: that a
 * service does not take it must keep no alert waiting, nor have the channel called dead.
 */
function healthAfter(
  { health: before, digest, clock }: DeliveryContext,
  { isOurFault, isUnsent }: Delivery,
  end: Verdict,
): ChannelHealth {
  if (isUnsent || isClosing(inHand(digest).notification)) return before;
  if (end === 'told') return HEALTHY;
  // One that is dead is probed on, at its own pace.
  if (end === 'again' && isOurFault && before.dead === null) return before;
  return afterFailedTry(before, { at: clock.now(), gaveUp: end === 'givenUp' });
}

/** A dead channel is tried again when it is probed; incidents are closed beside that, seldom. */
function waitMs(
  { digest, clock }: DeliveryContext,
  delivery: Delivery,
  { dead }: ChannelHealth,
): number {
  if (dead === null) return retryWaitMs(delivery);
  if (isClosing(inHand(digest).notification)) return MAX_RETRY_AFTER_MS;
  return dead.probeAt - clock.now();
}

/** A closing that is to be tried again waits among what is owed: messages do not wait for it. */
export function putBack({ digest, queue }: DeliveryContext): Partial<DeliveryContext> {
  const { notification } = inHand(digest);
  return isClosing(notification) ? { digest: null, queue: [notification, ...queue] } : {};
}

/** All that waits is due, where the channel was changed or the network came back: it may work now. */
export function retriedIfAsked(context: DeliveryContext): Partial<DeliveryContext> {
  const { isAskedAgain, health, digest, queue, clock } = context;
  if (!isAskedAgain) return {};
  const now = clock.now();
  const due = (one: StoredNotification) => ({ ...one, dueAt: now });
  return {
    isAskedAgain: false,
    health: health.dead === null ? health : { ...health, dead: { probes: 0, probeAt: now } },
    digest: digest && replaced(context, due),
    queue: queue.map((one) => (isBackingOff(one, now) ? due(one) : one)),
  };
}

function replaced(
  { digest }: DeliveryContext,
  change: (notification: StoredNotification) => StoredNotification,
): Digest {
  const { notification, instead } = inHand(digest);
  return { notification: change(notification), instead };
}
