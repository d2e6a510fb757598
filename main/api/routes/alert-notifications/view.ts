import { mapChannel } from '#main/store/configuration/secret-members.ts';
import {
  type AlertNotification,
  viewAlertNotification,
} from '#shared/notifications/alert-notification.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import type { Context } from '../../operation.ts';

const HIDDEN = '***';

/** A notification with its channel's config as it is now; what is encrypted of it reads `***`. */
export function viewNotification(
  notification: StoredNotification,
  { configuration }: Context,
): AlertNotification {
  const channel = configuration.channels.get(notification.channelId);
  const hidden = channel && (mapChannel(channel, () => HIDDEN) as typeof channel);
  return viewAlertNotification(notification, { ...hidden?.config });
}
