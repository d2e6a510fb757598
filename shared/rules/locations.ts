import type { RunnableCheck } from '../check/check.ts';

/**
 * Where a check runs that names no location at all: on the embedded runner, under this name. The
 * API takes an empty list (contract 3.7), and a check that never runs would hide an outage.
 */
export const DEFAULT_LOCATION = 'local';

/** The members of a check that decide where it runs. */
export type PlacedCheck = Pick<RunnableCheck, 'locations' | 'privateLocations' | 'runParallel'>;

/** Where one slot runs. */
export interface DueLocations {
  /** At least one location. */
  run: string[];
  /** The one to pass in for the next slot. */
  last: string;
}

/**
 * The locations of a check's next run: with `runParallel` all at once, otherwise the one after
 * `lastUsed` in the list, data centers before private ones (contract 4). `lastUsed` goes by name,
 * so that turns survive edits of the list; one that is gone, or null, starts at the top.
 */
export function locationsOf(check: PlacedCheck, lastUsed: string | null): DueLocations {
  const named = new Set<string>([...(check.locations ?? []), ...(check.privateLocations ?? [])]);
  const all = named.size > 0 ? [...named] : [DEFAULT_LOCATION];
  const turn = lastUsed === null ? 0 : (all.indexOf(lastUsed) + 1) % all.length;
  const next = all[turn] ?? DEFAULT_LOCATION;
  return check.runParallel ? { run: all, last: all.at(-1) ?? next } : { run: [next], last: next };
}
