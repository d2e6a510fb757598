import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import { AlertReader } from './alert-reader.ts';
import type { ReaderCalls } from './calls.ts';
import { openForReading } from './database.ts';
import { Reader } from './reader.ts';
import { SessionReader } from './session-reader.ts';
import { sqliteStoreError } from './sqlite-error.ts';
import { StoredRecords } from './stored-records.ts';

/** The thread that reads the history: no query, however long, blocks a write or the actors. */
await serve<ReaderCalls, null>(async (notify) => {
  const { folder } = workerData as { folder: string };
  const database = openForReading(folder);
  const records = new StoredRecords((kind, id, problem) => {
    notify('A stored record cannot be read: it is passed over, and stays as it is.', {
      kind,
      id,
      problem,
    });
  });
  const reader = new Reader(database, records);
  const sessions = new SessionReader(database, records);
  const alerts = new AlertReader(database, records);
  return {
    value: null,
    handlers: {
      listResults: (query) => attempt(() => reader.listResults(query)),
      findResult: (query) => attempt(() => reader.findResult(query)),
      listHeartbeatEvents: (query) => attempt(() => reader.listHeartbeatEvents(query)),
      findHeartbeatEvent: (query) => attempt(() => reader.findHeartbeatEvent(query)),
      countHeartbeatEvents: (query) => attempt(() => reader.countHeartbeatEvents(query)),
      loadStates: () => attempt(() => reader.loadStates()),
      loadOpenSessions: (query) => attempt(() => sessions.loadOpenSessions(query)),
      loadOpenBatches: (query) => attempt(() => sessions.loadOpenBatches(query)),
      findSession: (id) => attempt(() => sessions.findSession(id)),
      findTestSession: (id) => attempt(() => sessions.findTestSession(id)),
      loadOpenTestSessions: (query) => attempt(() => sessions.loadOpenTestSessions(query)),
      listTestSessions: (query) => attempt(() => sessions.listTestSessions(query)),
      findTestResult: (query) => attempt(() => sessions.findTestResult(query)),
      listAlerts: (query) => attempt(() => alerts.listAlerts(query)),
      loadPendingNotifications: (query) => attempt(() => alerts.loadPendingNotifications(query)),
      loadChannelStates: () => attempt(() => alerts.loadChannelStates()),
      listNotifications: (query) => attempt(() => alerts.listNotifications(query)),
      findNotification: (id) => attempt(() => alerts.findNotification(id)),
      listOutcomes: (query) => attempt(() => reader.listOutcomes(query)),
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
