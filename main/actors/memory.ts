import { z } from 'zod';
import type { HeartbeatCheck, RunnableCheck } from '#shared/check/check.ts';
import { resumeTimer } from '#shared/rules/heartbeat.ts';
import { nextSlot, scheduleOf, slotsBetween } from '#shared/rules/schedule.ts';
import type { KeptState, SkippedSlots } from '../store/history.ts';
import type { CheckMemory } from './check.machine.ts';
import { type HeartbeatMemory, heartbeatTimer } from './heartbeat.machine.ts';

/** What actors read back after a restart. It comes from a file, so it passes a schema. */

const checkShape = z.object({
  lastSlot: z.number().nullable().default(null),
  lastLocation: z.string().nullable().default(null),
});

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
 * run: also the slot whose run was cut short. Null where there are none.
 */
export function gapWhileDown(
  check: RunnableCheck,
  { lastSlot }: CheckMemory,
  now: number,
): SkippedSlots | null {
  if (!check.activated) return null;
  const schedule = scheduleOf(check);
  // Before its last edit the check may have had another schedule, or been switched off.
  const since = Math.max(lastSlot ?? 0, Date.parse(check.updated_at ?? check.created_at));
  const count = slotsBetween(schedule, since, now);
  if (count === 0) return null;
  const fromSlot = nextSlot(schedule, since);
  const toSlot = fromSlot + (count - 1) * schedule.periodMs;
  return { checkId: check.id, fromSlot, toSlot, count, reason: 'down' };
}
