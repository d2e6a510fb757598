import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HistoryFacts } from '../history.ts';
import type { StoreError } from '../store-error.ts';
import type { Outcome } from './calls.ts';
import { transaction } from './database.ts';
import { Details } from './details.ts';
import { FactWriter, type Tally } from './fact-writer.ts';
import { Keys } from './keys.ts';
import type { Retention } from './retention.ts';
import type { Slice } from './slice.ts';
import { concernsEveryTransaction, sqliteStoreError } from './sqlite-error.ts';
import { Sweeper } from './sweeper.ts';

const ALIVE_AT = 'alive_at';

/** The one that changes the database. Everything it does is a transaction of its own. */
export class Writer {
  readonly #database: DatabaseSync;
  readonly #keys: Keys;
  readonly #details: Details;
  readonly #facts: FactWriter;
  readonly #sweeper: Sweeper;
  readonly #retention: Retention;
  readonly #readMeta: StatementSync;
  readonly #writeMeta: StatementSync;
  readonly #markForgotten: StatementSync;
  readonly #dropState: StatementSync;

  constructor(database: DatabaseSync, retention: Retention) {
    this.#database = database;
    this.#retention = retention;
    this.#keys = new Keys(database);
    this.#details = new Details(database);
    this.#facts = new FactWriter(database, this.#keys, this.#details);
    this.#sweeper = new Sweeper(database, this.#details, retention);
    this.#readMeta = database.prepare('SELECT value FROM meta WHERE name = ?');
    this.#writeMeta = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
    this.#markForgotten = database.prepare(
      'UPDATE checks SET forgotten_at = ? WHERE id = ? AND forgotten_at IS NULL RETURNING key',
    );
    this.#dropState = database.prepare('DELETE FROM states WHERE check_key = ?');
  }

  /**
   * Keeps the facts of several callers in one transaction. Where that fails, each caller's facts get
   * a transaction of their own, so that what one of them did wrong is not the others' loss.
   */
  write(batch: readonly HistoryFacts[]): Outcome[] {
    try {
      return this.#transaction(() => batch.map((facts) => kept(this.#facts.write(facts))));
    } catch (error) {
      const failure = sqliteStoreError(error);
      if (batch.length === 1 || concernsEveryTransaction(failure)) {
        return batch.map(() => notKept(failure));
      }
      return batch.flatMap((facts) => this.write([facts]));
    }
  }

  /** Hides a check's history at once; a sweep removes it. */
  forget(checkId: string, now: number): void {
    this.#transaction(() => {
      const key = this.#markForgotten.get(now, checkId)?.key;
      if (key !== undefined) this.#dropState.run(key);
    });
    this.#keys.clear();
  }

  /** When the appliance was last known to be alive, epoch ms; null at its first start. */
  aliveAt(): number | null {
    const row = this.#readMeta.get(ALIVE_AT);
    return row ? Number(row.value) : null;
  }

  stamp(now: number): void {
    this.#transaction(() => this.#writeMeta.run(ALIVE_AT, now));
  }

  /** Whether there are more bodies than there may be. */
  get overBudget(): boolean {
    return this.#details.totalBytes > this.#retention.detailBytes;
  }

  /**
   * Removes what is due at `now` (epoch ms), a slice at each step, so that writes come in between.
   * A slice that fails throws, and its work is taken up again by the next sweep.
   */
  *sweep(now: number): Generator<void, void> {
    yield* this.#inSlices(this.#sweeper.due(now));
    // Checks that were dropped for good may come again under another key.
    this.#keys.clear();
  }

  /** Brings the bodies back into their budget, as {@link sweep} does its work. */
  trim(): Generator<void, void> {
    return this.#inSlices(this.#sweeper.trim());
  }

  *#inSlices(slices: Iterable<Slice>): Generator<void, void> {
    for (const slice of slices) {
      while (this.#transaction(slice)) yield;
      yield;
    }
  }

  close(now: number): void {
    try {
      this.stamp(now);
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      this.#database.close();
    }
  }

  #transaction<T>(work: () => T): T {
    try {
      return transaction(this.#database, () => {
        const result = work();
        this.#details.saveTotals();
        return result;
      });
    } catch (error) {
      // Neither the keys nor the totals of what was rolled back were kept.
      this.#keys.clear();
      this.#details.reloadTotals();
      throw error;
    }
  }
}

function kept(tally: Tally): Outcome {
  return { kept: true, ...tally };
}

function notKept({ code, message }: StoreError): Outcome {
  return { kept: false, code, message };
}
