import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { DAY_MS, type DaySum } from '#shared/analytics/day-sum.ts';
import { eventSamples, type Samples } from '#shared/analytics/samples.ts';
import { type SeriesQuery, seriesOf } from '#shared/analytics/series.ts';
import { countRuns, spanOf } from '#shared/analytics/slo-counts.ts';
import type { RunCount } from '#shared/analytics/slo-rules.ts';
import type { TimeRange } from '#shared/api/time-range.ts';
import { CHECK_TRAITS, HEARTBEAT_STATES, type HeartbeatState } from '#shared/checks/enums.ts';
import { isPassing } from '#shared/checks/heartbeat-rules.ts';
import { VITALS } from '#shared/playwright/web-vitals.ts';
import { DaySumReader, type Sources } from './day-sum-reader.ts';
import type {
  AnalyticsAnswer,
  AnalyticsHistoryQuery,
  EventAnalyticsQuery,
  RunCountQuery,
} from './history.ts';
import { jsonText } from './json-text.ts';
import { Meta } from './meta.ts';
import { PACK_MS, PACKED_BEFORE, packKey, readPackKey } from './packs.ts';
import { PageUrls } from './page-urls.ts';
import type { RawKind } from './raw-from.ts';
import { ResultColumns, toPacked } from './result-columns.ts';
import { OUTCOME, type PackedResults, unpackResults } from './result-pack.ts';
import { firstUuidAt, timeOfUuid } from './uuid.ts';

/** Results that follow one another, with the time that their offsets count from. */
interface Stretch {
  startMs: number;
  rows: PackedResults;
}

/** What of a check is read as samples. */
type SampleQuery = Pick<AnalyticsHistoryQuery, 'checkType' | 'from' | 'to' | 'bases'> & {
  groupBy?: AnalyticsHistoryQuery['groupBy'];
};

const LONGEST_STRETCH_MS = 30 * DAY_MS;

/**
 * Makes the series of reports: from packs, where a period is not packed from rows, and where rows were
 * removed from the sums of days.
 */
