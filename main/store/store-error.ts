/**
 * Why a store did not do what it was asked, as a closed set:
 * - `FULL`: no room on the disk.
 * - `READ_ONLY`: the system refuses to write.
 * - `CORRUPT`: a file is damaged.
 * - `IO`: the disk answers with another error.
 * - `INVALID`: the record cannot be kept by anyone.
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

/** What people are told of it. No path is in it, as anybody may ask whether the store works. */
export interface StoreTrouble {
  /** Why, as the end of a sentence. */
  words: string;
  /** Whether the same may succeed later. */
  passes: boolean;
}

export const STORE_TROUBLE: Readonly<Record<StoreErrorCode, StoreTrouble>> = {
  FULL: { words: 'the disk of the data folder is full', passes: true },
  READ_ONLY: { words: 'the data folder cannot be written', passes: true },
  CORRUPT: { words: 'a file of the data folder is damaged', passes: false },
  IO: { words: 'the disk of the data folder fails', passes: true },
  INVALID: { words: 'a fault of Watchpost; its log says more', passes: false },
  BUSY: { words: 'too much waits to be kept already', passes: true },
  LOST: { words: 'its thread ended', passes: true },
  CLOSED: { words: 'the appliance is stopping', passes: true },
  INTERNAL: { words: 'a fault of Watchpost; its log says more', passes: false },
};

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

/** What no store would ever take is a fault of ours: trying it again would only block the others. */
export function isRefused(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'INVALID';
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
