import { processWarnings, type StoreLog } from '../store-log.ts';
import { StoreThread } from '../thread/store-thread.ts';
import type { CollectionWriterCalls, OpenedCollections } from './calls.ts';
import { CachedCollection } from './collection.ts';
import { COLLECTION_NAMES, type CollectionName, type RecordOf } from './collections.ts';
import type { Collection, Configuration } from './configuration.ts';

export interface ConfigurationOptions {
  log?: StoreLog;
}

/** Changes that may wait for the disk; more are refused. */
const MAX_WAITING = 10_000;

/**
 * Opens the configuration files of a data folder; what is missing is empty.
 * @param folder a data folder that this process holds the lock of
 * @throws StartupError where a file is corrupt, of an unknown version or cannot be read; it is left
 *   as it is
 */
export async function openConfiguration(
  folder: string,
  { log = processWarnings }: ConfigurationOptions = {},
): Promise<Configuration> {
  const { thread, value } = await StoreThread.open<CollectionWriterCalls, OpenedCollections>({
    script: new URL('./writer-thread.ts', import.meta.url),
    data: { folder },
    name: 'configuration writer',
    log,
    maxWaiting: MAX_WAITING,
    // A new thread would read files that may hold a change which the old one did not answer for,
    // and which memory here does not have. Changes are refused until the next start instead.
    maxRestarts: 0,
  });
  const collection = <K extends CollectionName>(name: K): Collection<RecordOf<K>> =>
    new CachedCollection(
      value[name] as { records: RecordOf<K>[]; unreadable: number },
      (change) => thread.call('change', { collection: name, change }),
      log,
    );
  return {
    ...eachCollection(collection),
    probe: async () => void (await thread.call('probe', null)),
    close: async () => {
      try {
        await thread.call('settle', null);
      } finally {
        await thread.end();
      }
    },
  };
}

type Collections = { [K in CollectionName]: Collection<RecordOf<K>> };

function eachCollection(make: (name: CollectionName) => unknown): Collections {
  return Object.fromEntries(COLLECTION_NAMES.map((name) => [name, make(name)])) as Collections;
}
