import type { StoredIncident, StoredIncidentUpdate } from '#shared/incidents/incident.ts';
import { byPublicDate } from '#shared/incidents/incident-rules.ts';
import type { IncidentUpdateBody } from './incident-body.ts';

const DAY_MS = 86_400_000;
const FIRST_DATE = Date.UTC(2000, 0, 1);

/** What is wrong with a public date, epoch ms; null: nothing. */
export function publicDateProblem(publishedAt: number | undefined, now: number): string | null {
  if (publishedAt === undefined) return null;
  if (publishedAt > now + DAY_MS) return 'expected a date no later than a day from now';
  return publishedAt < FIRST_DATE ? 'expected a date no earlier than the year 2000' : null;
}

/** An update that a person adds. @param stamp its id, and now as epoch ms */
export function newIncidentUpdate(
  body: IncidentUpdateBody,
  updates: readonly StoredIncidentUpdate[],
  stamp: { id: string; now: number },
): StoredIncidentUpdate {
  const { id, now } = stamp;
  const { description, publicIncidentUpdateDate: publishedAt = now } = body;
  const before = byPublicDate(updates).findLast((one) => one.publishedAt <= publishedAt);
  return {
    id,
    description,
    status: body.status ?? before?.status ?? 'INVESTIGATING',
    publishedAt,
    createdAt: now,
    notifySubscribers: body.notifySubscribers ?? false,
  };
}

/** An update after a correction: members left out stay as they were. */
export function correctedUpdate(
  before: StoredIncidentUpdate,
  body: IncidentUpdateBody,
): StoredIncidentUpdate {
  return {
    ...before,
    description: body.description,
    status: body.status ?? before.status,
    publishedAt: body.publicIncidentUpdateDate ?? before.publishedAt,
    notifySubscribers: body.notifySubscribers ?? before.notifySubscribers,
  };
}

/** What is left of a deleted incident: nothing that anybody said. */
export function withoutTexts(incident: StoredIncident): StoredIncident {
  const updates = incident.updates.slice(0, 1).map((update) => ({ ...update, description: '' }));
  const services = incident.services.slice(0, 1).map((service) => ({ ...service, name: '' }));
  return { ...incident, name: '', services, updates, automation: null, isDeleted: true };
}
