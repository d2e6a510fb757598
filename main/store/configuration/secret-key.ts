import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '#main/platform/startup-error.ts';
import { syncFolder } from './sync-folder.ts';

/** The file in the data folder that holds the key which secrets are encrypted with. */
export const SECRET_KEY_FILE = 'secret.key';
const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/** A key that is on the disk, or will be once it is kept. */
export interface SecretKey {
  bytes: Buffer;
  /** False for a key of this start that was not there before. */
  found: boolean;
  /** Resolves once the key is on the disk: nothing may be encrypted before. */
  keep(): Promise<void>;
}

/**
 * The key of a data folder; a new one, that is not on the disk yet, where there is none.
 * @throws StartupError where the file cannot be read or holds no key
 */
export async function readSecretKey(folder: string): Promise<SecretKey> {
  const path = join(folder, SECRET_KEY_FILE);
  const known = await readKey(path);
  if (known !== null) return { bytes: known, found: true, keep: async () => undefined };
  const bytes = randomBytes(KEY_BYTES);
  let kept: Promise<void> | null = null;
  const keep = () => {
    kept ??= writeKey(path, bytes).catch((error: unknown) => {
      // The next change tries again.
      kept = null;
      throw error;
    });
    return kept;
  };
  return { bytes, found: false, keep };
}

async function readKey(path: string): Promise<Buffer | null> {
  try {
    const bytes = await readFile(path);
    if (bytes.length === KEY_BYTES) return bytes;
    const problem = `expected ${KEY_BYTES} bytes, got ${bytes.length}`;
    throw new StartupError(`${path} cannot be used, and was left as it is: ${problem}.`);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === undefined) throw error;
    throw new StartupError(`${path} cannot be read (${code}).`, { cause: error });
  }
}

/** Whole or not at all: half a key would lock its secrets away. */
async function writeKey(path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  const file = await open(temporary, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}
