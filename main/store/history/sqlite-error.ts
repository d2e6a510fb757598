import { StoreError, type StoreErrorCode } from '../store-error.ts';

/** Primary result codes of SQLite that we tell apart (sqlite.org/rescode.html). */
export const SQLITE = {
  BUSY: 5,
  LOCKED: 6,
  READ_ONLY: 8,
  IO: 10,
  CORRUPT: 11,
  FULL: 13,
  CANNOT_OPEN: 14,
  TOO_BIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  NOT_A_DATABASE: 26,
} as const;

const STORE_CODES: Readonly<Record<number, StoreErrorCode>> = {
  [SQLITE.BUSY]: 'BUSY',
  [SQLITE.LOCKED]: 'BUSY',
  [SQLITE.READ_ONLY]: 'READ_ONLY',
  [SQLITE.IO]: 'IO',
  [SQLITE.CORRUPT]: 'CORRUPT',
  [SQLITE.FULL]: 'FULL',
  [SQLITE.CANNOT_OPEN]: 'IO',
  [SQLITE.TOO_BIG]: 'INVALID',
  [SQLITE.CONSTRAINT]: 'INVALID',
  [SQLITE.MISMATCH]: 'INVALID',
  [SQLITE.NOT_A_DATABASE]: 'CORRUPT',
};

/** The primary result code of an error of `node:sqlite`; undefined for any other error. */
export function primaryCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The low byte; the rest of an extended code says more about the same thing.
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** The typed error for whatever a query or a transaction threw. */
export function sqliteStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = primaryCode(error);
  const known = code === undefined ? 'INTERNAL' : (STORE_CODES[code] ?? 'INTERNAL');
  return new StoreError(known, (error as Error).message, { cause: error });
}

/** Failures of the disk: they meet every transaction, whatever is in it. */
export function concernsEveryTransaction({ code }: StoreError): boolean {
  return code === 'FULL' || code === 'READ_ONLY' || code === 'IO' || code === 'CORRUPT';
}
