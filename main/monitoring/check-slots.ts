import type { SkippedSlots } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import {
  FIRST_RUN_WITHIN_MS,
  firstRunDelay,
  nextSlot,
  type Schedule,
  scheduleOf,
  slotsBetween,
  slotToAwait,
} from '#shared/checks/schedule.ts';
import type { CheckContext, CheckRunInput } from './check-context.ts';

/** The slots of a check as its machine sees them: which comes next, and which no run was made for. */

/**
 * The first run comes soon; a slot that comes as soon serves as well. One that is planned stays so,
 * unless an edit puts a slot before it.
 */
export function firstSlot(context: CheckContext): number {
  const now = context.clock.now();
  const scheduled = scheduledSlot(context);
  if (isSoon(context.slot, now)) return Math.min(context.slot, scheduled);
  return scheduled - now <= FIRST_RUN_WITHIN_MS ? scheduled : now + firstRunDelay(context.check.id);
}

function isSoon(slot: number, now: number): boolean {
  return slot > now && slot - now <= FIRST_RUN_WITHIN_MS;
}

export function scheduledSlot({ check, clock, lastSlot }: CheckContext): number {
  return slotToAwait(scheduleOf(check), clock.now(), lastSlot);
}

/** What slots of a check are due by; null where none is, as the check is deactivated. */
export function dueBy(check: RunnableCheck): Schedule | null {
  return check.activated ? scheduleOf(check) : null;
}

export function isDueAlike(one: Schedule | null, other: Schedule | null): boolean {
  return one?.periodMs === other?.periodMs && one?.phaseMs === other?.phaseMs;
}

/** Slots of a schedule that did not hold, or of a check that did not run, are not counted. */
export function lastSlotAfterEdit({ check, lastSlot, clock }: CheckContext, edited: RunnableCheck) {
  return isDueAlike(dueBy(check), dueBy(edited)) ? lastSlot : clock.now();
}

/** The awaited slot is run now. One that comes again, as the clock was set back, is nobody's. */
export function slotTaken({ slot, newestSlot }: CheckContext) {
  return {
    ordered: null,
    fresh: false,
    lastSlot: slot,
    keptSlot: newestSlot === null || slot > newestSlot ? slot : null,
    newestSlot: Math.max(newestSlot ?? slot, slot),
  };
}

/** What is to be remembered of a slot whose run begins. A first run off the schedule is no slot. */
export function stateOfBegin({ check, lastSlot, newestSlot, keptSlot }: CheckContext) {
  const isScheduled = keptSlot !== null && nextSlot(scheduleOf(check), keptSlot - 1) === keptSlot;
  return { lastSlot, newestSlot, begunSlot: isScheduled ? keptSlot : null };
}

/** What is to be remembered of an edit. */
export function stateOfEdit({ check, lastSlot, fresh }: CheckContext) {
  return { lastSlot, schedule: dueBy(check), ...(fresh && { fresh }) };
}

/** Whether the run that begins is the one that a crash cut short. */
export function isTakenUp({ interrupted, ordered }: CheckContext): boolean {
  return interrupted !== null && interrupted.orderId === (ordered?.order.id ?? null);
}

export function runOf(context: CheckContext): CheckRunInput {
  const { check, keptSlot, ordered, lastLocation } = context;
  const interrupted = isTakenUp(context) ? context.interrupted : null;
  return { check, slot: ordered ? null : keptSlot, ordered, lastLocation, interrupted };
}

/** Slots of the schedule that have passed by now and were neither run nor counted. */
export function slotsMissed({ check, lastSlot, clock }: CheckContext): number {
  return slotsBetween(scheduleOf(check), lastSlot, clock.now());
}

/** Whether slots are due by now that an edit would lose, since others are due after it. */
export function losesSlots({ check, lastSlot, clock }: CheckContext, edited: RunnableCheck) {
  const due = dueBy(check);
  if (due === null || isDueAlike(due, dueBy(edited))) return false;
  return slotsBetween(due, lastSlot, clock.now() + 1) > 0;
}

/** The slots that passed while a run was under way. */
export function overlapped(context: CheckContext): SkippedSlots {
  return skipped(context, context.lastSlot, context.clock.now(), 'overlap');
}

/** The awaited slot, and those after it, that the machine slept through. */
export function sleptThrough(context: CheckContext): SkippedSlots {
  return skipped(context, context.slot - 1, context.clock.now(), 'asleep');
}

/** The slots that an edit would lose in a run. */
export function lostInRun(context: CheckContext): SkippedSlots {
  return skipped(context, context.lastSlot, context.clock.now() + 1, 'overlap');
}

/** The slots that an edit would lose which comes before the timer that should have seen them. */
export function lostInWait(context: CheckContext): SkippedSlots {
  return skipped(context, context.lastSlot, context.clock.now() + 1, 'asleep');
}

/** The awaited slot, which came in maintenance. */
export function paused({ check, slot }: CheckContext): SkippedSlots {
  return { checkId: check.id, fromSlot: slot, toSlot: slot, count: 1, reason: 'maintenance' };
}

/** Slots after a time and before another, epoch ms. */
function skipped(
  { check }: CheckContext,
  after: number,
  before: number,
  reason: SkippedSlots['reason'],
): SkippedSlots {
  const schedule = scheduleOf(check);
  const count = slotsBetween(schedule, after, before);
  const fromSlot = nextSlot(schedule, after);
  const toSlot = fromSlot + (count - 1) * schedule.periodMs;
  return { checkId: check.id, fromSlot, toSlot, count, reason };
}
