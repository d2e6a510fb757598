import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import { openForReading } from './database.ts';
import { sqliteStoreError } from './sqlite-error.ts';
import { StorageMeter } from './storage-meter.ts';
import type { WriterData } from './writer-thread.ts';

/** The thread that measures the history; it lives for one measurement. */
await serve(async () => {
  const { folder, retention } = workerData as WriterData;
  return { value: null, handlers: [new StorageMeter(openForReading(folder), retention)] };
}, sqliteStoreError);
