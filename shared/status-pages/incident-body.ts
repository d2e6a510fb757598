import { z } from 'zod';
import { orNoDate } from '#shared/api/dates.ts';
import { readInstant } from '#shared/api/query.ts';
import { INCIDENT_SEVERITIES } from '#shared/checks/enums.ts';
import { orUnset } from '#shared/checks/unset.ts';
import {
  INCIDENT_STATUSES,
  MAX_INCIDENT_SERVICES,
  MAX_UPDATE_DESCRIPTION,
} from '#shared/incidents/incident.ts';
import { nameOnOneLine } from './name.ts';

const MAX_DATE_LENGTH = 40;

/** A moment, in UTC where it names no offset; epoch ms. */
const publicDate = z.iso
  .datetime({ offset: true, local: true })
  .max(MAX_DATE_LENGTH)
  .transform((text) => readInstant(text) as number);

const status = orUnset(z.enum(INCIDENT_STATUSES).optional(), '');
const publicIncidentUpdateDate = orNoDate(orUnset(publicDate.optional())).meta({
  description: 'When it happened, at most a day ahead. Left out: now.',
});

/** Body of an update of an incident. A member left out of `PUT` stays as it was. */
export const incidentUpdateBody = z.object({
  description: z.string().min(1).max(MAX_UPDATE_DESCRIPTION).meta({ description: 'Markdown.' }),
  status: status.optional().meta({
    description: 'Left out of a new one: that of the update before it, first INVESTIGATING.',
  }),
  publicIncidentUpdateDate: publicIncidentUpdateDate.optional(),
  notifySubscribers: orUnset(z.boolean().optional()).optional(),
});
export type IncidentUpdateBody = z.output<typeof incidentUpdateBody>;

/** Services by their ids, whatever else is said of them. */
const services = z
  .array(z.object({ id: z.guid().toLowerCase() }))
  .min(1)
  .max(MAX_INCIDENT_SERVICES);

const members = { name: nameOnOneLine, severity: z.enum(INCIDENT_SEVERITIES), services };

/** Body of `PUT /v1/status-pages/incidents/{incidentId}`. */
export const incidentUpdate = z.object(members);
/** Body of `PATCH` of the same: a member left out stays as it was. */
export const incidentPatch = z.object({
  name: orUnset(nameOnOneLine.optional(), '').optional(),
  severity: orUnset(members.severity.optional(), '').optional(),
  services: orUnset(services.optional()).optional(),
});
export type IncidentChanges = z.output<typeof incidentPatch>;

/** Body of `POST /v1/status-pages/incidents`: exactly one update. */
export const incidentCreate = z.object({
  ...members,
  incidentUpdates: z.array(incidentUpdateBody).length(1),
});
export type IncidentBody = z.output<typeof incidentCreate>;
