import { cp, lstat, mkdir, opendir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isIn } from './make-project.ts';

const MODULES = 'node_modules';

/** The folders `node_modules` of a project, but for those in one another; relative. */
export async function packageFolders(project: string, inside = ''): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of await opendir(join(project, inside))) {
    const path = join(inside, entry.name);
    if (!entry.isDirectory()) continue;
    if (entry.name === MODULES) found.push(path);
    else found.push(...(await packageFolders(project, path)));
  }
  return found;
}

/** Whether no link in a folder leads out of it, so that it means the same wherever it stands. */
export async function standsAlone(folder: string): Promise<boolean> {
  const open = [folder];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for await (const entry of await opendir(path)) {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) open.push(inside);
      if (!entry.isSymbolicLink()) continue;
      if (!isIn(folder, resolve(path, await readlink(inside)))) return false;
    }
  }
  return true;
}

/** Moves a folder, also to another disk. */
export async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copy(from, to);
    await rm(from, { recursive: true });
  }
}

/** Copies a folder; its links stay as they are written. */
export async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Lets a path lead to a folder, unless something is there. */
export async function link(folder: string, path: string): Promise<void> {
  if (await isThere(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await symlink(folder, path, 'junction');
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
