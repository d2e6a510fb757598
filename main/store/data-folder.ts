import { constants, existsSync } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '#main/platform/startup-error.ts';
import { primaryCode, SQLITE } from './history/sqlite-error.ts';

/** The folder that holds everything the appliance keeps, locked for this process. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** Lets go of the lock; a second call does nothing. */
  release(): void;
}

const LOCK_FILE = 'lock.db';

/** Who runs on the folder, as far as it says so: a line's middle, as `process 7 at http://…`. */
export type TellHolder = (folder: string) => Promise<string | null>;

/** Whether somebody ran on this folder before, so that opening it makes nothing. */
export function isDataFolder(path: string): boolean {
  return existsSync(join(path, LOCK_FILE));
}

/**
 * Makes the folder where it is missing (mode 0700), sees that it can be written and takes its lock.
 *
 * @param tellHolder asked who has the folder, where it is in use
 * @throws StartupError where it is no folder, cannot be written, or is in use by another process
 */
export async function openDataFolder(
  path: string,
  tellHolder: TellHolder = async () => null,
): Promise<DataFolder> {
  const folder = resolve(path);
  await prepare(folder);
  const lock = takeLock(folder) ?? (await refuseHeld(folder, tellHolder));
  return {
    path: folder,
    release: () => {
      if (lock.isOpen) lock.close();
    },
  };
}

async function prepare(folder: string): Promise<void> {
  try {
    await make(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'EEXIST' || code === 'ENOTDIR') throw notAFolder(folder, error);
    throw notWritable(folder, code, error);
  }
}

/**
 * Makes a folder, and those above it that are missing: each is tried twice at most. Node's own way to do
 * so tries for ever where the system lets nobody make it and says that it is not there, as in /proc.
 */
async function make(folder: string): Promise<void> {
  if ((await statOf(folder))?.isDirectory()) return;
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const parent = dirname(folder);
    const isParentMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isParentMissing || parent === folder || (await statOf(parent))) throw error;
    await make(parent);
    await mkdir(folder, { mode: 0o700 });
  }
}

/** Null where there is nothing. */
async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function refuseHeld(folder: string, tellHolder: TellHolder): Promise<never> {
  const holder = (await tellHolder(folder)) ?? 'another process';
  throw new StartupError(
    `The data folder ${folder} is in use by ${holder}: stop it, or choose another folder.`,
  );
}

/**
 * Null where another process has it.
 *
 * An exclusive SQLite transaction that is never ended: a lock of the kernel's, so it vanishes with
 * the process, also after `kill -9`, and no stale file can be in the way. Nothing else may open the
 * file: closing any descriptor of it in this process would drop the lock.
 */
function takeLock(folder: string): DatabaseSync | null {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    switch (primaryCode(error)) {
      case SQLITE.BUSY:
        return null;
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
