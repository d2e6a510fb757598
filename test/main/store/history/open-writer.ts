import type { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { AlertReader } from '#main/store/history/alert-reader.ts';
import { ArtifactReader } from '#main/store/history/artifact-reader.ts';
import { openForReading, openForWriting } from '#main/store/history/database.ts';
import { ErrorGroupReader } from '#main/store/history/error-group-reader.ts';
import type { ResultQuery } from '#main/store/history/history.ts';
import { IncidentReader } from '#main/store/history/incident-reader.ts';
import { Reader } from '#main/store/history/reader.ts';
import { DEFAULT_RETENTION, type Retention } from '#main/store/history/retention.ts';
import { SessionReader } from '#main/store/history/session-reader.ts';
import { StoredRecords } from '#main/store/history/stored-records.ts';
import { Writer } from '#main/store/history/writer.ts';
import { idsOf } from '../records.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A writer and a reader of one history, without threads. */
export function openWriter(retention: Partial<Retention> = {}, folder = temporaryFolder()) {
  const database = openForWriting(folder);
  const writer = new Writer(database, { ...DEFAULT_RETENTION, ...retention });
  const reading = openForReading(folder);
  const unreadable: string[] = [];
  const records = new StoredRecords((kind, id) => unreadable.push(`${kind} ${id}`));
  const reader = new Reader(reading, records);
  onTestFinished(() => {
    reader.close();
    if (database.isOpen) database.close();
  });
  const sessions = new SessionReader(reading, records);
  const alerts = new AlertReader(reading, records);
  const incidents = new IncidentReader(reading, records);
  const errorGroups = new ErrorGroupReader(reading);
  const artifacts = new ArtifactReader(reading);
  const readers = { reader, sessions, alerts, incidents, errorGroups, artifacts };
  return { folder, database, writer, ...readers, unreadable };
}

/** The ids of a check's results, newest first. */
export function resultIds(reader: Reader, checkId: string, query: Partial<ResultQuery> = {}) {
  return idsOf(
    reader.listResults({ checkId, name: 'a check', limit: 10_000, resultType: 'ALL', ...query }),
  );
}

/** How many rows each table of facts has. */
export function rowCounts(database: DatabaseSync): Record<string, number> {
  const ofChecks = ['results', 'more_metrics', 'heartbeat_events', 'skips', 'states', 'alerts'];
  const ofSessions = ['sessions', 'batches', 'test_sessions', 'test_results'];
  const ofIncidents = ['incidents', 'subscriptions', 'mailings'];
  const details = ['passing_details', 'test_details', 'failing_details', 'artifacts'];
  return Object.fromEntries(
    [...ofChecks, 'notifications', ...ofSessions, ...ofIncidents, ...details].map((table) => [
      table,
      Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count),
    ]),
  );
}

/** Runs a sweep to its end, and answers how many steps it took. */
export function runToEnd(steps: Iterator<void, void>): number {
  let count = 0;
  while (!steps.next().done) count += 1;
  return count;
}
