import type { NotificationContent } from './notice.ts';

/**
 * What a notice is about, the same for its beginning and its end: services that keep incidents open
 * and close them by it. At most 100 characters; null where no incident begins or ends with it.
 */
export function incidentKey(notice: NotificationContent): string | null {
  switch (notice.kind) {
    case 'alert':
      return notice.alertType === 'ALERT_SSL'
        ? `watchpost-certificate-${notice.check.id}`
        : `watchpost-check-${notice.check.id}`;
    case 'test':
      return 'watchpost-test';
    case 'flapping':
      return `watchpost-check-${notice.check.id}`;
    case 'digest':
    case 'closing':
      return notice.incident;
    case 'own': {
      const condition = notice.condition.toLowerCase();
      return `watchpost-own-${[condition, notice.channelId].filter((part) => part).join('-')}`;
    }
  }
}
