/** The last records of a kind, by id: when there are more than `max`, the oldest is forgotten. */
export class LruMap<T> {
  readonly #max: number;
  readonly #records = new Map<string, T>();

  constructor(max: number) {
    this.#max = max;
  }

  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  set(id: string, record: T): void {
    this.#records.set(id, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > this.#max && oldest !== undefined) this.#records.delete(oldest);
  }
}
