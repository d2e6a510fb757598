import { createReadStream } from 'node:fs';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Extract, extract } from 'tar-stream';
import { ProjectProblem, quoted } from './project-problem.ts';
import type { ProjectWriter } from './project-writer.ts';

/** Unpacks a tar, compressed or not, as it is read. */
export async function unpackTar(
  path: string,
  format: 'tar' | 'tar.gz',
  writer: ProjectWriter,
): Promise<void> {
  const entries = extract();
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        writer.count(chunk.byteLength);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const inflated = format === 'tar.gz' ? [createGunzip()] : [];
  const fed = pipeline([
    createReadStream(path),
    ...inflated,
    counted,
    entries as unknown as Writable,
  ] as never);
  const [feeding, writing] = await Promise.allSettled([fed, writeAll(entries, writer)]);
  // One ends the other: the first reason is the one that is no mere end.
  const failures = [writing, feeding].flatMap((one) =>
    one.status === 'rejected' ? [one.reason as Error] : [],
  );
  const problem = failures.find((error) => error instanceof ProjectProblem);
  if (problem ?? failures[0]) throw problem ?? failures[0];
}

type Source = Extract extends AsyncIterable<infer S> ? S : never;

async function writeAll(entries: AsyncIterable<Source>, writer: ProjectWriter): Promise<void> {
  for await (const entry of entries) await writeEntry(entry, writer);
}

async function writeEntry(entry: Source, writer: ProjectWriter): Promise<void> {
  const { name, type, linkname, mode = 0 } = entry.header;
  switch (type) {
    case 'file':
    case 'contiguous-file':
      return writer.file(name, entry as AsyncIterable<Uint8Array>, (mode & 0o100) !== 0);
    case 'directory':
      await writer.folder(name);
      break;
    case 'symlink':
      writer.link(name, linkname ?? '');
      break;
    default:
      throw new ProjectProblem(`${quoted(name)} is neither a file, a folder nor a symbolic link.`);
  }
  entry.resume();
}
