import type { StoreLog } from '../store-log.ts';
import type { ChangeRequest } from './collection-writer.ts';
import type { Change, Collection } from './configuration.ts';

/**
 * A collection as the main thread sees it. Memory changes, and listeners hear of it, only after the
 * thread that writes has kept the change; it answers in the order in which it was asked, so two
 * changes of one record stay in order.
 */
export class CachedCollection<T extends { id: string }> implements Collection<T> {
  readonly #records: Map<string, T>;
  readonly #keep: (change: ChangeRequest) => Promise<void>;
  /** How many changes of a record are under way: it may be there only after them. */
  readonly #underWay = new Map<string, number>();
  readonly #log: StoreLog;
  readonly #listeners = new Set<(change: Change<T>) => void>();
  #list: readonly T[] | null = null;

  readonly unreadable: number;

  constructor(
    { records, unreadable }: { records: readonly T[]; unreadable: number },
    keep: (change: ChangeRequest) => Promise<void>,
    log: StoreLog,
  ) {
    this.#records = new Map(records.map((record) => [record.id, record]));
    this.unreadable = unreadable;
    this.#keep = keep;
    this.#log = log;
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  all(): readonly T[] {
    this.#list ??= [...this.#records.values()];
    return this.#list;
  }

  put(record: T): Promise<void> {
    return this.#while(record.id, async () => {
      await this.#keep({ put: record });
      const previous = this.#records.get(record.id);
      this.#records.set(record.id, record);
      this.#tell({ kind: 'put', record, previous });
    });
  }

  async delete(id: string): Promise<boolean> {
    if (!this.#records.has(id) && !this.#underWay.has(id)) return false;
    return this.#while(id, async () => {
      await this.#keep({ delete: id });
      const record = this.#records.get(id);
      if (!record) return false;
      this.#records.delete(id);
      this.#tell({ kind: 'delete', record });
      return true;
    });
  }

  subscribe(listener: (change: Change<T>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #while<R>(id: string, change: () => Promise<R>): Promise<R> {
    this.#underWay.set(id, (this.#underWay.get(id) ?? 0) + 1);
    try {
      return await change();
    } finally {
      const others = (this.#underWay.get(id) ?? 0) - 1;
      if (others === 0) this.#underWay.delete(id);
      else this.#underWay.set(id, others);
    }
  }

  /** One listener's mistake neither takes the change back nor keeps it from the others. */
  #tell(change: Change<T>): void {
    this.#list = null;
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#log.error({ err: error, id: change.record.id }, 'A listener to changes failed.');
      }
    }
  }
}
