import type { CheckType } from '#shared/checks/enums.ts';
import type { AlertChannel } from './channel.ts';
import type { ChannelType } from './config.ts';
import type { ApplianceContent, NotificationContent } from './notice.ts';

/**
 * A notification: one content for one channel. It is written with the alert that causes it, sent at
 * least once, and then a line of the delivery log. Times are epoch ms.
 */

/**
 * PENDING: not sent yet. IN_PROGRESS: being sent; after a crash it is pending again. RATE_LIMITED and
 * FAILURE: given up. DIGESTED: replaced by a digest.
 */
export const NOTIFICATION_STATUSES = [
  'PENDING',
  'IN_PROGRESS',
  'SUCCESS',
  'FAILURE',
  'RATE_LIMITED',
  'DIGESTED',
] as const;
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

/** Statuses in which a notification is no longer pending. */
export const SETTLED_STATUSES = [
  'SUCCESS',
  'FAILURE',
  'RATE_LIMITED',
  'DIGESTED',
] as const satisfies readonly NotificationStatus[];

/** Those of them in which nobody was told. */
export const FAILED_STATUSES = [
  'FAILURE',
  'RATE_LIMITED',
] as const satisfies readonly NotificationStatus[];

/** Whether a notification is still to be sent. */
export function isUnsent(status: NotificationStatus): boolean {
  return !(SETTLED_STATUSES as readonly NotificationStatus[]).includes(status);
}

export interface StoredNotification {
  /** UUIDv7 of `createdAt`. */
  id: string;
  /** Digits: the id of its channel. */
  channelId: string;
  channelType: ChannelType;
  status: NotificationStatus;
  /** What is told. */
  notice: NotificationContent;
  /** Null of what is about no single check. */
  checkId: string | null;
  checkType: CheckType | null;
  checkAlertId: string | null;
  checkResultId: string | null;
  /** Tries made. */
  tries: number;
  /** Not before this time. */
  dueAt: number;
  createdAt: number;
  /** When it came to its present status. */
  settledAt: number | null;
  /** What the last try brought: a status and a time, never a remote body with secrets in it. */
  outcome: string | null;
  /** The notification that was sent in place of this one. */
  digestId: string | null;
}

/** A line of the delivery log. */
export interface LoggedNotification extends StoredNotification {
  /** Of one that is DIGESTED: the digest that was sent for it, or is to be; missing where none is known. */
  carrier?: Pick<StoredNotification, 'id' | 'status' | 'outcome'> | null;
}

/** What a notification begins with. `at` is epoch ms, the time of the id. */
export function pendingFrom({ id, at }: { id: string; at: number }) {
  return {
    id,
    status: 'PENDING',
    tries: 0,
    dueAt: at,
    createdAt: at,
    settledAt: null,
    outcome: null,
    digestId: null,
  } satisfies Partial<StoredNotification>;
}

/** Of a notification that is about no single check. */
export const ABOUT_NO_CHECK = {
  checkId: null,
  checkType: null,
  checkAlertId: null,
  checkResultId: null,
} satisfies Partial<StoredNotification>;

/** A notification about the monitor itself, to one channel. */
export function applianceNotification(
  { id: channelId, type: channelType }: AlertChannel,
  notice: ApplianceContent,
  given: { id: string; at: number },
): StoredNotification {
  return { ...pendingFrom(given), ...ABOUT_NO_CHECK, channelId, channelType, notice };
}
