import type { RunState } from './check-state.ts';
import { appendRun, codeRun } from './run-code.ts';

/** What the summary of a check needs of a run, or of an event of a heartbeat. */
export interface WindowRun {
  /** Epoch ms. */
  at: number;
  state: RunState;
  /** Milliseconds; null of an event. */
  responseTime: number | null;
}

/** A part of the day, with the runs of it that say something of the target. */
interface Bucket {
  /** Counted from the epoch. */
  period: number;
  made: number;
  good: number;
  /** The number of a bin, then how many response times it has, and so on. */
  bins: number[];
}

/** Plain data, which threads hand to each other. */
export interface KeptWindow {
  codes: string;
  lastAt: number | null;
  since: number | null;
  buckets: Bucket[];
}

const DAY_MS = 86_400_000;
const BUCKET_MS = DAY_MS / 8;
/** Response times of a bin differ by 4 %. */
const LOG_GROWTH = Math.log(1.04);
const P95 = 0.95;

/** What is known of the last 40 runs and the last day of a check, run by run; some 2 KB. */
export class RunWindow {
  #codes: string;
  #lastAt: number | null;
  #since: number | null;
  readonly #buckets: Bucket[];

  constructor(kept: KeptWindow = { codes: '', lastAt: null, since: null, buckets: [] }) {
    this.#codes = kept.codes;
    this.#lastAt = kept.lastAt;
    this.#since = kept.since;
    this.#buckets = kept.buckets;
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
    const bucket = this.#bucketOf(at);
    bucket.made += 1;
    if (state !== 'failing') bucket.good += 1;
    if (responseTime !== null) countIn(bucket.bins, binOf(responseTime));
  }

  /** Percent of the runs of the last day that did not fail; null where there was none. */
  availability(now: number): number | null {
    let [made, good] = [0, 0];
    for (const bucket of this.#ofDay(now)) {
      made += bucket.made;
      good += bucket.good;
    }
    return made === 0 ? null : (100 * good) / made;
  }

  /** Milliseconds that 95 of 100 runs of the last day did not exceed, give or take 2 %. */
  p95(now: number): number | null {
    const counts = new Map<number, number>();
    let total = 0;
    for (const { bins } of this.#ofDay(now)) {
      for (let at = 0; at < bins.length; at += 2) {
        const [bin = 0, count = 0] = [bins[at], bins[at + 1]];
        counts.set(bin, (counts.get(bin) ?? 0) + count);
        total += count;
      }
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
    return { codes, lastAt, since, buckets: this.#buckets };
  }

  #ofDay(now: number): Bucket[] {
    const before = Math.floor((now - DAY_MS) / BUCKET_MS);
    return this.#buckets.filter(({ period }) => period > before);
  }

  #bucketOf(at: number): Bucket {
    const period = Math.floor(at / BUCKET_MS);
    const known = this.#buckets.findLast((bucket) => bucket.period === period);
    if (known !== undefined) return known;
    const made: Bucket = { period, made: 0, good: 0, bins: [] };
    this.#buckets.push(made);
    const tooOld = period - DAY_MS / BUCKET_MS;
    while (this.#buckets[0] !== undefined && this.#buckets[0].period < tooOld)
      this.#buckets.shift();
    return made;
  }
}

/** Where the window of a day begins that ends now, epoch ms. */
export function windowStart(now: number): number {
  return (Math.floor((now - DAY_MS) / BUCKET_MS) + 1) * BUCKET_MS;
}

function countIn(bins: number[], bin: number): void {
  for (let at = 0; at < bins.length; at += 2) {
    if (bins[at] !== bin) continue;
    bins[at + 1] = (bins[at + 1] ?? 0) + 1;
    return;
  }
  bins.push(bin, 1);
}

function binOf(ms: number): number {
  return ms <= 1 ? 0 : Math.ceil(Math.log(ms) / LOG_GROWTH);
}

function middleOf(bin: number): number {
  return Math.exp((bin - 0.5) * LOG_GROWTH);
}
