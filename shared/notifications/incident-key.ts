import type { ChannelType } from './config.ts';
import type { NotificationContent } from './notice.ts';

/** Services that group alerts themselves: each check has an event of its own, with a key of its own. */
const GROUPING_SERVICES: ReadonlySet<ChannelType> = new Set(['PAGERDUTY', 'OPSGENIE']);

export function groupsAlerts(type: ChannelType): boolean {
  return GROUPING_SERVICES.has(type);
}

/** What the trouble of a check is known by, from its first alert to its recovery. */
export function checkIncidentKey(checkId: string): string {
  return `watchpost-check-${checkId}`;
}

/**
 * What a notice is about, the same for its beginning and its end: services that keep incidents open
 * and close them by it. At most 100 characters; null where no incident begins or ends with it.
 */
export function incidentKey(notice: NotificationContent): string | null {
  switch (notice.kind) {
    case 'alert':
      return notice.alertType === 'ALERT_SSL'
        ? `watchpost-certificate-${notice.check.id}`
        : checkIncidentKey(notice.check.id);
    case 'test':
      return 'watchpost-test';
    case 'flapping':
      return checkIncidentKey(notice.check.id);
    case 'digest':
    case 'closing':
      return notice.incident;
    case 'own': {
      const condition = notice.condition.toLowerCase();
      return `watchpost-own-${[condition, notice.channelId, notice.slo?.id].filter((part) => part).join('-')}`;
    }
  }
}
