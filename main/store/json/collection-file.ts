import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Adapter } from 'lowdb';
import writeFileAtomic from 'write-file-atomic';
import { StartupError } from '../startup-error.ts';
import { type CollectionKind, currentVersion } from './collections.ts';
import { type Envelope, parseEnvelope } from './envelope.ts';

const OWNER_ONLY = 0o600;

/**
 * The file of one collection: lowdb's adapter over an atomic, synced write. What is read has been
 * checked; a file of an older version is copied beside itself, brought up to date and written.
 */
export class CollectionFile<T extends { id: string }> implements Adapter<Envelope<T>> {
  readonly #path: string;
  readonly #kind: CollectionKind<T>;
  /** Text of each record, as it stands in the file: only what changed is made again. */
  readonly #texts = new WeakMap<T, string>();

  constructor(folder: string, kind: CollectionKind<T>) {
    this.#path = join(folder, kind.file);
    this.#kind = kind;
  }

  /** @throws StartupError where the file cannot be read or used; it is left as it is */
  async read(): Promise<Envelope<T> | null> {
    await removeLeftovers(this.#path);
    const text = await readText(this.#path);
    if (text === null) return null;
    const { envelope, foundVersion } = parseEnvelope(text, this.#path, this.#kind);
    if (foundVersion < currentVersion(this.#kind)) {
      await writeAtomic(`${this.#path}.v${foundVersion}.bak`, text);
      await this.write(envelope);
    }
    return envelope;
  }

  /** Resolves once the file is whole and on the disk; rejects as the file system does. */
  async write({ version, records }: Envelope<T>): Promise<void> {
    const texts = records.map((record) => this.#textOf(record));
    const list = texts.length === 0 ? '[]' : `[\n    ${texts.join(',\n    ')}\n  ]`;
    await writeAtomic(this.#path, `{\n  "version": ${version},\n  "records": ${list}\n}\n`);
  }

  #textOf(record: T): string {
    const known = this.#texts.get(record);
    if (known !== undefined) return known;
    // Line breaks inside strings are escaped, so every one that stands here is layout.
    const text = JSON.stringify(record, null, 2).replaceAll('\n', '\n    ');
    this.#texts.set(record, text);
    return text;
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === undefined) throw error;
    throw new StartupError(`${path} cannot be read (${code}).`, { cause: error });
  }
}

/**
 * The text goes in by `writeFile`, which repeats short writes: write-file-atomic's own single write
 * would take a disk that fills up on the way for success, and put half a file in place.
 */
async function writeAtomic(path: string, text: string): Promise<void> {
  await writeFileAtomic(path, '', {
    mode: OWNER_ONLY,
    tmpfileCreated: (temporary) => writeFile(temporary, text),
  });
  await syncFolder(dirname(path));
}

/** The new name is on the disk only when its folder is. Windows syncs no folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Temporary files that a write left when the process was killed: `<name>.<digits>`. */
async function removeLeftovers(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))) {
      await rm(join(dirname(path), name), { force: true });
    }
  }
}
