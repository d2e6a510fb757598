import type { Log } from '#main/platform/log.ts';
import { uuidAt } from '#main/platform/uuid-at.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { Clock } from '#shared/clock.ts';
import { automaticIncident, type FillIn } from '#shared/incidents/automatic-incident.ts';
import type { Finding } from '#shared/incidents/automatic-updates.ts';
import type { StoredIncident } from '#shared/incidents/incident.ts';
import { suppressesIncidents } from '#shared/status-pages/published-maintenance.ts';
import type { AlertVariables, CheckOutcome } from './incident-port.ts';

export interface OpeningParts {
  configuration: Pick<
    Configuration,
    'checks' | 'pageServices' | 'statusPages' | 'maintenanceWindows'
  >;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** What fills in templates with the values of an alert. */
  fillInWith(variables: AlertVariables): FillIn;
}

/** The incident that an alert opens; null where its check opens none, or not now. */
export function openIncident(
  { check, at, failureAlert }: CheckOutcome,
  finding: Finding,
  { configuration, fillInWith, log }: OpeningParts,
): StoredIncident | null {
  const { triggerIncident: trigger, id: checkId } = check;
  if (trigger === null || failureAlert === null) return null;
  const { serviceId } = trigger;
  const service = configuration.pageServices.get(serviceId);
  if (service === undefined) {
    const message = `"${check.name}" opens no incident: the service that it names is gone.`;
    log.warn({ checkId, serviceId }, message);
    return null;
  }
  if (suppressesIncidents(configuration.maintenanceWindows.all(), serviceId, at)) return null;
  const id = uuidAt(finding.now);
  const fillIn = fillInWith(failureAlert());
  return automaticIncident({ id, checkId, trigger, service, finding, fillIn });
}
