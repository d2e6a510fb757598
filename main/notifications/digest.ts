import type { NextId } from '#main/platform/id-sequence.ts';
import { ALERT_SUBJECTS, type AlertSubject } from '#shared/alerting/alert-type.ts';
import { assertionText } from '#shared/notifications/assertion-text.ts';
import { incidentKey } from '#shared/notifications/incident-key.ts';
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

/** Many alerts in one message. */

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

/** What a message can name before people stop reading. */
const MAX_GROUPS = 5;
const MAX_CAUSES = 3;
const MAX_NAMES = 10;

/** Which digest a content would be in; null for one that is always told on its own. */
export function directionOf(content: NotificationContent): Direction | null {
  if (content.kind === 'alert') return DIRECTIONS[ALERT_SUBJECTS[content.alertType]];
  if (content.kind === 'flapping') return DIRECTIONS[content.settledAs ?? 'degraded'];
  return null;
}

/**
 * The next message over notifications that are told together: about each check its newest alert
 * only, and only the checks that stand as the one named first. A check that failed and recovered
 * meanwhile is told as recovered. Where that leaves one check, its newest alert is sent as it is.
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
 * The newest of notifications that a service knows by one key: an older one says what is not true
 * any more.
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

/** Whether it may be told together with others: news of the monitor itself, and digests, never are. */
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

/** Why, in a few words; null where the content tells of no trouble, or of none with a cause. */
function causeOf(content: GatheredContent): string | null {
  if (content.kind === 'flapping') return content.settledAs === null ? 'flapping' : null;
  const { ssl, error, failedAssertion, statusCode } = content;
  if (ssl !== null) return `${ssl.domain}: ${ssl.daysRemaining} days left`;
  if (error !== null) return error;
  if (failedAssertion !== null) return assertionText(failedAssertion);
  if (directionOf(content) === 'recovered') return null;
  return statusCode === null ? null : `status ${statusCode}`;
}
