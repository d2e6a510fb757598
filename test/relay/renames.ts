import { readFileSync } from 'node:fs';

/**
 * Words that are expected to change from an old build to a new one, such as settings and paths below
 * `/app/`: the session is written in the new words.
 */
export class Renames {
  readonly #pairs: readonly (readonly [string, string])[];

  /** @param words from old to new */
  constructor(words: Readonly<Record<string, string>> = {}) {
    // A word that holds another one goes first.
    this.#pairs = Object.entries(words).toSorted(([one], [other]) => other.length - one.length);
  }

  /** @param path of a JSON file, an object of old words and their new ones */
  static read(path: string | undefined): Renames {
    return new Renames(path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8')));
  }

  toNew(text: string): string {
    return this.#pairs.reduce((out, [old, word]) => out.replaceAll(old, word), text);
  }

  toOld(text: string): string {
    return this.#pairs.reduce((out, [old, word]) => out.replaceAll(word, old), text);
  }
}
