import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '#main/store/configuration/configuration.ts';
import type { ServiceParts } from './resource.ts';
import { conflict, notFound } from './service-error.ts';

const KEY_BYTES = 32;
/** Characters that are shown to tell keys apart: of ours after the `wp_` that all begin with. */
const SHOWN_OF_OURS = 8;
/** People choose short keys, and such that can be guessed from their half. */
const SHOWN_OF_CHOSEN = 4;
/** Every request is compared with every key. */
const MAX_KEYS = 500;

interface KeyParts extends Pick<ServiceParts, 'clock' | 'mutex'> {
  configuration: Pick<ServiceParts['configuration'], 'keys'>;
}

/** The API keys of the account. They take effect and stop at once. */
export class Keys {
  readonly #parts: KeyParts;
  /** Epoch ms, by id: since the start only, for a request is not to wait for a write. */
  readonly #usedAt = new Map<string, number>();

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  all(): readonly ApiKey[] {
    return this.#parts.configuration.keys.all();
  }

  /** The record that a key belongs to, for a request that is made with it. */
  use(key: string): ApiKey | undefined {
    const record = findKey(this.all(), key);
    if (record) this.#usedAt.set(record.id, this.#parts.clock.now());
    return record;
  }

  /** When a key was used last, ISO 8601; null: not since the start. */
  usedAt({ id }: Pick<ApiKey, 'id'>): string | null {
    const at = this.#usedAt.get(id);
    return at === undefined ? null : new Date(at).toISOString();
  }

  /** The key itself is known only now. @throws ServiceError CONFLICT where there are too many */
  create(name: string): Promise<{ id: string; key: string }> {
    const { configuration, clock, mutex } = this.#parts;
    return mutex('keys', async () => {
      if (configuration.keys.size >= MAX_KEYS) throw conflict(`There are ${MAX_KEYS} keys`);
      const { record, key } = createKey(name, clock.now());
      await configuration.keys.put(record);
      return { id: record.id, key };
    });
  }

  /** @throws ServiceError NOT_FOUND */
  async revoke(id: string): Promise<void> {
    const isRevoked = await this.#parts.configuration.keys.delete(id);
    if (!isRevoked) throw notFound(`No key has the id ${id}`);
    this.#usedAt.delete(id);
  }

  /**
   * Makes sure that somebody can get in: adds the operator's key, or makes one where there is none.
   *
   * @returns a key that was made, to be shown once; null where none was needed
   */
  async ensure(operatorKey: string | null): Promise<string | null> {
    const { configuration, clock } = this.#parts;
    if (operatorKey !== null) {
      await this.#ensureChosen(keyRecord(operatorKey, 'WATCHPOST_API_KEY', clock.now()));
      return null;
    }
    if (configuration.keys.size > 0) return null;
    return (await this.create('first start')).key;
  }

  async #ensureChosen(record: ApiKey): Promise<void> {
    const { keys } = this.#parts.configuration;
    const known = keys.all().find(({ hash }) => hash === record.hash);
    if (known === undefined) await keys.put(record);
    // A key from before fewer characters were shown.
    else if (known.prefix.length > record.prefix.length) {
      await keys.put({ ...known, prefix: record.prefix });
    }
  }
}

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
