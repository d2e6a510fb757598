import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ARTIFACT_KINDS, type ArtifactRows } from './artifact-rows.ts';
import { BODY_KINDS, type Bodies } from './bodies.ts';
import type { ErrorGroupWriter } from './error-group-writer.ts';
import { IncidentCleanup } from './incident-cleanup.ts';
import { Meta } from './meta.ts';
import { type Packs, PERIODS, periodsBefore } from './packs.ts';
import { RawFrom } from './raw-from.ts';
import { cutoff, type Retention } from './retention.ts';
import type { RollUps } from './roll-ups.ts';
import { SessionCleanup } from './session-cleanup.ts';
import { isFull, SLICE_ROWS, type Slice } from './slice.ts';
import { BEFORE_EVERY_ID, firstUuidAt, PAST_EVERY_ID } from './uuid.ts';

/** Checks that one slice looks at. */
export const SLICE_CHECKS = 500;
/**
 * How long a forgotten check is known as such after its last row is gone, so that what was still
 * under way for it is dropped.
 */
const REMEMBER_FORGOTTEN_MS = 3_600_000;

/** How far the bodies are cut down once they are over the budget: not again at every write. */
const TRIM_TO = 0.99;

/** Times, epoch ms, before which rows of each kind may go; a kind left out stays. */
export interface Expiry {
  results: number;
  events: number;
  skips: number;
  alerts?: number;
}

/** What is stored beside records and goes with them. */
interface DerivedParts {
  artifacts: ArtifactRows;
  details: Bodies;
  packs: Packs;
  rollUps: RollUps;
  errorGroups: ErrorGroupWriter;
}

/** Removes what need not be kept any longer: forgotten checks, old rows, bodies over the budget. */
export class Cleanup {
  readonly #artifacts: ArtifactRows;
  readonly #details: Bodies;
  readonly #retention: Retention;
  readonly #packs: Packs;
  readonly #rollUps: RollUps;
  readonly #errorGroups: ErrorGroupWriter;
  readonly #rawFrom: RawFrom;
  readonly #sessions: SessionCleanup;
  readonly #incidents: IncidentCleanup;
  readonly #forgottenChecks: StatementSync;
  readonly #checksAfter: StatementSync;
  readonly #dropForgotten: StatementSync;
  readonly #oldestResults: StatementSync;
  readonly #deleteResults: StatementSync;
  readonly #deleteMore: StatementSync;
  readonly #deleteEvents: StatementSync;
  readonly #deleteSkips: StatementSync;
  readonly #deleteAlerts: StatementSync;
  readonly #deleteNotifications: StatementSync;

