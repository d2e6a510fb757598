import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { primaryCode, SQLITE } from './sqlite/sqlite-error.ts';
import { StartupError } from './startup-error.ts';

/** The folder that holds everything the appliance keeps, locked for this process. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** Lets go of the lock; a second call does nothing. */
  release(): void;
}

const LOCK_FILE = 'lock.db';

/**
 * Makes the folder where it is missing (mode 0700), sees that it can be written and takes its lock.
 *
 * @throws StartupError where it is no folder, cannot be written, or is in use by another process
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder = resolve(path);
  await prepare(folder);
  const lock = takeLock(folder);
  return {
    path: folder,
    release: () => {
      if (lock.isOpen) lock.close();
    },
  };
}

async function prepare(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'EEXIST' || code === 'ENOTDIR') throw notAFolder(folder, error);
    throw notWritable(folder, code, error);
  }
}

/**
 * An exclusive SQLite transaction that is never ended: a lock of the kernel's, so it vanishes with
 * the process, also after `kill -9`, and no stale file can be in the way. Nothing else may open the
 * file: closing any descriptor of it in this process would drop the lock.
 */
function takeLock(folder: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    switch (primaryCode(error)) {
      case SQLITE.BUSY:
        throw new StartupError(
          `The data folder ${folder} is in use by another process: stop it, or choose another folder.`,
          { cause: error },
        );
      case SQLITE.NOT_A_DATABASE:
        throw new StartupError(
          `${join(folder, LOCK_FILE)} is not a lock file of Watchpost: move it away, or choose another folder.`,
          { cause: error },
        );
      case SQLITE.CANNOT_OPEN:
      case SQLITE.READ_ONLY:
      case SQLITE.IO:
      case SQLITE.FULL:
        throw notWritable(folder, (error as Error).message, error);
      default:
        throw error;
    }
  }
}

function notAFolder(folder: string, cause: unknown): StartupError {
  return new StartupError(`The data folder ${folder} cannot be used: it is not a folder.`, {
    cause,
  });
}

function notWritable(folder: string, reason: string, cause: unknown): StartupError {
  return new StartupError(`The data folder ${folder} cannot be written (${reason}).`, { cause });
}
