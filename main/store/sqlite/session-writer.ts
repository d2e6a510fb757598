import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { hasEnded, type StoredBatch, type StoredSession } from '#shared/session/check-session.ts';
import type { StoredTestSession } from '#shared/session/test-session.ts';
import type { HistoryFacts } from '../history.ts';
import type { Details } from './details.ts';
import { requireUuid, requireUuidOfTime, timeOfUuid } from './uuid.ts';

type TestDetail = NonNullable<HistoryFacts['testDetails']>[number];

/**
 * Writes sessions, batches and test sessions, each whole as JSON beside the columns that are asked
 * for. One that is kept as over is never changed again, whatever comes late; that is no error.
 *
 * The sessions of a check that is being forgotten are taken like any others: their own machine ends
 * them CANCELLED, and people ask for them by their own ids.
 */
export class SessionWriter {
  readonly #details: Details;
  readonly #putSession: StatementSync;
  readonly #putBatch: StatementSync;
  readonly #putTestSession: StatementSync;
  readonly #addTestResult: StatementSync;

  constructor(database: DatabaseSync, details: Details) {
    this.#details = details;
    this.#putSession = database.prepare(
      `INSERT INTO sessions (id, open, body) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET open = excluded.open, body = excluded.body
       WHERE sessions.open = 1`,
    );
    this.#putBatch = database.prepare(
      `INSERT INTO batches (id, body) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET body = excluded.body`,
    );
    this.#putTestSession = database.prepare(
      `INSERT INTO test_sessions (id, status, search, branch, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET status = excluded.status, search = excluded.search,
         branch = excluded.branch, body = excluded.body
       WHERE test_sessions.status = 'RUNNING'`,
    );
    this.#addTestResult = database.prepare(
      `INSERT INTO test_results (session_id, result_id, detail) VALUES (?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
  }

  /** @throws StoreError `INVALID` where the id is no UUIDv7 of its `createdAt` */
  writeSession(session: StoredSession): void {
    const id = requireUuidOfTime(session.id, session.createdAt);
    this.#putSession.run(id, Number(!hasEnded(session.status)), JSON.stringify(session));
  }

  writeBatch(batch: StoredBatch): void {
    this.#putBatch.run(requireUuid(batch.id), JSON.stringify(batch));
  }

  /** @throws StoreError `INVALID` where the id is no UUIDv7 of its `createdAt` */
  writeTestSession(session: StoredTestSession): void {
    const id = requireUuidOfTime(session.id, session.createdAt);
    const { name, status, metadata } = session;
    const search = name.toLowerCase();
    this.#putTestSession.run(id, status, search, branchOf(metadata), JSON.stringify(session));
  }

  /** Keeps the first detail of a result; false where it was too large to keep. */
  writeTestDetail({ sessionId, resultId, detail }: TestDetail): boolean {
    const session = requireUuid(sessionId);
    const detailId = this.#details.add('test', timeOfUuid(session), detail);
    if (detailId === null) return false;
    const { changes } = this.#addTestResult.run(session, requireUuid(resultId), detailId);
    // The row names its body, so the body comes first and goes again where the row was refused.
    if (changes === 0) this.#details.remove('test', detailId);
    return true;
  }
}

function branchOf({ branchName }: StoredTestSession['metadata']): string | null {
  return typeof branchName === 'string' ? branchName : null;
}
