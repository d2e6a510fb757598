import type { NextId } from '#main/platform/id-sequence.ts';
import type { Clock } from '#shared/clock.ts';
import type { ChannelState } from '#shared/notifications/channel-state.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import type { ChannelTrouble } from './channel-health.ts';
import type { Delivery } from './channels/sender.ts';
import type { OutboxLimits } from './delivery-plan.ts';

export interface DeliveryInput {
  clock: Clock;
  limits: OutboxLimits;
  /** What was known of the channel before; null: nothing. */
  state: ChannelState | null;
  /** Given with the input and not by `provide`, which would make a machine for each channel. */
  port: DeliveryPort;
}

/** What the machine has done by others. None of it throws or rejects. */
export interface DeliveryPort {
  /** For a notification that comes to be owed now. */
  stamp(): NextId;
  /** Whether there still is such a channel. */
  channelExists(): boolean;
  checkExists(checkId: string): boolean;
  /** Whether the channel, by its type of now, leads to a service that keeps incidents. */
  keepsIncidents(): boolean;
  /** Sends once, by the channel's config of now. */
  send(notification: StoredNotification): Promise<Delivery>;
  /**
   * Has notifications kept as they are, with what is known of the channel; resolves, after the first
   * try, with whether they are.
   */
  keep(notifications: readonly StoredNotification[], state: ChannelState): Promise<boolean>;
  /** Has the incidents with these keys closed at the channel's service, each by an event that it owes. */
  close(incidents: readonly string[], state: ChannelState): void;
  /** Nothing more is done about these. */
  release(notifications: readonly StoredNotification[]): void;
  /** The channel counts as dead, or works again. */
  tellTrouble(trouble: ChannelTrouble): void;
  /** How many notifications a dead channel may owe. */
  mostPendingWhileUnhealthy(): number;
}
