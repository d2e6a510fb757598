import type { HeartbeatState } from './enums.ts';

/**
 * The timer of a heartbeat. Every ping and every missed deadline resets it; before
 * the first ping it does not run, and nothing can fail.
 */
export interface Timer {
  /** Epoch ms of the last ping or missed deadline; null before the first ping. */
  lastResetAt: number | null;
  /** Milliseconds from a reset to the next ping that is expected. */
  periodMs: number;
  /** Milliseconds that a ping may come after that. */
  graceMs: number;
}

/** A ping's state: FAILING is a missed deadline, never a ping. */
export type PingState = Exclude<HeartbeatState, 'FAILING'>;

/**
 * Milliseconds after a deadline before its failure is recorded: a ping on its way still counts,
 * as LATE.
 */
export const LATE_WINDOW_MS = 2_000;

/** How much later than it should have been a miss may be noticed; after that, the machine slept. */
export const NOTICED_WITHIN_MS = 10_000;

const MIN_TOLERANCE_MS = 1_000;
const TOLERANCE_OF_PERIOD = 0.01;

/** Epoch ms of the ping that is expected; Infinity while the timer does not run. */
export function expectedAt({ lastResetAt, periodMs }: Timer): number {
  return lastResetAt === null ? Number.POSITIVE_INFINITY : lastResetAt + periodMs;
}

/** Epoch ms of the last moment at which a ping is in time; Infinity while the timer does not run. */
export function deadlineAt(timer: Timer): number {
  return expectedAt(timer) + timer.graceMs;
}

/**
 * The state of a ping that arrives at `at` (epoch ms), before the reset that it causes.
 *
 * RECEIVED reaches 1 s, or 1 % of the period if that is more, to both sides of the expected time,
 * also past a deadline that comes sooner: a job that is on time is not late because it was given no
 * grace. The first ping of all is expected at no time and is RECEIVED.
 */
export function pingState(timer: Timer, at: number): PingState {
  if (timer.lastResetAt === null) return 'RECEIVED';
  const afterExpectedMs = at - expectedAt(timer);
  const toleranceMs = Math.max(MIN_TOLERANCE_MS, timer.periodMs * TOLERANCE_OF_PERIOD);
  if (Math.abs(afterExpectedMs) <= toleranceMs) return 'RECEIVED';
  if (afterExpectedMs < 0) return 'EARLY';
  return afterExpectedMs <= timer.graceMs ? 'GRACE' : 'LATE';
}

/** Where a timer stands that is looked at, whenever its clock let that be. */
export type TimerVerdict =
  /** The last reset lies in the future: the clock was set back since. */
  | 'SET_BACK'
  /** The deadline is still to come. */
  | 'WAITING'
  /** The deadline passed, and a ping may still be on its way. */
  | 'OVERDUE'
  /** No ping came in time. */
  | 'MISSED'
  /**
   * No ping came, and the miss is noticed so late that the machine must have slept: pings may have
   * come that nobody took, so the target is not blamed.
   */
  | 'ASLEEP';

/** Where a timer stands at `now` (epoch ms); before the first ping it waits. */
export function timerVerdict(timer: Timer, now: number): TimerVerdict {
  if (timer.lastResetAt !== null && now < timer.lastResetAt) return 'SET_BACK';
  const overdueMs = now - deadlineAt(timer);
  if (overdueMs < 0) return 'WAITING';
  if (overdueMs < LATE_WINDOW_MS) return 'OVERDUE';
  return overdueMs <= LATE_WINDOW_MS + NOTICED_WITHIN_MS ? 'MISSED' : 'ASLEEP';
}

/** Whether an event counts as passing: every ping does, a missed deadline does not. */
export function isPassing(state: HeartbeatState): boolean {
  return state !== 'FAILING';
}

/**
 * Percent of passing events, 0 to 100 with two decimals. A period without events
 * answers 0: nothing was seen to pass, and the total beside it says why. One failure among very
 * many is never rounded up to 100.
 */
export function availability(passing: number, total: number): number {
  if (total === 0) return 0;
  const percent = Math.round((passing / total) * 10_000) / 100;
  return passing < total ? Math.min(percent, 99.99) : percent;
}

/**
 * The timer after a restart of the appliance at `startedAtMs`. Where the expected time passed while
 * it was down, a ping may have come that nobody took, so the target is not blamed: the timer starts
 * again at the restart. Otherwise it is unchanged.
 */
export function resumeTimer(timer: Timer, startedAtMs: number): Timer {
  return expectedAt(timer) < startedAtMs ? { ...timer, lastResetAt: startedAtMs } : timer;
}
