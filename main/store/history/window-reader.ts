import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';
import { runState } from '#shared/summaries/check-state.ts';
import { MAX_RUNS } from '#shared/summaries/run-code.ts';
import {
  type KeptWindow,
  RunWindow,
  type WindowRun,
  windowStart,
} from '#shared/summaries/run-window.ts';
import { Meta } from './meta.ts';
import { PACK_MS, PACKED_BEFORE, packKey, readPackKey } from './packs.ts';
import { OUTCOME, unpackResults } from './result-pack.ts';
import { firstUuidAt, timeOfUuid } from './uuid.ts';

export interface WindowQuery {
  checkIds: readonly string[];
  /** Epoch ms. */
  now: number;
}

/** The window of a check, with why its last run failed. */
export interface StoredWindow {
  window: KeptWindow;
  cause: string | null;
}

type ShownRow = [
  id: Uint8Array,
  responseTime: number,
  hasFailures: number,
  hasErrors: number,
  isDegraded: number,
  message: string | null,
];
interface EventRow {
  id: Uint8Array;
  state: HeartbeatState;
}
type CountedRow = [id: Uint8Array, responseTime: number, hasFailures: number];

const RESPONSE_TIME = new Set([0]);
const MAX_CAUSE = 300;

/** Reads what the summary of checks begins with: the last runs, and the counts of a day, of packs where there are. */
export class WindowReader {
  readonly #database: DatabaseSync;
  readonly #meta: Meta;
  readonly #check: StatementSync;
  readonly #shown: StatementSync;
  readonly #counted: StatementSync;
  readonly #packs: StatementSync;
  readonly #shownEvents: StatementSync;
  readonly #countedEvents: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#meta = new Meta(database);
    this.#check = database.prepare('SELECT key FROM checks WHERE id = ? AND forgotten_at IS NULL');
    this.#shown = database.prepare(
      `SELECT id, response_ms, has_failures, has_errors, is_degraded, message FROM results
       WHERE check_key = ? AND final = 1 ORDER BY id DESC LIMIT ?`,
    );
    this.#counted = database.prepare(
      `SELECT id, response_ms, has_failures FROM results
       WHERE check_key = ? AND id >= ? AND id < ? AND final = 1 AND has_errors = 0 ORDER BY id`,
    );
    this.#packs = database.prepare(
      'SELECT key, body FROM packs WHERE key >= ? AND key < ? ORDER BY key',
    );
    this.#shownEvents = database.prepare(
      'SELECT id, state FROM heartbeat_events WHERE check_key = ? ORDER BY id DESC LIMIT ?',
    );
    this.#countedEvents = database.prepare(
      'SELECT id, state FROM heartbeat_events WHERE check_key = ? AND id >= ? ORDER BY id',
    );
    for (const statement of [this.#shown, this.#counted]) statement.setReturnArrays(true);
  }

  /** In the order of the ids; of an unknown check, one without a run. */
  readWindows({ checkIds, now }: WindowQuery): StoredWindow[] {
    // In one snapshot: what is packed meanwhile is neither missed nor counted twice.
    this.#database.exec('BEGIN');
    try {
      return checkIds.map((id) => this.#readWindow(id, now));
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  #readWindow(checkId: string, now: number): StoredWindow {
    const window = new RunWindow();
    const key = this.#check.get(checkId)?.key;
    if (key === undefined) return { window: window.kept(), cause: null };
    const last = this.#showLast(Number(key), window);
    this.#countDay(Number(key), window, now);
    this.#addEvents(Number(key), window, now);
    return { window: window.kept(), cause: last?.[5]?.slice(0, MAX_CAUSE) ?? null };
  }

  #showLast(key: number, window: RunWindow): ShownRow | undefined {
    const rows = this.#shown.all(key, MAX_RUNS) as unknown as ShownRow[];
    for (const row of rows.toReversed()) {
      const [id, responseTime, hasFailures, hasErrors, isDegraded] = row;
      const state = runState({
        hasFailures: hasFailures === 1,
        hasErrors: hasErrors === 1,
        isDegraded: isDegraded === 1,
      });
      window.show({ at: timeOfUuid(id), state, responseTime });
    }
    return rows[0];
  }

  #countDay(key: number, window: RunWindow, now: number): void {
    const from = windowStart(now);
    const packedUntil = Math.max(from, (this.#meta.read(PACKED_BEFORE) ?? 0) * PACK_MS);
    const first = packKey(key, Math.floor(from / PACK_MS));
    const packs = this.#packs.all(first, packKey(key, Math.ceil(packedUntil / PACK_MS)));
    for (const { key: packed, body } of packs) {
      const startMs = readPackKey(Number(packed)).period * PACK_MS;
      // One to which a late result came is empty until it is made anew.
      if (body === null) this.#countRows(key, window, Math.max(from, startMs), startMs + PACK_MS);
      else countPack(body as Uint8Array, startMs, from, window);
    }
    this.#countRows(key, window, packedUntil, Number.MAX_SAFE_INTEGER);
  }

  #countRows(key: number, window: RunWindow, fromMs: number, toMs: number): void {
    const rows = this.#counted.all(key, firstUuidAt(fromMs), firstUuidAt(toMs));
    for (const [id, responseTime, hasFailures] of rows as unknown as CountedRow[]) {
      const state = hasFailures === 1 ? 'failing' : 'passing';
      window.count({ at: timeOfUuid(id), state, responseTime });
    }
  }

  #addEvents(key: number, window: RunWindow, now: number): void {
    const shown = this.#shownEvents.all(key, MAX_RUNS) as unknown as EventRow[];
    for (const row of shown.toReversed()) window.show(runOf(row));
    const counted = this.#countedEvents.all(key, firstUuidAt(windowStart(now)));
    for (const row of counted as unknown as EventRow[]) window.count(runOf(row));
  }
}

function runOf({ id, state }: EventRow): WindowRun {
  return {
    at: timeOfUuid(id),
    state: isPassing(state) ? 'passing' : 'failing',
    responseTime: null,
  };
}

function countPack(body: Uint8Array, startMs: number, from: number, window: RunWindow): void {
  const { offsets, outcomes, values } = unpackResults(body, RESPONSE_TIME);
  for (const [index, offset] of offsets.entries()) {
    const at = startMs + offset;
    const state = outcomes[index] === OUTCOME.failed ? 'failing' : 'passing';
    if (at >= from) window.count({ at, state, responseTime: values[0]?.[index] ?? null });
  }
}
