import type { RunnableCheck } from '#shared/check/check.ts';
import {
  FIRST_RUN_WITHIN_MS,
  firstRunDelay,
  nextSlot,
  scheduleOf,
  slotsBetween,
  slotToAwait,
} from '#shared/rules/schedule.ts';
import type { SkippedSlots } from '../store/history.ts';
import type { CheckContext, CheckRun } from './check-context.ts';

/** The slots of a check as its machine sees them: which comes next, and which no run was made for. */

/** The first run comes soon; a slot that comes as soon serves as well. One that is planned stays so. */
export function firstSlot(context: CheckContext): number {
  const now = context.clock.now();
  if (isSoon(context.slot, now)) return context.slot;
  const scheduled = scheduledSlot(context);
  return isSoon(scheduled, now) ? scheduled : now + firstRunDelay(context.check.id);
}

function isSoon(slot: number, now: number): boolean {
  return slot > now && slot - now <= FIRST_RUN_WITHIN_MS;
}

export function scheduledSlot({ check, clock, countedTo }: CheckContext): number {
  return slotToAwait(scheduleOf(check), clock.now(), countedTo);
}

/** Slots of a schedule that did not hold, or of a check that did not run, are not counted. */
export function countedAfterEdit({ check, countedTo, clock }: CheckContext, edited: RunnableCheck) {
  const before = scheduleOf(check);
  const after = scheduleOf(edited);
  const isSame = before.periodMs === after.periodMs && before.phaseMs === after.phaseMs;
  return isSame && check.activated ? countedTo : clock.now();
}

/** Whether the run that begins is the one that a crash cut short. */
export function isTakenUp({ interrupted, ordered }: CheckContext): boolean {
  return interrupted !== null && interrupted.orderId === (ordered?.order.id ?? null);
}

export function runOf(context: CheckContext): CheckRun {
  const { check, keptSlot, ordered, lastSlot, newestSlot, lastLocation, interrupted } = context;
  const memory = {
    lastSlot,
    newestSlot,
    lastLocation,
    interrupted: isTakenUp(context) ? interrupted : null,
  };
  return { check, slot: ordered ? null : keptSlot, ordered, memory };
}

/** Slots of the schedule that have passed by now and were neither run nor counted. */
export function slotsMissed({ check, countedTo, clock }: CheckContext): number {
  return slotsBetween(scheduleOf(check), countedTo, clock.now());
}

/** The slots that passed while a run was under way. */
export function overlapped(context: CheckContext): SkippedSlots {
  return skippedAfter(context, context.countedTo, 'overlap');
}

/** The awaited slot, and those after it, that the machine slept through. */
export function sleptThrough(context: CheckContext): SkippedSlots {
  return skippedAfter(context, context.slot - 1, 'asleep');
}

/** The awaited slot, which came in maintenance. */
export function paused({ check, slot }: CheckContext): SkippedSlots {
  return { checkId: check.id, fromSlot: slot, toSlot: slot, count: 1, reason: 'maintenance' };
}

function skippedAfter(
  { check, clock }: CheckContext,
  after: number,
  reason: SkippedSlots['reason'],
): SkippedSlots {
  const schedule = scheduleOf(check);
  const count = slotsBetween(schedule, after, clock.now());
  const fromSlot = nextSlot(schedule, after);
  const toSlot = fromSlot + (count - 1) * schedule.periodMs;
  return { checkId: check.id, fromSlot, toSlot, count, reason };
}
