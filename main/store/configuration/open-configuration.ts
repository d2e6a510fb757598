import { processWarnings, type StoreLog } from '../store-log.ts';
import { RestingThread } from '../thread/resting-thread.ts';
import { openThread } from '../thread/store-thread.ts';
import { CachedCollection } from './collection.ts';
import type { AnyRecord, ChangeRequest } from './collection-writer.ts';
import type { CollectionName, RecordOf } from './collections.ts';
import type { Collection, Configuration } from './configuration.ts';
import type { RecordPart } from './record-parts.ts';
import type {
  ConfigurationWriter,
  LeftFiles,
  OpenedCollections,
  WriterData,
} from './writer-thread.ts';

export interface ConfigurationOptions {
  log?: StoreLog;
  /** How long nothing changes before the thread that writes ends. */
  idleMs?: number;
}

const IDLE_MS = 5_000;

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
  { log = processWarnings, idleMs = IDLE_MS }: ConfigurationOptions = {},
): Promise<Configuration> {
  const records = new Map<CollectionName, AnyRecord[]>();
  const start = (left: LeftFiles | null) =>
    openThread<ConfigurationWriter, OpenedCollections>({
      script: new URL('./writer-thread.ts', import.meta.url),
      data: { folder, left } satisfies WriterData,
      name: 'configuration writer',
      log,
      takePart: (part: RecordPart) => takePart(records, part),
      maxWaiting: MAX_WAITING,
      // After a death the files may hold a change that nobody answered for, and that memory here does
      // not have. Changes are refused until the next start.
      maxRestarts: 0,
    });
  const { thread: first, value } = await start(null);
  const thread = new RestingThread({
    first,
    leave: (calls) => calls.leave(),
    open: async (left: LeftFiles) => (await start(left)).thread,
    idleMs,
  });
  const collections = collectionsOf(value, records, thread.calls.change, log);
  records.clear();
  return {
    ...collections,
    // A thread that rests is well.
    probe: async () => (thread.isResting ? undefined : thread.calls.probe()),
    close: () => thread.end((calls) => calls.settle()),
  };
}

type Collections = { [K in CollectionName]: Collection<RecordOf<K>> };
type Keep = (name: CollectionName, change: ChangeRequest) => Promise<void>;

function takePart(
  records: Map<CollectionName, AnyRecord[]>,
  { collection, text }: RecordPart,
): void {
  const known = text === null ? [] : (records.get(collection) ?? []);
  records.set(collection, known);
  if (text !== null) for (const record of JSON.parse(text) as AnyRecord[]) known.push(record);
}

function collectionsOf(
  opened: OpenedCollections,
  records: ReadonlyMap<CollectionName, readonly AnyRecord[]>,
  keep: Keep,
  log: StoreLog,
): Collections {
  // The names come from the thread, which has the schemas of all records: this one reads none.
  const names = Object.keys(opened) as CollectionName[];
  const all = names.map((name) => {
    const held = { records: records.get(name) ?? [], ...opened[name] };
    return [name, collectionOf(name, held, keep, log)];
  });
  return Object.fromEntries(all) as Collections;
}

/** Apart, so that nothing holds the records as they were opened. */
function collectionOf(
  name: CollectionName,
  opened: { records: readonly AnyRecord[]; unreadable: number },
  keep: Keep,
  log: StoreLog,
): CachedCollection<AnyRecord> {
  return new CachedCollection(opened, (change) => keep(name, change), log);
}
