import { hash32 } from '#shared/hash.ts';

/**
 * When a check runs (specification 2.2 `frequency`, `frequencyOffset`).
 *
 * A check's slots are `period × n + phase` milliseconds since the UNIX epoch: computed from the
 * clock, so they never drift and missed ones are never replayed. Inside its offset's unit a check
 * starts at a millisecond that the hash of its id gives, so checks of one frequency spread out.
 */
export interface Schedule {
  /** Milliseconds between slots. */
  periodMs: number;
  /** Milliseconds from the start of a period to its slot; less than `periodMs`. */
  phaseMs: number;
}

/** What decides a check's schedule. */
export interface ScheduleSettings {
  id: string;
  /** Minutes; 0 with an offset of 10, 20 or 30 means every so many seconds. */
  frequency: number;
  frequencyOffset?: number | undefined;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SUB_MINUTE_OFFSETS = [10, 20, 30];

/** The offsets that a frequency allows, with the words for an error (rules 1 to 3 of 2.2). */
export interface OffsetRange {
  min: number;
  max: number;
  description: string;
  allows(offset: number): boolean;
}

export function frequencyOffsetRange(frequency: number): OffsetRange {
  if (frequency === 0) {
    return {
      min: 10,
      max: 30,
      description: '10, 20 or 30',
      allows: (offset) => SUB_MINUTE_OFFSETS.includes(offset),
    };
  }
  const max = frequency <= 60 ? Math.floor(frequency * 10) : Math.ceil(frequency / 60);
  return {
    min: 1,
    max,
    description: `a whole number from 1 to ${max}`,
    allows: (offset) => Number.isInteger(offset) && offset >= 1 && offset <= max,
  };
}

/** The offset of a check that was given none: from the hash of its id, so that checks spread. */
export function defaultFrequencyOffset(id: string, frequency: number): number {
  if (frequency === 0) return 10;
  return 1 + (hash32(`offset:${id}`) % frequencyOffsetRange(frequency).max);
}

export function scheduleOf({ id, frequency, frequencyOffset }: ScheduleSettings): Schedule {
  const offset = frequencyOffset ?? defaultFrequencyOffset(id, frequency);
  if (frequency === 0) {
    const periodMs = offset * SECOND;
    return { periodMs, phaseMs: hash32(id) % periodMs };
  }
  const periodMs = frequency * MINUTE;
  const unitMs = frequency <= 60 ? 6 * SECOND : HOUR;
  // The last offset of a range is the period itself, which is the start of the next one.
  return { periodMs, phaseMs: (offset * unitMs + (hash32(id) % unitMs)) % periodMs };
}

/** The first slot after `afterMs`. */
export function nextSlot({ periodMs, phaseMs }: Schedule, afterMs: number): number {
  return (Math.floor((afterMs - phaseMs) / periodMs) + 1) * periodMs + phaseMs;
}

/**
 * The slot to wait for: the first after those that were run or counted, up to `lastSlot`. It may have
 * passed already. Only a clock that was set back by more than a period makes slots come again:
 * monitoring goes on at the time that it is.
 */
export function slotToAwait(schedule: Schedule, nowMs: number, lastSlot: number): number {
  const wasSetBack = lastSlot - nowMs > schedule.periodMs;
  return nextSlot(schedule, wasSetBack ? nowMs : lastSlot);
}

/** How late a slot may start: beyond that the machine slept, and the slot is passed over. */
export const MAX_LATENESS_MS = 10 * SECOND;

export function isTooLate(slot: number, nowMs: number): boolean {
  return nowMs - slot > MAX_LATENESS_MS;
}

/** How many slots lie after `afterMs` and before `beforeMs`. */
export function slotsBetween(schedule: Schedule, afterMs: number, beforeMs: number): number {
  const first = nextSlot(schedule, afterMs);
  return first >= beforeMs ? 0 : Math.ceil((beforeMs - first) / schedule.periodMs);
}

/** Within how long of its creation or activation a check runs for the first time. */
export const FIRST_RUN_WITHIN_MS = 5 * SECOND;

/** Milliseconds from creation or activation to a first run that is on no schedule. */
export function firstRunDelay(id: string): number {
  return hash32(`first:${id}`) % FIRST_RUN_WITHIN_MS;
}
