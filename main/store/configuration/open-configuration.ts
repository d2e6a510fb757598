import { processWarnings, type StoreLog } from '../store-log.ts';
import { openThread } from '../thread/store-thread.ts';
import { CachedCollection } from './collection.ts';
import { COLLECTION_NAMES, type CollectionName, type RecordOf } from './collections.ts';
import type { Collection, Configuration } from './configuration.ts';
import type { ConfigurationWriter, OpenedCollections } from './writer-thread.ts';

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
  const { thread, value } = await openThread<ConfigurationWriter, OpenedCollections>({
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
      (change) => thread.calls.change(name, change),
      log,
    );
  return {
    ...eachCollection(collection),
    probe: () => thread.calls.probe(),
    close: async () => {
      try {
        await thread.calls.settle();
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
