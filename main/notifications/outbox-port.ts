import type { NextId } from '#main/platform/id-sequence.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';

/** The outbox, as the engines see it. */
export interface OutboxPort {
  /** Id and time of a notification that becomes pending now; whose id is later is sent later. */
  stamp(): NextId;
  /** Has notifications sent that are written already. Never throws; what it cannot hold is sent later. */
  enqueue(notifications: readonly StoredNotification[]): void;
  /**
   * Has news of the monitor itself written and sent, each with a stamp of now; sent as well where the
   * store takes nothing. Never rejects.
   */
  writeAndEnqueue(notifications: readonly StoredNotification[]): Promise<void>;
  /**
   * Has those of these channels that group alerts themselves resolve the incident of a check, as after
   * its deletion nothing else does. Never rejects.
   */
  resolve(checkId: string, channels: readonly AlertChannel[]): Promise<void>;
  /** Sends a notification again, as a new one; null where it is unknown or its channel is gone. */
  resend(notificationId: string): Promise<StoredNotification | null>;
}
