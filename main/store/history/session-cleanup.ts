import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type ArtifactRows, OF_TEST_SESSIONS } from './artifact-rows.ts';
import type { Bodies } from './bodies.ts';
import { cutoff, type Retention } from './retention.ts';
import { HOLDS_OPEN_SESSION } from './session-reader.ts';
import { isFull, SLICE_ROWS, type Slice } from './slice.ts';
import { firstUuidAt } from './uuid.ts';

/** Sessions that one slice removes: their rows are wide. */
const SLICE_SESSIONS = 100;
/** How old a batch is before it may go: its sessions may come by a write of their own. */
const BATCH_REST_MS = 3_600_000;

/**
 * Removes sessions and test sessions with the days of results, and batches once none of their
 * sessions is open. An open session stays, however old: what ends it needs it.
 */
export class SessionCleanup {
  readonly #details: Bodies;
  readonly #artifacts: ArtifactRows;
  readonly #retention: Retention;
  readonly #deleteSessions: StatementSync;
  readonly #deleteBatches: StatementSync;
  readonly #deleteTestSessions: StatementSync;
  readonly #deleteTestResults: StatementSync;

  constructor(
    database: DatabaseSync,
    { details, artifacts }: { details: Bodies; artifacts: ArtifactRows },
    retention: Retention,
  ) {
    this.#details = details;
    this.#artifacts = artifacts;
    this.#retention = retention;
    this.#deleteSessions = database.prepare(
      `DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE id < ? AND open = 0 ORDER BY id LIMIT ?)`,
    );
    this.#deleteBatches = database.prepare(
      `DELETE FROM batches WHERE id IN (
         SELECT id FROM batches WHERE id < ? AND NOT ${HOLDS_OPEN_SESSION} ORDER BY id LIMIT ?)`,
    );
    this.#deleteTestSessions = database.prepare(
      `DELETE FROM test_sessions WHERE id IN (
         SELECT id FROM test_sessions WHERE id < ? ORDER BY id LIMIT ?)`,
    );
    this.#deleteTestResults = database.prepare(
      `DELETE FROM test_results WHERE (session_id, result_id) IN (
         SELECT session_id, result_id FROM test_results WHERE session_id < ? LIMIT ?)
       RETURNING result_id, detail`,
    );
  }

  /** The work due at `now` (epoch ms). */
  *due(now: number): Generator<Slice, void> {
    const before = firstUuidAt(cutoff(now, this.#retention.resultDays));
    // First, so that nobody sees one with half of its results.
    yield () => remove(this.#deleteTestSessions, before);
    yield () => isFull(this.#removeTestResults(before));
    yield () => remove(this.#deleteSessions, before);
    yield () => remove(this.#deleteBatches, firstUuidAt(now - BATCH_REST_MS));
  }

  #removeTestResults(before: Uint8Array): number {
    const rows = this.#deleteTestResults.all(before, SLICE_ROWS);
    for (const { result_id, detail } of rows) {
      const resultId = result_id as Uint8Array;
      this.#artifacts.removeOf({ checkKey: OF_TEST_SESSIONS, resultId });
      if (detail !== null) this.#details.remove('test', Number(detail));
    }
    return rows.length;
  }
}

function remove(statement: StatementSync, before: Uint8Array): boolean {
  return Number(statement.run(before, SLICE_SESSIONS).changes) === SLICE_SESSIONS;
}
