import { workerData } from 'node:worker_threads';
import { StartupError } from '#main/platform/startup-error.ts';
import { type Notify, serve } from '../thread/serve.ts';
import type {
  AnyRecord,
  CollectionWriterCalls,
  OpenedCollection,
  OpenedCollections,
} from './calls.ts';
import { CollectionFile } from './collection-file.ts';
import { CollectionWriter } from './collection-writer.ts';
import {
  COLLECTION_NAMES,
  COLLECTIONS,
  type CollectionKind,
  type CollectionName,
} from './collections.ts';
import type { Stray } from './envelope.ts';
import { refuseMissingKey } from './missing-key.ts';
import { readSecretKey, SECRET_KEY_FILE, type SecretKey } from './secret-key.ts';

/** Records that the log is told of one by one. */
const MAX_TOLD = 10;

/**
 * The thread that reads and writes the configuration files: making the text of 10,000 checks takes
 * longer than the main thread may be blocked.
 */
await serve<CollectionWriterCalls, OpenedCollections>(async (notify) => {
  const { folder } = workerData as { folder: string };
  const key = await readSecretKey(folder);
  if (!key.found) await refuseMissingKey(folder);
  const keepers = new Map<CollectionName, CollectionWriter<AnyRecord>>();
  const opened: [CollectionName, OpenedCollection][] = [];
  for (const name of COLLECTION_NAMES) {
    const kind = COLLECTIONS[name] as CollectionKind<AnyRecord>;
    const file = new CollectionFile(folder, kind, key);
    const keeper = new CollectionWriter(kind, file);
    keepers.set(name, keeper);
    opened.push([name, { records: await keeper.open(), unreadable: file.strays.length }]);
    tellStrays(kind.file, file.strays, notify);
  }
  // Only now: a start that fails leaves the folder as it was.
  await keepAtStart(key);
  return {
    value: Object.fromEntries(opened) as OpenedCollections,
    handlers: {
      change: ({ collection, change }) =>
        (keepers.get(collection) as CollectionWriter<AnyRecord>).change(change),
      probe: () => null,
      settle: async () => {
        await Promise.all([...keepers.values()].map((keeper) => keeper.settle()));
        return null;
      },
    },
  };
});

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
