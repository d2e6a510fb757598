import type { NextId } from '#main/platform/id-sequence.ts';
import { type AlertChannel, channelName } from '#shared/notifications/channel.ts';
import { checkIncidentKey } from '#shared/notifications/incident-key.ts';
import type { ApplianceContent } from '#shared/notifications/notice.ts';
import {
  ABOUT_NO_CHECK,
  pendingFrom,
  type StoredNotification,
} from '#shared/notifications/notification.ts';
import type { ChannelTrouble } from './channel-health.ts';

/** A notification to be sent once more, as a new one. */
export function sentAgain(notification: StoredNotification, stamp: NextId): StoredNotification {
  return { ...notification, ...pendingFrom(stamp) };
}

/** The event that resolves the incident of a check at a service that groups alerts itself. */
export function resolveNotification(
  { id: channelId, type: channelType }: AlertChannel,
  checkId: string,
  stamp: NextId,
): StoredNotification {
  const startedAt = new Date(stamp.at).toISOString();
  return {
    ...pendingFrom(stamp),
    ...ABOUT_NO_CHECK,
    channelId,
    channelType,
    notice: { kind: 'closing', incident: checkIncidentKey(checkId), startedAt, link: null },
  };
}

/** The notification that a channel is unhealthy, or works again. */
export function channelContent(
  channel: AlertChannel,
  { isOver, reason, since, lastedMs }: ChannelTrouble,
  at: number,
): ApplianceContent {
  const name = channelName(channel);
  return {
    kind: 'own',
    condition: 'CHANNEL_DEAD',
    channelId: channel.id,
    isOver,
    reason: isOver ? `${name} takes messages again` : `${name} takes no messages: ${reason}`,
    since,
    lastedMs,
    startedAt: new Date(at).toISOString(),
    link: null,
  };
}