  constructor(
    database: DatabaseSync,
    retention: Retention,
    { artifacts, details, packs, rollUps, errorGroups }: DerivedParts,
  ) {
    this.#artifacts = artifacts;
    this.#details = details;
    this.#retention = retention;
    this.#packs = packs;
    this.#rollUps = rollUps;
    this.#errorGroups = errorGroups;
    this.#rawFrom = new RawFrom(new Meta(database));
    this.#sessions = new SessionCleanup(database, { details, artifacts }, retention);
    this.#incidents = new IncidentCleanup(database);
    this.#forgottenChecks = database.prepare(
      'SELECT key FROM checks WHERE forgotten_at IS NOT NULL',
    );
    // Asked in one go, as most checks have nothing that is due: their rows are not looked for one kind after the other.
    this.#checksAfter = database.prepare(
      `SELECT key,
         EXISTS (SELECT 1 FROM results WHERE check_key = checks.key AND id < ?3)
         OR EXISTS (SELECT 1 FROM heartbeat_events WHERE check_key = checks.key AND id < ?4)
         OR EXISTS (SELECT 1 FROM skips WHERE check_key = checks.key AND to_slot < ?5)
         OR EXISTS (SELECT 1 FROM alerts WHERE check_key = checks.key AND id < ?6)
         OR EXISTS (SELECT 1 FROM packs WHERE packs.key >= checks.key * ${PERIODS}
           AND packs.key < checks.key * ${PERIODS} + ?7) AS is_due
       FROM checks WHERE key > ?1 ORDER BY key LIMIT ?2`,
    );
    this.#dropForgotten = database.prepare('DELETE FROM checks WHERE forgotten_at < ?');
    this.#oldestResults = database.prepare(
      `SELECT id, passing_detail, failing_detail FROM results
       WHERE check_key = ? AND id < ? ORDER BY id LIMIT ?`,
    );
    this.#deleteResults = database.prepare('DELETE FROM results WHERE check_key = ? AND id <= ?');
    this.#deleteMore = database.prepare('DELETE FROM more_metrics WHERE check_key = ? AND id <= ?');
    this.#deleteEvents = database.prepare(
      `DELETE FROM heartbeat_events WHERE check_key = ?1 AND id IN (
         SELECT id FROM heartbeat_events WHERE check_key = ?1 AND id < ?2 ORDER BY id LIMIT ?3)`,
    );
    this.#deleteSkips = database.prepare(
      `DELETE FROM skips WHERE check_key = ?1 AND from_slot IN (
         SELECT from_slot FROM skips WHERE check_key = ?1 AND to_slot < ?2 LIMIT ?3)
       AND to_slot < ?2`,
    );
    this.#deleteAlerts = database.prepare(
      `DELETE FROM alerts WHERE check_key = ?1 AND id IN (
         SELECT id FROM alerts WHERE check_key = ?1 AND id < ?2 ORDER BY id LIMIT ?3)`,
    );
    // A pending notification stays however old it is: the outbox gives it up.
    this.#deleteNotifications = database.prepare(
      `DELETE FROM notifications WHERE id IN (
         SELECT id FROM notifications WHERE id < ? AND owed = 0 ORDER BY id LIMIT ?)`,
    );
  }

  /** The work due at `now` (epoch ms), once {@link Sweeper.forgotten} is done. */
  *due(now: number): Generator<Slice, void> {
    // Their rows are gone by now.
    yield () => {
      this.#dropForgotten.run(now - REMEMBER_FORGOTTEN_MS);
      return false;
    };
    const { resultDays, heartbeatDays, detailDays, artifactDays, rollUpDays } = this.#retention;
    const before = cutoff(now, detailDays);
    for (const kind of BODY_KINDS) {
      yield () => isFull(this.#details.removeOldest(kind, SLICE_ROWS, (at) => at < before));
    }
    const artifactsBefore = cutoff(now, artifactDays);
    for (const kind of ARTIFACT_KINDS) {
      yield () =>
        isFull(this.#artifacts.removeOldest(kind, SLICE_ROWS, (at) => at < artifactsBefore));
    }
    const results = cutoff(now, resultDays);
    const events = cutoff(now, heartbeatDays);
    yield this.expire({ results, events, skips: results, alerts: results });
    yield* this.#rollUps.expire(cutoff(now, rollUpDays));
    yield this.#errorGroups.expire(results);
    const notifications = firstUuidAt(results);
    yield () => isFull(changesOf(this.#deleteNotifications.run(notifications, SLICE_ROWS)));
    yield* this.#sessions.due(now);
    yield* this.#incidents.due(now);
  }

  /** The work of bringing bodies and artifacts back into their budgets: the oldest of passing runs first. */
  *trim(): Generator<Slice, void> {
    const { detailBytes, artifactBytes } = this.#retention;
    const over = () => this.#details.totalBytes > detailBytes * TRIM_TO;
    for (const kind of BODY_KINDS) {
      yield () => isFull(this.#details.removeOldest(kind, SLICE_ROWS, over));
    }
    const overArtifacts = () => this.#artifacts.totalBytes > artifactBytes * TRIM_TO;
    for (const kind of ARTIFACT_KINDS) {
      yield () => isFull(this.#artifacts.removeOldest(kind, SLICE_ROWS, overArtifacts));
    }
  }

  /** What is left of checks that people deleted, whatever the time. */
  *forgotten(): Generator<Slice, void> {
    for (const row of this.#forgottenChecks.all()) {
      const key = Number(row.key);
      yield () => isFull(this.#removeResults(key, PAST_EVERY_ID, SLICE_ROWS));
      yield () => isFull(this.#removeEvents(key, PAST_EVERY_ID, SLICE_ROWS));
      yield () => isFull(this.#removeSkips(key, Number.MAX_SAFE_INTEGER, SLICE_ROWS));
      yield () => isFull(this.#removeAlerts(key, PAST_EVERY_ID, SLICE_ROWS));
      yield () => {
        this.#packs.drop(key, Number.MAX_SAFE_INTEGER);
        this.#rollUps.forget(key);
        this.#errorGroups.forget(key);
        return false;
      };
    }
  }

  /** Old rows of every check, one check after the other; a slice goes on where the last one ended. */
  expire(before: Expiry): Slice {
    const results = firstUuidAt(before.results);
    const events = firstUuidAt(before.events);
    const alerts = before.alerts === undefined ? BEFORE_EVERY_ID : firstUuidAt(before.alerts);
    const due = [results, events, before.skips, alerts, periodsBefore(before.results)] as const;
    let done = 0;
    return () => {
      let rows = 0;
      const checks = this.#checksAfter.all(done, SLICE_CHECKS, ...due);
      for (const { key: checkKey, is_due: isDue } of checks) {
        const key = Number(checkKey);
        if (isDue === 0) {
          done = key;
          continue;
        }
        const removed = {
          results: this.#removeResults(key, results, SLICE_ROWS - rows),
          events: this.#removeEvents(key, events, SLICE_ROWS - rows),
        };
        for (const kind of ['results', 'events'] as const) {
          if (removed[kind] > 0) this.#rawFrom.raise(kind, before[kind]);
          rows += removed[kind];
        }
        rows += this.#removeSkips(key, before.skips, SLICE_ROWS - rows);
        rows += this.#removeAlerts(key, alerts, SLICE_ROWS - rows);
        if (rows >= SLICE_ROWS) return true;
        this.#packs.drop(key, before.results);
        done = key;
      }
      return checks.length === SLICE_CHECKS;
    };
  }

  #removeResults(key: number, below: Uint8Array, limit: number): number {
    const rows = this.#oldestResults.all(key, below, limit);
    const last = rows.at(-1);
    if (!last) return 0;
    const artifacts = this.#artifacts.removeUpTo(
      { checkKey: key, resultId: last.id as Uint8Array },
      limit,
    );
    // A report has many files: the results go with a later slice, once theirs are gone.
    if (artifacts >= limit) return artifacts;
    for (const { passing_detail, failing_detail } of rows) {
      if (passing_detail !== null) this.#details.remove('passing', Number(passing_detail));
      if (failing_detail !== null) this.#details.remove('failing', Number(failing_detail));
    }
    this.#deleteResults.run(key, last.id as Uint8Array);
    this.#deleteMore.run(key, last.id as Uint8Array);
    return rows.length;
  }

  #removeEvents(key: number, below: Uint8Array, limit: number): number {
    return changesOf(this.#deleteEvents.run(key, below, limit));
  }

  #removeSkips(key: number, beforeSlot: number, limit: number): number {
    return changesOf(this.#deleteSkips.run(key, beforeSlot, limit));
  }

  #removeAlerts(key: number, below: Uint8Array, limit: number): number {
    return changesOf(this.#deleteAlerts.run(key, below, limit));
  }
}

function changesOf({ changes }: { changes: number | bigint }): number {
  return Number(changes);
}
