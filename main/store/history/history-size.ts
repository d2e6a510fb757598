import type { DatabaseSync, StatementSync } from 'node:sqlite';

const PRAGMAS = ['page_count', 'freelist_count', 'page_size'] as const;

/** How large the database is: its pages but for the free ones, which the next rows take. */
export class HistorySize {
  readonly #statements: readonly StatementSync[];

  constructor(database: DatabaseSync) {
    this.#statements = PRAGMAS.map((name) => database.prepare(`PRAGMA ${name}`));
  }

  /** Reads three numbers of the file's head. */
  get bytes(): number {
    const [pages = 0, free = 0, pageBytes = 0] = this.#statements.map((statement) =>
      Number(Object.values(statement.get() ?? {})[0]),
    );
    return (pages - free) * pageBytes;
  }
}
