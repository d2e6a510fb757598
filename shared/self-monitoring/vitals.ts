import { z } from 'zod';

/** Epoch ms. */
const instant = z.int();
const count = z.int();

/** How the appliance did for some seconds, up to a moment. */
const vitalsSample = z.object({
  at: instant,
  /** Attempts of runs that came to an end, and slots that no run was made for. */
  runs: count,
  skipped: count,
  /** How late scheduled runs began, ms: the 95th percentile; null where none did. */
  lateMs: z.number().nullable(),
  /** The longest that the event loop stood still, ms. */
  standstillMs: z.number(),
  /** What was under way or waited at the end: runs, records for the store, notifications. */
  runsInFlight: count,
  recordsWaiting: count,
  notificationsPending: count,
  /** Of the main process and its threads. */
  memoryBytes: count,
});
export type VitalsSample = z.output<typeof vitalsSample>;

export const vitals = z.object({
  version: z.string(),
  /** Of Node. */
  runtime: z.string(),
  /** The operating system and its processor. */
  platform: z.string(),
  startedAt: instant,
  /** Of one sample, ms. */
  everyMs: count,
  /** Of the last hour, oldest first. */
  samples: z.array(vitalsSample),
});
export type Vitals = z.output<typeof vitals>;
