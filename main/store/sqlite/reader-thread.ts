import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import type { ReaderCalls } from './calls.ts';
import { openForReading } from './database.ts';
import { Reader } from './reader.ts';
import { sqliteStoreError } from './sqlite-error.ts';

/** The thread that reads the history: no query, however long, blocks a write or the actors. */
await serve<ReaderCalls, null>(async () => {
  const { folder } = workerData as { folder: string };
  const reader = new Reader(openForReading(folder));
  return {
    value: null,
    handlers: {
      listResults: (query) => attempt(() => reader.listResults(query)),
      findResult: (query) => attempt(() => reader.findResult(query)),
      listHeartbeatEvents: (query) => attempt(() => reader.listHeartbeatEvents(query)),
      findHeartbeatEvent: (query) => attempt(() => reader.findHeartbeatEvent(query)),
      countHeartbeatEvents: (query) => attempt(() => reader.countHeartbeatEvents(query)),
      loadStates: () => attempt(() => reader.loadStates()),
      close: () => {
        reader.close();
        return null;
      },
    },
  };
});

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteStoreError(error);
  }
}
