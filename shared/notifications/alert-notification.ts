import { z } from 'zod';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { CHANNEL_TYPES } from './config.ts';
import type { LoggedNotification, NotificationStatus } from './notification.ts';

/** A line of the delivery log as the API answers it. */
export const alertNotification = z.object({
  id: z.guid(),
  type: z.enum(CHANNEL_TYPES),
  status: z.enum(['IN_PROGRESS', 'SUCCESS', 'FAILURE', 'RATE_LIMITED']),
  alertConfig: z.record(z.string(), z.unknown()),
  notificationResult: z.string().nullable(),
  timestamp: z.iso.datetime(),
  // Left out of what is about no single check, as clients know no null here.
  checkType: z.enum(CHECK_TYPES).optional(),
  checkId: z.guid().optional(),
  checkAlertId: z.string().optional(),
  alertChannelId: z.int().positive(),
  checkResultId: z.string().optional(),
  /** The id of the digest that it was sent in; left out of what was sent by itself. */
  digestId: z.guid().optional(),
});
export type AlertNotification = z.output<typeof alertNotification>;

/** In words that clients know. */
const SHOWN_STATUSES = {
  PENDING: 'IN_PROGRESS',
  IN_PROGRESS: 'IN_PROGRESS',
  SUCCESS: 'SUCCESS',
  DIGESTED: 'SUCCESS',
  FAILURE: 'FAILURE',
  RATE_LIMITED: 'RATE_LIMITED',
} as const satisfies { [S in NotificationStatus]: AlertNotification['status'] };

/** A line of the delivery log and the config of its channel. */
export interface ShownNotification {
  notification: LoggedNotification;
  /** As it is now, without secrets; empty where the channel is gone. */
  config: Record<string, unknown>;
}

/** A notification in a digest shows what became of the digest, which it names. */
export function viewAlertNotification({
  notification,
  config,
}: ShownNotification): AlertNotification {
  const { status, outcome } = notification.carrier ?? notification;
  return {
    id: notification.id,
    type: notification.channelType,
    status: SHOWN_STATUSES[status],
    alertConfig: config,
    notificationResult: outcome,
    timestamp: new Date(notification.createdAt).toISOString(),
    checkType: notification.checkType ?? undefined,
    checkId: notification.checkId ?? undefined,
    checkAlertId: notification.checkAlertId ?? undefined,
    alertChannelId: Number(notification.channelId),
    checkResultId: notification.checkResultId ?? undefined,
    digestId: notification.carrier?.id ?? notification.digestId ?? undefined,
  };
}
