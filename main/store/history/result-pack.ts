/**
 * The FINAL results of one check and one period in columns, as bytes: a report of a month reads 120 of
 * these instead of 43,200 rows. Values are whole thousandths where they all are, as runners round to that, so
 * what comes out is what went in, to the last bit.
 *
 * Bytes, little-endian: version, count, number of columns of values and of later pages, encoding of each (0:
 * whole thousandths in 4 bytes, 1: doubles); then at 8-byte boundaries the columns themselves.
 */

/** Rows of one period, oldest first; columns of the same length. */
export interface PackedResults {
  /** Milliseconds since the start of the period. */
  offsets: Uint32Array;
  /** {@link OUTCOME} of each. */
  outcomes: Uint8Array;
  retries: Uint8Array;
  locations: Uint32Array;
  statusCodes: Uint16Array;
  /** The response time, then the type's own metrics; NaN where there is none. */
  values: readonly Float64Array[];
  /**
   * The web vitals of a run's second page, then those of the third one, up to the last page that any of
   * the runs has: none for most.
   */
  laterPages: readonly Float64Array[];
}

/** How a result that counts ended; packs of older versions have none that is degraded. */
export const OUTCOME = { passed: 0, failed: 1, degraded: 2 } as const;

const VERSION = 1;
const HEADER_BYTES = 8;
const NONE = -(2 ** 31);
const THOUSANDTHS = 0;
const DOUBLES = 1;

export function packResults(rows: PackedResults): Uint8Array {
  const numbers = [...rows.values, ...rows.laterPages].map(
    (column) => wholeThousandths(column) ?? column,
  );
  const encodings = numbers.map((column) => (column instanceof Int32Array ? THOUSANDTHS : DOUBLES));
  const header = new Uint8Array(HEADER_BYTES + numbers.length);
  const view = new DataView(header.buffer);
  view.setUint8(0, VERSION);
  view.setUint32(1, rows.offsets.length, true);
  view.setUint8(5, rows.values.length);
  view.setUint8(6, rows.laterPages.length);
  header.set(encodings, HEADER_BYTES);
  const columns = [
    ...numbers,
    rows.offsets,
    rows.locations,
    rows.statusCodes,
    rows.outcomes,
    rows.retries,
  ];
  const parts = [header, ...columns.map(bytesOf)];
  const bytes = new Uint8Array(parts.reduce((total, part) => total + aligned(part.length), 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += aligned(part.length);
  }
  return bytes;
}

/**
 * @param wanted indexes of the columns of values to read; the others stay empty
 * @param withPages whether the columns of later pages are read too
 * @throws RangeError where the bytes are none of ours
 */
export function unpackResults(
  bytes: Uint8Array,
  wanted: ReadonlySet<number> | 'all',
  withPages = false,
): PackedResults {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== VERSION) throw new RangeError('These are no packed results.');
  const count = view.getUint32(1, true);
  const valueCount = view.getUint8(5);
  const columnCount = valueCount + view.getUint8(6);
  const encodings = bytes.subarray(HEADER_BYTES, HEADER_BYTES + columnCount);
  let at = aligned(HEADER_BYTES + columnCount);
  const take = (width: number): ArrayBuffer => {
    const start = bytes.byteOffset + at;
    at += aligned(count * width);
    // A copy, as a view must begin at a multiple of its width.
    return bytes.buffer.slice(start, start + count * width) as ArrayBuffer;
  };
  const isWanted = (index: number) =>
    index < valueCount ? wanted === 'all' || wanted.has(index) : withPages;
  const numbers = [...encodings].map((encoding, index) => {
    const buffer = take(encoding === DOUBLES ? 8 : 4);
    if (!isWanted(index)) return new Float64Array();
    return encoding === DOUBLES
      ? new Float64Array(buffer)
      : fromThousandths(new Int32Array(buffer));
  });
  return {
    values: numbers.slice(0, valueCount),
    laterPages: withPages ? numbers.slice(valueCount) : [],
    offsets: new Uint32Array(take(4)),
    locations: new Uint32Array(take(4)),
    statusCodes: new Uint16Array(take(2)),
    outcomes: new Uint8Array(take(1)),
    retries: new Uint8Array(take(1)),
  };
}

/** Null unless each value comes out of them as it went in; minus zero, for one, does not. */
function wholeThousandths(column: Float64Array): Int32Array | null {
  const whole = Int32Array.from(column, (value) =>
    Number.isNaN(value) ? NONE : Math.round(value * 1_000),
  );
  const kept = fromThousandths(whole);
  return column.every((value, index) => Object.is(value, kept[index])) ? whole : null;
}

function fromThousandths(column: Int32Array): Float64Array {
  return Float64Array.from(column, (value) => (value === NONE ? Number.NaN : value / 1_000));
}

function bytesOf(column: ArrayBufferView): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}
