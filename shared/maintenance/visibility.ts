import { z } from 'zod';
import { list } from '#shared/checks/blocks.ts';
import { orNull } from '#shared/checks/unset.ts';

/** Most pages and services that a window may name: a bound of ours. */
const MAX_NAMED = 200;

const ids = list(z.guid().toLowerCase(), MAX_NAMED).default([]);

/** How a window shows on status pages. Without `enabled` it shows nowhere. */
export const statusPageVisibility = z.object({
  enabled: z.boolean().default(false),
  severity: orNull(z.enum(['MINOR', 'MEDIUM', 'MAJOR', 'CRITICAL']), '').default(null),
  affectAllServices: z.boolean().default(false),
  notifyOnStart: z.boolean().default(false),
  notifyOnEnd: z.boolean().default(false),
  suppressAutoIncidents: z.boolean().default(false),
  reminderMinutesBefore: list(z.int().min(60).max(10_080), 3).default([]),
  autoStart: z.boolean().default(true),
  autoEnd: z.boolean().default(true),
  showAffectedServices: z.boolean().default(true),
  statusPageIds: ids,
  serviceIds: ids,
});
export type StatusPageVisibility = z.output<typeof statusPageVisibility>;
