import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StorageState } from '../storage-state.ts';
import type { StoreError, StoreErrorCode } from '../store-error.ts';
import { ArtifactRows } from './artifact-rows.ts';
import { BelievedClock } from './believed-clock.ts';
import { Bodies } from './bodies.ts';
import { Cleanup } from './cleanup.ts';
import { transaction } from './database.ts';
import { Dictionary } from './dictionary.ts';
import { ErrorGroupWriter } from './error-group-writer.ts';
import { EventWriter, type Tally } from './event-writer.ts';
import type { HistoryRecords } from './history.ts';
import { Meta } from './meta.ts';
import { Packs } from './packs.ts';
import { clockTolerance, cutoff, type Retention } from './retention.ts';
import { RollUps } from './roll-ups.ts';
import { Shrinker } from './shrinker.ts';
import type { Slice } from './slice.ts';
import { concernsEveryTransaction, sqliteStoreError } from './sqlite-error.ts';

const ALIVE_AT = 'alive_at';
const SIZE_PRAGMAS = ['page_count', 'freelist_count', 'page_size'] as const;
/** How far the history is cut down once it is too large: not again at every write. */
const SHRINK_TO = 0.99;

/** What became of the records of one caller. */
export type Outcome =
  | {
      kept: true;
      /** FINAL results of a slot that had one already, and results that were there already. */
      refused: number;
      /** Details that were too large to keep. */
      oversized: number;
    }
  | { kept: false; code: StoreErrorCode; message: string };

/** The one that changes the database. Everything it does is a transaction of its own. */
export class Writer {
  readonly #database: DatabaseSync;
  readonly #keys: Dictionary;
  readonly #details: Bodies;
  readonly #artifacts: ArtifactRows;
  readonly #packs: Packs;
  readonly #rollUps: RollUps;
  readonly #events: EventWriter;
  readonly #sweeper: Cleanup;
  readonly #retention: Retention;
  readonly #shrinker: Shrinker;
  readonly #size: HistorySize;
  readonly #meta: Meta;
  readonly #clock: BelievedClock;
  readonly #markForgotten: StatementSync;
  readonly #dropState: StatementSync;

  constructor(database: DatabaseSync, retention: Retention) {
    this.#database = database;
    this.#retention = retention;
    this.#keys = new Dictionary(database);
    this.#details = new Bodies(database);
    this.#artifacts = new ArtifactRows(database);
    this.#packs = new Packs(database);
    this.#rollUps = new RollUps(database, this.#packs);
    const errorGroups = new ErrorGroupWriter(database);
    const derived = {
      artifacts: this.#artifacts,
      details: this.#details,
      packs: this.#packs,
      rollUps: this.#rollUps,
      errorGroups,
    };
    this.#events = new EventWriter(database, { keys: this.#keys, ...derived });
    this.#sweeper = new Cleanup(database, retention, derived);
    this.#shrinker = new Shrinker(database, this.#sweeper);
    this.#size = new HistorySize(database);
    this.#meta = new Meta(database);
    this.#clock = new BelievedClock(this.#meta, clockTolerance(retention));
    this.#markForgotten = database.prepare(
      'UPDATE checks SET forgotten_at = ? WHERE id = ? AND forgotten_at IS NULL RETURNING key',
    );
    this.#dropState = database.prepare('DELETE FROM states WHERE check_key = ?');
  }

  /**
   * Keeps the records of several callers in one transaction. Where that fails, each caller's records get
   * a transaction of their own, so that what one of them did wrong is not the others' loss.
   */
  write(batch: readonly HistoryRecords[]): Outcome[] {
    try {
      return this.#transaction(() => batch.map((records) => kept(this.#events.write(records))));
    } catch (error) {
      const failure = sqliteStoreError(error);
      if (batch.length === 1 || concernsEveryTransaction(failure)) {
        return batch.map(() => notKept(failure));
      }
      return batch.flatMap((records) => this.write([records]));
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
    return this.#meta.read(ALIVE_AT);
  }

  /** Records that the appliance is alive. */
  stamp(now: number): void {
    this.#transaction(() => {
      this.#clock.see(now);
      this.#meta.write(ALIVE_AT, now);
    });
  }

  /** A person says that `now` is the time: what is due by it may go. */
  confirmClock(now: number): void {
    this.#transaction(() => this.#clock.confirm(now));
  }

  stateAt(now: number): StorageState {
    const { believedAt } = this.#clock;
    const isDoubted = believedAt !== null && !this.#clock.believes(now);
    return {
      usedBytes: this.#size.bytes,
      budgetBytes: this.#retention.historyBytes,
      doubt: isDoubted ? { now, believedAt } : null,
    };
  }

  /** Whether there are more bodies, or artifacts, than there may be. */
  get overBudget(): boolean {
    const { detailBytes, artifactBytes } = this.#retention;
    return this.#details.totalBytes > detailBytes || this.#artifacts.totalBytes > artifactBytes;
  }

  /**
   * Removes what is due at `now` (epoch ms), a slice at each step, so that writes come in between;
   * where `now` is not believed, only what people deleted. A slice that fails throws, and its work is
   * taken up again by the next sweep.
   */
  *sweep(now: number): Generator<void, void> {
    yield* this.#inSlices(this.#sweeper.forgotten());
    if (this.#clock.believes(now)) yield* this.#inSlices(this.#sweeper.due(now));
    // Checks that were dropped for good may come again under another key.
    this.#keys.clear();
  }

  /**
   * Packs and rolls up what is over at `now`, as {@link sweep} does its work: to be done before it, which
   * removes the results.
   */
  *sumUp(now: number): Generator<void, void> {
    if (!this.#clock.believes(now)) return;
    const { resultDays, heartbeatDays } = this.#retention;
    yield* this.#inSlices(this.#packs.due(now, cutoff(now, resultDays)));
    const oldest = cutoff(now, Math.max(resultDays, heartbeatDays));
    yield* this.#inSlices(this.#rollUps.due(now, oldest));
  }

  /** Brings bodies and artifacts back into their budgets, as {@link sweep} does its work. */
  trim(): Generator<void, void> {
    return this.#inSlices(this.#sweeper.trim());
  }

  /** Whether the history is larger than it may be. */
  get isTooLarge(): boolean {
    return this.#size.bytes > this.#retention.historyBytes;
  }

  /** Brings all of history back into its budget, as {@link sweep} does its work. */
  shrink(): Generator<void, void> {
    const least = this.#retention.historyBytes * SHRINK_TO;
    return this.#inSlices(this.#shrinker.shrink(() => this.#size.bytes > least));
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
        this.#artifacts.saveTotal();
        return result;
      });
    } catch (error) {
      // Nothing in memory of what was rolled back was kept.
      this.#keys.clear();
      this.#packs.reload();
      this.#rollUps.reload();
      this.#details.reloadTotals();
      this.#artifacts.reloadTotal();
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

/** How large the database is: its pages but for the free ones, which the next rows take. */
class HistorySize {
  readonly #statements: readonly StatementSync[];

  constructor(database: DatabaseSync) {
    this.#statements = SIZE_PRAGMAS.map((name) => database.prepare(`PRAGMA ${name}`));
  }

  /** Reads three numbers of the file's head. */
  get bytes(): number {
    const [pages = 0, free = 0, pageBytes = 0] = this.#statements.map((statement) =>
      Number(Object.values(statement.get() ?? {})[0]),
    );
    return (pages - free) * pageBytes;
  }
}
