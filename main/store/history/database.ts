import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '#main/platform/startup-error.ts';
import { APPLICATION_ID, MIGRATIONS, type MigrationStep } from './schema.ts';
import { primaryCode } from './sqlite-error.ts';

/** The database's file in a data folder. */
const HISTORY_FILE = 'history.db';

/** How long a statement waits for the other connection's lock. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the database for its one writer, brought to the current version.
 *
 * A commit is in the system's hands before it answers, so it survives `kill -9`; it is synced at
 * checkpoints only, so a power cut may take the last seconds (docs/decisions/0002).
 *
 * @throws StartupError where the file is no history, damaged or newer than this build; it is left
 *   as it is
 */
export function openForWriting(
  folder: string,
  steps: readonly MigrationStep[] = MIGRATIONS,
): DatabaseSync {
  const path = join(folder, HISTORY_FILE);
  let database: DatabaseSync | undefined;
  try {
    // SQLite would let everybody read it; its other files take the mode of this one.
    if (!existsSync(path)) closeSync(openSync(path, 'w', 0o600));
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    const version = versionOf(database, path, steps);
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 8000;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA cache_size = -32768;
      PRAGMA temp_store = MEMORY;
    `);
    if (version > 0 && version < steps.length) snapshot(database, path, version);
    migrate(database, steps, version);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof StartupError || primaryCode(error) === undefined) throw error;
    throw new StartupError(
      `${path} cannot be used as the history, and was left as it is: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

/** Opens the database beside its writer. */
export function openForReading(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, HISTORY_FILE), {
    readOnly: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  database.exec('PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY;');
  return database;
}

/** Runs what it is given in a transaction: all of it is kept, or nothing. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk or an I/O error may have rolled back by itself.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(database: DatabaseSync, path: string, steps: readonly unknown[]): number {
  const version = pragma(database, 'user_version');
  const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get();
  const isNew = version === 0 && tables?.count === 0;
  if (!isNew && pragma(database, 'application_id') !== APPLICATION_ID) {
    throw new StartupError(`${path} is a database, but not a history of Watchpost: move it away.`);
  }
  if (version > steps.length) {
    throw new StartupError(
      `${path} has version ${version}, expected at most ${steps.length}: it was written by a newer Watchpost.`,
    );
  }
  return version;
}

/**
 * Each step commits together with its version number, so a process that is killed on the way goes
 * on at the step that it had not finished.
 */
function migrate(database: DatabaseSync, steps: readonly MigrationStep[], version: number): void {
  for (const [index, step] of steps.entries()) {
    if (index < version) continue;
    transaction(database, () => {
      step(database);
      database.exec(
        `PRAGMA user_version = ${index + 1}; PRAGMA application_id = ${APPLICATION_ID};`,
      );
    });
  }
}

/** A whole copy from before the first step; a file that has its name is whole. */
function snapshot(database: DatabaseSync, path: string, version: number): void {
  const copy = `${path}.v${version}.bak`;
  if (existsSync(copy)) return;
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { force: true });
  database.prepare('VACUUM INTO ?').run(unfinished);
  const descriptor = openSync(unfinished, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(unfinished, copy);
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}
