import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Summary } from '#shared/analytics/summary.ts';
import { HEARTBEAT_STATES, type HeartbeatState } from '#shared/checks/enums.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { Meta } from './meta.ts';
import { numbersOf } from './metrics.ts';
import { PACK_MS, type Packs, packKey } from './packs.ts';
import { outcomeOf } from './result-columns.ts';
import { unpackResults } from './result-pack.ts';
import { joinGroups, type RollUpGroup, rollUp } from './roll-up.ts';
import { packRollUp, unpackRollUp } from './roll-up-body.ts';
import type { Slice } from './slice.ts';
import { firstUuidAt } from './uuid.ts';

/** Days before this one, counted from the epoch, are rolled up, or have no results. */
export const ROLLED_BEFORE = 'rolled_up_before';
/** Roll-ups of days before this one are removed. */
const DROPPED_BEFORE = 'roll_ups_dropped_before';
export const DAY_MS = 86_400_000;
const PACKS_OF_DAY = DAY_MS / PACK_MS;
/** How long after its end a day is rolled up, as with packs. */
const REST_MS = 600_000;
/** Checks that one slice looks at, and results after which it ends: some 10 ms. */
const SLICE_CHECKS = 200;
const SLICE_RESULTS = 4_000;

/**
 * Sums up each day (UTC) of a check for the time when its results are removed. A day is rolled up once it is over;
 * what comes late for it is added in the transaction that writes it, so the results are not read again.
 */
export class RollUps {
  readonly #meta: Meta;
  readonly #packs: Packs;
  readonly #checks: StatementSync;
  readonly #packsOfDay: StatementSync;
  readonly #events: StatementSync;
  readonly #find: StatementSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  #rolledBefore: number | null = null;
  /** The day that is being rolled up; checks that have their roll-up already get what comes late. */
  #rolling: number | null = null;

