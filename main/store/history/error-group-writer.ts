import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  ERROR_GROUP_ARCHIVES,
  type ErrorGroupArchive,
  errorGroupKey,
  TEST_SESSIONS,
} from '#shared/error-groups/error-group.ts';
import type { Slice } from './slice.ts';
import { requireUuid } from './uuid.ts';

/** Stands for test sessions in place of a check's key, which begin at 1. */
export const TEST_SESSIONS_KEY = 0;
/** Most groups of a check; beyond them the one that was seen longest ago goes. */
export const MAX_GROUPS_OF_CHECK = 200;
const MAX_GROUPS_OF_TEST_SESSIONS = 2_000;
const MAX_MESSAGE_LENGTH = 2_000;
const SLICE_GROUPS = 200;

/** As it is stored. */
export const FOR_EVER = ERROR_GROUP_ARCHIVES.indexOf('forEver');

/** Groups failures by their messages, in the transaction that writes them. */
export class ErrorGroupWriter {
  readonly #seen: StatementSync;
  readonly #insert: StatementSync;
  readonly #dropBeyond: StatementSync;
  readonly #archive: StatementSync;
  readonly #dropOld: StatementSync;
  readonly #forget: StatementSync;

  constructor(database: DatabaseSync) {
    this.#seen = database.prepare(
      `UPDATE error_groups SET last_seen = max(last_seen, ?1), first_seen = min(first_seen, ?1),
         archived = iif(archived = ${FOR_EVER}, archived, 0)
       WHERE id = ?2`,
    );
    this.#insert = database.prepare(
      `INSERT INTO error_groups (id, check_key, hash, raw, cleaned, first_seen, last_seen, archived)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, 0)`,
    );
    // Those archived for ever last: coming again they would be shown again.
    this.#dropBeyond = database.prepare(
      `DELETE FROM error_groups WHERE id IN (
         SELECT id FROM error_groups WHERE check_key = ?
         ORDER BY archived = ${FOR_EVER} DESC, last_seen DESC LIMIT -1 OFFSET ?)`,
    );
    this.#archive = database.prepare('UPDATE error_groups SET archived = ? WHERE id = ?');
    this.#dropOld = database.prepare(
      `DELETE FROM error_groups WHERE id IN (
         SELECT id FROM error_groups WHERE last_seen < ? AND archived <> ${FOR_EVER} LIMIT ?)`,
    );
    this.#forget = database.prepare('DELETE FROM error_groups WHERE check_key = ?');
  }

  /** A check failed, at a time in epoch ms. */
  failed(checkKey: number, checkId: string, message: string, at: number): void {
    this.#add(checkKey, checkId, message, at);
  }

  /** A check of a test session failed, at a time in epoch ms. */
  testFailed(message: string, at: number): void {
    this.#add(TEST_SESSIONS_KEY, TEST_SESSIONS, message, at);
  }

  archive(id: string, archived: ErrorGroupArchive): void {
    this.#archive.run(ERROR_GROUP_ARCHIVES.indexOf(archived), requireUuid(id));
  }

  /** Removes all of a check. */
  forget(checkKey: number): void {
    this.#forget.run(checkKey);
  }

  /** Removes what was not seen since, epoch ms. */
  expire(beforeMs: number): Slice {
    return () => Number(this.#dropOld.run(beforeMs, SLICE_GROUPS).changes) === SLICE_GROUPS;
  }

  #add(key: number, scope: string, message: string, at: number): void {
    const { id, errorHash, cleanedErrorMessage } = errorGroupKey(scope, message);
    const bytes = requireUuid(id);
    if (this.#seen.run(at, bytes).changes > 0) return;
    const raw = message.slice(0, MAX_MESSAGE_LENGTH);
    this.#insert.run(bytes, key, errorHash, raw, cleanedErrorMessage, at);
    const most = key === TEST_SESSIONS_KEY ? MAX_GROUPS_OF_TEST_SESSIONS : MAX_GROUPS_OF_CHECK;
    this.#dropBeyond.run(key, most);
  }
}
