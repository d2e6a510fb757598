import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HistoryLoad } from './history.ts';

/** Reads the few numbers that those see who look after the appliance. */
export class LoadReader {
  readonly #load: StatementSync;

  constructor(database: DatabaseSync) {
    this.#load = database.prepare(`
      SELECT
        (SELECT count(*) FROM incidents WHERE ended_at IS NULL AND deleted_at IS NULL)
          AS openIncidents,
        (SELECT count(*) FROM mailings WHERE open = 1) AS openMailings,
        (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS fileBytes`);
  }

  readLoad(): HistoryLoad {
    const { openIncidents, openMailings, fileBytes } = this.#load.get() ?? {};
    return {
      openIncidents: Number(openIncidents),
      openMailings: Number(openMailings),
      fileBytes: Number(fileBytes),
    };
  }
}
