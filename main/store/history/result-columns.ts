import type { PackedResults } from './result-pack.ts';
import { timeOfUuid } from './uuid.ts';

/**
 * The results of a check that analytics count: FINAL ones that say something of the target. Rows are
 * lists, which SQLite hands over several times faster than objects.
 */
export const SELECT_COLUMNS = `
  SELECT id, check_type, location, status_code, has_failures, attempts, response_ms,
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
  attempts: number,
  responseTime: number,
  ...metrics: (number | null)[],
];

const FIRST_VALUE = 6;
const MAX_BYTE = 255;

/** @param width how many metrics the rows have @param startMs what their offsets count from */
export function readColumns(
  rows: readonly ResultColumns[],
  startMs: number,
  width: number,
): PackedResults {
  const columns = {
    offsets: new Uint32Array(rows.length),
    failed: new Uint8Array(rows.length),
    retries: new Uint8Array(rows.length),
    locations: new Uint32Array(rows.length),
    statusCodes: new Uint16Array(rows.length),
    values: Array.from({ length: 1 + width }, () => new Float64Array(rows.length)),
  };
  for (const [at, row] of rows.entries()) {
    columns.offsets[at] = timeOfUuid(row[0]) - startMs;
    columns.locations[at] = row[2];
    columns.statusCodes[at] = row[3] ?? 0;
    columns.failed[at] = row[4];
    columns.retries[at] = Math.min(row[5], MAX_BYTE);
    for (const [index, column] of columns.values.entries()) {
      column[at] = (row[FIRST_VALUE + index] as number | null) ?? Number.NaN;
    }
  }
  return columns;
}
