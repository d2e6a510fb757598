import type { Notice } from './notice.ts';

/**
 * What a notice is about, the same for its beginning and its end: services that keep incidents open
 * and close them by it. At most 100 characters.
 */
export function incidentKey(notice: Notice): string {
  switch (notice.kind) {
    case 'alert':
      return notice.alertType === 'ALERT_SSL'
        ? `watchpost-certificate-${notice.check.id}`
        : `watchpost-check-${notice.check.id}`;
    case 'flapping':
      return `watchpost-check-${notice.check.id}`;
    case 'digest':
      return notice.direction === 'expiring' ? 'watchpost-certificates' : 'watchpost-storm';
    case 'own':
      return `watchpost-own-${notice.condition.toLowerCase()}`;
  }
}
