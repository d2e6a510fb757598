import { z } from 'zod';
import { INCIDENT_SEVERITIES } from '#shared/checks/enums.ts';
import {
  INCIDENT_STATUSES,
  type StoredIncident,
  type StoredIncidentUpdate,
} from '#shared/incidents/incident.ts';
import {
  byPublicDate,
  durationOfIncident,
  statusOfIncident,
} from '#shared/incidents/incident-rules.ts';
import { pageServiceView, viewPageService } from './page-service.ts';

/** An update of an incident as the API answers it (2.10). */
export const incidentUpdateView = z.object({
  id: z.guid(),
  description: z.string(),
  status: z.enum(INCIDENT_STATUSES),
  publicIncidentUpdateDate: z.iso.datetime(),
  notifySubscribers: z.boolean(),
  created_at: z.iso.datetime(),
});

/** An incident as the API answers it (2.10); the newest update comes first. */
export const incidentView = z.object({
  id: z.guid(),
  name: z.string(),
  severity: z.enum(INCIDENT_SEVERITIES),
  services: z.array(pageServiceView),
  incidentUpdates: z.array(incidentUpdateView),
  lastUpdateStatus: z.enum(INCIDENT_STATUSES),
  duration: z
    .int()
    .nullable()
    .meta({ description: 'Seconds from the first update to the resolution, or until now.' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

const iso = (ms: number): string => new Date(ms).toISOString();

/** @param at the account, and now as epoch ms */
export function viewIncident(
  incident: StoredIncident,
  { accountId, now }: { accountId: string; now: number },
): z.output<typeof incidentView> {
  const { id, name, severity, services, updates, createdAt, updatedAt } = incident;
  return {
    id,
    name,
    severity,
    services: services.map((service) => viewPageService(service, accountId)),
    incidentUpdates: viewIncidentUpdates(updates),
    lastUpdateStatus: statusOfIncident(incident),
    duration: durationOfIncident(incident, now),
    created_at: iso(createdAt),
    updated_at: iso(updatedAt ?? createdAt),
  };
}

/** The newest public date first. */
export function viewIncidentUpdates(updates: readonly StoredIncidentUpdate[]) {
  return byPublicDate(updates).toReversed().map(viewIncidentUpdate);
}

export function viewIncidentUpdate(
  update: StoredIncidentUpdate,
): z.output<typeof incidentUpdateView> {
  const { id, description, status, publishedAt, notifySubscribers, createdAt } = update;
  return {
    id,
    description,
    status,
    publicIncidentUpdateDate: iso(publishedAt),
    notifySubscribers,
    created_at: iso(createdAt),
  };
}
