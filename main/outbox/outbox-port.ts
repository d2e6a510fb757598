import type { StoredNotification } from '#shared/channel/notification.ts';

/** Where notifications leave. */
export interface Outbox {
  /** Has notifications sent that are kept already. Never throws; what it cannot hold is sent later. */
  take(notifications: readonly StoredNotification[]): void;
  /** Sends a notification again, as a new one; null where it is unknown or its channel is gone. */
  resend(notificationId: string): Promise<StoredNotification | null>;
}
