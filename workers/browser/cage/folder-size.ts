import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that a folder may hold: the installed libraries of a suite are some ten thousand. */
const MAX_FILES = 200_000;
const BLOCK_BYTES = 512;
/** Gone since it was listed, or closed by the program whose it is: it counts as nothing. */
const UNCOUNTED = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];

/**
 * Bytes that the files of a folder take on the disk, links not followed; null where they are too many to
 * count, or lie deeper than a path may say.
 */
export async function folderSize(folder: string): Promise<number | null> {
  try {
    return await sizeOfAll(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return null;
    throw error;
  }
}

async function sizeOfAll(folder: string): Promise<number | null> {
  let bytes = 0;
  let files = 0;
  const open = [folder];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for await (const entry of entriesOf(path)) {
      if (++files > MAX_FILES) return null;
      if (entry.isDirectory()) open.push(join(path, entry.name));
      else bytes += await sizeOf(join(path, entry.name));
    }
  }
  return bytes;
}

async function* entriesOf(folder: string) {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!isUncounted(error)) throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).blocks * BLOCK_BYTES;
  } catch (error) {
    if (isUncounted(error)) return 0;
    throw error;
  }
}

function isUncounted(error: unknown): boolean {
  return UNCOUNTED.includes((error as NodeJS.ErrnoException).code ?? '');
}
