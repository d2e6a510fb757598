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

/** What a try of the message in hand changes. */

/** The message is tried now. */
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

/** Where nothing was sent, the try says nothing of the channel. */
function healthAfter(
  { health: before, clock }: DeliveryContext,
  { isOurFault, isUnsent }: Delivery,
  end: Verdict,
): ChannelHealth {
  if (isUnsent) return before;
  if (end === 'told') return HEALTHY;
  // One that is dead is probed on, at its own pace.
  if (end === 'again' && isOurFault && before.dead === null) return before;
  return afterFailedTry(before, { at: clock.now(), gaveUp: end === 'givenUp' });
}

/** A dead channel is tried again when it is probed. */
function waitMs({ clock }: DeliveryContext, delivery: Delivery, { dead }: ChannelHealth): number {
  return dead === null ? retryWaitMs(delivery) : dead.probeAt - clock.now();
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
