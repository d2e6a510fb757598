import type { NextId } from '#main/platform/id-sequence.ts';
import type { Clock } from '#shared/clock.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import type { ChannelTrouble } from './channel-health.ts';
import type { Delivery } from './channels/sender.ts';

/** What the operator has set; docs/settings.md. */
export interface OutboxLimits {
  /** More alerts than this within ten seconds become one message; 0: never for that. */
  stormAlerts: number;
  /** Attempts to send in any minute; what is beyond waits, and goes in one message. */
  messagesPerMinute: number;
}

export interface DeliveryInput {
  clock: Clock;
  limits: OutboxLimits;
  /** What was known of the channel before; null: nothing. */
  state: ChannelState | null;
  /** Given with the input and not by `provide`, which would make a machine for each channel. */
  port: DeliveryPort;
}

/** The port of the delivery machine. None of it throws or rejects. */
export interface DeliveryPort {
  /** For a notification that becomes pending now. */
  stamp(): NextId;
  /** Whether there still is such a channel. */
  channelExists(): boolean;
  /** Whether the channel, by its type of now, leads to a service that groups alerts itself. */
  groupsAlerts(): boolean;
  /** Sends once, by the channel's config of now. */
  send(notification: StoredNotification): Promise<Delivery>;
  /**
   * Has notifications written as they are, with what is known of the channel; resolves, after the first
   * try, with whether they are.
   */
  write(notifications: readonly StoredNotification[], state: ChannelState): Promise<boolean>;
  /** Releases notifications that are no longer pending. */
  release(notifications: readonly StoredNotification[]): void;
  /** Notifies the other channels that this one is unhealthy, or works again. */
  reportTrouble(trouble: ChannelTrouble): void;
  /** Most pending notifications of an unhealthy channel. */
  mostPendingWhileUnhealthy(): number;
}
