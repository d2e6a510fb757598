import type { RunnableCheck } from '#shared/checks/check.ts';

/**
 * Where a check runs that names no location at all: on the embedded runner, under this name. The
 * API takes an empty list, and a check that never runs would hide an outage.
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
 * `lastUsed` in the list, data centers before private ones. `lastUsed` goes by name,
 * so that turns survive edits of the list; one that is gone, or null, starts at the top.
 */
export function locationsOf(check: PlacedCheck, lastUsed: string | null): DueLocations {
  const all = allLocations(check);
  const next = turnAfter(all, lastUsed);
  return check.runParallel ? { run: all, last: all.at(-1) ?? next } : { run: [next], last: next };
}

/** Where a retry runs that is to run elsewhere: the next of the list, or the same if it is alone. */
export function locationAfter(check: PlacedCheck, location: string): string {
  return turnAfter(allLocations(check), location);
}

function allLocations({ locations, privateLocations }: PlacedCheck): string[] {
  const named = new Set<string>([...(locations ?? []), ...(privateLocations ?? [])]);
  return named.size > 0 ? [...named] : [DEFAULT_LOCATION];
}

function turnAfter(all: readonly string[], lastUsed: string | null): string {
  const turn = lastUsed === null ? 0 : (all.indexOf(lastUsed) + 1) % all.length;
  return all[turn] ?? DEFAULT_LOCATION;
}
