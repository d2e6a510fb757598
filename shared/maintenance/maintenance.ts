import { z } from 'zod';
import { isoDate } from './iso-date.ts';

/** Statuses of an occurrence, in the order it goes through them; any may end in the last (15.4). */
export const MAINTENANCE_STATUSES = [
  'SCHEDULED',
  'IN_PROGRESS',
  'VERIFYING',
  'COMPLETED',
  'CANCELLED',
] as const;
export type MaintenanceStatus = (typeof MAINTENANCE_STATUSES)[number];

/** Whether maintenance of a status takes place, or did. */
export const HAS_BEGUN = {
  SCHEDULED: false,
  IN_PROGRESS: true,
  VERIFYING: true,
  COMPLETED: true,
  CANCELLED: false,
} as const satisfies Record<MaintenanceStatus, boolean>;

const status = z.enum(MAINTENANCE_STATUSES);
const description = z.string().max(2_000);

/** Most occurrences of a window that people may change, and most updates of one: bounds of ours. */
export const MAX_CHANGED = 500;
export const MAX_UPDATES = 100;

/** Body of `PATCH …/maintenances/{maintenanceId}`. */
export const maintenancePatch = z.object({
  startsAt: isoDate.optional(),
  endsAt: isoDate.optional(),
});

/** Body of `POST …/updates`. */
export const updateCreate = z.object({
  status,
  description,
  notifySubscribers: z.boolean().default(false),
});
export type UpdateBody = z.output<typeof updateCreate>;

/** Body of `PUT …/updates/{updateId}`. */
export const updateEdit = z.object({ status: status.optional(), description });

const keptUpdate = z.object({
  id: z.guid(),
  status,
  description,
  notifySubscribers: z.boolean(),
  created_at: z.iso.datetime(),
  previousStatus: status,
  /** Null where the update left them. */
  previousStartsAt: isoDate.nullable(),
  previousEndsAt: isoDate.nullable(),
  /** What the update moved: a start before its time, an early completion. */
  dateAdjustments: z
    .object({ startsAt: isoDate.optional(), endsAt: isoDate.optional() })
    .nullable(),
});

/** What people say of an occurrence on status pages, as it is kept. */
export type MaintenanceUpdate = z.output<typeof keptUpdate>;

/** What people changed of one occurrence; the others are computed and never kept. */
export const maintenanceChange = z.object({
  /** When it would have started, which is what it is known by. ISO 8601 in UTC. */
  plannedAt: z.iso.datetime(),
  startsAt: isoDate,
  endsAt: isoDate,
  isDeleted: z.boolean(),
  /** In the order they were made. */
  updates: z.array(keptUpdate).max(MAX_UPDATES),
  updated_at: z.iso.datetime(),
});
export type MaintenanceChange = z.output<typeof maintenanceChange>;

const owners = { maintenanceWindowId: z.int().positive(), maintenanceId: z.guid() };

/** An update as the API answers it. */
export const updateView = z.object({ ...keptUpdate.shape, ...owners });

/** An occurrence as the API answers it. */
export const maintenanceView = z.object({
  id: z.guid(),
  maintenanceWindowId: z.int().positive(),
  startsAt: isoDate,
  endsAt: isoDate,
  status,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  updates: z.array(updateView),
});
