import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The texts that keys of words stand for. Words are added and never changed, so each is read once. */
export class Words {
  readonly #all: StatementSync;
  #known = new Map<number, string>();

  constructor(database: DatabaseSync) {
    this.#all = database.prepare('SELECT key, word FROM words');
  }

  /** @throws Error where there is no such word */
  of(key: number): string {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known = new Map(this.#all.all().map((row) => [Number(row.key), String(row.word)]));
    const added = this.#known.get(key);
    if (added === undefined) throw new Error(`no word has the key ${key}`);
    return added;
  }
}
