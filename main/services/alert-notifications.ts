import type { OutboxPort } from '#main/notifications/outbox-port.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { History } from '#main/store/history/history.ts';
import { NOTIFICATION_WINDOW_MS } from '#shared/api/time-range.ts';
import type { ShownNotification } from '#shared/notifications/alert-notification.ts';
import { mapChannelSecrets } from '#shared/notifications/config.ts';
import type { LoggedNotification } from '#shared/notifications/notification.ts';
import type { Listed, ServiceParts } from './resource.ts';
import { notFound } from './service-error.ts';
import { type RangePageQuery, rangePageOf } from './time-range.ts';

interface AlertNotificationParts extends Pick<ServiceParts, 'configuration' | 'clock'> {
  history: Pick<History, 'listNotifications'>;
  outbox: Pick<OutboxPort, 'resend'>;
}

interface NotificationFilters extends RangePageQuery {
  alertChannelId?: number | undefined;
  /** True: only those that nobody got; false: all others. */
  hasFailures?: boolean | undefined;
}

const HIDDEN = '***';

/** The delivery log: what was sent to alert channels. */
export class AlertNotifications {
  readonly #parts: AlertNotificationParts;

  constructor(parts: AlertNotificationParts) {
    this.#parts = parts;
  }

  /** Newest first. @throws ServiceError INVALID where the time range is too wide */
  async list(query: NotificationFilters): Promise<Listed<ShownNotification>> {
    const { alertChannelId, hasFailures } = query;
    const { notifications, total } = await this.#parts.history.listNotifications({
      ...rangePageOf(query, NOTIFICATION_WINDOW_MS, this.#parts),
      channelId: alertChannelId === undefined ? undefined : String(alertChannelId),
      hasFailures,
    });
    const { configuration } = this.#parts;
    return { items: notifications.map((one) => shownNotification(one, configuration)), total };
  }

  /** Sends a notification again, as a new one. @throws ServiceError NOT_FOUND */
  async resend(id: string): Promise<ShownNotification> {
    const again = await this.#parts.outbox.resend(id);
    if (again === null) {
      throw notFound(`No notification over a channel that exists has the id ${id}`);
    }
    return shownNotification(again, this.#parts.configuration);
  }
}

/** With the config of its channel as it is now. */
export function shownNotification(
  notification: LoggedNotification,
  { channels }: Pick<Configuration, 'channels'>,
): ShownNotification {
  const channel = channels.get(notification.channelId);
  return { notification, config: channel ? mapChannelSecrets(channel, () => HIDDEN) : {} };
}
