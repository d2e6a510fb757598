import { z } from 'zod';

/** Most pages and services that a window may name: a bound of ours. */
const MAX_NAMED = 200;

const ids = z.array(z.guid()).max(MAX_NAMED).default([]);

/**
 * How a window shows on status pages (contract 15.4). Without `enabled` it shows nowhere, and then
 * always starts and ends by itself.
 */
export const statusPageVisibility = z
  .object({
    enabled: z.boolean().default(false),
    severity: z.enum(['MINOR', 'MEDIUM', 'MAJOR', 'CRITICAL']).nullable().default(null),
    affectAllServices: z.boolean().default(false),
    notifyOnStart: z.boolean().default(false),
    notifyOnEnd: z.boolean().default(false),
    suppressAutoIncidents: z.boolean().default(false),
    reminderMinutesBefore: z.array(z.int().min(60).max(10_080)).max(3).default([]),
    autoStart: z.boolean().default(true),
    autoEnd: z.boolean().default(true),
    showAffectedServices: z.boolean().default(true),
    statusPageIds: ids,
    serviceIds: ids,
  })
  .transform((visibility) =>
    visibility.enabled ? visibility : { ...visibility, autoStart: true, autoEnd: true },
  );
export type StatusPageVisibility = z.output<typeof statusPageVisibility>;
