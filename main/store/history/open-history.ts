import { systemClock } from '#main/platform/system-clock.ts';
import type { Clock } from '#shared/clock.ts';
import { processWarnings, type StoreLog } from '../store-log.ts';
import { RestingThread } from '../thread/resting-thread.ts';
import { openThread } from '../thread/store-thread.ts';
import type { History } from './history.ts';
import type { HistoryReader } from './reader-thread.ts';
import { DEFAULT_RETENTION, type Retention } from './retention.ts';
import { sqliteHistory } from './sqlite-history.ts';
import type { KindUse, StorageMeter } from './storage-meter.ts';
import type { QueueOptions } from './write-queue.ts';
import type { HistoryWriter, WriterData, WriterOpened } from './writer-thread.ts';

export interface HistoryOptions {
  clock?: Clock;
  log?: StoreLog;
  retention?: Partial<Retention>;
  queue?: QueueOptions;
}

/** How long nobody reads before the thread that reads ends: it begins again in 100 ms. */
const READER_IDLE_MS = 30_000;

/** Calls that may wait for a thread; more are refused. */
const MAX_WAITING = 1_000;
/** A thread that dies more often within a minute is given up, and every call with it refused. */
const MAX_RESTARTS = 5;

/**
 * Opens the history of a data folder, made where it is missing, and brings it to this version.
 * @param folder a data folder that this process holds the lock of
 * @throws StartupError where its file is damaged, no history, or of a newer version; it is left as
 *   it is
 */
export async function openHistory(folder: string, options: HistoryOptions = {}): Promise<History> {
  const { clock = systemClock, log = processWarnings, queue } = options;
  const retention = { ...DEFAULT_RETENTION, ...options.retention };
  // Bodies alone must not push the rows out.
  retention.detailBytes = Math.min(retention.detailBytes, retention.historyBytes / 2);
  const data: WriterData = { folder, retention };
  // The writer first: it makes the tables that the reader looks into.
  const { thread: writer, value } = await startThread<HistoryWriter, WriterOpened>(
    'writer',
    data,
    log,
  );
  try {
    const reader = await openReader(folder, log);
    const measure = () => measureHistory(data, log);
    return sqliteHistory({ writer, reader, measure, ...value, clock, log, queue });
  } catch (error) {
    await writer.end();
    throw error;
  }
}

async function openReader(folder: string, log: StoreLog) {
  const open = async () =>
    (await startThread<HistoryReader, null>('reader', { folder }, log)).thread;
  return new RestingThread({
    first: await open(),
    open,
    leave: async (calls) => {
      await calls.close();
      return 'closed';
    },
    idleMs: READER_IDLE_MS,
  });
}

/** In a thread that lives as long as it takes. */
async function measureHistory(data: WriterData, log: StoreLog): Promise<KindUse[]> {
  const { thread } = await startThread<StorageMeter, null>('meter', data, log);
  try {
    const uses = await thread.calls.measure();
    await thread.calls.close();
    return uses;
  } finally {
    await thread.end();
  }
}

const THREADS = {
  writer: new URL('./writer-thread.ts', import.meta.url),
  reader: new URL('./reader-thread.ts', import.meta.url),
  meter: new URL('./meter-thread.ts', import.meta.url),
};

function startThread<T, O>(role: keyof typeof THREADS, data: unknown, log: StoreLog) {
  return openThread<T, O>({
    script: THREADS[role],
    data,
    name: `history ${role}`,
    log,
    maxWaiting: MAX_WAITING,
    maxRestarts: MAX_RESTARTS,
  });
}
