/** Bounds a detail as a whole: what is added last is left out first. */
export class Budget {
  #chars: number;

  /** @param chars of JSON */
  constructor(chars: number) {
    this.#chars = chars;
  }

  /** The first of the items, as many as there is room for. */
  take<T>(items: readonly T[], max: number): T[] {
    const taken: T[] = [];
    for (const item of items.slice(0, max)) {
      this.#chars -= JSON.stringify(item).length + 1;
      if (this.#chars < 0) break;
      taken.push(item);
    }
    return taken;
  }
}
