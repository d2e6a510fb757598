/**
 * A map whose entries come and go with each run. A `Map` that has few entries makes a new table again and again, and V8
 * lets each old table point to the next one: once one of them is old to the collector, all later ones and what stands in
 * them live on until a full collection. What stands in these is a box, which is emptied when its entry goes.
 */
export class PassingMap<K, V> {
  readonly #boxes = new Map<K, { value: V | undefined }>();

  get size(): number {
    return this.#boxes.size;
  }

  has(key: K): boolean {
    return this.#boxes.has(key);
  }

  get(key: K): V | undefined {
    return this.#boxes.get(key)?.value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#boxes.set(key, { value });
  }

  /** Answers what is gone. */
  delete(key: K): V | undefined {
    const box = this.#boxes.get(key);
    if (box === undefined) return undefined;
    const { value } = box;
    box.value = undefined;
    this.#boxes.delete(key);
    return value;
  }

  /** Those that are there now, in the order in which they came. */
  values(): V[] {
    return [...this.#boxes.values()].map(({ value }) => value as V);
  }
}
