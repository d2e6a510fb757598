import { z } from 'zod';
import { INCIDENT_SEVERITIES } from '#shared/checks/enums.ts';
import { INCIDENT_STATUSES } from '#shared/incidents/incident.ts';
import { MAINTENANCE_STATUSES } from '#shared/maintenance/maintenance.ts';

const services = z.array(z.object({ id: z.string(), name: z.string() }));

/** Of an update of an incident, as it was when it was posted. */
const incidentNews = z.object({
  kind: z.literal('incident'),
  incidentId: z.string(),
  updateId: z.string(),
  name: z.string(),
  severity: z.enum(INCIDENT_SEVERITIES),
  status: z.enum(INCIDENT_STATUSES),
  isFirst: z.boolean(),
  description: z.string(),
  /** Epoch ms. */
  publishedAt: z.number(),
  services,
});

/** Of an occurrence of a maintenance window; `at` and the others are epoch ms. */
const maintenanceNews = z.object({
  kind: z.literal('maintenance'),
  maintenanceId: z.string(),
  occasion: z.enum(['reminder', 'start', 'end', 'update']),
  /** After it. */
  status: z.enum(MAINTENANCE_STATUSES),
  name: z.string(),
  description: z.string(),
  startsAt: z.number(),
  endsAt: z.number(),
  /** Where the window shows its services; empty otherwise. */
  services,
});

/** Asks the owner of an address whether the subscription is theirs. */
const confirmation = z.object({ kind: z.literal('confirmation'), subscriptionId: z.string() });

export const mailingContent = z.discriminatedUnion('kind', [
  incidentNews,
  maintenanceNews,
  confirmation,
]);
export type MailingContent = z.output<typeof mailingContent>;

/** Most subscribers of one mailing that wait for another try: a bound of ours. */
export const MAX_DEFERRED = 100;

/** A subscription whose address could not be reached yet. */
const deferred = z.object({ subscriptionId: z.string(), tries: z.number(), dueAt: z.number() });
export type DeferredMail = z.output<typeof deferred>;

/**
 * One message to the subscribers of some pages, as it is stored: who has it already is known by the
 * last address that it was sent to, in the order of addresses. Times are epoch ms.
 */
export const storedMailing = z.object({
  /** UUIDv7 of `createdAt`. */
  id: z.guid(),
  /** What it is about, so that the same is never mailed twice: a second mailing of a key is dropped. */
  key: z.string(),
  /** Whose verified subscribers get it; none of a confirmation. */
  pageIds: z.array(z.string()),
  content: mailingContent,
  status: z.enum(['PENDING', 'DONE']),
  /** The last address that was tried; null before the first. */
  after: z.string().nullable(),
  /** Whether all were: only those that wait for another try are left. */
  isAtEnd: z.boolean(),
  deferred: z.array(deferred).max(MAX_DEFERRED),
  sent: z.number(),
  failed: z.number(),
  /** When something of it can be sent next. */
  dueAt: z.number(),
  createdAt: z.number(),
});
export type StoredMailing = z.output<typeof storedMailing>;
