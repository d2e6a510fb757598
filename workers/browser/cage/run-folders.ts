import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessSource } from './processes.ts';
import { sweep } from './sweep.ts';

/** The folder in that of a run for what its programs put aside. */
export const temporaryFolderOf = (folder: string): string => join(folder, 't');

/**
 * The folders of the runs of one thread, in a folder of the thread, in one of the appliance: short, as
 * Chromium's sockets lie in them, and open to nobody else.
 */
export class RunFolders {
  readonly #all: string;
  #own: string | undefined;

  /** @param all the folder of the appliance; made with the first run */
  constructor(all: string) {
    this.#all = all;
  }

  /** The folder of this thread. */
  get own(): string {
    this.#own ??= mkdtempSync(join(ownedFolder(this.#all), 't'));
    return this.#own;
  }

  /** A new folder, empty but for one that programs put things aside in. */
  async make(): Promise<string> {
    // Whoever tidies up temporary folders may have removed it, as nothing was in it for long.
    ownedFolder(this.#all);
    await mkdir(this.own, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(this.own, 'r'));
    await mkdir(temporaryFolderOf(folder));
    return folder;
  }

  /** Removes the folder of this thread with all that is in it, and that of the appliance where it is empty. */
  async close(): Promise<void> {
    if (this.#own === undefined) return;
    await removeFolder(this.#own);
    await removeIfEmpty(this.#all);
  }

  /** Ends and removes what other threads of this appliance left: one that hung, or all, after a crash. */
  async reap(source: ProcessSource): Promise<void> {
    for (const name of await namesIn(this.#all)) {
      const folder = join(this.#all, name);
      if (folder === this.#own) continue;
      await sweep(source, folder);
      await removeFolder(folder);
    }
    if (this.#own === undefined) await removeIfEmpty(this.#all);
  }
}

/** @throws where somebody else made it, who could then change what runs */
function ownedFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())) {
    throw new Error(`The folder ${path} belongs to somebody else: remove it.`);
  }
  chmodSync(path, 0o700);
  return path;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
}

/** Removes a folder, whatever rights a program left on what is in it, and however deep it lies. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(code)) throw error;
    await removeFlat(folder);
  }
}

/** Brings the folders of each folder up before it is removed, so that no path grows; no link is followed. */
async function removeFlat(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (let inner = await foldersIn(folder); inner.length > 0; inner = await foldersIn(folder)) {
    for (const path of inner) {
      await chmod(path, 0o700);
      for (const deeper of await foldersIn(path)) {
        // Whoever may not write a folder may not move it.
        await chmod(deeper, 0o700);
        await rename(deeper, join(folder, randomUUID()));
      }
      await rm(path, { recursive: true });
    }
  }
  await rm(folder, { recursive: true });
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}
