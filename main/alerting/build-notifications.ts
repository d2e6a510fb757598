import type { NextId } from '#main/platform/id-sequence.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { Alert, AlertDecision } from '#shared/alerting/alert.ts';
import type { FinalRun } from '#shared/alerting/final-run.ts';
import type { AlertCause, KeptAlertState } from '#shared/alerting/kept-alert-state.ts';
import { channelWants } from '#shared/notifications/channel-flags.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { type AlertContext, type AlertSources, channelsOf } from './alert-context.ts';
import type { PendingRecords } from './alert-port.ts';
import { causeFrom, pendingFor, storedAlert, unknownCause } from './alert-records.ts';
import { failureSummaryOf } from './failure-summary.ts';
import { alertContent, flappingContent } from './notification-content.ts';

/** A decision about a check, with all that its notifications are built from. */
export interface NotificationRequest {
  subject: AlertContext;
  decision: AlertDecision;
  before: KeptAlertState | undefined;
  /** What gave rise to it; null of a reminder. */
  final: FinalRun | null;
  /** The detail of its result, JSON text. */
  detail: string | undefined;
  /** Epoch ms: when the run was judged, and what the clock shows. */
  at: number;
  now: number;
  sources: AlertSources;
  /** The id and time of a notification that becomes pending now. */
  stamp(): NextId;
  baseUrl: string;
}

/** What to record and to send, and the cause to remember for reminders. */
export function buildNotifications(request: NotificationRequest): {
  cause: AlertCause | undefined;
  facts: PendingRecords;
} {
  const { decision, before, subject, now } = request;
  const { alert, state } = decision;
  if (alert === null) {
    return { cause: state.standing === 'passing' ? undefined : before?.cause, facts: {} };
  }
  const alertId = alert.isNew ? uuidAt(now) : (before?.cause?.alertId ?? null);
  const cause = causeOf(request, alert, alertId);
  const isRecorded = alert.isNew && alertId !== null;
  const notifications = notificationsOf(request, alert, cause);
  const withheld = alert.withheld ?? (notifications.length === 0 ? 'unheard' : null);
  return {
    cause: state.standing === 'passing' ? undefined : cause,
    facts: {
      alerts: isRecorded
        ? [storedAlert(subject.check, { ...alert, withheld }, { ...cause, alertId }, now)]
        : [],
      notifications,
    },
  };
}

/** A reminder says again what the alert said; the detail is read only for what is sent. */
function causeOf(
  { before, final, detail, now }: NotificationRequest,
  alert: Alert,
  alertId: string | null,
) {
  if (final === null) return before?.cause ?? unknownCause(before?.raised?.lastAt ?? now);
  return causeFrom(final, failureSummaryOf(alert.notify ? detail : undefined), alertId);
}

function notificationsOf(request: NotificationRequest, alert: Alert, cause: AlertCause) {
  const { subject, sources, stamp } = request;
  const { check } = subject;
  if (!alert.notify) return [];
  const content = contentOf(request, alert, cause);
  if (content === null) return [];
  const wanting = channelsOf(check, sources).filter((channel) =>
    channelWants(channel, alert.type, alert.told),
  );
  return pendingFor(wanting, content, { check, cause, stamp });
}

function contentOf(
  request: NotificationRequest,
  alert: Alert,
  cause: AlertCause,
): NotificationContent | null {
  const { subject, decision, baseUrl, at } = request;
  const parts = { subject, cause, baseUrl, at };
  const { type, occasion } = alert;
  if (occasion === 'flapping') return flappingContent(alert, null, parts);
  if (occasion === 'settled') return flappingContent(alert, decision.state.standing, parts);
  return type === 'NO_ALERT' ? null : alertContent({ ...alert, type }, parts);
}