  constructor(database: DatabaseSync, packs: Packs) {
    this.#meta = new Meta(database);
    this.#packs = packs;
    this.#checks = database.prepare(
      'SELECT key FROM checks WHERE key > ? AND forgotten_at IS NULL ORDER BY key LIMIT ?',
    );
    this.#packsOfDay = database.prepare('SELECT key, body FROM packs WHERE key >= ? AND key < ?');
    this.#events = database.prepare(
      `SELECT state, count(*) AS count FROM heartbeat_events
       WHERE check_key = ? AND id >= ? AND id < ? GROUP BY state`,
    );
    this.#find = database.prepare('SELECT body FROM roll_ups WHERE key = ?');
    this.#put = database.prepare('INSERT OR REPLACE INTO roll_ups (key, body) VALUES (?, ?)');
    this.#drop = database.prepare('DELETE FROM roll_ups WHERE key >= ? AND key < ?');
    this.reload();
  }

  /** To be called after a transaction was rolled back. */
  reload(): void {
    this.#rolledBefore = this.#meta.read(ROLLED_BEFORE);
  }

  /** A result was written; `location` is the key of its word. */
  resultWritten(checkKey: number, result: StoredResult, location: number): void {
    if (result.resultType !== 'FINAL' || result.hasErrors) return;
    this.#addLate(checkKey, result.createdAt, () => groupOfResult(result, location));
  }

  /** An event was written; `at` is epoch ms. */
  eventWritten(checkKey: number, at: number, state: HeartbeatState): void {
    this.#addLate(checkKey, at, () => groupOfEvents(state, 1));
  }

  /** Removes all of a check. */
  forget(checkKey: number): void {
    this.#drop.run(packKey(checkKey, 0), packKey(checkKey + 1, 0));
  }

  /**
   * Rolls up the days that are over at `now` and packed.
   * @param oldestMs how far back there may be results, epoch ms, where nothing was rolled up yet
   */
  *due(now: number, oldestMs: number): Generator<Slice, void> {
    const restedMs = Math.min(now - REST_MS, this.#packs.packedUntilMs);
    const end = Math.floor(restedMs / DAY_MS);
    for (let day = this.#next(oldestMs); day < end; day = this.#next(oldestMs)) {
      const next = day + 1;
      this.#rolling = day;
      yield this.#everyCheck((key) => this.#rollUp(key, next - 1));
      yield () => {
        this.#meta.write(ROLLED_BEFORE, next);
        this.#rolledBefore = next;
        return false;
      };
    }
  }

  /** Removes the roll-ups of days that ended by `beforeMs`, epoch ms. */
  *expire(beforeMs: number): Generator<Slice, void> {
    const before = Math.floor(beforeMs / DAY_MS);
    if (before <= (this.#meta.read(DROPPED_BEFORE) ?? 0)) return;
    yield this.#everyCheck((key) => {
      this.#drop.run(packKey(key, 0), packKey(key, before));
      return 1;
    });
    yield () => {
      this.#meta.write(DROPPED_BEFORE, before);
      return false;
    };
  }

  #next(oldestMs: number): number {
    return this.#rolledBefore ?? Math.floor(oldestMs / DAY_MS);
  }

  /** One check after the other; a slice goes on where the last one ended. `work` answers how many rows it read. */
  #everyCheck(work: (checkKey: number) => number): Slice {
    let done = 0;
    return () => {
      let left = SLICE_RESULTS;
      const checks = this.#checks.all(done, SLICE_CHECKS);
      for (const check of checks) {
        done = Number(check.key);
        left -= work(done);
        if (left <= 0) return true;
      }
      return checks.length === SLICE_CHECKS;
    };
  }

  #rollUp(checkKey: number, day: number): number {
    const first = packKey(checkKey, day * PACKS_OF_DAY);
    const rows = this.#packsOfDay
      .all(first, first + PACKS_OF_DAY)
      .map(({ key, body }) =>
        body === null ? this.#packs.read(Number(key)) : unpackResults(body as Uint8Array, 'all'),
      );
    const groups = [...rollUp(rows), ...this.#eventGroups(checkKey, day)];
    if (groups.length > 0) this.#put.run(packKey(checkKey, day), packRollUp(groups));
    return groups.reduce((sum, { count }) => sum + count, 0);
  }

  #eventGroups(checkKey: number, day: number): RollUpGroup[] {
    const range = [firstUuidAt(day * DAY_MS), firstUuidAt((day + 1) * DAY_MS)] as const;
    const rows = this.#events.all(checkKey, ...range);
    return rows.map(({ state, count }) => groupOfEvents(state as HeartbeatState, Number(count)));
  }

  #addLate(checkKey: number, at: number, group: () => RollUpGroup): void {
    const day = Math.floor(at / DAY_MS);
    const isRolledUp = this.#rolledBefore !== null && day < this.#rolledBefore;
    if (!isRolledUp && day !== this.#rolling) return;
    const key = packKey(checkKey, day);
    const body = this.#find.get(key)?.body;
    // A check that waits for its turn is rolled up with this result.
    if (body === undefined && !isRolledUp) return;
    const groups = body === undefined ? [] : unpackRollUp(body as Uint8Array, 'all');
    this.#put.run(key, packRollUp(joinGroups(groups, [group()])));
  }
}

function groupOfResult(result: StoredResult, location: number): RollUpGroup {
  const { checkType, hasFailures, isDegraded, attempts, responseTime, metrics } = result;
  const numbers = [responseTime, ...numbersOf(checkType, metrics)];
  return {
    location,
    outcome: outcomeOf(Number(hasFailures), Number(isDegraded)),
    count: 1,
    retries: attempts,
    values: numbers.map((number) => Summary.of(Float64Array.from(number === null ? [] : [number]))),
  };
}

function groupOfEvents(state: HeartbeatState, count: number): RollUpGroup {
  const outcome = HEARTBEAT_STATES.indexOf(state);
  return { location: 0, outcome, count, retries: 0, values: [] };
}
