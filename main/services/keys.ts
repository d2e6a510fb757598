import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '#main/store/configuration/configuration.ts';

const KEY_BYTES = 32;
/** Characters that are shown to tell keys apart: of ours after the `wp_` that all begin with. */
const SHOWN_OF_OURS = 8;
/** People choose short keys, and such that can be guessed from their half. */
const SHOWN_OF_CHOSEN = 4;

/**
 * A new API key. The key itself (`wp_` and 43 base64url characters) is shown once and kept nowhere;
 * the record holds its hash. `now` is epoch milliseconds.
 */
export function createKey(name: string, now: number): { record: ApiKey; key: string } {
  const key = `wp_${randomBytes(KEY_BYTES).toString('base64url')}`;
  return { record: recordOf(key, name, SHOWN_OF_OURS, now), key };
}

/** The record of a key that the operator chose (`WATCHPOST_API_KEY`). */
export function keyRecord(key: string, name: string, now: number): ApiKey {
  return recordOf(key, name, SHOWN_OF_CHOSEN, now);
}

function recordOf(key: string, name: string, shown: number, now: number): ApiKey {
  return {
    id: randomUUID(),
    name,
    hash: sha256(key).toString('hex'),
    prefix: key.slice(0, shown),
    created_at: new Date(now).toISOString(),
  };
}

/**
 * The record that a key belongs to. Compares hashes, each in constant time and always all of them,
 * so that the time tells nothing about any key.
 */
export function findKey(records: readonly ApiKey[], key: string): ApiKey | undefined {
  const hash = sha256(key);
  return records.filter((record) => isSame(Buffer.from(record.hash, 'hex'), hash)).at(0);
}

/** Whether a token is the expected one, in constant time. */
export function isToken(expected: string, token: string): boolean {
  return isSame(sha256(expected), sha256(token));
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
