import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { DAY_MS, type DaySum, daySumProblems } from '#shared/analytics/day-sum.ts';
import type { SeriesQuery } from '#shared/analytics/series.ts';
import type { Problem } from '#shared/api/problems.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import { Meta } from './meta.ts';
import { packKey, readPackKey } from './packs.ts';
import { RawFrom, type RawKind } from './raw-from.ts';
import type { RollUpGroup } from './roll-up.ts';
import { unpackRollUp } from './roll-up-body.ts';
import { ROLLED_BEFORE } from './roll-ups.ts';

/** Where the numbers of a time come from. */
export interface Sources {
  /** Whole days of which only sums are left, epoch ms; null where all is there. */
  days: TimeRange | null;
  /** Results or events that are there. */
  raw: TimeRange;
}

/** Answers from the sums of days what the results of a check no longer tell. */
export class DaySumReader {
  readonly #rawFrom: RawFrom;
  readonly #meta: Meta;
  readonly #rollUps: StatementSync;

  constructor(database: DatabaseSync) {
    this.#meta = new Meta(database);
    this.#rawFrom = new RawFrom(this.#meta);
    this.#rollUps = database.prepare(
      'SELECT key, body FROM roll_ups WHERE key >= ? AND key < ? ORDER BY key',
    );
  }

  /**
   * Whole days (UTC) of which something was removed come from their sums, also where a bound lies inside them.
   * A list of single results shows those that are left. Answers problems where the sums do not tell what is asked.
   */
  sourcesOf(query: SeriesQuery & TimeRange, kind: RawKind): Sources | Problem[] {
    const { from, to, metrics } = query;
    const rawFrom = this.#rawFrom.of(kind);
    const isRaw = metrics.some((metric) => metric.kind === 'raw');
    if (isRaw || from >= rawFrom) return { days: null, raw: { from, to } };
    const problems = daySumProblems(query, rawFrom);
    if (problems.length > 0) return problems;
    const rolledBefore = this.#meta.read(ROLLED_BEFORE) ?? 0;
    const endDay = Math.min(Math.ceil(rawFrom / DAY_MS), rolledBefore, Math.ceil(to / DAY_MS));
    const days = { from: Math.floor(from / DAY_MS) * DAY_MS, to: endDay * DAY_MS };
    if (days.from >= days.to) return { days: null, raw: { from, to } };
    return { days, raw: { from: days.to, to: Math.max(days.to, to) } };
  }

  /** @param read what a group of a roll-up tells; null where it is not asked for */
  daysOf(
    checkKey: number,
    { from, to }: TimeRange,
    wanted: ReadonlySet<number>,
    read: (group: RollUpGroup) => Pick<DaySum, 'failed' | 'values'> | null,
  ): DaySum[] {
    const keys = [packKey(checkKey, from / DAY_MS), packKey(checkKey, to / DAY_MS)] as const;
    return this.#rollUps.all(...keys).flatMap(({ key, body }) => {
      const dayMs = readPackKey(Number(key)).period * DAY_MS;
      return unpackRollUp(body as Uint8Array, wanted).flatMap((group) => {
        const { location, count, retries } = group;
        const told = read(group);
        return told === null ? [] : [{ dayMs, location, count, retries, ...told }];
      });
    });
  }
}
