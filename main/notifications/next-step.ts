import { incidentKey } from '#shared/notifications/incident-key.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import {
  isBackingOff,
  type Pending,
  type Step as PlannedStep,
  planMessage,
} from './delivery-plan.ts';

/**
 * What a channel does next: messages first, at the rate that people can read; between them the events
 * that close incidents, of which nobody hears, at the pace that services take them.
 */

export interface Due extends Pending {
  /** When messages were tried in the last minute, epoch ms. */
  sentAt: readonly number[];
  /** When a closing was tried last, epoch ms; null: never. */
  closedAt: number | null;
}

/** `isLimited`: messages wait for the channel's rate. */
export type Step =
  | Exclude<PlannedStep, { kind: 'wait' }>
  | { kind: 'wait'; until: number; isLimited: boolean };

export const RATE_WINDOW_MS = 60_000;
/** PagerDuty takes 120 events a minute of one key; half of them are left to messages. */
const CLOSING_GAP_MS = 1_000;

export function isClosing({ notice }: StoredNotification): boolean {
  return notice.kind === 'closing';
}

/** Decides what comes next; `queue` holds at least one notification. */
export function planNext(due: Due, now: number): Step {
  const closing = due.queue.find(isClosing);
  const messages = closing ? due.queue.filter((one) => !isClosing(one)) : due.queue;
  const step = messages.length > 0 ? messageStep({ ...due, queue: messages }, now) : null;
  if (step?.kind === 'alone') return orClosingBefore(step, due.queue, now);
  if (step?.kind === 'together' || (step && !closing)) return step;
  if (closing === undefined) throw new Error('Nothing is owed.');
  const until = closingDueAt(closing, due, now);
  if (now >= until) return { kind: 'alone', notification: closing };
  return {
    kind: 'wait',
    until: Math.min(until, step?.until ?? until),
    isLimited: step?.isLimited ?? false,
  };
}

function messageStep(due: Due, now: number): Step {
  const sent = recent(due.sentAt, now);
  const [oldest = now] = sent;
  if (sent.length >= due.limits.messagesPerMinute) {
    return { kind: 'wait', until: oldest + RATE_WINDOW_MS, isLimited: true };
  }
  const step = planMessage(due, now);
  return step.kind === 'wait' ? { ...step, isLimited: false } : step;
}

/**
 * A check that fails again before its incident is closed begins a new one, which wakes somebody; but
 * while the service takes no closings, no alert waits for one.
 */
function orClosingBefore(
  step: Step & { kind: 'alone' },
  queue: readonly StoredNotification[],
  now: number,
): Step {
  if (queue.some((one) => isClosing(one) && isBackingOff(one, now))) return step;
  const [before] = closingsOf(queue, step.notification);
  return before ? { kind: 'alone', notification: before } : step;
}

/** Those that would close the incident of which a message tells. */
export function closingsOf(
  queue: readonly StoredNotification[],
  { notice }: StoredNotification,
): StoredNotification[] {
  const key = incidentKey(notice);
  return queue.filter((one) => isClosing(one) && incidentKey(one.notice) === key);
}

/** Never a time that only a clock which was set back makes to come. */
function closingDueAt(closing: StoredNotification, { closedAt }: Due, now: number): number {
  if (isBackingOff(closing, now)) return closing.dueAt;
  return closedAt === null || closedAt > now ? now : closedAt + CLOSING_GAP_MS;
}

/** Times of the last minute; one that is still to come is that of a clock that was set back. */
export function recent(times: readonly number[], now: number): number[] {
  return times.filter((at) => at <= now && now - at < RATE_WINDOW_MS);
}
