import type { NotificationStatus, StoredNotification } from '#shared/notifications/notification.ts';
import type { Delivery } from './channels/sender.ts';

/** What a try leads to: the notification is sent, given up, or pending again. */

/** The first try and 5 more. */
export const MAX_TRIES = 6;
export const RETRY_MS = 20_000;
/** A receiver that asks to wait for longer is tried after this time all the same. */
export const MAX_RETRY_AFTER_MS = 5 * 60_000;

/** The delivery log stores no more characters of an outcome than this. */
const MAX_OUTCOME_CHARS = 1_500;

/** `told`: sent; `givenUp`: never tried again; `again`: still pending. */
export type Verdict = 'told' | 'givenUp' | 'again';

/**
 * @param tries those made, with this one
 * @param isDead whether the channel counts as dead: then nothing is given up for want of tries
 */
export function verdictOf(
  delivery: Delivery,
  { tries, isDead }: { tries: number; isDead: boolean },
): Verdict {
  if (delivery.outcome === 'SUCCESS') return 'told';
  // Before `permanent`: a router without its uplink answers for every name with its own address or a
  // page of its own, which says nothing of the channel.
  if (delivery.isOurFault) return 'again';
  if (delivery.permanent) return 'givenUp';
  return tries >= MAX_TRIES && !isDead ? 'givenUp' : 'again';
}

/** How long to wait before the next try. */
export function retryWaitMs({ retryAfterMs = 0 }: Delivery): number {
  return Math.min(Math.max(RETRY_MS, retryAfterMs), MAX_RETRY_AFTER_MS);
}

/** A notification that is being sent, for the log. */
export function underWay(notification: StoredNotification): StoredNotification {
  return { ...notification, status: 'IN_PROGRESS', tries: notification.tries + 1 };
}

/** A notification after a try that is not the last one; a try that is our own fault is none. */
export function pendingAgain(
  notification: StoredNotification,
  delivery: Delivery,
  dueAt: number,
): StoredNotification {
  const tries = notification.tries - (delivery.isOurFault ? 1 : 0);
  return { ...notification, status: 'PENDING', tries, dueAt, outcome: outcomeText(delivery) };
}

/** A notification that is no longer pending. */
export function settled(
  notification: StoredNotification,
  delivery: Delivery,
  at: number,
): StoredNotification {
  const status: NotificationStatus = delivery.outcome;
  return { ...notification, status, settledAt: at, outcome: outcomeText(delivery) };
}

/** A notification that is given up without a try, and why. */
export function givenUp(
  notification: StoredNotification,
  reason: string,
  at: number,
): StoredNotification {
  return { ...notification, status: 'FAILURE', settledAt: at, outcome: reason };
}

function outcomeText({ detail, answer }: Delivery): string {
  const text = answer === null ? detail : `${detail}: ${answer}`;
  return text.slice(0, MAX_OUTCOME_CHARS);
}
