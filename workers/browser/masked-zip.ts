import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise, type ZipFile as ReadZip } from 'yauzl';
import { ZipFile } from 'yazl';
import type { Mask } from '../masking/mask.ts';
import { NotKept } from './artifact-writer.ts';
import { maskedContent } from './masked-content.ts';

/** Bytes of one file in an archive, and of all together, once they are unpacked. */
const LIMITS = { entryBytes: 64 * 1024 ** 2, allBytes: 256 * 1024 ** 2, entries: 20_000 };

/**
 * A copy of an archive, such as a trace, in which every text is masked; other files, as pictures, stay
 * as they are.
 *
 * @throws NotKept for what is no archive, and for one that unpacks to more than is looked at
 */
export async function maskedZip(archive: Buffer, mask: Mask, limits = LIMITS): Promise<Buffer> {
  try {
    return await copyMasked(await fromBufferPromise(archive), mask, limits);
  } catch (cause) {
    if (cause instanceof NotKept) throw cause;
    throw new NotKept('it is no archive', { cause });
  }
}

async function copyMasked(archive: ReadZip, mask: Mask, limits: typeof LIMITS): Promise<Buffer> {
  const copy = new ZipFile();
  let bytes = 0;
  for await (const entry of archive.eachEntry()) {
    bytes += entry.uncompressedSize;
    const isTooLarge = bytes > limits.allBytes || entry.uncompressedSize > limits.entryBytes;
    if (isTooLarge || archive.entryCount > limits.entries) {
      throw new NotKept('it unpacks to more than can be searched for secrets');
    }
    if (!entry.fileName.endsWith('/')) {
      copy.addBuffer(await maskedEntry(archive, entry, mask), mask.text(entry.fileName));
    }
  }
  copy.end();
  return await buffer(copy.outputStream);
}

/** The reader refuses an entry with more bytes than it says. */
async function maskedEntry(archive: ReadZip, entry: Entry, mask: Mask): Promise<Buffer> {
  const content = await buffer(await archive.openReadStreamPromise(entry));
  return await maskedContent(content, mask);
}
