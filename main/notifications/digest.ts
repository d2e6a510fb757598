import type { NextId } from '#main/platform/id-sequence.ts';
import { ALERT_SUBJECTS, type AlertSubject } from '#shared/alerting/alert-type.ts';
import { assertionText } from '#shared/notifications/assertion-text.ts';
import { incidentKey } from '#shared/notifications/incident-key.ts';
import { shortened } from '#shared/notifications/message.ts';
import type {
  AlertContent,
  DigestContent,
  FlappingContent,
  NotificationContent,
} from '#shared/notifications/notice.ts';
import {
  ABOUT_NO_CHECK,
  pendingFrom,
  type StoredNotification,
} from '#shared/notifications/notification.ts';

/** A digest: many alerts in one message. */

type Direction = DigestContent['direction'];

/** One message, and the notifications that it stands for. */
export interface Digest {
  notification: StoredNotification;
  /** Settled as DIGESTED with the message's id; none where it stands only for itself. */
  replaced: readonly StoredNotification[];
}

type GatheredContent = AlertContent | FlappingContent;
export type Gathered = StoredNotification & { notice: GatheredContent };

const DIRECTIONS = {
  failing: 'failing',
  degraded: 'degraded',
  passing: 'recovered',
  expiry: 'expiring',
} as const satisfies Record<Exclude<AlertSubject, 'nothing'>, Direction>;

/** Most groups, causes and checks that a digest names. */
const MAX_GROUPS = 5;
const MAX_CAUSES = 3;
const MAX_NAMES = 10;
/** Characters of a cause: a script that fails tells of it in many lines. */
const MAX_CAUSE_CHARS = 200;

/** Which digest a content belongs to; null for one that is always sent alone. */
export function directionOf(content: NotificationContent): Direction | null {
  if (content.kind === 'alert') return DIRECTIONS[ALERT_SUBJECTS[content.alertType]];
  if (content.kind === 'flapping') return DIRECTIONS[content.settledAs ?? 'degraded'];
  return null;
}

/**
 * The next message for notifications that are sent together. It has the newest alert of each check,
 * and only of checks in the same state as the first: a check that failed and recovered meanwhile
 * counts as recovered. Where one check is left, its newest alert is sent as it is.
 *
 * @param notifications at least one, oldest first; only of alerts and of flapping
 * @param made for the digest
 */
export function digestOf(notifications: readonly StoredNotification[], made: NextId): Digest {
  const gathered = notifications.filter(isGathered);
  const newest = new Map(gathered.map((one) => [incidentKey(one.notice), one]));
  const directionNow = (one: Gathered) =>
    directionOf((newest.get(incidentKey(one.notice)) ?? one).notice);
  const [first] = gathered;
  if (first === undefined) throw new Error('There is nothing to send.');
  const direction = directionNow(first) ?? 'failing';
  const members = gathered.filter((one) => directionNow(one) === direction);
  const told = [...newest.values()].filter(({ notice }) => directionOf(notice) === direction);
  const [only] = told;
  const notification =
    told.length === 1 && only !== undefined ? only : digest(first, told, direction, made);
  return {
    notification,
    replaced: members
      .filter((one) => one !== notification)
      .map((one) => digested(one, notification.id, made.at)),
  };
}

/**
 * The newest of the notifications that a service knows by one key: it replaces the older ones, which
 * are no longer true.
 *
 * @param notifications at least one, oldest first
 */
export function newestOf(notifications: readonly StoredNotification[], at: number): Digest {
  const notification = notifications.at(-1);
  if (notification === undefined) throw new Error('There is nothing to send.');
  return {
    notification,
    replaced: notifications.slice(0, -1).map((one) => digested(one, notification.id, at)),
  };
}

/** Whether a notification may be in a digest: those about the appliance, and digests, never are. */
export function isGathered(notification: StoredNotification): notification is Gathered {
  const { kind } = notification.notice;
  return kind === 'alert' || kind === 'flapping';
}

function digested(one: StoredNotification, digestId: string, at: number): StoredNotification {
  return { ...one, status: 'DIGESTED', digestId, settledAt: at };
}

function digest(
  { channelId, channelType }: StoredNotification,
  told: readonly Gathered[],
  direction: Direction,
  stamp: NextId,
): StoredNotification {
  const contents = told.map(({ notice }) => notice);
  return {
    ...pendingFrom(stamp),
    ...ABOUT_NO_CHECK,
    channelId,
    channelType,
    notice: digestContent(contents, direction),
  };
}

function digestContent(contents: readonly GatheredContent[], direction: Direction): DigestContent {
  const starts = contents.map(({ startedAt }) => startedAt).toSorted();
  const causes = new Set(contents.flatMap((content) => causeOf(content) ?? []));
  return {
    kind: 'digest',
    direction,
    count: contents.length,
    groups: largestGroups(contents),
    causes: [...causes].slice(0, MAX_CAUSES),
    checkNames: contents.slice(0, MAX_NAMES).map(({ check }) => check.name),
    incident: null,
    startedAt: starts[0] ?? '',
    link: null,
  };
}

function largestGroups(contents: readonly GatheredContent[]): DigestContent['groups'] {
  const counts = new Map<string | null, number>();
  for (const { groupName } of contents) counts.set(groupName, (counts.get(groupName) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_GROUPS);
}

/** The cause in a few words; null where the content has none. */
function causeOf(content: GatheredContent): string | null {
  if (content.kind === 'flapping') return content.settledAs === null ? 'flapping' : null;
  const { ssl, error, failedAssertion, statusCode } = content;
  if (ssl !== null) return `${ssl.domain}: ${ssl.daysRemaining} days left`;
  if (error !== null) return shortened(error, MAX_CAUSE_CHARS);
  if (failedAssertion !== null) return assertionText(failedAssertion);
  if (directionOf(content) === 'recovered') return null;
  return statusCode === null ? null : `status ${statusCode}`;
}
