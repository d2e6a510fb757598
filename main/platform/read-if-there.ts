import { readFile } from 'node:fs/promises';

/** The text of a file of the system; empty where there is none, or it is kept from us. */
export async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return '';
    throw error;
  }
}
