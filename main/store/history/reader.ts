import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HeartbeatState } from '#shared/checks/enums.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';
import { type RunRow, type RunSummary, summariseRuns } from '#shared/dashboards/run-summary.ts';
import {
  needDetail,
  type ResultField,
  selectFields,
  viewResult,
} from '#shared/results/check-result.ts';
import type { StoredHeartbeatEvent } from '#shared/results/heartbeat-event.ts';
import { linkDetails } from '../artifacts/artifact-links.ts';
import { JsonAnswer } from '../thread/json-answer.ts';
import { ArtifactReader } from './artifact-reader.ts';
import type {
  FoundResultQuery,
  HeartbeatEventQuery,
  JsonText,
  KeptState,
  OutcomeQuery,
  OutcomeRow,
  ResultPage,
  ResultQuery,
  SummaryQuery,
} from './history.ts';
import { jsonText } from './json-text.ts';
import { after, type Condition, matching } from './result-query.ts';
import { bodyOf, type ResultRow, readRow, SELECT_NUMBERS, SELECT_RESULTS } from './result-rows.ts';
import { isObject, type StoredRecords } from './stored-records.ts';
import { firstUuidAt, formatUuid, parseUuid, timeOfUuid } from './uuid.ts';
import { Words } from './words.ts';

/** Where a result of an id may stand: one condition each, for one of both would find no index. */
const OF_ID = [
  'r.check_key = ? AND r.id = ? AND r.given_id IS NULL',
  'r.check_key = ? AND r.given_id = ?',
] as const;

interface EventRow {
  id: Uint8Array;
  state: HeartbeatState;
  source: string | null;
  user_agent: string | null;
}

interface RunColumns {
  response_ms: number;
  has_failures: number;
  has_errors: number;
  is_degraded: number;
}

interface OutcomeColumns {
  check_id: string;
  id: Uint8Array;
  run: number;
  has_failures: number;
  has_errors: number;
  is_degraded: number;
}

/** Answers what the API asks of the history, on a connection of its own beside the writer. */
export class Reader {
  readonly #database: DatabaseSync;
  readonly #findCheck: StatementSync;
  readonly #findGroup: StatementSync;
  readonly #records: StoredRecords;
  readonly #words: Words;
  readonly #artifacts: ArtifactReader;

