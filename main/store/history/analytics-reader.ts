import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { eventSamples, type Samples } from '#shared/analytics/samples.ts';
import { seriesOf } from '#shared/analytics/series.ts';
import { CHECK_TRAITS, type HeartbeatState } from '#shared/checks/enums.ts';
import type { AnalyticsHistoryQuery, EventAnalyticsQuery, JsonText } from './history.ts';
import { jsonText } from './json-text.ts';
import { Meta } from './meta.ts';
import { PACK_MS, PACKED_BEFORE, packKey, readPackKey } from './packs.ts';
import { type ResultColumns, readColumns, SELECT_COLUMNS } from './result-columns.ts';
import { type PackedResults, unpackResults } from './result-pack.ts';
import { firstUuidAt, timeOfUuid } from './uuid.ts';

/** Results that follow one another, with the time that their offsets count from. */
interface Stretch {
  startMs: number;
  rows: PackedResults;
}

/** Makes the series of reports, from packs and, where a period is not packed, from rows. */
export class AnalyticsReader {
  readonly #database: DatabaseSync;
  readonly #meta: Meta;
  readonly #check: StatementSync;
  readonly #packs: StatementSync;
  readonly #rows: StatementSync;
  readonly #events: StatementSync;
  readonly #words: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#meta = new Meta(database);
    this.#check = database.prepare('SELECT key FROM checks WHERE id = ? AND forgotten_at IS NULL');
    this.#packs = database.prepare(
      'SELECT key, body FROM packs WHERE key >= ? AND key < ? ORDER BY key',
    );
    this.#rows = database.prepare(SELECT_COLUMNS);
    this.#rows.setReturnArrays(true);
    this.#events = database.prepare(
      'SELECT id, state FROM heartbeat_events WHERE check_key = ? AND id >= ? AND id < ? ORDER BY id',
    );
    this.#words = database.prepare('SELECT key, word FROM words');
  }

  /** A JSON array of series. */
  analyse(query: AnalyticsHistoryQuery): JsonText {
    return jsonText(seriesOf(this.#samples(query), query));
  }

  /** The same from the events of a heartbeat check. */
  analyseEvents(query: EventAnalyticsQuery): JsonText {
    const key = this.#check.get(query.checkId)?.key ?? null;
    const range = [firstUuidAt(query.from), firstUuidAt(query.to)] as const;
    const wanted = new Set<unknown>(query.states);
    const events = this.#events.all(key, ...range).flatMap(({ id, state }) => {
      const isWanted = wanted.size === 0 || wanted.has(state);
      const at = timeOfUuid(id as Uint8Array);
      return isWanted ? [{ at, state: state as HeartbeatState }] : [];
    });
    return jsonText(seriesOf(eventSamples(events), query));
  }

  #samples(query: AnalyticsHistoryQuery): Samples {
    // One snapshot: a period that is packed meanwhile is neither missed nor counted twice.
    this.#database.exec('BEGIN');
    try {
      const key = this.#check.get(query.checkId)?.key;
      const stretches = key === undefined ? [] : this.#stretches(Number(key), query);
      return samplesOf(stretches, query, this.#locationNames());
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  #stretches(key: number, query: AnalyticsHistoryQuery): Stretch[] {
    const { from, to } = query;
    const packedUntil = Math.min((this.#meta.read(PACKED_BEFORE) ?? 0) * PACK_MS, to);
    const packed = from < packedUntil ? this.#unpack(key, query, packedUntil) : [];
    const rowsFrom = Math.max(from, packedUntil);
    return rowsFrom < to ? [...packed, this.#read(key, query, rowsFrom, to)] : packed;
  }

  #unpack(key: number, query: AnalyticsHistoryQuery, untilMs: number): Stretch[] {
    const wanted = new Set(query.bases.map((base) => columnOf(query, base)));
    const first = packKey(key, Math.floor(query.from / PACK_MS));
    const end = packKey(key, Math.ceil(untilMs / PACK_MS));
    return this.#packs.all(first, end).map(({ key: packed, body }) => {
      const startMs = readPackKey(Number(packed)).period * PACK_MS;
      if (body === null) return this.#read(key, query, startMs, startMs + PACK_MS);
      return { startMs, rows: unpackResults(body as Uint8Array, wanted) };
    });
  }

  #read(key: number, query: AnalyticsHistoryQuery, fromMs: number, toMs: number): Stretch {
    const rows = this.#rows.all(key, firstUuidAt(fromMs), firstUuidAt(toMs));
    const width = CHECK_TRAITS[query.checkType].metrics.length;
    // Offsets have 32 bits, which is 49 days, and rows are kept for 30: they count from the first one.
    const columns = rows as unknown as ResultColumns[];
    const startMs = columns[0] ? timeOfUuid(columns[0][0]) : fromMs;
    return { startMs, rows: readColumns(columns, startMs, width) };
  }

  #locationNames(): Map<number, string> {
    return new Map(this.#words.all().map(({ key, word }) => [Number(key), String(word)]));
  }
}

/** Where the values of a base metric stand in packed results; −1 where the type stores none. */
function columnOf({ checkType }: Pick<AnalyticsHistoryQuery, 'checkType'>, base: string): number {
  if (base === 'responseTime') return 0;
  const stored: readonly string[] = CHECK_TRAITS[checkType].metrics;
  const index = stored.indexOf(base);
  return index < 0 ? -1 : index + 1;
}

function samplesOf(
  stretches: readonly Stretch[],
  query: AnalyticsHistoryQuery,
  locationNames: ReadonlyMap<number, string>,
): Samples {
  const total = stretches.reduce((sum, { rows }) => sum + rows.offsets.length, 0);
  const at = new Float64Array(total);
  let filled = 0;
  for (const { startMs, rows } of stretches) {
    for (const offset of rows.offsets) at[filled++] = startMs + offset;
  }
  const first = at.findIndex((time) => time >= query.from);
  const end = at.findLastIndex((time) => time < query.to) + 1;
  const range = [first < 0 ? total : first, end] as const;
  const joined = <T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
    whole: T,
    read: (rows: PackedResults) => T | undefined,
  ): T => {
    let place = 0;
    for (const { rows } of stretches) {
      whole.set(read(rows) ?? [], place);
      place += rows.offsets.length;
    }
    return whole.subarray(...range) as T;
  };
  const values = query.bases.map((base) => {
    const column = columnOf(query, base);
    const none = new Float64Array(total).fill(Number.NaN);
    return [base, column < 0 ? none : joined(none, (rows) => rows.values[column])] as const;
  });
  return {
    at: at.subarray(...range),
    failed: joined(new Uint8Array(total), ({ failed }) => failed),
    retries: joined(new Uint8Array(total), ({ retries }) => retries),
    locations: joined(new Uint32Array(total), ({ locations }) => locations),
    statusCodes: joined(new Uint16Array(total), ({ statusCodes }) => statusCodes),
    values: Object.fromEntries(values),
    locationNames,
  };
}
