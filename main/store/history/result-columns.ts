import { OUTCOME, type PackedResults } from './result-pack.ts';
import { timeOfUuid } from './uuid.ts';

/**
 * The results of a check that analytics count: FINAL ones that say something of the target. Rows are
 * lists, which SQLite hands over several times faster than objects.
 */
export const SELECT_COLUMNS = `
  SELECT id, check_type, location, status_code, has_failures, is_degraded, attempts, response_ms,
    m1, m2, m3, m4, m5, m6
  FROM results
  WHERE check_key = ? AND id >= ? AND id < ? AND final = 1 AND has_errors = 0 ORDER BY id`;

/** A row of {@link SELECT_COLUMNS}. */
export type ResultColumns = readonly [
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

const FIRST_VALUE = 7;
const MAX_BYTE = 255;

/** @param width how many metrics the rows have @param startMs what their offsets count from */
export function readColumns(
  rows: readonly ResultColumns[],
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

export function outcomeOf(hasFailures: number, isDegraded: number): number {
  if (hasFailures === 1) return OUTCOME.failed;
  return isDegraded === 1 ? OUTCOME.degraded : OUTCOME.passed;
}
