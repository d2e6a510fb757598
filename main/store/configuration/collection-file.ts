import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter } from 'lowdb';
import { StartupError } from '#main/platform/startup-error.ts';
import { type MapSecrets, secretMapper } from '#shared/secrets.ts';
import { ChangeSet } from './change-set.ts';
import { type CollectionKind, currentVersion } from './collections.ts';
import { encrypt } from './encryption.ts';
import { damagedJournal, type Envelope, parseEnvelope, type Stray } from './envelope.ts';
import { fileText, fold, textOfRecord } from './fold.ts';
import { Journal } from './journal.ts';
import { type JournalEntry, journalLine, readJournal } from './journal-lines.ts';
import type { SecretKey } from './secret-key.ts';
import { streamRecords } from './stream-records.ts';
import { removeLeftovers, writeAtomic } from './write-atomic.ts';

/** A change of a record, with its secrets in plain text. */
export type RecordChange<T> = { put: T } | { delete: string };

/**
 * The file of one collection, as lowdb's adapter, and the journal beside it. A change costs a line in the journal;
 * folding writes the file anew with all of them, and empties the journal. What is read has been checked; a record that
 * cannot be read stays in the file as it is. A file of an older version is copied beside itself, brought up to date and
 * written. Memory has secrets in plain text, the files never.
 */
export class CollectionFile<T extends { id: string }> implements Adapter<Envelope<T>> {
  readonly #path: string;
  readonly #kind: CollectionKind<T>;
  readonly #mapSecrets: MapSecrets | undefined;
  readonly #key: SecretKey;
  #journal: Journal;
  #strays: readonly Stray[] = [];
  #droppedBytes = 0;
  #written: WrittenFile = NO_FILE;

  constructor(folder: string, kind: CollectionKind<T>, key: SecretKey) {
    this.#path = join(folder, kind.file);
    this.#kind = kind;
    this.#mapSecrets = secretMapper(kind.record);
    this.#key = key;
    this.#journal = new Journal(journalOf(this.#path), 0);
  }

  /** The records that could not be read. */
  get strays(): readonly Stray[] {
    return this.#strays;
  }

  /** Bytes at the end of the journal that were no whole line when it was read. */
  get droppedBytes(): number {
    return this.#droppedBytes;
  }

  get bytes(): number {
    return this.#written.size;
  }

  get journalBytes(): number {
    return this.#journal.length;
  }

  /**
   * In the place of {@link read}, of a file as Watchpost leaves it: hands its records over one by one.
   * @returns false where it is otherwise; what was handed over is void then
   * @throws StartupError as {@link read} does
   */
  async stream(take: (record: T) => void): Promise<boolean> {
    const entries = await this.#begin();
    const version = currentVersion(this.#kind);
    if (entries.some((entry) => entry.version !== version)) return false;
    const changes = new ChangeSet(entries.flatMap((entry) => entry.changes));
    const parts = { kind: this.#kind, key: this.#key.bytes, mapSecrets: this.#mapSecrets };
    return streamRecords({ path: this.#path, changes, ...parts }, take);
  }

  /** @throws StartupError where the file or its journal cannot be read or used; they are left as they are */
  async read(): Promise<Envelope<T> | null> {
    const entries = await this.#begin();
    const text = (await readBytes(this.#path))?.toString('utf8') ?? null;
    if (text === null && entries.length === 0) return null;
    const parsed = parseEnvelope({ text, entries }, this.#path, this.#kind, this.#key.bytes);
    const { envelope, strays, foundVersion, encryptedCount } = parsed;
    this.#strays = strays;
    const isOld = foundVersion < currentVersion(this.#kind);
    if (isOld && text !== null) await writeAtomic(`${this.#path}.v${foundVersion}.bak`, text);
    // A file from before secrets were encrypted, or in which a person wrote one.
    const hasPlainSecrets = this.#countSecrets(envelope) > encryptedCount;
    if (isOld || hasPlainSecrets) await this.write(envelope);
    return envelope;
  }

  /** Writes all records. Resolves once the file is whole and on the disk; rejects as the file system does. */
  async write({ version, records }: Envelope<T>): Promise<void> {
    await this.#key.keep();
    const all = [
      ...records.map((record) => this.#encrypted(record)),
      ...this.#strays.map(({ record }) => record),
    ];
    await writeAtomic(this.#path, fileText(version, all.map(textOfRecord)));
    this.#written = await writtenFile(this.#path);
    await this.#journal.drop(this.#journal.length);
  }

  /** The JSON text of a change, as {@link append} takes it. */
  textOf(change: RecordChange<T>): string {
    return JSON.stringify('put' in change ? { put: this.#encrypted(change.put) } : change);
  }

  /** Resolves once the changes are on the disk; rejects as the file system does, and then none of them is kept. */
  async append(changes: readonly string[]): Promise<void> {
    await this.#key.keep();
    await this.#journal.append(journalLine(currentVersion(this.#kind), changes));
  }

  /**
   * Writes what stands in the journal into the file. Where it rejects, or the process ends on the way, the journal
   * still has all changes: that some of them are in the file already does no harm.
   */
  async fold(): Promise<void> {
    const bytes = await this.#journal.read();
    if (bytes.length === 0) return;
    const version = currentVersion(this.#kind);
    const entries = readJournal(bytes).entries.filter((entry) => entry.version === version);
    await this.#refuseEdited();
    await fold(this.#path, version, new ChangeSet(entries.flatMap(({ changes }) => changes)));
    this.#written = await writtenFile(this.#path);
    await this.#journal.drop(bytes.length);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** What tells the file from what others make of it, for {@link goOn}. */
  get written(): WrittenFile {
    return this.#written;
  }

  /** In the place of {@link read}: goes on with a file whose journal is empty, and whose records the appliance has. */
  goOn(written: WrittenFile): void {
    this.#written = written;
  }

  async #begin(): Promise<JournalEntry[]> {
    await removeLeftovers(this.#path);
    await removeLeftovers(this.#journal.path);
    this.#written = await writtenFile(this.#path);
    return this.#openJournal();
  }

  async #openJournal(): Promise<JournalEntry[]> {
    const { path } = this.#journal;
    const bytes = await readBytes(path);
    if (bytes === null) return [];
    const { entries, wholeBytes, damagedLine } = readJournal(bytes);
    if (damagedLine !== null) throw damagedJournal(path, damagedLine);
    this.#droppedBytes = bytes.length - wholeBytes;
    this.#journal = new Journal(path, wholeBytes);
    return entries;
  }

  /** What a person did to the file meanwhile must not be lost, and the records that it had neither. */
  async #refuseEdited(): Promise<void> {
    const { stamp } = await writtenFile(this.#path);
    if (stamp === this.#written.stamp) return;
    throw new Error('the file was changed or removed by somebody else while Watchpost ran');
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

/** The journal of a collection's file. */
export function journalOf(path: string): string {
  return `${path}.journal`;
}

/** What tells a file from what others make of it. */
export interface WrittenFile {
  size: number;
  stamp: string;
}

const NO_FILE: WrittenFile = { size: 0, stamp: '' };

async function writtenFile(path: string): Promise<WrittenFile> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return { size, stamp: `${ino} ${size} ${mtimeMs}` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // Whatever else is the matter is told by whoever reads or writes it.
    return NO_FILE;
  }
}

async function readBytes(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === undefined) throw error;
    throw new StartupError(`${path} cannot be read (${code}).`, { cause: error });
  }
}
