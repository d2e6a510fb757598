import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Adapter } from 'lowdb';
import writeFileAtomic from 'write-file-atomic';
import { StartupError } from '#main/platform/startup-error.ts';
import { type MapSecrets, secretMapper } from '#shared/secrets.ts';
import { type CollectionKind, currentVersion } from './collections.ts';
import { encrypt } from './encryption.ts';
import { type Envelope, parseEnvelope, type Stray } from './envelope.ts';
import type { SecretKey } from './secret-key.ts';
import { syncFolder } from './sync-folder.ts';

const OWNER_ONLY = 0o600;

/**
 * The file of one collection: lowdb's adapter over an atomic, synced write. What is read has been
 * checked; a record that cannot be read stays in it as it is. A file of an older version is copied beside itself, brought up to date and written. Memory
 * has secrets in plain text, the file never.
 */
export class CollectionFile<T extends { id: string }> implements Adapter<Envelope<T>> {
  readonly #path: string;
  readonly #kind: CollectionKind<T>;
  readonly #mapSecrets: MapSecrets | undefined;
  readonly #key: SecretKey;
  /** Text of each record, as it stands in the file: only what changed is made again. */
  readonly #texts = new WeakMap<T, string>();
  #strays: readonly Stray[] = [];

  constructor(folder: string, kind: CollectionKind<T>, key: SecretKey) {
    this.#path = join(folder, kind.file);
    this.#kind = kind;
    this.#mapSecrets = secretMapper(kind.record);
    this.#key = key;
  }

  /** The records that could not be read. */
  get strays(): readonly Stray[] {
    return this.#strays;
  }

  /** @throws StartupError where the file cannot be read or used; it is left as it is */
  async read(): Promise<Envelope<T> | null> {
    await removeLeftovers(this.#path);
    const text = await readText(this.#path);
    if (text === null) return null;
    const parsed = parseEnvelope(text, this.#path, this.#kind, this.#key.bytes);
    const { envelope, strays, foundVersion, encryptedCount } = parsed;
    this.#strays = strays;
    const isOld = foundVersion < currentVersion(this.#kind);
    if (isOld) await writeAtomic(`${this.#path}.v${foundVersion}.bak`, text);
    // A file from before secrets were encrypted, or in which a person wrote one.
    const hasPlainSecrets = this.#countSecrets(envelope) > encryptedCount;
    if (isOld || hasPlainSecrets) await this.write(envelope);
    return envelope;
  }

  /** Resolves once the file is whole and on the disk; rejects as the file system does. */
  async write({ version, records }: Envelope<T>): Promise<void> {
    await this.#key.keep();
    const strays = this.#strays.map(({ record }) => textOf(record));
    const texts = [...records.map((record) => this.#textOf(record)), ...strays];
    const list = texts.length === 0 ? '[]' : `[\n    ${texts.join(',\n    ')}\n  ]`;
    await writeAtomic(this.#path, `{\n  "version": ${version},\n  "records": ${list}\n}\n`);
  }

  #textOf(record: T): string {
    const known = this.#texts.get(record);
    if (known !== undefined) return known;
    const text = textOf(this.#encrypted(record));
    this.#texts.set(record, text);
    return text;
  }

  #encrypted(record: T): object {
    const map = (text: string) => encrypt(text, this.#key.bytes);
    return (this.#mapSecrets?.(record, map) as object | undefined) ?? record;
  }

  #countSecrets({ records }: Envelope<T>): number {
    let count = 0;
    for (const record of records) {
      this.#mapSecrets?.(record, (text) => {
        count += 1;
        return text;
      });
    }
    return count;
  }
}

/** Line breaks inside strings are escaped, so every one that stands here is layout. */
function textOf(record: unknown): string {
  return JSON.stringify(record, null, 2).replaceAll('\n', '\n    ');
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

/** Temporary files that a write left when the process was killed: `<name>.<digits>`. */
async function removeLeftovers(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))) {
      await rm(join(dirname(path), name), { force: true });
    }
  }
}
