import { StoreError } from '../store-error.ts';

/** UUIDs as they are stored: 16 bytes, which sort as their text does. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_TIME_MS = 2 ** 48 - 1;

/** Sorts before every UUID. */
export const BEFORE_EVERY_ID: Uint8Array = Buffer.alloc(0);
/** Sorts after every UUID. */
export const PAST_EVERY_ID: Uint8Array = Buffer.alloc(17, 0xff);

/** Null for a text that is no UUID in its canonical, lower-case form. */
export function parseUuid(text: string): Uint8Array | null {
  return UUID.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : null;
}

/** @throws StoreError `INVALID` */
export function requireUuid(text: string): Uint8Array {
  const bytes = parseUuid(text);
  if (!bytes) throw new StoreError('INVALID', `Expected a UUID, got ${JSON.stringify(text)}.`);
  return bytes;
}

/**
 * A UUIDv7 that was made at a time (epoch ms), for queries and retention read the time from it.
 * @throws StoreError `INVALID`
 */
export function requireUuidOfTime(text: string, timeMs: number): Uint8Array {
  const bytes = requireUuid(text);
  if (timeOfUuid(bytes) !== timeMs) {
    throw new StoreError('INVALID', `The time of the id ${text} is not its createdAt.`);
  }
  return bytes;
}

/** The UUIDv7 with the time given (epoch ms), and otherwise the bytes, of another. */
export function uuidAtTime(id: Uint8Array, timeMs: number): Uint8Array {
  const bytes = Buffer.from(id);
  bytes.writeUIntBE(timeMs, 0, 6);
  return bytes;
}

export function formatUuid(bytes: Uint8Array): string {
  return formatHex(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex'));
}

/** The UUIDs of which these are the lower case digits, 32 of each, one after another. */
export function formatUuids(hex: string): string[] {
  const starts = Array.from({ length: hex.length / 32 }, (_, index) => index * 32);
  return starts.map((start) => formatHex(hex.slice(start, start + 32)));
}

function formatHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The time of a UUIDv7, epoch ms. */
export function timeOfUuid(bytes: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUIntBE(0, 6);
}

/** The least UUIDv7 of a time (epoch ms): whatever sorts before it is older. */
export function firstUuidAt(timeMs: number): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(Math.ceil(timeMs), 0), MAX_TIME_MS), 0, 6);
  return bytes;
}
