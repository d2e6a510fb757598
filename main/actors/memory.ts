import { z } from 'zod';
import { finalRun } from '#shared/alert/final-run.ts';
import type { Check, HeartbeatCheck, RunnableCheck } from '#shared/check/check.ts';
import type { Group } from '#shared/group/group.ts';
import { resumeTimer } from '#shared/rules/heartbeat.ts';
import { nextSlot, scheduleOf, slotsBetween } from '#shared/rules/schedule.ts';
import type { KeptState, SkippedSlots } from '../store/history.ts';
import type { HeartbeatMemory } from './heartbeat-context.ts';
import { heartbeatTimer } from './heartbeat-facts.ts';

/** What actors read back after a restart. It comes from a file, so it passes a schema. */

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
  /** What alerts go by of that result. */
  final: finalRun.optional(),
});
export type SequenceMemory = z.output<typeof sequenceShape>;

const runShape = z.object({
  /** The order that the run is for; null for a slot's. */
  orderId: z.string().nullable(),
  slot: z.number().nullable(),
  checkRunId: z.number(),
  sequences: z.array(sequenceShape),
});
/** A run that is not over: kept with each of its results, so that a restart goes on where it was. */
export type RunMemory = z.output<typeof runShape>;

const checkShape = z.object({
  /** The last slot that was run or passed over, epoch ms. */
  lastSlot: z.number().nullable().default(null),
  /** The newest slot that was ever run: after the clock was set back, later than the last one. */
  newestSlot: z.number().nullable().default(null),
  /** The location used last: round robin goes on from the one after it. */
  lastLocation: z.string().nullable().default(null),
  /** The run that a stop or a crash cut short. */
  interrupted: runShape.nullable().default(null),
});
/** What the machine of a check keeps with every result. */
export type CheckMemory = z.output<typeof checkShape>;

const heartbeatShape = z.object({ lastResetAt: z.number().nullable().default(null) });

export function checkMemory(kept: KeptState | undefined): CheckMemory {
  return checkShape.parse(kept?.actor ?? {});
}

/** A heartbeat's memory, with the pings that may have been missed while the appliance was down. */
export function heartbeatMemory(
  check: HeartbeatCheck,
  kept: KeptState | undefined,
  now: number,
): HeartbeatMemory {
  const memory = heartbeatShape.parse(kept?.actor ?? {});
  return { lastResetAt: resumeTimer(heartbeatTimer(check, memory), now).lastResetAt };
}

/**
 * The slots that passed since the last one that was run or counted, because the appliance did not
 * run: also the slot whose run was cut short. The check comes with the settings of its group in it.
 * Null where there are none.
 */
export function gapWhileDown(
  check: RunnableCheck,
  group: Group | undefined,
  { lastSlot }: CheckMemory,
  now: number,
): SkippedSlots | null {
  if (!check.activated) return null;
  const schedule = scheduleOf(check);
  // Before its last edit the check may have had another schedule, or been switched off; also by its group.
  const since = Math.max(lastSlot ?? 0, changedAt(check), group ? changedAt(group) : 0);
  // The machine that starts now awaits what comes after now.
  const count = slotsBetween(schedule, since, now + 1);
  if (count === 0) return null;
  const fromSlot = nextSlot(schedule, since);
  const toSlot = fromSlot + (count - 1) * schedule.periodMs;
  return { checkId: check.id, fromSlot, toSlot, count, reason: 'down' };
}

function changedAt({ updated_at, created_at }: Pick<Check, 'updated_at' | 'created_at'>): number {
  return Date.parse(updated_at ?? created_at);
}
