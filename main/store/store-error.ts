/**
 * Why a store did not do what it was asked, as a closed set:
 * - `FULL`: no room on the disk.
 * - `READ_ONLY`: the system refuses to write.
 * - `CORRUPT`: a file is damaged.
 * - `IO`: the disk answers with another error.
 * - `INVALID`: the record or fact cannot be kept by anyone.
 * - `BUSY`: too much is waiting already.
 * - `LOST`: the store's thread died; whether the work was done is unknown.
 * - `CLOSED`: the store was closed.
 * - `INTERNAL`: our own mistake.
 */
export type StoreErrorCode =
  | 'FULL'
  | 'READ_ONLY'
  | 'CORRUPT'
  | 'IO'
  | 'INVALID'
  | 'BUSY'
  | 'LOST'
  | 'CLOSED'
  | 'INTERNAL';

/** A write or a read that failed. The store stays usable: the next one may succeed. */
export class StoreError extends Error {
  override name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether the disk is to blame, which people can mend. */
export function isOfDisk({ code }: StoreError): boolean {
  return code === 'FULL' || code === 'READ_ONLY' || code === 'IO';
}

const CODES_OF_SYSTEM_ERRORS: Readonly<Record<string, StoreErrorCode>> = {
  ENOSPC: 'FULL',
  EDQUOT: 'FULL',
  EFBIG: 'FULL',
  EACCES: 'READ_ONLY',
  EPERM: 'READ_ONLY',
  EROFS: 'READ_ONLY',
};

/** The typed error for one of the file system; anything else is our own mistake. */
export function fileStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const known = code === undefined ? 'INTERNAL' : (CODES_OF_SYSTEM_ERRORS[code] ?? 'IO');
  return new StoreError(known, message, { cause: error });
}
