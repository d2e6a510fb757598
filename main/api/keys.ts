import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../store/configuration.ts';

const KEY_BYTES = 32;
const PREFIX_LENGTH = 8;

/**
 * A new API key. The key itself (`wp_` and 43 base64url characters) is shown once and kept nowhere;
 * the record holds its hash. `now` is epoch milliseconds.
 */
export function createKey(name: string, now: number): { record: ApiKey; key: string } {
  const key = `wp_${randomBytes(KEY_BYTES).toString('base64url')}`;
  return { record: keyRecord(key, name, now), key };
}

/** The record of a key that the operator chose (`WATCHPOST_API_KEY`). */
export function keyRecord(key: string, name: string, now: number): ApiKey {
  return {
    id: randomUUID(),
    name,
    hash: sha256(key).toString('hex'),
    prefix: key.slice(0, PREFIX_LENGTH),
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
