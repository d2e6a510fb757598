import type { NextId } from '#main/platform/id-sequence.ts';
import type { Alert } from '#shared/alerting/alert.ts';
import type { FinalRun } from '#shared/alerting/final-run.ts';
import type { AlertCause } from '#shared/alerting/kept-alert-state.ts';
import { heartbeatOutcome } from '#shared/alerting/outcome.ts';
import type { StoredAlert } from '#shared/alerting/stored-alert.ts';
import { cut } from '#shared/assertions/text.ts';
import type { Check } from '#shared/checks/check.ts';
import type { AlertChannel } from '#shared/notifications/channel.ts';
import type { NotificationContent } from '#shared/notifications/notice.ts';
import { pendingFrom, type StoredNotification } from '#shared/notifications/notification.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import type { FailureSummary } from './failure-summary.ts';

/** Characters of an error that are told. */
const MAX_ERROR = 2_000;

/** A heartbeat event as if it were a run: each missed deadline is a failing one. */
export function heartbeatFinal(event: StoredHeartbeatEvent): FinalRun {
  const { at, verdicts } = heartbeatOutcome(event);
  const [verdict = 'inconclusive'] = verdicts;
  return {
    resultId: null,
    eventId: event.id,
    verdict,
    location: null,
    startedAt: at,
    settledAt: at,
    responseTime: null,
    statusCode: null,
    error: verdict === 'failing' ? 'No ping came before the deadline' : null,
  };
}

/** What an alert tells of the run that caused it. */
export function causeFrom(
  { resultId, eventId, location, startedAt, responseTime, statusCode, error }: FinalRun,
  findings: FailureSummary,
  alertId: string | null,
): AlertCause {
  return {
    alertId,
    resultId,
    ...(eventId && { eventId }),
    location,
    startedAt,
    responseTime,
    statusCode,
    error: error === null ? null : cut(error, MAX_ERROR),
    ...findings,
  };
}

/** Of a trouble whose alert is not known any more. */
export function unknownCause(startedAt: number): AlertCause {
  return {
    alertId: null,
    resultId: null,
    location: null,
    startedAt,
    responseTime: null,
    statusCode: null,
    statusText: null,
    error: null,
    failedAssertion: null,
  };
}

/** An alert as it is kept; `now` is in epoch ms. */
export function storedAlert(
  { id: checkId, checkType, name }: Check,
  {
    type: alertType,
    occasion,
    withheld,
  }: Pick<Alert, 'type' | 'occasion'> & Pick<StoredAlert, 'withheld'>,
  cause: AlertCause & { alertId: string },
  now: number,
): StoredAlert {
  return {
    id: cause.alertId,
    checkId,
    checkType,
    name,
    alertType,
    occasion,
    withheld,
    runLocation: cause.location,
    responseTime: cause.responseTime,
    error: cause.error,
    statusCode: cause.statusCode,
    resultId: cause.resultId,
    startedAt: cause.startedAt,
    createdAt: now,
  };
}

/** One content for each of these channels; each notification has an id of its own. */
export function pendingFor(
  channels: readonly AlertChannel[],
  content: NotificationContent,
  { check, cause, stamp }: { check: Check; cause: AlertCause; stamp: () => NextId },
): StoredNotification[] {
  return channels.map(({ id: channelId, type: channelType }) => ({
    ...pendingFrom(stamp()),
    channelId,
    channelType,
    notice: content,
    checkId: check.id,
    checkType: check.checkType,
    checkAlertId: cause.alertId,
    checkResultId: cause.resultId,
  }));
}
