import type { RunnableCheck } from '#shared/checks/check.ts';
import type { Clock } from '#shared/clock.ts';
import type { RequestedRun, RunFollower } from './check-runs-port.ts';
import type { CheckState, RunState } from './persisted-state.ts';

/** The context and the events of the check machine, and the run that it starts. */

export interface CheckInput {
  check: RunnableCheck;
  clock: Clock;
  memory: MachineMemory;
  /** The run of a slot that began without the machine, and goes on with it; null where there is none. */
  underWay?: RunUnderWay | null;
}

export interface RunUnderWay {
  /** The slot that its results name as theirs; null where that slot ran before. */
  keptSlot: number | null;
  outcome: Promise<RunOutcome>;
}

export interface RunOutcome {
  /** The location used last. */
  lastLocation: string | null;
}

/** What of its persisted state the machine goes on from; the rest is settled before. */
export type MachineMemory = Omit<CheckState, 'schedule' | 'begunSlot'>;

/** A run that a session ordered, with the follower that gets its results. */
export interface FollowedRun {
  order: RequestedRun;
  follower: RunFollower;
}

export interface CheckContext extends MachineMemory {
  check: RunnableCheck;
  clock: Clock;
  /** Slots up to this time, epoch ms, were run or counted as skipped. */
  lastSlot: number;
  /** The slot that comes next or is being run, epoch ms. */
  slot: number;
  /** Runs that were ordered and wait for their turn, oldest first. */
  orders: readonly FollowedRun[];
  /** The ordered run that is under way; null while it is a slot's. */
  ordered: FollowedRun | null;
  /** The slot that results of the run name as theirs; null where that slot ran before. */
  keptSlot: number | null;
  /** What the run under way comes to, where it began without the machine. */
  underWay: Promise<RunOutcome> | null;
}

export function contextOf({ check, clock, memory, underWay = null }: CheckInput): CheckContext {
  const { newestSlot, fresh, lastLocation, interrupted } = memory;
  const remembered = { newestSlot, fresh, lastLocation, interrupted };
  const lastSlot = memory.lastSlot ?? clock.now();
  return {
    check,
    clock,
    ...remembered,
    lastSlot,
    slot: 0,
    orders: [],
    ordered: null,
    keptSlot: underWay?.keptSlot ?? null,
    underWay: underWay?.outcome ?? null,
  };
}

export type CheckEvent =
  | { type: 'EDITED'; check: RunnableCheck }
  | ({ type: 'ORDERED' } & FollowedRun)
  | { type: 'CANCELLED'; orderId: string }
  /** The machine slept, or its clock was set. */
  | { type: 'CLOCK_JUMPED' };

/** One run of a check, to be executed. */
export interface CheckRunInput {
  check: RunnableCheck;
  /** The slot that is due, epoch ms; null for a run off the schedule, or of a slot that ran before. */
  slot: number | null;
  ordered: FollowedRun | null;
  lastLocation: string | null;
  /** Its persisted state, where a stop or a crash cut it short. */
  interrupted: RunState | null;
}
