import { z } from 'zod';
import type { KeptState } from '#main/store/history/history.ts';
import { finalRun } from '#shared/alerting/final-run.ts';
import { type Check, type HeartbeatCheck, isHeartbeat } from '#shared/checks/check.ts';
import { resumeTimer } from '#shared/checks/heartbeat-rules.ts';
import type { HeartbeatPersistedState } from './heartbeat-context.ts';
import { heartbeatTimer } from './heartbeat-records.ts';

/** The persisted state of actors. It comes from a file, so it is parsed by a schema. */

/** The attempts at one location, which end in one FINAL result. Times are epoch ms. */
const sequenceShape = z.object({
  /** UUID: the `sequenceId` of its results. */
  id: z.string(),
  /** Where the next attempt runs. */
  location: z.string(),
  /** Retries made before that attempt. */
  attempts: z.number(),
  /** When the first attempt began; null before it. */
  firstStartedAt: z.number().nullable(),
  /** When the next attempt is due; null where nothing is waited for. */
  dueAt: z.number().nullable(),
  /** Whether its FINAL result is there. */
  settled: z.boolean(),
  /** What the alert engine needs of that result. */
  final: finalRun.optional(),
});
export type SequenceState = z.output<typeof sequenceShape>;

const runShape = z.object({
  /** The order that the run is for; null for the run of a slot. */
  orderId: z.string().nullable(),
  slot: z.number().nullable(),
  checkRunId: z.number(),
  sequences: z.array(sequenceShape),
});
/** A run that is not over: kept with each of its results, so that a restart goes on where it was. */
export type RunState = z.output<typeof runShape>;

const checkShape = z.object({
  /**
   * Slots up to here, epoch ms, are settled: run, counted as skipped, or of a time when none was due.
   * A run that is under way counts as well; it is `begunSlot` until a result of it is kept.
   */
  lastSlot: z.number().nullable().default(null),
  /**
   * What slots after that are due by; null: none is, as the check is deactivated. Missing where
   * nothing was kept yet, and in what earlier versions kept.
   */
  schedule: z
    .object({ periodMs: z.number().positive(), phaseMs: z.number() })
    .nullable()
    .optional(),
  /** The slot of a run that began and that no result is kept of; null where there is none. */
  begunSlot: z.number().nullable().default(null),
  /** The newest slot that was ever run: after the clock was set back, later than the last one. */
  newestSlot: z.number().nullable().default(null),
  /** Whether the first run after creation or activation is still to come. */
  fresh: z.boolean().default(false),
  /** The location used last: round robin goes on from the one after it. */
  lastLocation: z.string().nullable().default(null),
  /** The run that a stop or a crash cut short. */
  interrupted: runShape.nullable().default(null),
});
/** What the machine of a check needs to go on after a restart. */
export type CheckState = z.output<typeof checkShape>;

const heartbeatShape = z.object({ lastResetAt: z.number().nullable().default(null) });

/** Why the actor of a check cannot go on from what is kept of it; null where it can. */
export function memoryProblem(check: Check, { actor }: KeptState): z.ZodError | null {
  const shape = isHeartbeat(check) ? heartbeatShape : checkShape;
  return shape.safeParse(actor).error ?? null;
}

/** A check without persisted state begins with a first run. */
export function persistedCheckState(kept: KeptState | undefined): CheckState {
  return checkShape.parse(kept?.actor ?? { fresh: true });
}

/** The state of a heartbeat after a start, whose timer allows for pings missed by the stopped appliance. */
export function persistedHeartbeatState(
  check: HeartbeatCheck,
  kept: KeptState | undefined,
  now: number,
): HeartbeatPersistedState {
  const memory = heartbeatShape.parse(kept?.actor ?? {});
  return { lastResetAt: resumeTimer(heartbeatTimer(check, memory), now).lastResetAt };
}