export class AnalyticsReader {
  readonly #database: DatabaseSync;
  readonly #meta: Meta;
  readonly #check: StatementSync;
  readonly #packs: StatementSync;
  readonly #results: ResultColumns;
  readonly #events: StatementSync;
  readonly #words: StatementSync;
  readonly #daySums: DaySumReader;
  readonly #pageUrls: PageUrls;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#meta = new Meta(database);
    this.#daySums = new DaySumReader(database);
    this.#pageUrls = new PageUrls(database);
    this.#check = database.prepare('SELECT key FROM checks WHERE id = ? AND forgotten_at IS NULL');
    this.#packs = database.prepare(
      'SELECT key, body FROM packs WHERE key >= ? AND key < ? ORDER BY key',
    );
    this.#results = new ResultColumns(database);
    this.#events = database.prepare(
      'SELECT id, state FROM heartbeat_events WHERE check_key = ? AND id >= ? AND id < ? ORDER BY id',
    );
    this.#words = database.prepare('SELECT key, word FROM words');
  }

  analyse(query: AnalyticsHistoryQuery): AnalyticsAnswer {
    return this.#answer(query, 'results', (sources) => {
      const key = this.#keyOf(query.checkId);
      const days =
        key === null || sources.days === null ? [] : this.#days(key, query, sources.days);
      const raw = { ...query, ...sources.raw };
      const stretches = key === null ? [] : this.#stretches(key, raw);
      const samples = samplesOf(stretches, raw, this.#locationNames());
      if (samples.pages && key !== null) samples.pages.urls = this.#pageUrls.of(key, raw);
      return { days, samples };
    });
  }

  /** The same from the events of a heartbeat check. */
  analyseEvents(query: EventAnalyticsQuery): AnalyticsAnswer {
    return this.#answer(query, 'events', (sources) => {
      const key = this.#keyOf(query.checkId);
      const isWanted = (state: HeartbeatState | undefined): state is HeartbeatState =>
        state !== undefined && (query.states.length === 0 || query.states.includes(state));
      const days =
        key === null || sources.days === null
          ? []
          : this.#daySums.daysOf(key, sources.days, new Set(), ({ outcome }) => {
              const state = HEARTBEAT_STATES[outcome];
              return isWanted(state) ? { failed: !isPassing(state), values: {} } : null;
            });
      const events = this.#eventsOf(key, sources.raw).filter(({ state }) => isWanted(state));
      return { days, samples: eventSamples(events) };
    });
  }

  /** From the results and events that are there, without sums of days. */
  countRuns(query: RunCountQuery): RunCount[] {
    this.#database.exec('BEGIN');
    try {
      const key = this.#keyOf(query.checkId);
      if (key === null) return query.ranges.map(() => ({ total: 0, good: 0 }));
      return countRuns(this.#samplesToCount(key, query), query);
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  #samplesToCount(key: number, { checkType, ranges, underMs }: RunCountQuery): Samples {
    const span = spanOf(ranges);
    if (checkType === 'HEARTBEAT') return eventSamples(this.#eventsOf(key, span));
    const query = { ...span, checkType, bases: underMs === null ? [] : ['responseTime'] };
    return samplesOf(this.#stretches(key, query), query, new Map());
  }

  #eventsOf(key: number | null, { from, to }: TimeRange) {
    const rows = this.#events.all(key, firstUuidAt(from), firstUuidAt(to));
    return rows.map(({ id, state }) => ({
      at: timeOfUuid(id as Uint8Array),
      state: state as HeartbeatState,
    }));
  }

  /** In one snapshot: what is packed, rolled up or removed meanwhile is neither missed nor counted twice. */
  #answer(
    query: SeriesQuery & TimeRange,
    kind: RawKind,
    read: (sources: Sources) => { samples: Samples; days: DaySum[] },
  ): AnalyticsAnswer {
    this.#database.exec('BEGIN');
    try {
      const sources = this.#daySums.sourcesOf(query, kind);
      if (Array.isArray(sources)) return { problems: sources };
      const { samples, days } = read(sources);
      const from = sources.days?.from ?? query.from;
      const series = jsonText(seriesOf(samples, query, days));
      return { series, from, to: sources.raw.to, isExact: sources.days === null };
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  #keyOf(checkId: string): number | null {
    const key = this.#check.get(checkId)?.key;
    return key === undefined ? null : Number(key);
  }

  #days(key: number, query: AnalyticsHistoryQuery, range: TimeRange): DaySum[] {
    const columns = query.bases.map((base) => [base, columnOf(query, base)] as const);
    const wanted = new Set(columns.map(([, column]) => column));
    return this.#daySums.daysOf(key, range, wanted, ({ outcome, values }) => ({
      failed: outcome === OUTCOME.failed,
      values: Object.fromEntries(
        columns.flatMap(([base, column]) => (values[column] ? [[base, values[column]]] : [])),
      ),
    }));
  }

  #stretches(key: number, query: SampleQuery): Stretch[] {
    const { from, to } = query;
    const packedUntil = Math.min((this.#meta.read(PACKED_BEFORE) ?? 0) * PACK_MS, to);
    const packed = from < packedUntil ? this.#unpack(key, query, packedUntil) : [];
    const rowsFrom = Math.max(from, packedUntil);
    return [...packed, ...this.#readAll(key, query, rowsFrom, to)];
  }

  #unpack(key: number, query: SampleQuery, untilMs: number): Stretch[] {
    const wanted = new Set(query.bases.map((base) => columnOf(query, base)));
    const first = packKey(key, Math.floor(query.from / PACK_MS));
    const end = packKey(key, Math.ceil(untilMs / PACK_MS));
    return this.#packs.all(first, end).map(({ key: packed, body }) => {
      const startMs = readPackKey(Number(packed)).period * PACK_MS;
      if (body === null) return this.#read(key, query, startMs, startMs + PACK_MS);
      const withPages = query.groupBy === 'pageIndex';
      return { startMs, rows: unpackResults(body as Uint8Array, wanted, withPages) };
    });
  }

  /** Offsets have 32 bits, which is 49 days: what is not packed yet may be older. */
  #readAll(key: number, query: SampleQuery, fromMs: number, toMs: number): Stretch[] {
    const stretches: Stretch[] = [];
    for (let start = fromMs; start < toMs; start += LONGEST_STRETCH_MS) {
      const end = Math.min(start + LONGEST_STRETCH_MS, toMs);
      stretches.push(this.#read(key, query, start, end));
    }
    return stretches;
  }

  #read(key: number, query: SampleQuery, fromMs: number, toMs: number): Stretch {
    const results = this.#results.read(key, fromMs, toMs);
    const width = CHECK_TRAITS[query.checkType].metrics.length;
    return { startMs: fromMs, rows: toPacked(results, fromMs, width) };
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
  query: SampleQuery,
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
  const laterPages = () =>
    laterPagesOf(stretches).map((vitals) =>
      Object.fromEntries(
        vitals.map(([name, column]) => [
          name,
          joined(new Float64Array(total).fill(Number.NaN), (rows) => rows.laterPages[column]),
        ]),
      ),
    );
  return {
    ...(query.groupBy === 'pageIndex' && { pages: { later: laterPages(), urls: [] } }),
    at: at.subarray(...range),
    failed: joined(new Uint8Array(total), ({ outcomes }) => outcomes).map((outcome) =>
      Number(outcome === OUTCOME.failed),
    ),
    retries: joined(new Uint8Array(total), ({ retries }) => retries),
    locations: joined(new Uint32Array(total), ({ locations }) => locations),
    statusCodes: joined(new Uint16Array(total), ({ statusCodes }) => statusCodes),
    values: Object.fromEntries(values),
    locationNames,
  };
}

/** The web vitals of each later page that any run has, with the columns of packed results that hold them. */
function laterPagesOf(stretches: readonly Stretch[]): [name: string, column: number][][] {
  const columns = Math.max(0, ...stretches.map(({ rows }) => rows.laterPages.length));
  return Array.from({ length: Math.ceil(columns / VITALS.length) }, (_, page) =>
    VITALS.map((name, index) => [name, page * VITALS.length + index]),
  );
}
