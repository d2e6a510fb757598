import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { syncFolder } from './sync-folder.ts';

/** The mode of the configuration's files. */
export const OWNER_ONLY = 0o600;

/** Pieces of a text are put together until they have so many characters. */
const CHUNK_CHARS = 256 * 1_024;

/**
 * Writes a file whole, or leaves the one before: resolves once it is on the disk, rejects as the file system does.
 *
 * The text goes in by `writeFile`, which repeats short writes: write-file-atomic's own single write would take a
 * disk that fills up on the way for success, and put half a file in place.
 *
 * @param text also in pieces, of which never all are in memory
 */
export async function writeAtomic(
  path: string,
  text: string | Buffer | AsyncIterable<string>,
): Promise<void> {
  const isWhole = typeof text === 'string' || Buffer.isBuffer(text);
  await writeFileAtomic(path, '', {
    mode: OWNER_ONLY,
    tmpfileCreated: (temporary) => writeFile(temporary, isWhole ? text : inChunks(text)),
  });
  await syncFolder(dirname(path));
}

async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** Removes temporary files that a write left when the process was killed: `<name>.<digits>`. */
export async function removeLeftovers(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))) {
      await rm(join(dirname(path), name), { force: true });
    }
  }
}
