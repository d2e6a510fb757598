/** How much may wait, in records and in the bytes of their JSON. */
export interface BacklogBounds {
  records: number;
  bytes: number;
}

/** A small part of what a process may hold, for there are a few backlogs. */
export const DEFAULT_BOUNDS: BacklogBounds = { records: 20_000, bytes: 64 * 1024 * 1024 };

/**
 * What waits in memory for a store that fails, by key, in the order in which it came. Where there is
 * more than may be, the first in line are given up.
 */
export class Backlog<K, V> {
  readonly #bounds: BacklogBounds;
  readonly #entries = new Map<K, { value: V; bytes: number }>();
  #bytes = 0;

  constructor(bounds: BacklogBounds = DEFAULT_BOUNDS) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /**
   * Puts an entry last, in the place of one with its key.
   * @param content what of it takes room: plain JSON
   * @returns how many were given up for it, itself included where it is too large alone
   */
  add(key: K, value: V, content: object): number {
    this.delete(key);
    const bytes = Buffer.byteLength(JSON.stringify(content));
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    return this.#giveUpExcess();
  }

  /** Whether it was there. */
  delete(key: K): boolean {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    return this.#entries.delete(key);
  }

  /** The first so many, or all. They stay. */
  first(count = this.size): [K, V][] {
    const entries = this.#entries.entries().take(count);
    return [...entries.map(([key, { value }]): [K, V] => [key, value])];
  }

  #giveUpExcess(): number {
    const before = this.size;
    for (const key of this.#entries.keys()) {
      if (this.size <= this.#bounds.records && this.#bytes <= this.#bounds.bytes) break;
      this.delete(key);
    }
    return before - this.size;
  }
}
