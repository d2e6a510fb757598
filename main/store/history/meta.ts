import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Numbers that the database keeps beside its records, by name. */
export class Meta {
  readonly #read: StatementSync;
  readonly #write: StatementSync;

  constructor(database: DatabaseSync) {
    this.#read = database.prepare('SELECT value FROM meta WHERE name = ?');
    this.#write = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
  }

  /** Null where it was never written, or is no number. */
  read(name: string): number | null {
    const value = Number(this.#read.get(name)?.value ?? Number.NaN);
    return Number.isFinite(value) ? value : null;
  }

  write(name: string, value: number): void {
    this.#write.run(name, value);
  }
}
