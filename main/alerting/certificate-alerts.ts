import { uuidAt } from '#main/platform/uuid-at.ts';
import type { AlertPolicy } from '#shared/alerting/alert.ts';
import { type SeenCertificate, type SslAlert, sslAlertAfter } from '#shared/alerting/ssl.ts';
import type { SslState } from '#shared/alerting/ssl-state.ts';
import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { channelsOf } from './alert-context.ts';
import { pendingFor, storedAlert, unknownCause } from './alert-records.ts';
import type { NotificationRequest } from './build-notifications.ts';
import { certificateContent } from './notification-content.ts';

type CertificateRequest = Pick<
  NotificationRequest,
  'subject' | 'sources' | 'now' | 'stamp' | 'baseUrl'
>;

interface Told {
  state: SslState;
  alerts: StoredAlert[];
  notifications: StoredNotification[];
}

/**
 * Alerts about certificates of a run that end soon, for the channels that want them. Where there is no
 * alert, the state is the same object that was given.
 */
export function certificateAlerts(
  certificates: readonly SeenCertificate[],
  state: SslState,
  policy: AlertPolicy,
  request: CertificateRequest,
): Told {
  const thresholds = watching(request).map(({ sslExpiryThreshold }) => sslExpiryThreshold);
  const told: Told = { state, alerts: [], notifications: [] };
  for (const certificate of certificates) {
    const after = sslAlertAfter(told.state, certificate, thresholds, policy);
    told.state = after.state;
    if (after.alert === null) continue;
    const { alerts, notifications } = factsOf(after.alert, certificate, request);
    told.alerts.push(...alerts);
    told.notifications.push(...notifications);
  }
  return told;
}

function watching({ subject: { check }, sources }: CertificateRequest) {
  return channelsOf(check, sources).filter(({ sslExpiry }) => sslExpiry);
}

function factsOf(alert: SslAlert, { at }: SeenCertificate, request: CertificateRequest) {
  const { now, stamp, baseUrl, subject } = request;
  const { check } = subject;
  const alertId = uuidAt(now);
  const cause = { ...unknownCause(at), alertId };
  const due = watching(request).filter(({ sslExpiryThreshold: days }) =>
    alert.thresholds.includes(days),
  );
  const stored = storedAlert(
    check,
    { type: alert.type, occasion: 'run', withheld: null },
    cause,
    now,
  );
  const content = certificateContent(alert, { subject, baseUrl, at });
  return { alerts: [stored], notifications: pendingFor(due, content, { check, cause, stamp }) };
}
