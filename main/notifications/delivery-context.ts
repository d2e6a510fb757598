import type { ChannelHealth, ChannelState } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { announcementOf } from './announcement.ts';
import { givenUp } from './attempt.ts';
import { excessOf, HEALTHY } from './channel-health.ts';
import type { DeliveryInput } from './delivery-port.ts';
import { type Digest, digestOf } from './digest.ts';
import type { Incidents } from './incidents.ts';
import { closingsOf, type Due, isClosing, planNext } from './next-step.ts';

/** What the machine of a channel knows, and how that changes. */

export interface DeliveryContext extends Omit<DeliveryInput, 'state'>, Due {
  /** What is being sent, or is to be tried again. */
  digest: Digest | null;
  isStopping: boolean;
  /** What waits is to be tried at once; a try that is under way was one of the channel as it was. */
  isAskedAgain: boolean;
  health: ChannelHealth;
  /** Those that are open at the channel's service. */
  incidents: Incidents;
  /** Keys of those that are over, until somebody is asked to close them. */
  toClose: readonly string[];
}

/** A channel that was dead is asked at once: whoever starts Watchpost may have mended it. */
export function initialContext({ state, ...input }: DeliveryInput): DeliveryContext {
  const { health = HEALTHY, incidents = [] } = state ?? {};
  const dead = health.dead && { ...health.dead, probeAt: input.clock.now() };
  return {
    ...input,
    queue: [],
    arrivals: [],
    wasLimited: false,
    digest: null,
    sentAt: [],
    closedAt: null,
    isStopping: false,
    isAskedAgain: false,
    health: { ...health, dead },
    incidents,
    toClose: [],
  };
}

export function stateOf({ health, incidents }: DeliveryContext): ChannelState {
  return { health, incidents: [...incidents] };
}

export function inHand(digest: Digest | null): Digest {
  if (digest === null) throw new Error('No message is under way.');
  return digest;
}

/** The message first: its id names the whole. */
export function allOf({ notification, instead }: Digest): StoredNotification[] {
  return [notification, ...instead];
}

/** The next message, taken out of the queue; at least one notification is in it. */
export function chosen(context: DeliveryContext): Partial<DeliveryContext> {
  const { queue, clock, port } = context;
  const at = clock.now();
  const step = planNext(context, at);
  if (step.kind === 'together') {
    return taken(context, digestOf(step.notifications, port.stamp()));
  }
  // Where the clock was set since it was looked at, the oldest goes.
  const notification = step.kind === 'alone' ? step.notification : queue[0];
  return notification ? taken(context, { notification, instead: [] }) : {};
}

function taken(context: DeliveryContext, next: Digest): Partial<DeliveryContext> {
  const { queue, wasLimited, incidents: before, port } = context;
  const made = withOvertaken(context, next);
  const { digest, incidents, toClose } = announcementOf(made, before, port);
  return {
    digest,
    queue: without(queue, allOf(made)),
    wasLimited: wasLimited && isClosing(made.notification),
    incidents,
    toClose,
  };
}

/** What would close an incident that is told of again is not sent any more: it would close that one. */
function withOvertaken(
  { queue, clock }: DeliveryContext,
  { notification, instead }: Digest,
): Digest {
  const overtaken = isClosing(notification) ? [] : closingsOf(queue, notification);
  const settled = {
    status: 'DIGESTED',
    digestId: notification.id,
    settledAt: clock.now(),
  } as const;
  return {
    notification,
    instead: [...instead, ...overtaken.map((one) => ({ ...one, ...settled }))],
  };
}

function without(
  queue: readonly StoredNotification[],
  gone: readonly StoredNotification[],
): StoredNotification[] {
  const ids = new Set(gone.map(({ id }) => id));
  return queue.filter(({ id }) => !ids.has(id));
}

/** What a dead channel owes beyond its bounds, given up; with what that stood for. */
export function excess({ digest, queue, clock, port }: DeliveryContext): StoredNotification[] {
  const owes = digest ? [digest.notification, ...queue] : queue;
  const gone = excessOf(owes, { now: clock.now(), most: port.mostPendingWhileUnhealthy() });
  return digest && isAmong(gone, digest.notification) ? [...gone, ...digest.instead] : gone;
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

/** All that is owed, given up because its channel is gone. */
export function orphans({ digest, queue, clock }: DeliveryContext): StoredNotification[] {
  const owes = digest ? [digest.notification, ...queue] : queue;
  const given = owes.map((one) => givenUp(one, 'The channel was deleted.', clock.now()));
  return [...given, ...(digest?.instead ?? [])];
}

/** Whether a time is to be waited for; no wait is longer than this, unless the clock was set back. */
export function isAhead(at: number, now: number, longestMs: number): boolean {
  return now < at && at - now <= longestMs;
}

export function bounded(ms: number, longestMs: number): number {
  return Math.min(Math.max(0, ms), longestMs);
}
