import { workerData } from 'node:worker_threads';
import { StartupError } from '../startup-error.ts';
import { serve } from '../thread/serve.ts';
import type { AnyRecord, KeeperCalls, OpenedCollections } from './calls.ts';
import { CollectionFile } from './collection-file.ts';
import {
  COLLECTION_NAMES,
  COLLECTIONS,
  type CollectionKind,
  type CollectionName,
} from './collections.ts';
import { Keeper } from './keeper.ts';
import { refuseLostKey } from './lost-key.ts';
import { readSecretKey, SECRET_KEY_FILE, type SecretKey } from './secret-key.ts';

/**
 * The thread that reads and writes the configuration files: making the text of 10,000 checks takes
 * longer than the main thread may be blocked.
 */
await serve<KeeperCalls, OpenedCollections>(async () => {
  const { folder } = workerData as { folder: string };
  const key = await readSecretKey(folder);
  if (!key.found) await refuseLostKey(folder);
  const keepers = new Map(COLLECTION_NAMES.map((name) => [name, keeperOf(folder, name, key)]));
  const records: [CollectionName, readonly AnyRecord[]][] = [];
  for (const [name, keeper] of keepers) records.push([name, await keeper.open()]);
  // Only now: a start that fails leaves the folder as it was.
  await keepAtStart(key);
  return {
    value: Object.fromEntries(records) as OpenedCollections,
    handlers: {
      change: ({ collection, change }) =>
        (keepers.get(collection) as Keeper<AnyRecord>).change(change),
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

function keeperOf(folder: string, name: CollectionName, key: SecretKey): Keeper<AnyRecord> {
  const kind = COLLECTIONS[name] as CollectionKind<AnyRecord>;
  return new Keeper(kind, new CollectionFile(folder, kind, key));
}
