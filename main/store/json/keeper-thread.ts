import { workerData } from 'node:worker_threads';
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

/**
 * The thread that reads and writes the configuration files: making the text of 10,000 checks takes
 * longer than the main thread may be blocked.
 */
await serve<KeeperCalls, OpenedCollections>(async () => {
  const { folder } = workerData as { folder: string };
  const keepers = new Map(COLLECTION_NAMES.map((name) => [name, keeperOf(folder, name)]));
  const records: [CollectionName, readonly AnyRecord[]][] = [];
  for (const [name, keeper] of keepers) records.push([name, await keeper.open()]);
  return {
    value: Object.fromEntries(records) as OpenedCollections,
    handlers: {
      change: ({ collection, change }) =>
        (keepers.get(collection) as Keeper<AnyRecord>).change(change),
      settle: async () => {
        await Promise.all([...keepers.values()].map((keeper) => keeper.settle()));
        return null;
      },
    },
  };
});

function keeperOf(folder: string, name: CollectionName): Keeper<AnyRecord> {
  const kind = COLLECTIONS[name] as CollectionKind<AnyRecord>;
  return new Keeper(kind, new CollectionFile(folder, kind));
}
