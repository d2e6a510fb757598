import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { hasEnded, type StoredBatch, type StoredSession } from '#shared/sessions/check-session.ts';
import type { TestSessionHead } from '#shared/sessions/test-session.ts';
import { type ArtifactRows, OF_TEST_SESSIONS } from './artifact-rows.ts';
import type { Bodies } from './bodies.ts';
import type { ErrorGroupWriter } from './error-group-writer.ts';
import type { KeptTestResult } from './history.ts';
import { requireUuid, requireUuidOfTime, timeOfUuid } from './uuid.ts';

/**
 * Writes sessions, batches, test sessions and their results, each as JSON beside the columns that are
 * asked for. What is kept as over is never changed again, whatever comes late; that is no error.
 *
 * The sessions of a check that is being forgotten are taken like any others: their own machine ends
 * them CANCELLED, and people ask for them by their own ids.
 */
export class SessionWriter {
  readonly #details: Bodies;
  readonly #artifacts: ArtifactRows;
  readonly #errorGroups: ErrorGroupWriter;
  readonly #putSession: StatementSync;
  readonly #putBatch: StatementSync;
  readonly #putTestSession: StatementSync;
  readonly #putTestResult: StatementSync;

  constructor(
    database: DatabaseSync,
    {
      details,
      artifacts,
      errorGroups,
    }: { details: Bodies; artifacts: ArtifactRows; errorGroups: ErrorGroupWriter },
  ) {
    this.#details = details;
    this.#artifacts = artifacts;
    this.#errorGroups = errorGroups;
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
    this.#putTestResult = database.prepare(
      `INSERT INTO test_results (session_id, result_id, position, attempt, status, body, detail, error_group)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET status = excluded.status, body = excluded.body,
         detail = excluded.detail, error_group = excluded.error_group
       WHERE test_results.status = 'RUNNING'`,
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
  writeTestSession(session: TestSessionHead): void {
    const id = requireUuidOfTime(session.id, session.createdAt);
    const { name, status, metadata } = session;
    const search = name.toLowerCase();
    this.#putTestSession.run(id, status, search, branchOf(metadata), JSON.stringify(session));
  }

  /** False where its detail was too large to keep. */
  writeTestResult({ sessionId, result, detail, error, artifacts }: KeptTestResult): boolean {
    const session = requireUuid(sessionId);
    const id = requireUuid(result.id);
    const { position, resultType, status } = result;
    const detailId =
      detail === undefined ? null : this.#details.add('test', timeOfUuid(session), detail);
    const isAttempt = Number(resultType === 'ATTEMPT');
    const body = JSON.stringify(result);
    const group = result.errorGroupId === undefined ? null : requireUuid(result.errorGroupId);
    const values = [session, id, position, isAttempt, status, body, detailId, group];
    const { changes } = this.#putTestResult.run(...values);
    const at = result.stoppedAt ?? result.createdAt;
    if (changes > 0 && error !== undefined) this.#errorGroups.testFailed(error, at);
    if (changes > 0 && artifacts) {
      this.#artifacts.add({ checkKey: OF_TEST_SESSIONS, resultId: id }, result, at, artifacts);
    }
    // The row names its detail, so that comes first and goes again where the row was refused.
    if (changes === 0 && detailId !== null) this.#details.remove('test', detailId);
    return detail === undefined || detailId !== null;
  }
}

function branchOf({ branchName }: TestSessionHead['metadata']): string | null {
  return typeof branchName === 'string' ? branchName : null;
}
