import type { CheckOutcome } from '#main/incidents/incident-port.ts';
import type { AlertCause } from '#shared/alerting/kept-alert-state.ts';
import { variablesOf } from '#shared/notifications/variables.ts';
import { unknownCause } from './alert-records.ts';
import type { NotificationRequest } from './build-notifications.ts';
import { alertContent } from './notification-content.ts';

/** A decision as automation of incidents sees it; null of a reminder and of an inconclusive run. */
export function outcomeOf(
  request: NotificationRequest,
  cause: AlertCause | undefined,
): CheckOutcome | null {
  const { subject, decision, before, final, at } = request;
  if (final === null || final.verdict === 'inconclusive') return null;
  const { standing, flapping } = decision.state;
  return {
    check: subject.check,
    standing,
    at,
    failureAlert: standing === 'failing' ? failureAlertOf(request, cause) : null,
    isFlapping: flapping.episode !== null,
    incidentId: before?.incidentId,
  };
}

/** Told of a run, of flapping or of settling, templates read it as one that the check has failed. */
function failureAlertOf(
  { subject, decision: { alert }, at, baseUrl }: NotificationRequest,
  cause = unknownCause(at),
): CheckOutcome['failureAlert'] {
  if (!alert?.notify || alert.type === 'NO_ALERT') return null;
  const told = { ...alert, type: alert.type };
  return () => variablesOf(alertContent(told, { subject, cause, baseUrl, at }));
}
