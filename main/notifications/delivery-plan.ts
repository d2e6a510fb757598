import { incidentKey } from '#shared/notifications/incident-key.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { MAX_RETRY_AFTER_MS } from './attempt.ts';
import type { DeliveryPort, OutboxLimits } from './delivery-port.ts';
import { directionOf, type Gathered, isGathered } from './digest.ts';

/**
 * Which message a channel sends next. The first alert of trouble is sent at once; alerts that follow
 * closely are gathered, so that a storm becomes one digest. A service that groups alerts itself gets an
 * event for each check instead.
 */

/** What is pending on one channel. */
export interface Pending {
  /** Oldest first. */
  queue: readonly StoredNotification[];
  /** When the last alerts came, sent or not, epoch ms; see {@link withArrivals}. */
  arrivals: readonly number[];
  /** Whether what is pending had to wait for the channel's rate. */
  wasLimited: boolean;
  /** When something was tried in the last minute, epoch ms. */
  sentAt: readonly number[];
  limits: OutboxLimits;
  port: Pick<DeliveryPort, 'groupsAlerts'>;
}

/** What the channel does next. */
export type Step =
  /** `isLimited`: for the channel's rate. */
  | { kind: 'wait'; until: number; isLimited: boolean }
  | { kind: 'alone'; notification: StoredNotification }
  /** In one message about many checks. */
  | { kind: 'together'; notifications: readonly StoredNotification[] }
  /** Only the newest of these, all known by one key. */
  | { kind: 'newest'; notifications: readonly StoredNotification[] };

export const RATE_WINDOW_MS = 60_000;
/** Services read events, so more of them may be sent. PagerDuty takes 120 a minute of one key. */
const EVENTS_PER_MINUTE = 60;

/** The longest that an alert waits for others to come with it. */
const GATHER_MS = 2_000;
/** Alerts within this time count as one storm. */
const STORM_WINDOW_MS = 10_000;
/** The digest of a storm is sent once no alert has come for so long. */
const STORM_QUIET_MS = 5_000;
/** Or so long after its first alert: checks that run every minute have all had a run by then. */
export const STORM_LONGEST_MS = 60_000;
/**
 * Most that one message stands for. Measured with 10,000 alerts pending: 5 ms to choose it and 4 ms to
 * copy it to the store's thread, each in a turn of its own.
 */
const MAX_TOGETHER = 500;
/** Most notifications that are searched for others about the checks of a digest. */
const MAX_LOOKED_THROUGH = 2_000;

/** Decides what comes next; `queue` holds at least one notification. */
export function planNext(pending: Pending, now: number): Step {
  const groupsAlerts = pending.port.groupsAlerts();
  const { messagesPerMinute } = pending.limits;
  const most = groupsAlerts ? Math.max(messagesPerMinute, EVENTS_PER_MINUTE) : messagesPerMinute;
  const sent = recent(pending.sentAt, now);
  const [oldest = now] = sent;
  if (sent.length >= most) {
    return { kind: 'wait', until: oldest + RATE_WINDOW_MS, isLimited: true };
  }
  return groupsAlerts ? planEvent(pending.queue, now) : planMessage(pending, now);
}

/** Times of the last minute; a later time is dropped, as the clock was set back. */
export function recent(times: readonly number[], now: number): number[] {
  return times.filter((at) => at <= now && now - at < RATE_WINDOW_MS);
}

/** The event about the check whose notification is the oldest. */
function planEvent(queue: readonly StoredNotification[], now: number): Step {
  const [head] = queue;
  if (head === undefined) throw new Error('Nothing is pending.');
  if (isBackingOff(head, now)) return waitUntil(head.dueAt);
  const key = incidentKey(head.notice);
  if (key === null) return { kind: 'alone', notification: head };
  const notifications = queue.filter(({ notice }) => incidentKey(notice) === key);
  return { kind: 'newest', notifications };
}

function waitUntil(until: number): Step {
  return { kind: 'wait', until, isLimited: false };
}

function planMessage(pending: Pending, now: number): Step {
  const { queue, wasLimited } = pending;
  const crowd = queue.filter(isGathered);
  const alone = queue.find((notification) => !isGathered(notification));
  const isTogether = wasLimited && crowd.length > 1;
  if (!isTogether && !isStorm(pending, crowd.length, now)) return planCalm(pending, alone, now);
  // A notification about the appliance itself is in no storm and does not wait for its end.
  if (alone) return { kind: 'alone', notification: alone };
  const until = isTogether ? now : stormEnd(crowd);
  if (now < until) return waitUntil(until);
  return { kind: 'together', notifications: firstChecks(crowd) };
}

/** All pending notifications about the first checks, so that the digest shows each as it is now. */
function firstChecks(crowd: readonly Gathered[]): readonly StoredNotification[] {
  if (crowd.length <= MAX_TOGETHER) return crowd;
  const first: StoredNotification[] = [];
  const seen = crowd.slice(0, MAX_LOOKED_THROUGH);
  for (const ofCheck of Map.groupBy(seen, ({ notice }) => notice.check.id).values()) {
    if (first.length > 0 && first.length + ofCheck.length > MAX_TOGETHER) break;
    first.push(...ofCheck.slice(0, MAX_TOGETHER));
  }
  return first;
}

/** The times of the last alerts, with those of notifications that came; as many as a storm needs. */
export function withArrivals(
  { arrivals, limits }: Pick<Pending, 'arrivals' | 'limits'>,
  came: readonly StoredNotification[],
): readonly number[] {
  const times = came.filter(isGathered).map(({ createdAt }) => createdAt);
  return [...arrivals, ...times].slice(-(limits.stormAlerts + 1));
}

function planCalm(pending: Pending, alone: StoredNotification | undefined, now: number): Step {
  const [head] = pending.queue;
  if (head === undefined) throw new Error('Nothing is pending.');
  if (isBackingOff(head, now)) return waitUntil(head.dueAt);
  const until = head.createdAt + GATHER_MS;
  // An alert with a later time shows that the clock was set back: it does not wait.
  const hasWaited = now >= until || head.createdAt > now;
  const isDue = hasWaited || alone !== undefined || isFirstBadNews(pending, head, now);
  return isDue ? { kind: 'alone', notification: head } : waitUntil(until);
}

/** Whether a notification waits for its retry, as after a restart. */
export function isBackingOff({ createdAt, dueAt }: StoredNotification, now: number): boolean {
  return dueAt > createdAt && now < dueAt && dueAt - now <= MAX_RETRY_AFTER_MS;
}

/** Whether an alert of trouble is the first in a while: it is sent at once; a recovery may wait. */
function isFirstBadNews(
  { arrivals }: Pending,
  { notice }: StoredNotification,
  now: number,
): boolean {
  return directionOf(notice) !== 'recovered' && within(arrivals, GATHER_MS, now) <= 1;
}

function isStorm({ arrivals, limits }: Pending, waiting: number, now: number): boolean {
  const { stormAlerts } = limits;
  if (stormAlerts === 0 || waiting === 0) return false;
  return waiting > stormAlerts || within(arrivals, STORM_WINDOW_MS, now) > stormAlerts;
}

function stormEnd(crowd: readonly StoredNotification[]): number {
  const first = crowd[0]?.createdAt ?? 0;
  const last = crowd.at(-1)?.createdAt ?? 0;
  return Math.min(last + STORM_QUIET_MS, first + STORM_LONGEST_MS);
}

function within(times: readonly number[], spanMs: number, now: number): number {
  return times.filter((at) => Math.abs(now - at) < spanMs).length;
}
