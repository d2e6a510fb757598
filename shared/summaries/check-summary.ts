import { z } from 'zod';
import { CHECK_TYPES } from '#shared/checks/enums.ts';
import { CHECK_STATES } from './check-state.ts';

/** Epoch ms. */
const instant = z.int();

/** A check in the list of all checks: small, as there may be 10,000. */
export const checkSummary = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(CHECK_TYPES),
  state: z.enum(CHECK_STATES),
  /** Alerts of it, or of its group, are silenced. */
  muted: z.boolean(),
  groupId: z.int().nullable(),
  /** Its own, then those of its group. */
  tags: z.array(z.string()),
  /** What it asks: a URL, a host, a name; null of a script or a heartbeat. */
  target: z.string().nullable(),
  /** Since when it stands as it does; null where that is not known. */
  since: instant.nullable(),
  /** Why its last run failed, or could not be made. */
  cause: z.string().nullable(),
  lastRunAt: instant.nullable(),
  /** The last 40 runs, oldest first, two characters each: see `run-code.ts`. */
  runs: z.string(),
  /** Percent of the last 24 hours; null where there was no run, or it is not counted yet. */
  availability: z.number().nullable(),
  /** Milliseconds, of the last 24 hours, give or take 2 %. */
  p95: z.number().nullable(),
});
export type CheckSummary = z.output<typeof checkSummary>;

export const groupSummary = z.object({
  id: z.int(),
  name: z.string(),
  activated: z.boolean(),
  muted: z.boolean(),
});
export type GroupSummary = z.output<typeof groupSummary>;

export const appSummary = z.object({
  /** Where `/app/events` goes on from: for the header `Last-Event-ID`. */
  cursor: z.string(),
  groups: z.array(groupSummary),
  checks: z.array(checkSummary),
});
export type AppSummary = z.output<typeof appSummary>;
