import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ProjectProblem, quoted } from './project-problem.ts';
import type { ProjectWriter } from './project-writer.ts';

const FILE_TYPES = 0o170000;
const LINK = 0o120000;
/** Types that are written: none said, a file, a folder. */
const PLAIN = [0, 0o100000, 0o040000];
const MAX_TARGET_BYTES = 4_096;

/** Unpacks a zip, one file after another. */
export async function unpackZip(path: string, writer: ProjectWriter): Promise<void> {
  const zip = await openPromise(path);
  for await (const entry of zip.eachEntry()) await writeEntry(zip, entry, writer);
}

async function writeEntry(zip: ZipFile, entry: Entry, writer: ProjectWriter): Promise<void> {
  const { fileName: name } = entry;
  const mode = entry.externalFileAttributes >>> 16;
  const type = mode & FILE_TYPES;
  if (entry.isEncrypted()) throw new ProjectProblem(`${quoted(name)} is encrypted.`);
  if (type !== LINK && !PLAIN.includes(type)) {
    throw new ProjectProblem(`${quoted(name)} is neither a file, a folder nor a symbolic link.`);
  }
  if (type === LINK && entry.uncompressedSize > MAX_TARGET_BYTES) {
    throw new ProjectProblem(`${quoted(name)} is a link that is too long.`);
  }
  if (name.endsWith('/')) return writer.folder(name);
  const content = counted(await zip.openReadStreamPromise(entry), writer);
  if (type !== LINK) return writer.file(name, content, (mode & 0o100) !== 0);
  writer.link(name, await text(content));
}

async function* counted(content: Readable, writer: ProjectWriter): AsyncGenerator<Buffer> {
  for await (const chunk of content as AsyncIterable<Buffer>) {
    writer.count(chunk.byteLength);
    yield chunk;
  }
}
