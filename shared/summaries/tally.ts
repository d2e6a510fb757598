/** Keys are below this. */
const KEYS = 512;
/** Counts are below this: more of one key in one period count as so many. */
const COUNTS = 65_536;
const DAY_MS = 86_400_000;

/**
 * How often each key came in the periods of the last day: one number for each key of a period, which holds the period
 * since the epoch, the key and the count, as 10,000 checks have many of them.
 */
export class Tally {
  readonly #periodMs: number;
  /** In the order of their periods, as far as runs come in order. */
  #cells: number[];

  /** @param cells what {@link cells} was of another one */
  constructor(periodMs: number, cells: number[] = []) {
    this.#periodMs = periodMs;
    this.#cells = cells;
  }

  /** Plain data, which threads hand to each other. */
  get cells(): number[] {
    return this.#cells;
  }

  /** @param at epoch ms */
  add(at: number, key: number): void {
    const period = Math.floor(at / this.#periodMs);
    const cell = period * KEYS + Math.min(key, KEYS - 1);
    for (let place = this.#cells.length - 1; place >= 0; place--) {
      const value = this.#cells[place] ?? 0;
      const other = Math.floor(value / COUNTS);
      if (other === cell) {
        if (value % COUNTS < COUNTS - 1) this.#cells[place] = value + 1;
        return;
      }
      if (other < period * KEYS) break;
    }
    const oldest = (period - DAY_MS / this.#periodMs) * KEYS * COUNTS;
    // Copied, so that there is no room for more than there is.
    this.#cells = [...this.#cells.filter((value) => value >= oldest), cell * COUNTS + 1];
  }

  /** The keys of the day that ends now, of those periods that lie in it whole. A key may come several times. */
  *ofDay(now: number): Generator<[key: number, count: number]> {
    const first = firstPeriod(now, this.#periodMs) * KEYS * COUNTS;
    for (const value of this.#cells) {
      if (value >= first) yield [Math.floor(value / COUNTS) % KEYS, value % COUNTS];
    }
  }
}

/** The first period that lies whole in the day that ends now. */
export function firstPeriod(now: number, periodMs: number): number {
  return Math.ceil((now - DAY_MS) / periodMs);
}
