import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Slice } from './slice.ts';
import { firstUuidAt } from './uuid.ts';

const DAY_MS = 86_400_000;
/** Rows that one slice removes: an incident with its updates is wide. */
const SLICE_RECORDS = 100;
/** How long the id of a deleted incident stays, so that no late write brings the incident back. */
const DELETED_MS = DAY_MS;
/** Most incidents that are over; beyond them those that ended longest ago go. */
export const MAX_ENDED_INCIDENTS = 20_000;
/** How long an address may wait for its owner's confirmation. */
const PENDING_SUBSCRIPTION_MS = 7 * DAY_MS;
/** How long it is known what was mailed already. */
const DONE_MAILING_MS = 30 * DAY_MS;

/**
 * Removes deleted incidents, the oldest of too many that are over, subscriptions that nobody confirmed
 * and mailings that are done.
 */
export class IncidentCleanup {
  readonly #deleted: StatementSync;
  readonly #ended: StatementSync;
  readonly #unconfirmed: StatementSync;
  readonly #done: StatementSync;

  constructor(database: DatabaseSync) {
    const remove = (table: string, rows: string) =>
      database.prepare(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ${rows})`);
    this.#deleted = remove('incidents', 'WHERE deleted_at < ? LIMIT ?');
    this.#ended = remove(
      'incidents',
      `WHERE deleted_at IS NULL AND ended_at IS NOT NULL
       ORDER BY ended_at DESC, started_at DESC LIMIT ? OFFSET ${MAX_ENDED_INCIDENTS}`,
    );
    this.#unconfirmed = remove('subscriptions', 'WHERE verified = 0 AND id < ? LIMIT ?');
    // A mailing that is pending stays, however old.
    this.#done = remove('mailings', 'WHERE id < ? AND open = 0 LIMIT ?');
  }

  /** The work due at `now` (epoch ms). */
  *due(now: number): Generator<Slice, void> {
    yield slice(this.#deleted, now - DELETED_MS);
    yield slice(this.#ended);
    yield slice(this.#unconfirmed, firstUuidAt(now - PENDING_SUBSCRIPTION_MS));
    yield slice(this.#done, firstUuidAt(now - DONE_MAILING_MS));
  }
}

function slice(statement: StatementSync, ...values: (number | Uint8Array)[]): Slice {
  return () => Number(statement.run(...values, SLICE_RECORDS).changes) === SLICE_RECORDS;
}
