import { z } from 'zod';
import { INCIDENT_SEVERITIES } from '#shared/checks/enums.ts';

/** Statuses of an incident and its updates, in their usual order; any may follow any (section 3). */
export const INCIDENT_STATUSES = ['INVESTIGATING', 'IDENTIFIED', 'MONITORING', 'RESOLVED'] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

/** Bounds of ours. */
export const MAX_INCIDENT_SERVICES = 200;
export const MAX_INCIDENT_UPDATES = 200;
export const MAX_UPDATE_DESCRIPTION = 10_000;
/** Characters of all updates of an incident together: lists answer up to 100 incidents whole. */
export const MAX_INCIDENT_TEXT = 100_000;

const storedUpdate = z.object({
  id: z.guid(),
  /** Markdown. */
  description: z.string(),
  status: z.enum(INCIDENT_STATUSES),
  /** Epoch ms of the date that people see. */
  publishedAt: z.number(),
  createdAt: z.number(),
  notifySubscribers: z.boolean(),
});
export type StoredIncidentUpdate = z.output<typeof storedUpdate>;

/** A service of an incident with what it was called then, so that its deletion leaves the past as it was. */
const incidentService = z.object({
  id: z.guid(),
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
});
export type IncidentService = z.output<typeof incidentService>;

/** An incident with its updates as it is stored: one record, replaced whole. Times are epoch ms. */
export const storedIncident = z.object({
  /** UUIDv7 of `createdAt`. */
  id: z.guid(),
  /** Counts the changes from 1: a write of an older one than is stored is dropped. */
  revision: z.int().positive(),
  name: z.string(),
  severity: z.enum(INCIDENT_SEVERITIES),
  services: z.array(incidentService).min(1).max(MAX_INCIDENT_SERVICES),
  /** In the order they were made; at least one. */
  updates: z.array(storedUpdate).min(1).max(MAX_INCIDENT_UPDATES),
  /** The check that automation opened it for, while automation and no person looks after it. */
  automation: z.object({ checkId: z.guid(), notifySubscribers: z.boolean() }).nullable(),
  createdAt: z.number(),
  updatedAt: z.number().nullable(),
  /** A deleted one is stored without its texts until a sweep, so that no late write brings it back. */
  isDeleted: z.boolean(),
});
export type StoredIncident = z.output<typeof storedIncident>;

/** What lists of the past show of an incident. Times are epoch ms. */
export const incidentHead = z.object({
  id: z.guid(),
  name: z.string(),
  severity: z.enum(INCIDENT_SEVERITIES),
  serviceIds: z.array(z.guid()),
  status: z.enum(INCIDENT_STATUSES),
  /** The public date of its first update. */
  startedAt: z.number(),
  /** Null while it is open. */
  endedAt: z.number().nullable(),
});
export type IncidentHead = z.output<typeof incidentHead>;
