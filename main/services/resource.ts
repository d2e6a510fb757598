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

/** A record of a resource whose ids are whole numbers. */
export interface NumberedRecord {
  /** A positive whole number in decimal digits. */
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

export interface ResourceKind {
  /** What one of them is called in a sentence. */
  noun: string;
  /** The same of several. */
  plural: string;
  /** Under which its last id is counted. */
  counter: string;
  /** Most records of an account. */
  max: number;
}

/**
 * What is the same for every resource of whole-number ids: finding or 404, creation within a bound,
 * change and deletion, each with its times. Whoever calls a change holds the mutex that it needs.
 */
export class Resource<T extends NumberedRecord> {
  readonly #kind: ResourceKind;
  readonly #collection: Collection<T>;
  readonly #parts: ServiceParts;

  constructor(kind: ResourceKind, collection: Collection<T>, parts: ServiceParts) {
    this.#kind = kind;
    this.#collection = collection;
    this.#parts = parts;
  }

  /** In the order of their ids. */
  all(): readonly T[] {
    return this.#collection.all();
  }

  /** @throws ServiceError NOT_FOUND */
  find(id: number): T {
    const record = this.#collection.get(String(id));
    if (record === undefined) throw notFound(`No ${this.#kind.noun} has the id ${id}`);
    return record;
  }

  /** @throws ServiceError CONFLICT where there are as many as may be */
  async create(members: Omit<T, Stamps>): Promise<T> {
    const { counter, plural, max } = this.#kind;
    const { size } = this.#collection;
    if (size >= max) throw conflict(`There are ${size} ${plural} already`);
    const id = await nextNumericId(counter, this.#collection, this.#parts.configuration);
    const record = { id: String(id), ...members, created_at: this.#now(), updated_at: null } as T;
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

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}
