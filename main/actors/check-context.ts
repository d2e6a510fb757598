import type { RunnableCheck } from '#shared/check/check.ts';
import type { Clock } from '#shared/clock.ts';
import type { CheckMemory } from './memory.ts';
import type { RunFollower, RunOrder } from './run-order.ts';

/** What the machine of a check knows, is told, and hands over. */

export interface CheckInput {
  check: RunnableCheck;
  clock: Clock;
  memory: CheckMemory;
  /** Whether the check is new or just activated: its first run comes soon. */
  fresh: boolean;
}

/** A run that somebody ordered, and who follows it. */
export interface OrderedRun {
  order: RunOrder;
  follower: RunFollower;
}

export interface CheckContext extends CheckMemory {
  check: RunnableCheck;
  clock: Clock;
  /** The slot that is awaited or being run, epoch ms. */
  slot: number;
  /** Whether the first run after creation or activation is still to come; it is off the schedule. */
  fresh: boolean;
  /** Runs that were ordered and wait for their turn, oldest first. */
  orders: readonly OrderedRun[];
  /** The ordered run that is under way; null while it is a slot's. */
  ordered: OrderedRun | null;
  /** What results of the slot under way name as theirs: null where the slot ran before. */
  keptSlot: number | null;
  /** Slots up to here were run, or counted as skipped; epoch ms. */
  countedTo: number;
}

export type CheckEvent =
  | { type: 'EDITED'; check: RunnableCheck }
  | ({ type: 'ORDERED' } & OrderedRun)
  | { type: 'CANCELLED'; orderId: string }
  /** The machine slept, or its clock was set. */
  | { type: 'CLOCK_JUMPED' };

/** One run of a check, to be carried out. */
export interface CheckRun {
  check: RunnableCheck;
  /** The slot that is due, epoch ms; null for a run off the schedule, or of a slot that ran before. */
  slot: number | null;
  ordered: OrderedRun | null;
  memory: CheckMemory;
}
