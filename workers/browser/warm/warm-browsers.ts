import type { Clock } from '#shared/clock.ts';
import { OWN_CLOCK } from '../cage/admission.ts';
import type { Cages } from '../cage/cages.ts';
import { WarmBrowser, type WarmOptions } from './warm-browser.ts';

/** How many there may be, and for how many runs and milliseconds each. */
export interface WarmLimits {
  atMost: number;
  runs: number;
  ageMs: number;
  idleMs: number;
}

/** What a run wants a browser for. */
export interface WantedBrowser extends WarmOptions {
  checkId: string;
  /** Of all that makes the check: another one is not served by the same browser. */
  key: string;
  /** From one run of the check to the next. */
  periodMs: number;
}

/** A browser for one run. */
export interface LentOne {
  browser: WarmBrowser;
  /** For the run, which the browser may read. */
  folder: string;
  /** How many runs it served before this one. */
  servedRuns: number;
  /** To be called once the run is over: its folder goes. @param isGood whether the browser may serve another one */
  giveBack(isGood: boolean): Promise<void>;
}

interface Entry {
  checkId: string;
  key: string;
  since: number;
  runs: number;
  isLent: boolean;
  browser: Promise<WarmBrowser>;
  /** Whether nothing of its last run is left in it. */
  isClean: Promise<boolean>;
  idle: unknown;
}

/**
 * Keeps the Chromium of a check running from one of its runs to the next, which saves its start. Each belongs
 * to one check as it is: no other script, and no other variables, ever meet it.
 */
export class WarmBrowsers {
  readonly #cages: Cages;
  readonly #limits: WarmLimits;
  readonly #clock: Clock;
  /** By the id of the check. */
  readonly #entries = new Map<string, Entry>();

  constructor(cages: Cages, limits: WarmLimits, clock: Clock = OWN_CLOCK) {
    this.#cages = cages;
    this.#limits = limits;
    this.#clock = clock;
    cages.onShortMemory = () => this.#endIdle();
  }

  /** Null for a run that starts its own: it would gain nothing, or there is no room. */
  async lend(wanted: WantedBrowser): Promise<LentOne | null> {
    if (wanted.periodMs >= this.#limits.idleMs) return null;
    const known = this.#entries.get(wanted.checkId);
    if (known?.isLent) return null;
    const kept = known && (await this.#take(known, wanted.key));
    if (kept) return kept;
    const { size } = this.#entries;
    if (size >= this.#limits.atMost || this.#entries.has(wanted.checkId)) return null;
    return await this.#take(this.#start(wanted), wanted.key);
  }

  async #take(entry: Entry, key: string): Promise<LentOne | null> {
    entry.isLent = true;
    this.#clock.clearTimeout(entry.idle);
    if (entry.key !== key || !this.#isFresh(entry) || !(await entry.isClean)) {
      this.#end(entry);
      return null;
    }
    const browser = await entry.browser;
    const folder = await browser.process.makeRunFolder();
    const servedRuns = entry.runs;
    entry.runs += 1;
    const giveBack = async (isGood: boolean) => {
      await browser.process.clear();
      this.#giveBack(entry, isGood);
    };
    return { browser, folder, servedRuns, giveBack };
  }

  #isFresh({ runs, since }: Entry): boolean {
    return runs < this.#limits.runs && this.#clock.now() - since < this.#limits.ageMs;
  }

  #start(wanted: WantedBrowser): Entry {
    const browser = WarmBrowser.start(this.#cages, wanted);
    const { checkId, key } = wanted;
    const entry: Entry = {
      ...{ checkId, key, since: this.#clock.now(), runs: 0, isLent: false, idle: undefined },
      ...{ browser, isClean: browser.then(() => true) },
    };
    this.#entries.set(checkId, entry);
    browser.then(
      // The folder of a run that uses it is in its own.
      ({ caged }) => caged.ended.then(() => entry.isLent || this.#end(entry)),
      () => this.#entries.delete(checkId),
    );
    return entry;
  }

  #giveBack(entry: Entry, isGood: boolean): void {
    if (!isGood || !this.#isFresh(entry)) {
      this.#end(entry);
      return;
    }
    entry.isLent = false;
    entry.isClean = entry.browser.then((browser) => browser.isClean());
    void entry.isClean.then((isClean) => isClean || entry.isLent || this.#end(entry));
    entry.idle = this.#clock.setTimeout(() => this.#end(entry), this.#limits.idleMs);
  }

  /** Ends the one that has been running for the longest of those that no run uses. */
  #endIdle(): void {
    const idle = [...this.#entries.values()].find(({ isLent }) => !isLent);
    if (idle) this.#end(idle);
  }

  #end(entry: Entry): void {
    const { checkId, browser, idle } = entry;
    if (this.#entries.get(checkId) !== entry) return;
    this.#entries.delete(checkId);
    this.#clock.clearTimeout(idle);
    void browser.then((it) => it.end());
  }
}
