import type { ChannelHealth } from '#shared/notifications/channel-state.ts';
import type { ApplianceContent } from '#shared/notifications/notice.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { givenUp } from './attempt.ts';

/** When a channel is unhealthy, and which of its pending notifications are then given up. */

export const HEALTHY: ChannelHealth = { failedInRow: 0, failingSince: null, dead: null };

/** Three notifications of six tries each, over five minutes: no hiccup lasts so long. */
const DEAD_AFTER_FAILED = 3;
/** Or tried in vain for an hour, however few notifications there were. */
const DEAD_AFTER_MS = 3_600_000;
/** Waits between tries of a dead channel grow from the first to the last of these. */
const FIRST_PROBE_MS = 60_000;
export const LONGEST_PROBE_MS = 15 * 60_000;
/** Most pending notifications of an unhealthy channel, and their greatest age; see {@link excessOf}. */
export const MAX_PENDING_WHILE_UNHEALTHY = 1_000;
export const LONGEST_PENDING_MS = 24 * 3_600_000;

/** The health after a try that failed; `gaveUp`: the notification is not tried again. */
export function afterFailedTry(
  health: ChannelHealth,
  { at, gaveUp }: { at: number; gaveUp: boolean },
): ChannelHealth {
  const failedInRow = health.failedInRow + (gaveUp ? 1 : 0);
  const failingSince = health.failingSince ?? at;
  const isDead =
    health.dead !== null || failedInRow >= DEAD_AFTER_FAILED || at - failingSince >= DEAD_AFTER_MS;
  const probes = health.dead === null ? 0 : health.dead.probes + 1;
  const dead = isDead ? { probes, probeAt: at + probeWaitMs(probes) } : null;
  return { failedInRow, failingSince, dead };
}

/** What the other channels are notified of: that a channel is unhealthy, or works again. */
export type ChannelTrouble = Pick<ApplianceContent, 'isOver' | 'reason' | 'since' | 'lastedMs'>;

/** What the other channels are to be notified of after a try; null where the health stays as it was. */
export function troubleAfter(
  before: ChannelHealth,
  after: ChannelHealth,
  { reason, at }: { reason: string; at: number },
): ChannelTrouble | null {
  const isOver = before.dead !== null;
  if (isOver === (after.dead !== null)) return null;
  const began = before.failingSince ?? after.failingSince ?? at;
  const lastedMs = isOver ? Math.max(0, at - began) : null;
  return { isOver, reason, since: new Date(began).toISOString(), lastedMs };
}

function probeWaitMs(probes: number): number {
  return Math.min(FIRST_PROBE_MS * 2 ** Math.min(probes, 10), LONGEST_PROBE_MS);
}

/**
 * The pending notifications of an unhealthy channel beyond its bounds, given up with the reason: those
 * older than a day, and the oldest where there are more than `most`.
 *
 * @param queue oldest first
 */
export function excessOf(
  queue: readonly StoredNotification[],
  { now, most }: { now: number; most: number },
): StoredNotification[] {
  const surplus = queue.length - most;
  return queue.flatMap((notification, index) => {
    if (index < surplus) {
      return givenUp(notification, `The channel is dead, and more than ${most} are owed.`, now);
    }
    if (now - notification.createdAt < LONGEST_PENDING_MS) return [];
    return givenUp(notification, 'The channel was dead for 24 hours.', now);
  });
}
