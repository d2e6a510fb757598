import type { ChannelHealth, ChannelState } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { givenUp } from './attempt.ts';
import { excessOf, HEALTHY } from './channel-health.ts';
import { type Pending, planNext } from './delivery-plan.ts';
import type { DeliveryInput } from './delivery-port.ts';
import { type Digest, digestOf, newestOf } from './digest.ts';

/** The context of the delivery machine, and how events change it. */

export interface DeliveryContext extends Omit<DeliveryInput, 'state'>, Omit<Pending, 'port'> {
  /** What is being sent, or is to be tried again. */
  digest: Digest | null;
  isStopping: boolean;
  /** What waits is to be tried at once; a try that is under way was one of the channel as it was. */
  isAskedAgain: boolean;
  health: ChannelHealth;
}

/** A channel that was unhealthy is tried at once after a start: the operator may have mended it. */
export function initialContext({ state, ...input }: DeliveryInput): DeliveryContext {
  const { health = HEALTHY } = state ?? {};
  const dead = health.dead && { ...health.dead, probeAt: input.clock.now() };
  return {
    ...input,
    queue: [],
    arrivals: [],
    wasLimited: false,
    digest: null,
    sentAt: [],
    isStopping: false,
    isAskedAgain: false,
    health: { ...health, dead },
  };
}

export function stateOf({ health }: DeliveryContext): ChannelState {
  return { health, incidents: [] };
}

export function inHand(digest: Digest | null): Digest {
  if (digest === null) throw new Error('No message is under way.');
  return digest;
}

/** The message first: its id names the whole. */
export function allOf({ notification, replaced }: Digest): StoredNotification[] {
  return [notification, ...replaced];
}

/** The next message, taken out of the queue; at least one notification is in it. */
export function chosen(context: DeliveryContext): Partial<DeliveryContext> {
  const { queue, clock, port } = context;
  const at = clock.now();
  const step = planNext(context, at);
  if (step.kind === 'together') {
    return taken(context, digestOf(step.notifications, port.stamp()));
  }
  if (step.kind === 'newest') return taken(context, newestOf(step.notifications, at));
  // Where the clock was set since the plan was made, the oldest notification is sent.
  const notification = step.kind === 'alone' ? step.notification : queue[0];
  return notification ? taken(context, { notification, replaced: [] }) : {};
}

function taken({ queue }: DeliveryContext, digest: Digest): Partial<DeliveryContext> {
  return { digest, queue: without(queue, allOf(digest)), wasLimited: false };
}

function without(
  queue: readonly StoredNotification[],
  gone: readonly StoredNotification[],
): StoredNotification[] {
  const ids = new Set(gone.map(({ id }) => id));
  return queue.filter(({ id }) => !ids.has(id));
}

/** The notifications beyond the bounds of an unhealthy channel, given up with those in their digest. */
export function excess({ digest, queue, clock, port }: DeliveryContext): StoredNotification[] {
  const owes = digest ? [digest.notification, ...queue] : queue;
  const gone = excessOf(owes, { now: clock.now(), most: port.mostPendingWhileUnhealthy() });
  return digest && isAmong(gone, digest.notification) ? [...gone, ...digest.replaced] : gone;
}

export function withoutExcess(context: DeliveryContext): Partial<DeliveryContext> {
  const { digest, queue } = context;
  const gone = excess(context);
  const isDigestGone = digest !== null && isAmong(gone, digest.notification);
  return { queue: without(queue, gone), digest: isDigestGone ? null : digest };
}

function isAmong(some: readonly StoredNotification[], { id }: StoredNotification): boolean {
  return some.some((one) => one.id === id);
}

/** All pending notifications, given up because their channel is gone. */
export function orphans({ digest, queue, clock }: DeliveryContext): StoredNotification[] {
  const owes = digest ? [digest.notification, ...queue] : queue;
  const given = owes.map((one) => givenUp(one, 'The channel was deleted.', clock.now()));
  return [...given, ...(digest?.replaced ?? [])];
}

/** Whether a time is to be waited for; no wait is longer than this, unless the clock was set back. */
export function isAhead(at: number, now: number, longestMs: number): boolean {
  return now < at && at - now <= longestMs;
}

export function bounded(ms: number, longestMs: number): number {
  return Math.min(Math.max(0, ms), longestMs);
}
