import type { RunState } from './check-state.ts';
import { appendRun, codeRun } from './run-code.ts';
import { firstPeriod, Tally } from './tally.ts';

/** What the summary of a check needs of a run, or of an event of a heartbeat. */
export interface WindowRun {
  /** Epoch ms. */
  at: number;
  state: RunState;
  /** Milliseconds; null of an event. */
  responseTime: number | null;
}

/** Plain data, which threads hand to each other. */
export interface KeptWindow {
  codes: string;
  lastAt: number | null;
  since: number | null;
  /** How runs that say something of the target ended, and how long they took: cells of a {@link Tally}. */
  outcomes: number[];
  times: number[];
}

/** The day is cut to a quarter of an hour; that of response times, of which there are more, to an hour. */
const OUTCOME_PERIOD_MS = 900_000;
const TIME_PERIOD_MS = 3_600_000;
const GOOD = 0;
const FAILED = 1;
/** Response times of a bin differ by 4 %. */
const LOG_GROWTH = Math.log(1.04);
const P95 = 0.95;

/** What is known of the last 40 runs and the last day of a check, run by run; some 2 KB. */
export class RunWindow {
  #codes: string;
  #lastAt: number | null;
  #since: number | null;
  readonly #outcomes: Tally;
  readonly #times: Tally;

  constructor(kept?: KeptWindow) {
    this.#codes = kept?.codes ?? '';
    this.#lastAt = kept?.lastAt ?? null;
    this.#since = kept?.since ?? null;
    this.#outcomes = new Tally(OUTCOME_PERIOD_MS, kept?.outcomes);
    this.#times = new Tally(TIME_PERIOD_MS, kept?.times);
  }

  /** The last runs, oldest first, as `run-code.ts` has them. */
  get codes(): string {
    return this.#codes;
  }

  /** When the last one was, epoch ms. */
  get lastAt(): number | null {
    return this.#lastAt;
  }

  /** When the first run was that ended as all since; null where that was longer ago than is known. */
  get since(): number | null {
    return this.#since;
  }

  /** A run that comes after all others. */
  add(run: WindowRun): void {
    this.show(run);
    this.count(run);
  }

  /** It is among the last ones. */
  show({ at, state, responseTime }: WindowRun): void {
    const code = codeRun({ state, responseTime: responseTime ?? 0 });
    const before = this.#codes.at(-2);
    if (before !== undefined && before !== code[0]) this.#since = at;
    this.#codes = appendRun(this.#codes, code);
    this.#lastAt = at;
  }

  /** It counts for the day. */
  count({ at, state, responseTime }: WindowRun): void {
    if (state === 'inconclusive') return;
    this.#outcomes.add(at, state === 'failing' ? FAILED : GOOD);
    if (responseTime !== null) this.#times.add(at, binOf(responseTime));
  }

  /** Percent of the runs of the last day that did not fail; null where there was none. */
  availability(now: number): number | null {
    let [made, good] = [0, 0];
    for (const [outcome, count] of this.#outcomes.ofDay(now)) {
      made += count;
      if (outcome === GOOD) good += count;
    }
    return made === 0 ? null : (100 * good) / made;
  }

  /** Milliseconds that 95 of 100 runs of the last day did not exceed, give or take 2 %. */
  p95(now: number): number | null {
    const counts = new Map<number, number>();
    let total = 0;
    for (const [bin, count] of this.#times.ofDay(now)) {
      counts.set(bin, (counts.get(bin) ?? 0) + count);
      total += count;
    }
    let rank = Math.ceil(total * P95);
    for (const [bin, count] of [...counts].toSorted(([one], [other]) => one - other)) {
      rank -= count;
      if (rank <= 0) return middleOf(bin);
    }
    return null;
  }

  kept(): KeptWindow {
    const [codes, lastAt, since] = [this.#codes, this.#lastAt, this.#since];
    return { codes, lastAt, since, outcomes: this.#outcomes.cells, times: this.#times.cells };
  }
}

/** Where the window of a day begins that ends now, epoch ms. */
export function windowStart(now: number): number {
  return firstPeriod(now, OUTCOME_PERIOD_MS) * OUTCOME_PERIOD_MS;
}

function binOf(ms: number): number {
  return ms <= 1 ? 0 : Math.ceil(Math.log(ms) / LOG_GROWTH);
}

function middleOf(bin: number): number {
  return Math.exp((bin - 0.5) * LOG_GROWTH);
}
