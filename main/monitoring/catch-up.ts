import type { SkippedSlots } from '#main/store/history/history.ts';
import type { Check, RunnableCheck } from '#shared/checks/check.ts';
import { nextSlot, type Schedule, slotsBetween } from '#shared/checks/schedule.ts';
import type { Group } from '#shared/groups/group.ts';
import { dueBy, isDueAlike } from './check-slots.ts';
import type { CheckState } from './persisted-state.ts';

/** What a check continues from after a start. */
interface Resumed {
  memory: CheckState;
  /** The slots that passed while the appliance was stopped. */
  skips: SkippedSlots[];
}

/**
 * Settles what a stop or a crash left open: the slots that passed while the appliance was down, and the
 * one whose run was cut short before a result of it was kept.
 *
 * @param check with the settings of its group in it
 */
export function resume(
  check: RunnableCheck,
  group: Group | undefined,
  memory: CheckState,
  now: number,
): Resumed {
  const due = dueBy(check);
  const edited = Math.max(changedAt(check), group ? changedAt(group) : 0);
  // A crash may come between the writes of an edited check and of its new schedule.
  const { schedule = due } = memory;
  const since =
    memory.schedule === undefined
      ? Math.max(memory.lastSlot ?? 0, edited)
      : (memory.lastSlot ?? edited);
  const until = isDueAlike(schedule, due) ? since : Math.min(Math.max(since, edited), now);
  const { begunSlot } = memory;
  return {
    memory: { ...memory, lastSlot: now, schedule: due, begunSlot: null },
    skips: [
      ...(begunSlot === null ? [] : [{ fromSlot: begunSlot, toSlot: begunSlot, count: 1 }]),
      ...missed(schedule, since, until),
      ...missed(due, until, now),
    ].map((slots) => ({ checkId: check.id, ...slots, reason: 'down' })),
  };
}

/** The slots after a time, up to another and with it; none where none was due. */
function missed(schedule: Schedule | null, after: number, to: number) {
  if (schedule === null) return [];
  const count = slotsBetween(schedule, after, to + 1);
  const fromSlot = nextSlot(schedule, after);
  return count === 0
    ? []
    : [{ fromSlot, toSlot: fromSlot + (count - 1) * schedule.periodMs, count }];
}

function changedAt({ updated_at, created_at }: Pick<Check, 'updated_at' | 'created_at'>): number {
  return Date.parse(updated_at ?? created_at);
}
