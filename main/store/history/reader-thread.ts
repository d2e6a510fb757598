import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import { AlertReader } from './alert-reader.ts';
import { AnalyticsReader } from './analytics-reader.ts';
import { ArtifactReader } from './artifact-reader.ts';
import { openForReading } from './database.ts';
import { ErrorGroupReader } from './error-group-reader.ts';
import { IncidentReader } from './incident-reader.ts';
import { LoadReader } from './load-reader.ts';
import { Reader } from './reader.ts';
import { SessionReader } from './session-reader.ts';
import { sqliteStoreError } from './sqlite-error.ts';
import { StoredRecords } from './stored-records.ts';
import { WindowReader } from './window-reader.ts';

/** What the thread answers. */
export type HistoryReader = Reader &
  SessionReader &
  AlertReader &
  IncidentReader &
  AnalyticsReader &
  ArtifactReader &
  LoadReader &
  ErrorGroupReader &
  WindowReader;

/** The thread that reads the history: no query, however long, blocks a write or the actors. */
await serve(async (notify) => {
  const { folder } = workerData as { folder: string };
  const database = openForReading(folder);
  const records = new StoredRecords((kind, id, problem) => {
    notify('A stored record cannot be read: it is passed over, and stays as it is.', {
      kind,
      id,
      problem,
    });
  });
  const readers = [
    Reader,
    SessionReader,
    AlertReader,
    IncidentReader,
    AnalyticsReader,
    ArtifactReader,
    LoadReader,
    ErrorGroupReader,
    WindowReader,
  ] as const;
  return { value: null, handlers: readers.map((Part) => new Part(database, records)) };
}, sqliteStoreError);