  constructor(database: DatabaseSync, records: StoredRecords) {
    this.#records = records;
    this.#database = database;
    this.#words = new Words(database);
    this.#artifacts = new ArtifactReader(database);
    this.#findGroup = database.prepare('SELECT 1 FROM error_groups WHERE id = ?');
    this.#findCheck = database.prepare(
      'SELECT key FROM checks WHERE id = ? AND forgotten_at IS NULL',
    );
  }

  listResults(query: ResultQuery): ResultPage {
    const key = this.#keyOf(query.checkId);
    const matches = matching(key, query);
    // One more than asked for tells whether there is a next page.
    const isWhole = query.fields === undefined || needDetail(query.fields);
    const select = isWhole ? SELECT_RESULTS : SELECT_NUMBERS;
    const wanted = after(matches, query.before);
    const rows = this.#resultRows(select, wanted, query.limit + 1, query.offset);
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const entries = page.flatMap((row) => this.#entryOf(row, query) ?? []);
    return {
      entries: jsonText(entries),
      length: entries.length,
      nextBefore: last && rows.length > page.length ? formatUuid(last[0]) : null,
      total: query.withTotal ? this.#count(matches) : null,
    };
  }

  findResult(query: FoundResultQuery): JsonText | null {
    const key = this.#keyOf(query.checkId);
    const id = parseUuid(query.resultId);
    if (id === null) return null;
    const row = OF_ID.flatMap((sql) =>
      this.#resultRows(SELECT_RESULTS, { sql, values: [key, id] }, 1),
    )[0];
    const entry = row && this.#entryOf(row, query);
    return entry ? jsonText(entry) : null;
  }

  /** Straight from the rows of results, by their ranges of time; no body is read. */
  listOutcomes({ checkIds, from, to, limit }: OutcomeQuery): OutcomeRow[] {
    const rows = this.#database
      .prepare(
        `SELECT c.id AS check_id, r.id, r.run, r.has_failures, r.has_errors, r.is_degraded
         FROM checks c JOIN results r ON r.check_key = c.key
         WHERE c.id IN (SELECT value FROM json_each(?)) AND c.forgotten_at IS NULL
           AND r.final = 1 AND r.id >= ? AND r.id < ? ORDER BY r.id LIMIT ?`,
      )
      .all(JSON.stringify(checkIds), firstUuidAt(from), firstUuidAt(to), limit);
    return rows.map((row) => readOutcome(row as unknown as OutcomeColumns));
  }

  summariseRuns({ checkIds, from, limit }: SummaryQuery): RunSummary[] {
    const statement = this.#database.prepare(
      `SELECT response_ms, has_failures, has_errors, is_degraded FROM results
       WHERE check_key = ? AND final = 1 AND id >= ? ORDER BY id DESC LIMIT ?`,
    );
    return checkIds.map((checkId) => {
      const rows = statement.all(this.#keyOf(checkId), firstUuidAt(from), limit);
      return summariseRuns(
        checkId,
        rows.map((row) => readRun(row as unknown as RunColumns)),
      );
    });
  }

  listHeartbeatEvents({ checkId, from, to, limit }: HeartbeatEventQuery): StoredHeartbeatEvent[] {
    const rows = this.#database
      .prepare(
        `SELECT id, state, source, user_agent FROM heartbeat_events
         WHERE check_key = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`,
      )
      .all(this.#keyOf(checkId), firstUuidAt(from), firstUuidAt(to), limit);
    return rows.map((row) => readEvent(checkId, row as unknown as EventRow));
  }

  findHeartbeatEvent(query: { checkId: string; eventId: string }): StoredHeartbeatEvent | null {
    const row = this.#database
      .prepare(
        'SELECT id, state, source, user_agent FROM heartbeat_events WHERE check_key = ? AND id = ?',
      )
      .get(this.#keyOf(query.checkId), parseUuid(query.eventId));
    return row ? readEvent(query.checkId, row as unknown as EventRow) : null;
  }

  countHeartbeatEvents(query: { checkId: string; from: number; to: number }): {
    passing: number;
    total: number;
  } {
    const rows = this.#database
      .prepare(
        `SELECT state, count(*) AS count FROM heartbeat_events
         WHERE check_key = ? AND id >= ? AND id < ? GROUP BY state`,
      )
      .all(this.#keyOf(query.checkId), firstUuidAt(query.from), firstUuidAt(query.to));
    const total = sum(rows.map(({ count }) => Number(count)));
    const passing = rows.filter(({ state }) => isPassing(state as HeartbeatState));
    return { passing: sum(passing.map(({ count }) => Number(count))), total };
  }

  /** The state of every check, by its id. */
  loadStates(): JsonAnswer<[string, KeptState][]> {
    const rows = this.#database
      .prepare(
        `SELECT c.id, s.actor, s.status, s.alert, ${isObject('s.actor')} AS actor_is_good,
           ${isObject('s.status')} AS status_is_good, ${isObject('s.alert')} AS alert_is_good
         FROM states s JOIN checks c ON c.key = s.check_key
         WHERE c.forgotten_at IS NULL ORDER BY c.key`,
      )
      .iterate();
    let states = '';
    for (const row of rows) {
      const name = String(row.id);
      const actor = this.#text(name, row.actor, row.actor_is_good);
      if (actor === null) continue;
      const status = this.#part(name, row.status, row.status_is_good) ?? 'null';
      const alert = this.#part(name, row.alert, row.alert_is_good);
      const state = `{"actor":${actor},"status":${status}${alert ? `,"alert":${alert}` : ''}}`;
      states += `${states === '' ? '' : ','}[${JSON.stringify(name)},${state}]`;
    }
    return new JsonAnswer(`[${states}]`);
  }

  /** JSON text of what a check can go on without; null where it is missing or cannot be read. */
  #part(name: string, body: unknown, isGood: unknown): string | null {
    return body === null || body === 'null' ? null : this.#text(name, body, isGood);
  }

  /** Null where it cannot be read, which is told then. @param isGood 1 where it is known to be an object */
  #text(name: string, body: unknown, isGood: unknown): string | null {
    return isGood === 1 ? String(body) : this.#records.text('actorState', { name, body });
  }

  close(): void {
    this.#database.close();
  }

  /** Null for a check that nothing is known of: in SQL it equals no key, so there are no rows. */
  #keyOf(checkId: string): number | null {
    const row = this.#findCheck.get(checkId);
    return row ? Number(row.key) : null;
  }

  #resultRows(select: string, { sql, values }: Condition, limit: number, offset = 0): ResultRow[] {
    const statement = this.#database.prepare(
      `${select} WHERE ${sql} ORDER BY r.id DESC LIMIT ? OFFSET ?`,
    );
    statement.setReturnArrays(true);
    return statement.all(...values, limit, offset) as unknown as ResultRow[];
  }

  /** Without its body where that cannot be read; null where the row cannot. */
  #entryOf(row: ResultRow, query: EntryQuery): object | null {
    return (
      this.#readable(row, () => this.#viewOf(row, query, bodyOf(row))) ??
      this.#readable(row, () => this.#viewOf(row, query, null))
    );
  }

  #readable(row: ResultRow, view: () => object): object | null {
    try {
      return view();
    } catch (error) {
      // Whatever it throws: packed bytes, JSON and times each break in a way of their own.
      this.#records.tell('result', formatUuid(row[0]), (error as Error).message);
      return null;
    }
  }

  /** The group of a failure may be gone, or the failure be older than groups are. */
  #viewOf(
    row: ResultRow,
    { checkId, name, fields, links }: EntryQuery,
    detail: string | null,
  ): object {
    const entry = viewResult(readRow(checkId, row, this.#words), name, detail);
    if (links) {
      const owner = () => ({ checkKey: this.#keyOf(checkId) ?? 0, resultId: row[0] });
      linkDetails(entry, { checkId, resultId: entry.id }, links, () =>
        this.#artifacts.namesOf(owner()),
      );
    }
    entry.errorGroupIds = entry.errorGroupIds.filter((id) => this.#findGroup.get(parseUuid(id)));
    return fields ? selectFields(entry, fields) : entry;
  }

  #count({ sql, values }: Condition): number {
    const row = this.#database
      .prepare(`SELECT count(*) AS count FROM results r WHERE ${sql}`)
      .get(...values);
    return Number(row?.count);
  }
}

interface EntryQuery extends Pick<FoundResultQuery, 'checkId' | 'name' | 'links'> {
  fields?: readonly ResultField[] | undefined;
}

function readRun(row: RunColumns): RunRow {
  return {
    responseTime: row.response_ms,
    hasFailures: row.has_failures === 1,
    hasErrors: row.has_errors === 1,
    isDegraded: row.is_degraded === 1,
  };
}

function readOutcome(row: OutcomeColumns): OutcomeRow {
  return {
    checkId: row.check_id,
    checkRunId: row.run,
    createdAt: timeOfUuid(row.id),
    hasFailures: row.has_failures === 1,
    hasErrors: row.has_errors === 1,
    isDegraded: row.is_degraded === 1,
  };
}

function readEvent(checkId: string, row: EventRow): StoredHeartbeatEvent {
  return {
    id: formatUuid(row.id),
    checkId,
    state: row.state,
    timestamp: timeOfUuid(row.id),
    source: row.source,
    userAgent: row.user_agent,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
