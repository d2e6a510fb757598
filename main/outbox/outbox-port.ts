import type { StoredNotification } from '#shared/channel/notification.ts';

/** Where notifications leave. */
export interface Outbox {
  /** Has notifications sent that are kept already. Never throws; what it cannot hold is sent later. */
  take(notifications: readonly StoredNotification[]): void;
  /**
   * Has news of the monitor itself kept and sent; sent as well where the store takes nothing. Never
   * rejects.
   */
  takeUnkept(notifications: readonly StoredNotification[]): Promise<void>;
  /** Sends a notification again, as a new one; null where it is unknown or its channel is gone. */
  resend(notificationId: string): Promise<StoredNotification | null>;
}
