import { z } from 'zod';
import { isOfPlainYear, NOT_OF_PLAIN_YEAR, orNoDate } from '#shared/api/dates.ts';
import { orUnset } from '#shared/checks/unset.ts';
import { nameOnOneLine } from '#shared/status-pages/name.ts';

/** Bounds of ours. */
export const MAX_DASHBOARD_INCIDENTS = 1_000;
export const MAX_DASHBOARD_INCIDENT_UPDATES = 100;

export const IMPACTS = ['MAINTENANCE', 'MAJOR', 'MINOR'] as const;
export const DASHBOARD_INCIDENT_STATUSES = [
  'INVESTIGATING',
  'IDENTIFIED',
  'MONITORING',
  'RESOLVED',
  'MAINTENANCE',
] as const;

const description = z.string().min(1).max(10_000);

/** ISO 8601 with an offset or in UTC; kept in UTC with milliseconds. */
const moment = z.iso
  .datetime({ offset: true })
  .max(40)
  .refine(isOfPlainYear, { error: NOT_OF_PLAIN_YEAR, abort: true })
  .transform((text) => new Date(text).toISOString());

const fields = {
  name: nameOnOneLine,
  impact: z.enum(IMPACTS),
  startedAt: orNoDate(moment.nullable()),
  stoppedAt: orNoDate(moment.nullable()).meta({
    description: 'From then on the incident is over.',
  }),
};

/** Body of `POST /v1/incidents/{incidentId}/updates`. */
export const incidentUpdateCreate = z.object({
  status: z.enum(DASHBOARD_INCIDENT_STATUSES),
  description,
});
export type NewIncidentUpdate = z.output<typeof incidentUpdateCreate>;

/** Body of `PUT /v1/incidents/{incidentId}/updates/{id}`. */
export const incidentUpdateEdit = z.object({ description });

/** Body of `POST /v1/incidents`. */
export const dashboardIncidentCreate = z.object({
  name: fields.name,
  impact: orUnset(fields.impact.default('MINOR'), ''),
  startedAt: fields.startedAt.default(null),
  stoppedAt: fields.stoppedAt.default(null),
  dashboardId: z.int().min(1).max(1_000_000_000).meta({ description: 'The `id` of a dashboard.' }),
  incidentUpdates: z.tuple([incidentUpdateCreate]).meta({ description: 'Exactly one, the first.' }),
});
export type NewDashboardIncident = z.output<typeof dashboardIncidentCreate>;

/** Body of `PUT /v1/incidents/{id}`: a member left out stays as it was. */
export const dashboardIncidentUpdate = z
  .object({ ...fields, impact: orUnset(fields.impact.optional(), '') })
  .partial();
export type DashboardIncidentChanges = z.output<typeof dashboardIncidentUpdate>;

const stamps = { created_at: z.iso.datetime(), updated_at: z.iso.datetime().nullable() };
const storedUpdate = z.object({ id: z.guid(), ...incidentUpdateCreate.shape, ...stamps });
export type DashboardIncidentUpdate = z.output<typeof storedUpdate>;

/** An incident of a dashboard as it is stored. */
export const storedDashboardIncident = z.looseObject({
  id: z.guid(),
  ...fields,
  dashboardId: z.int().positive(),
  /** In the order they were made; at least one. */
  incidentUpdates: z.array(storedUpdate).min(1).max(MAX_DASHBOARD_INCIDENT_UPDATES),
  ...stamps,
});
export type DashboardIncident = z.output<typeof storedDashboardIncident>;

/** Whether an incident is over at a moment (epoch ms): its last update resolved it, or it was to stop before. */
export function isOver(
  { stoppedAt, incidentUpdates }: Pick<DashboardIncident, 'stoppedAt' | 'incidentUpdates'>,
  now: number,
): boolean {
  if (incidentUpdates.at(-1)?.status === 'RESOLVED') return true;
  return stoppedAt !== null && Date.parse(stoppedAt) <= now;
}

export const incidentUpdateView = storedUpdate;
export const newIncidentUpdateView = storedUpdate.extend({ incidentId: z.guid() });

const head = {
  id: z.guid(),
  name: z.string(),
  impact: z.enum(IMPACTS),
  startedAt: z.iso.datetime().nullable(),
  stoppedAt: z.iso.datetime().nullable(),
  dashboardId: z.int(),
  ...stamps,
};

/** What a change of an incident answers: its updates are read apart. */
export const dashboardIncidentHead = z.object(head);

/** An incident as the API answers it, with its newest updates first. */
export const dashboardIncidentView = z.object({
  ...head,
  incidentUpdates: z.array(storedUpdate).min(1),
});

export function viewIncidentHead(incident: DashboardIncident) {
  return dashboardIncidentHead.parse(incident);
}

/** With all of its updates, or with the newest alone. */
export function viewDashboardIncident(incident: DashboardIncident, withAllUpdates: boolean) {
  const newestFirst = incident.incidentUpdates.toReversed();
  const incidentUpdates = withAllUpdates ? newestFirst : newestFirst.slice(0, 1);
  return { ...viewIncidentHead(incident), incidentUpdates };
}
