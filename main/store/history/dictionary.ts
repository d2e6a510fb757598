import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** The key of a check whose history is being removed: nothing is kept for it. */
export const FORGOTTEN = null;

/** A cache that reaches this is emptied: reading a key again costs microseconds. */
const MAX_CACHED = 100_000;

/**
 * The small numbers that stand for check ids and for words, made as they are first met. Cached; the
 * cache has to be emptied when a transaction is rolled back, for its keys were never kept.
 */
export class Dictionary {
  readonly #checks = new Map<string, number | typeof FORGOTTEN>();
  readonly #words = new Map<string, number>();
  readonly #findCheck: StatementSync;
  readonly #addCheck: StatementSync;
  readonly #findWord: StatementSync;
  readonly #addWord: StatementSync;

  constructor(database: DatabaseSync) {
    this.#findCheck = database.prepare('SELECT key, forgotten_at FROM checks WHERE id = ?');
    this.#addCheck = database.prepare('INSERT INTO checks (id) VALUES (?)');
    this.#findWord = database.prepare('SELECT key FROM words WHERE word = ?');
    this.#addWord = database.prepare('INSERT INTO words (word) VALUES (?)');
  }

  /** The key of a check, or {@link FORGOTTEN}. */
  check(id: string): number | typeof FORGOTTEN {
    const known = this.#checks.get(id);
    if (known !== undefined) return known;
    const row = this.#findCheck.get(id);
    const key = row ? row.key : this.#addCheck.run(id).lastInsertRowid;
    return remember(this.#checks, id, row?.forgotten_at == null ? Number(key) : FORGOTTEN);
  }

  word(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const key = this.#findWord.get(word)?.key ?? this.#addWord.run(word).lastInsertRowid;
    return remember(this.#words, word, Number(key));
  }

  clear(): void {
    this.#checks.clear();
    this.#words.clear();
  }
}

function remember<T>(cache: Map<string, T>, name: string, key: T): T {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(name, key);
  return key;
}
