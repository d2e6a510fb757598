import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type MoreMetrics, type Numbers, unpackMore } from './metrics.ts';
import { OUTCOME, type PackedResults } from './result-pack.ts';
import { firstUuidAt, timeOfUuid } from './uuid.ts';

/** A row of `results`. Rows are lists, which SQLite hands over several times faster than objects. */
type ResultRow = [
  id: Uint8Array,
  checkType: number,
  location: number,
  statusCode: number | null,
  hasFailures: number,
  isDegraded: number,
  attempts: number,
  responseTime: number,
  ...metrics: (number | null)[],
];

/** Results of a check as they are read, in the order of time. */
export interface ResultRows {
  rows: readonly ResultRow[];
  /** By the place of their row: most have none. */
  laterPages: ReadonlyMap<number, readonly Numbers[]>;
}

const FIRST_VALUE = 7;
const MAX_BYTE = 255;

/** Reads the results of a check that analytics count: FINAL ones that say something of the target. */
export class ResultColumns {
  readonly #results: StatementSync;
  readonly #more: StatementSync;

  constructor(database: DatabaseSync) {
    this.#results = database.prepare(
      `SELECT id, check_type, location, status_code, has_failures, is_degraded, attempts, response_ms,
         m1, m2, m3, m4, m5, m6
       FROM results
       WHERE check_key = ? AND id >= ? AND id < ? AND final = 1 AND has_errors = 0 ORDER BY id`,
    );
    this.#results.setReturnArrays(true);
    this.#more = database.prepare(
      'SELECT id, body FROM more_metrics WHERE check_key = ? AND id >= ? AND id < ?',
    );
  }

  /** Those that were settled in `[fromMs, toMs)`, epoch ms. */
  read(checkKey: number, fromMs: number, toMs: number): ResultRows {
    const range = [checkKey, firstUuidAt(fromMs), firstUuidAt(toMs)] as const;
    const rows = this.#results.all(...range) as unknown as ResultRow[];
    const more = new Map(
      this.#more.all(...range).map(({ id, body }) => [keyOf(id as Uint8Array), String(body)]),
    );
    return { rows, laterPages: more.size === 0 ? new Map() : withMore(rows, more) };
  }
}

/** Completes the metrics of the rows, and answers their later pages. */
function withMore(rows: readonly ResultRow[], more: ReadonlyMap<string, string>) {
  const laterPages = new Map<number, MoreMetrics['laterPages']>();
  for (const [at, row] of rows.entries()) {
    const body = more.get(keyOf(row[0]));
    if (body === undefined) continue;
    const { metrics, laterPages: pages } = unpackMore(body);
    row.push(...metrics);
    if (pages.length > 0) laterPages.set(at, pages);
  }
  return laterPages;
}

const keyOf = (id: Uint8Array): string => Buffer.from(id).toString('latin1');

/** @param width how many metrics the rows have @param startMs what their offsets count from */
export function toPacked(
  { rows, laterPages }: ResultRows,
  startMs: number,
  width: number,
): PackedResults {
  const columns = {
    offsets: new Uint32Array(rows.length),
    outcomes: new Uint8Array(rows.length),
    retries: new Uint8Array(rows.length),
    locations: new Uint32Array(rows.length),
    statusCodes: new Uint16Array(rows.length),
    values: Array.from({ length: 1 + width }, () => new Float64Array(rows.length)),
    laterPages: pageColumns(laterPages, rows.length),
  };
  for (const [at, row] of rows.entries()) {
    columns.offsets[at] = timeOfUuid(row[0]) - startMs;
    columns.locations[at] = row[2];
    columns.statusCodes[at] = row[3] ?? 0;
    columns.outcomes[at] = outcomeOf(row[4], row[5]);
    columns.retries[at] = Math.min(row[6], MAX_BYTE);
    for (const [index, column] of columns.values.entries()) {
      column[at] = (row[FIRST_VALUE + index] as number | null) ?? Number.NaN;
    }
  }
  return columns;
}

function pageColumns(laterPages: ResultRows['laterPages'], length: number): Float64Array[] {
  const flat = [...laterPages].map(([at, pages]) => [at, pages.flat()] as const);
  const width = flat.reduce((most, [, numbers]) => Math.max(most, numbers.length), 0);
  const columns = Array.from({ length: width }, () => new Float64Array(length).fill(Number.NaN));
  for (const [at, numbers] of flat) {
    for (const [index, column] of columns.entries()) column[at] = numbers[index] ?? Number.NaN;
  }
  return columns;
}

export function outcomeOf(hasFailures: number, isDegraded: number): number {
  if (hasFailures === 1) return OUTCOME.failed;
  return isDegraded === 1 ? OUTCOME.degraded : OUTCOME.passed;
}
