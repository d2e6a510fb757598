import { IdSequence } from '#main/platform/id-sequence.ts';
import type { Mutex } from '#main/platform/mutex.ts';
import type { Collection, Configuration } from '#main/store/configuration/configuration.ts';
import type { Clock } from '#shared/clock.ts';
import { nextNumericId } from './next-id.ts';
import { conflict, notFound } from './service-error.ts';

/** What every service stands on. */
export interface ServiceParts {
  configuration: Configuration;
  clock: Clock;
  /** Changes that may stand in each other's way wait for each other, by key. */
  mutex: Mutex;
}

/** A record of a resource. */
export interface ResourceRecord {
  /** A positive whole number in decimal digits, or a UUID. */
  id: string;
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string;
  /** Null before the first change. */
  updated_at: string | null;
}

/** What the appliance gives a new record. */
type Stamps = 'id' | 'created_at' | 'updated_at';

/** Some of a long list. */
export interface Listed<T> {
  items: readonly T[];
  /** How many there are in all. */
  total: number;
}

/** Some of a long list that is read by cursor. */
export interface CursorPage<T> {
  items: readonly T[];
  /** The id to begin the next page after; null on the last one. */
  next: string | null;
}

export interface ResourceKind {
  /** What one of them is called in a sentence. */
  noun: string;
  /** The same of several. */
  plural: string;
  /** Under which the last id is counted; without it, ids are UUIDs that sort by their creation. */
  counter?: string;
  /** Most records of an account. */
  max: number;
}

/**
 * What is the same for every resource: finding or 404, creation within a bound, change and deletion, each
 * with its times. Whoever calls a change holds the mutex that it needs.
 */
export class Resource<T extends ResourceRecord> {
  readonly #kind: ResourceKind;
  readonly #collection: Collection<T>;
  readonly #parts: ServiceParts;
  readonly #ids = new IdSequence();

  constructor(kind: ResourceKind, collection: Collection<T>, parts: ServiceParts) {
    this.#kind = kind;
    this.#collection = collection;
    this.#parts = parts;
  }

  /** In the order of their creation. */
  all(): readonly T[] {
    return this.#collection.all();
  }

  /** Those after an id, in the order of their ids, which are UUIDs. */
  page({ after = '', limit }: { after?: string | undefined; limit: number }): CursorPage<T> {
    const rest = this.all()
      .filter(({ id }) => id > after)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return toCursorPage(rest.slice(0, limit + 1), limit);
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: number | string): T {
    const record = this.#collection.get(String(id));
    if (record === undefined) throw notFound(`No ${this.#kind.noun} has the id ${id}`);
    return record;
  }

  /** @throws ServiceError CONFLICT where there are as many as may be */
  async create(members: Omit<T, Stamps>): Promise<T> {
    const { plural, max } = this.#kind;
    const { size } = this.#collection;
    if (size >= max) throw conflict(`There are ${size} ${plural} already`);
    const id = await this.#newId();
    const record = { id, ...members, created_at: this.#now(), updated_at: null } as T;
    await this.#collection.put(record);
    return record;
  }

  /** Puts changed members in place of those before. */
  async change(before: T, changes: Partial<Omit<T, Stamps>>): Promise<T> {
    const changed = { ...before, ...changes, updated_at: this.#now() };
    await this.#collection.put(changed);
    return changed;
  }

  async delete({ id }: T): Promise<void> {
    await this.#collection.delete(id);
  }

  async #newId(): Promise<string> {
    const { configuration, clock } = this.#parts;
    const { counter } = this.#kind;
    if (counter === undefined) return this.#ids.next(clock.now()).id;
    return String(await nextNumericId(counter, this.#collection, configuration));
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

/** A page of what was read with one entry more than the page may have. */
export function toCursorPage<T extends { id: string }>(
  read: readonly T[],
  limit: number,
): CursorPage<T> {
  const items = read.slice(0, limit);
  return { items, next: read.length > limit ? (items.at(-1)?.id ?? null) : null };
}
