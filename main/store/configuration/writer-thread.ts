import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { StartupError } from '#main/platform/startup-error.ts';
import { type Notify, serve } from '../thread/serve.ts';
import { CollectionFile, journalOf, type WrittenFile } from './collection-file.ts';
import { type AnyRecord, type ChangeRequest, CollectionWriter } from './collection-writer.ts';
import {
  COLLECTION_NAMES,
  COLLECTIONS,
  type CollectionKind,
  type CollectionName,
} from './collections.ts';
import type { Stray } from './envelope.ts';
import { RecordParts } from './record-parts.ts';
import { readSecretKey, SECRET_KEY_FILE, type SecretKey } from './secret-key.ts';

/** Records that the log is told of one by one. */
const MAX_TOLD = 10;

const ENCRYPTED = /\{\s*"\$secret"\s*:/;

/** What the thread answers at its start, after the records: how many others of each collection could not be read. */
export type OpenedCollections = Record<CollectionName, { unreadable: number }>;

/** The files as a thread leaves them, for the next one. */
export type LeftFiles = Record<CollectionName, WrittenFile>;

/** What the thread is started with. */
export interface WriterData {
  folder: string;
  /** Where it goes on after another thread: it reads no records then. */
  left: LeftFiles | null;
}

interface OpenFile {
  file: CollectionFile<AnyRecord>;
  writer: CollectionWriter<AnyRecord>;
}

/** The writers of all collections. */
export class ConfigurationWriter {
  readonly #open: ReadonlyMap<CollectionName, OpenFile>;

  constructor(open: ReadonlyMap<CollectionName, OpenFile>) {
    this.#open = open;
  }

  /** Answers once it is kept. */
  change(collection: CollectionName, change: ChangeRequest): Promise<void> {
    return (this.#open.get(collection) as OpenFile).writer.change(change);
  }

  /** Answers at once: whether the thread is there. */
  probe(): void {}

  /** Answers once nothing is being written, and the files have all changes. */
  async settle(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ writer }) => writer.settle()));
  }

  /** Lets go of the files; null while a journal still has what its file has not. */
  async leave(): Promise<LeftFiles | null> {
    const open = [...this.#open];
    if (!open.every(([, { writer }]) => writer.isSettled)) return null;
    await this.settle();
    return Object.fromEntries(open.map(([name, { file }]) => [name, file.written])) as LeftFiles;
  }
}

/**
 * The thread that reads and writes the configuration files: making the text of 10,000 checks takes
 * longer than the main thread may be blocked.
 */
await serve(async (notify, hand) => {
  const { folder, left } = workerData as WriterData;
  const key = await readSecretKey(folder);
  if (!key.found && left === null) await refuseMissingKey(folder);
  const open = new Map<CollectionName, OpenFile>();
  const opened: [CollectionName, { unreadable: number }][] = [];
  for (const name of COLLECTION_NAMES) {
    const kind = COLLECTIONS[name] as CollectionKind<AnyRecord>;
    const file = new CollectionFile(folder, kind, key);
    const writer = new CollectionWriter(kind, file, (problem) =>
      notify('Changes stay in the journal of a file, as they cannot be written into it.', {
        file: kind.file,
        problem,
      }),
    );
    open.set(name, { file, writer });
    if (left !== null) {
      file.goOn(left[name]);
      continue;
    }
    const parts = new RecordParts(name, hand);
    await writer.open(parts);
    parts.end();
    opened.push([name, { unreadable: file.strays.length }]);
    tellStrays(kind.file, file.strays, notify);
    tellDropped(kind.file, file.droppedBytes, notify);
  }
  // Only now: a start that fails leaves the folder as it was.
  await keepAtStart(key);
  return {
    value: Object.fromEntries(opened) as OpenedCollections,
    handlers: [new ConfigurationWriter(open)],
  };
});

/**
 * Sees that no file of a folder without a key holds what only that key opens. In the text of a JSON
 * string a quote is escaped, so no plain value is taken for a secret.
 * @throws StartupError naming the file that does
 */
async function refuseMissingKey(folder: string): Promise<void> {
  for (const name of COLLECTION_NAMES) {
    const file = join(folder, COLLECTIONS[name].file);
    for (const path of [file, journalOf(file)]) {
      if (!ENCRYPTED.test(await textOf(path))) continue;
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

async function keepAtStart(key: SecretKey): Promise<void> {
  try {
    await key.keep();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new StartupError(`${SECRET_KEY_FILE} cannot be written in the data folder (${code}).`, {
      cause: error,
    });
  }
}

function tellStrays(file: string, strays: readonly Stray[], notify: Notify): void {
  const message = 'A record cannot be read: it is passed over, and stays in its file as it is.';
  for (const { problem } of strays.slice(0, MAX_TOLD)) notify(message, { file, problem });
  const rest = strays.length - MAX_TOLD;
  if (rest > 0) notify('More records of this file cannot be read.', { file, records: rest });
}

function tellDropped(file: string, bytes: number, notify: Notify): void {
  if (bytes === 0) return;
  notify(
    'The journal of a file ends in half a line: a change that was being written at the last end, and that nobody was told is kept, is dropped.',
    { file: journalOf(file), bytes },
  );
}
