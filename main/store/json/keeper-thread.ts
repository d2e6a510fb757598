import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import type { KeeperCalls, OpenedCollections } from './calls.ts';
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
  const records: [CollectionName, readonly { id: string }[]][] = [];
  for (const [name, keeper] of keepers) records.push([name, await keeper.open()]);
  return {
    value: Object.fromEntries(records) as OpenedCollections,
    handlers: {
      change: ({ collection, change }) =>
        (keepers.get(collection) as Keeper<{ id: string }>).change(change),
      settle: async () => {
        await Promise.all([...keepers.values()].map((keeper) => keeper.settle()));
        return null;
      },
    },
  };
});

function keeperOf(folder: string, name: CollectionName): Keeper<{ id: string }> {
  return new Keeper(folder, COLLECTIONS[name] as CollectionKind<{ id: string }>);
}
