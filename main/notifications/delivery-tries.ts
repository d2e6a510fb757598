import type { ChannelHealth } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import {
  pendingAgain,
  retryWaitMs,
  settled,
  underWay,
  type Verdict,
  verdictOf,
} from './attempt.ts';
import { afterFailedTry, HEALTHY } from './channel-health.ts';
import type { Delivery } from './channels/sender.ts';
import { type DeliveryContext, inHand } from './delivery-context.ts';
import { isBackingOff, recent } from './delivery-plan.ts';
import type { Digest } from './digest.ts';

/** How a try changes the message and the health of its channel. */

/** The message is being tried. */
export function begun({ digest, sentAt, clock }: DeliveryContext) {
  const { notification, replaced } = inHand(digest);
  const at = clock.now();
  return {
    sentAt: [...recent(sentAt, at), at],
    digest: { notification: underWay(notification), replaced },
  };
}

export function verdict({ digest, health }: DeliveryContext, delivery: Delivery): Verdict {
  const { tries } = inHand(digest).notification;
  return verdictOf(delivery, { tries, isDead: health.dead !== null });
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
  const digest = changed(context, (one) =>
    end === 'again' ? pendingAgain(one, delivery, dueAt) : settled(one, delivery, at),
  );
  return { digest, health };
}

/** A try that sent nothing changes no health. */
function healthAfter(
  { health: before, clock }: DeliveryContext,
  { isOurFault, isUnsent }: Delivery,
  end: Verdict,
): ChannelHealth {
  if (isUnsent) return before;
  if (end === 'told') return HEALTHY;
  // An unhealthy channel is tried on at its own pace, also after our own fault.
  if (end === 'again' && isOurFault && before.dead === null) return before;
  return afterFailedTry(before, { at: clock.now(), gaveUp: end === 'givenUp' });
}

/** An unhealthy channel is next tried when its probe is due. */
function waitMs({ clock }: DeliveryContext, delivery: Delivery, { dead }: ChannelHealth): number {
  return dead === null ? retryWaitMs(delivery) : dead.probeAt - clock.now();
}

/** After an edit of the channel, or with the network back, every wait for a retry ends. */
export function retriedIfAsked(context: DeliveryContext): Partial<DeliveryContext> {
  const { isAskedAgain, health, digest, queue, clock } = context;
  if (!isAskedAgain) return {};
  const now = clock.now();
  const due = (one: StoredNotification) => ({ ...one, dueAt: now });
  return {
    isAskedAgain: false,
    health: health.dead === null ? health : { ...health, dead: { probes: 0, probeAt: now } },
    digest: digest && changed(context, due),
    queue: queue.map((one) => (isBackingOff(one, now) ? due(one) : one)),
  };
}

function changed(
  { digest }: DeliveryContext,
  change: (notification: StoredNotification) => StoredNotification,
): Digest {
  const { notification, replaced } = inHand(digest);
  return { notification: change(notification), replaced };
}
