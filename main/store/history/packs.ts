import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { CHECK_TRAITS, type CheckType } from '#shared/checks/enums.ts';
import { Meta } from './meta.ts';
import { ResultColumns, type ResultRows, toPacked } from './result-columns.ts';
import { type PackedResults, packResults } from './result-pack.ts';
import type { Slice } from './slice.ts';

/** Periods before this one, counted from the epoch, are packed, or have no results. */
export const PACKED_BEFORE = 'packed_before';
/** The time that one pack holds: a pack of a one-minute check then fills some pages of the file. */
export const PACK_MS = 6 * 3_600_000;
/** How long after its end a period is packed: its last results may be written late. */
const REST_MS = 600_000;

/** Rows that one slice reads: some 10 ms. */
const SLICE_RESULTS = 2_000;
/** Checks that one slice looks at. */
const SLICE_CHECKS = 200;

/** More than there are of them until the year 3000. */
export const PERIODS = 2 ** 21;

/** The key of the pack of a check and a period: those of a check lie beside each other in the file. */
export function packKey(checkKey: number, period: number): number {
  return checkKey * PERIODS + period;
}

/** How many periods of a check ended by a time, epoch ms. */
export function periodsBefore(beforeMs: number): number {
  return Math.min(Math.floor(beforeMs / PACK_MS), PERIODS);
}

export function readPackKey(key: number): { checkKey: number; period: number } {
  return { checkKey: Math.floor(key / PERIODS), period: key % PERIODS };
}

/**
 * Packs the results of past periods for analytics, beside their rows. A result that comes late for a packed
 * period empties the pack, and reports read the rows until it is made anew.
 */
export class Packs {
  readonly #meta: Meta;
  readonly #checks: StatementSync;
  readonly #results: ResultColumns;
  readonly #put: StatementSync;
  readonly #emptied: StatementSync;
  readonly #drop: StatementSync;
  readonly #types: StatementSync;
  #packedBefore: number | null = null;

  constructor(database: DatabaseSync) {
    this.#meta = new Meta(database);
    this.#checks = database.prepare(
      'SELECT key FROM checks WHERE key > ? AND forgotten_at IS NULL ORDER BY key LIMIT ?',
    );
    this.#results = new ResultColumns(database);
    this.#put = database.prepare('INSERT OR REPLACE INTO packs (key, body) VALUES (?, ?)');
    this.#emptied = database.prepare('SELECT key FROM packs WHERE body IS NULL LIMIT ?');
    this.#drop = database.prepare('DELETE FROM packs WHERE key >= ? AND key < ?');
    this.#types = database.prepare('SELECT word FROM words WHERE key = ?');
    this.reload();
  }

  /** To be called after a transaction was rolled back. */
  reload(): void {
    this.#packedBefore = this.#meta.read(PACKED_BEFORE);
  }

  /** The end of the last period that is packed, epoch ms; 0 where none is. */
  get packedUntilMs(): number {
    return (this.#packedBefore ?? 0) * PACK_MS;
  }

  /** What a pack holds once it is made anew. */
  read(key: number): PackedResults {
    const { checkKey, period } = readPackKey(key);
    return this.#columnsOf(period, this.#read(checkKey, period));
  }

  /** A result of this time, epoch ms, was written. */
  written(checkKey: number, at: number): void {
    const period = Math.floor(at / PACK_MS);
    const isPacked = this.#packedBefore !== null && period < this.#packedBefore;
    if (isPacked) this.#put.run(packKey(checkKey, period), null);
  }

  /** Removes the packs of periods that ended by then, epoch ms. */
  drop(checkKey: number, beforeMs: number): void {
    this.#drop.run(packKey(checkKey, 0), packKey(checkKey, periodsBefore(beforeMs)));
  }

  /**
   * The work due at `now` (epoch ms).
   * @param oldestMs how far back there may be results, where nothing was packed yet
   */
  *due(now: number, oldestMs: number): Generator<Slice, void> {
    yield () => this.#packEmptied();
    const end = Math.floor((now - REST_MS) / PACK_MS);
    for (let period = this.#next(oldestMs); period < end; period = this.#next(oldestMs)) {
      const to = period + 1;
      yield this.#packAll(period);
      yield () => {
        this.#meta.write(PACKED_BEFORE, to);
        this.#packedBefore = to;
        return false;
      };
    }
  }

  #next(oldestMs: number): number {
    return this.#packedBefore ?? Math.floor(oldestMs / PACK_MS);
  }

  #packEmptied(): boolean {
    const rows = this.#emptied.all(SLICE_CHECKS);
    for (const { key } of rows) {
      const { checkKey, period } = readPackKey(Number(key));
      this.#pack(checkKey, period, this.#read(checkKey, period));
    }
    return rows.length === SLICE_CHECKS;
  }

  /** A period of every check, one check after the other; a slice goes on where the last one ended. */
  #packAll(period: number): Slice {
    let done = 0;
    return () => {
      let left = SLICE_RESULTS;
      const checks = this.#checks.all(done, SLICE_CHECKS);
      for (const check of checks) {
        const key = Number(check.key);
        left -= this.#packCheck(key, period);
        done = key;
        if (left <= 0) return true;
      }
      return checks.length === SLICE_CHECKS;
    };
  }

  /** Answers how many results it read. */
  #packCheck(key: number, period: number): number {
    const results = this.#read(key, period);
    const { length } = results.rows;
    if (length > 0) this.#pack(key, period, results);
    return length;
  }

  #read(key: number, period: number): ResultRows {
    return this.#results.read(key, period * PACK_MS, (period + 1) * PACK_MS);
  }

  #pack(key: number, period: number, results: ResultRows): void {
    this.#put.run(packKey(key, period), packResults(this.#columnsOf(period, results)));
  }

  #columnsOf(period: number, results: ResultRows): PackedResults {
    return toPacked(results, period * PACK_MS, this.#widthOf(results));
  }

  #widthOf({ rows: [first] }: ResultRows): number {
    if (first === undefined) return 0;
    const type = String(this.#types.get(first[1])?.word) as CheckType;
    return CHECK_TRAITS[type].metrics.length;
  }
}
