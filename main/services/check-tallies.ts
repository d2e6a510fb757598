import type { Monitor } from '#main/monitoring/monitor-port.ts';
import type { Configuration } from '#main/store/configuration/configuration.ts';
import type { Check } from '#shared/checks/check.ts';
import type { StoredResultType } from '#shared/checks/enums.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';
import { RunTally } from '#shared/prometheus/run-tally.ts';

interface Parts {
  monitor: Pick<Monitor, 'listen'>;
  configuration: Pick<Configuration, 'checks'>;
}

/** The tallies of a check at one location; null before the first result that counts there. */
interface PlaceTallies {
  FINAL: RunTally | null;
  ATTEMPT: RunTally | null;
}

/** The location of heartbeats, which have none, and of all locations together. */
export const NOWHERE = '';

/**
 * Counts the results of checks from the first time that somebody asks: an appliance that nobody asks pays
 * nothing for it, and counters begin at 0 as after any restart.
 */
export class CheckTallies {
  readonly #parts: Parts;
  /** By check, then by location. */
  readonly #tallies = new Map<string, Map<string, PlaceTallies>>();
  #isOpen = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Counts from now on. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { monitor, configuration } = this.#parts;
    monitor.listen({
      result: (result) => {
        const { checkId, runLocation, resultType } = result;
        this.#tallyOf(checkId, runLocation, resultType)?.add(result);
      },
      heartbeat: ({ checkId, state }) => {
        this.#tallyOf(checkId, NOWHERE, 'FINAL')?.addEvent(isPassing(state));
      },
    });
    configuration.checks.subscribe(({ kind, record }) => {
      if (kind === 'delete') this.#tallies.delete(record.id);
    });
  }

  /** Of a check as a whole. */
  of(check: Check, countsAttempts: boolean): RunTally {
    return united(
      check,
      this.byPlace(check, countsAttempts).map(([, tally]) => tally),
    );
  }

  /** Of a check at each location where it had a result that counts. */
  byPlace(check: Check, countsAttempts: boolean): [location: string, tally: RunTally][] {
    const places = [...(this.#tallies.get(check.id) ?? [])];
    return places.flatMap(([location, { FINAL, ATTEMPT }]) => {
      const counting = [FINAL, countsAttempts ? ATTEMPT : null].filter((tally) => tally !== null);
      return counting.length === 0 ? [] : [[location, united(check, counting)]];
    });
  }

  /** Null for a deleted check, whose last results may come after it. */
  #tallyOf(checkId: string, location: string, type: StoredResultType): RunTally | null {
    const check = this.#parts.configuration.checks.get(checkId);
    if (check === undefined) return null;
    const places = this.#tallies.get(checkId) ?? new Map<string, PlaceTallies>();
    this.#tallies.set(checkId, places);
    const place = places.get(location) ?? { FINAL: null, ATTEMPT: null };
    places.set(location, place);
    place[type] ??= new RunTally(check.checkType);
    return place[type];
  }
}

/** One tally is not copied. */
function united({ checkType }: Check, tallies: readonly RunTally[]): RunTally {
  const [only, ...others] = tallies;
  if (only !== undefined && others.length === 0) return only;
  const all = new RunTally(checkType);
  for (const tally of tallies) all.addAll(tally);
  return all;
}
