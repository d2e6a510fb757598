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
  readonly #keep: (change: ChangeRequest) => Promise<boolean>;
  readonly #log: StoreLog;
  readonly #listeners = new Set<(change: Change<T>) => void>();
  #list: readonly T[] | null = null;

  readonly unreadable: number;

  constructor(
    { records, unreadable }: { records: readonly T[]; unreadable: number },
    keep: (change: ChangeRequest) => Promise<boolean>,
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

  async put(record: T): Promise<void> {
    await this.#keep({ put: record });
    const previous = this.#records.get(record.id);
    this.#records.set(record.id, record);
    this.#tell({ kind: 'put', record, previous });
  }

  async delete(id: string): Promise<boolean> {
    const deleted = await this.#keep({ delete: id });
    const record = this.#records.get(id);
    if (!deleted || !record) return false;
    this.#records.delete(id);
    this.#tell({ kind: 'delete', record });
    return true;
  }

  subscribe(listener: (change: Change<T>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
