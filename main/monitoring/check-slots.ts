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

/** Rules of the check machine about slots: which comes next, and which are skipped. */

/**
 * When the first run of a check is made: shortly after creation or activation, or at a slot that comes
 * as early. A first run that is planned stays planned unless an edit puts a slot before it.
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

/**
 * Until when a check that runs nothing has nothing to do, epoch ms: its next slot; infinite while it is deactivated,
 * and long past where a run is to begin at once.
 */
export function idleUntil(context: CheckContext): number {
  const { check, fresh, orders } = context;
  if (wasInterrupted(context) || orders.length > 0) return 0;
  if (!check.activated) return Number.POSITIVE_INFINITY;
  return fresh ? firstSlot(context) : scheduledSlot(context);
}

/** Whether a stop or a crash cut short the run of a slot. */
export function wasInterrupted({ interrupted }: CheckContext): boolean {
  return interrupted !== null && interrupted.orderId === null;
}

/** The schedule of a check; null while it is deactivated. */
export function dueBy(check: RunnableCheck): Schedule | null {
  return check.activated ? scheduleOf(check) : null;
}

export function isDueAlike(one: Schedule | null, other: Schedule | null): boolean {
  return one?.periodMs === other?.periodMs && one?.phaseMs === other?.phaseMs;
}

/** After an edit that changes the schedule, slots count as skipped only from now on. */
export function lastSlotAfterEdit({ check, lastSlot, clock }: CheckContext, edited: RunnableCheck) {
  return isDueAlike(dueBy(check), dueBy(edited)) ? lastSlot : clock.now();
}

/** The run of the awaited slot begins. A slot that ran before the clock was set back is not named twice. */
export function slotTaken({ slot, newestSlot }: CheckContext) {
  return {
    ordered: null,
    fresh: false,
    lastSlot: slot,
    keptSlot: newestSlot === null || slot > newestSlot ? slot : null,
    newestSlot: Math.max(newestSlot ?? slot, slot),
  };
}

/** The persisted state when a slot's run begins. A first run off the schedule is no slot. */
export function stateOfBegin({ check, lastSlot, newestSlot, keptSlot }: CheckContext) {
  const isScheduled = keptSlot !== null && nextSlot(scheduleOf(check), keptSlot - 1) === keptSlot;
  return { lastSlot, newestSlot, begunSlot: isScheduled ? keptSlot : null };
}

/** The persisted state after an edit. */
export function stateOfEdit({ check, lastSlot, fresh }: CheckContext) {
  return { lastSlot, schedule: dueBy(check), ...(fresh && { fresh }) };
}

/** Whether the run that begins continues the one that a stop or a crash cut short. */
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

/** Whether an edit changes the schedule while slots of the old one are neither run nor counted. */
export function losesSlots({ check, lastSlot, clock }: CheckContext, edited: RunnableCheck) {
  const due = dueBy(check);
  if (due === null || isDueAlike(due, dueBy(edited))) return false;
  return slotsBetween(due, lastSlot, clock.now() + 1) > 0;
}

/** The slots that passed while a run was under way. */
export function overlapped(context: CheckContext): SkippedSlots {
  return skipped(context, context.lastSlot, context.clock.now(), 'overlap');
}

/** The awaited slot and the later ones that the machine slept through. */
export function sleptThrough(context: CheckContext): SkippedSlots {
  return skipped(context, context.slot - 1, context.clock.now(), 'asleep');
}

/** The slots of the schedule before an edit that passed while a run was under way. */
export function lostInRun(context: CheckContext): SkippedSlots {
  return skipped(context, context.lastSlot, context.clock.now() + 1, 'overlap');
}

/** The slots of the schedule before an edit that passed while the machine slept. */
export function lostInWait(context: CheckContext): SkippedSlots {
  return skipped(context, context.lastSlot, context.clock.now() + 1, 'asleep');
}

/** The awaited slot, which came in maintenance. */
export function paused(context: CheckContext): SkippedSlots {
  return awaited(context, 'maintenance');
}

/** The awaited slot, which came in an overload. */
export function overloaded(context: CheckContext): SkippedSlots {
  return awaited(context, 'overload');
}

function awaited({ check, slot }: CheckContext, reason: SkippedSlots['reason']): SkippedSlots {
  return { checkId: check.id, fromSlot: slot, toSlot: slot, count: 1, reason };
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
