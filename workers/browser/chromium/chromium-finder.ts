import { existsSync } from 'node:fs';
import type { ChromiumSearch, FoundChromium } from '#shared/runs/protocol.ts';
import { type ChromiumAnswer, findChromium } from './find-chromium.ts';

/** What a run says that needs a Chromium and has none. */
export const NO_CHROMIUM =
  'Watchpost found no Chromium on this machine: install one, or name it in WATCHPOST_CHROMIUM; `watchpost doctor` says where it looked';

const SEARCH_AGAIN_MS = 60_000;

type Search = (search: ChromiumSearch) => Promise<ChromiumAnswer>;

/**
 * The Chromium that runs of this thread use: searched for with the first run, and again where it is
 * gone, or where there was none a minute ago, so that nobody must restart who installs one.
 */
export class ChromiumFinder {
  readonly #options: ChromiumSearch;
  readonly #search: Search;
  readonly #now: () => number;
  #searchedAt = Number.NEGATIVE_INFINITY;
  #answer: Promise<FoundChromium | null> = Promise.resolve(null);

  constructor(options: ChromiumSearch, search: Search = findChromium, now = Date.now) {
    this.#options = options;
    this.#search = search;
    this.#now = now;
  }

  /** Null where there is none, see {@link NO_CHROMIUM}. */
  async find(): Promise<FoundChromium | null> {
    const answer = this.#answer;
    const known = await answer.catch(() => null);
    if (known !== null && existsSync(known.path)) return known;
    const isRecent = this.#now() - this.#searchedAt < SEARCH_AGAIN_MS;
    // Another run may have begun to search while this one waited.
    if (answer !== this.#answer) return this.#answer;
    if (known === null && isRecent) return null;
    this.#searchedAt = this.#now();
    this.#answer = this.#search(this.#options).then(({ found }) => found);
    return this.#answer;
  }
}
