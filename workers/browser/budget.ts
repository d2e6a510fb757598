/** Bounds a detail as a whole: what is added last is left out first. */
export class Budget {
  #bytes: number;

  /** @param bytes of JSON in UTF-8 */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** The first of the items, as many as there is room for. */
  take<T>(items: readonly T[], max: number): T[] {
    const taken: T[] = [];
    for (const item of items.slice(0, max)) {
      this.#bytes -= Buffer.byteLength(JSON.stringify(item)) + 1;
      if (this.#bytes < 0) break;
      taken.push(item);
    }
    return taken;
  }
}
