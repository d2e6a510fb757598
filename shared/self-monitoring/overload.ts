import { type ScheduleSettings, scheduleOf } from '#shared/checks/schedule.ts';
import { hash32 } from '#shared/hash.ts';

/**
 * An overload: results come faster than the history can write them. Slots are then skipped, so that what ran is kept.
 * How far the history is behind is the part of the room for waiting records that is filled: 0, 1, or more.
 */
const BEGINS = 0.2;
/** Lower than where it begins, so that it does not begin and end all the time. */
const ENDS = 0.1;
/** From here on all slots are skipped: the room that is left is for the runs under way. */
const ALL = 0.5;
/** Slots that come no oftener, ms: a check would lose much by one, and to skip it would help next to nothing. */
const RARE = 3_600_000;

/** Whether there is an overload, by whether there was one a moment ago. */
export function isOverloaded(filled: number, was: boolean): boolean {
  return filled >= (was ? ENDS : BEGINS);
}

/** Steps of this part of a circle lie as evenly on it as steps can, however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Whether an overload skips a slot, epoch ms. The farther the history is behind, the more slots are skipped; of each
 * check the same part as of all others, evenly over its slots, so that none is skipped for ever. A slot of a check that
 * is due hourly or more rarely is skipped only where all are.
 */
export function isSkippedInOverload(
  check: ScheduleSettings,
  slot: number,
  filled: number,
): boolean {
  if (filled >= ALL) return true;
  const { periodMs } = scheduleOf(check);
  if (periodMs >= RARE) return false;
  const turn = Math.floor(slot / periodMs);
  const place = (hash32(`overload:${check.id}`) / 2 ** 32 + turn * GOLDEN) % 1;
  return place < (filled - ENDS) / (ALL - ENDS);
}

const WARNING =
  'Results come faster than the history can write them: slots of checks are skipped, so that what ran is kept.';

/** What an operator is to know of it, in sentences. */
export function overloadWarnings(isOverloaded: boolean): string[] {
  return isOverloaded ? [WARNING] : [];
}
