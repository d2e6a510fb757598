/** How much may wait, in entries and in the bytes of their JSON: a small part of a process's memory. */
const MAX_ENTRIES = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * What waits in memory for a store that fails, by key, in the order in which it came. Where there is
 * more than may be, the first in line are given up.
 */
export class Backlog<K, V> {
  readonly #entries = new Map<K, { value: V; bytes: number }>();
  #bytes = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** In their order. */
  all(): V[] {
    return [...this.#entries.values()].map(({ value }) => value);
  }

  /**
   * Puts an entry last, or in the place of the one with its key.
   * @param content what of it takes room: plain JSON
   * @returns how many were given up for it, itself included where it is too large alone
   */
  put(key: K, value: V, content: object): number {
    const bytes = Buffer.byteLength(JSON.stringify(content));
    this.#bytes += bytes - (this.#entries.get(key)?.bytes ?? 0);
    this.#entries.set(key, { value, bytes });
    return this.#giveUpExcess();
  }

  delete(key: K): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  #giveUpExcess(): number {
    const before = this.size;
    for (const key of this.#entries.keys()) {
      if (this.size <= MAX_ENTRIES && this.#bytes <= MAX_BYTES) break;
      this.delete(key);
    }
    return before - this.size;
  }
}
