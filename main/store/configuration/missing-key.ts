import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '#main/platform/startup-error.ts';
import { COLLECTION_NAMES, COLLECTIONS } from './collections.ts';
import { SECRET_KEY_FILE } from './secret-key.ts';

const ENCRYPTED = /\{\s*"\$secret"\s*:/;

/**
 * Sees that no file of a folder without a key holds what only that key opens. In the text of a JSON
 * string a quote is escaped, so no plain value is taken for a secret.
 * @throws StartupError naming the file that does
 */
export async function refuseMissingKey(folder: string): Promise<void> {
  for (const name of COLLECTION_NAMES) {
    const path = join(folder, COLLECTIONS[name].file);
    if (ENCRYPTED.test(await textOf(path))) {
      const key = join(folder, SECRET_KEY_FILE);
      throw new StartupError(
        `${key} is missing, and ${path} holds secrets that only it opens: put it back from a backup.`,
      );
    }
  }
}

/** Empty where the file cannot be read: its own reading, later, tells why. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return '';
  }
}
