/** How far a number from a sketch may be from the one that was counted, as a part of it. */
export const SKETCH_ERROR = 0.01;

const GROWTH = (1 + SKETCH_ERROR) / (1 - SKETCH_ERROR);
const LOG_GROWTH = Math.log(GROWTH);
/** Smaller numbers, negative ones too, count as 0. */
const LEAST = 1e-6;
/** Larger ones count as this: years in milliseconds. */
const MOST = 1e15;

/**
 * How often numbers of about the same size came: each counts in the bin of a logarithmic scale, so that
 * any rank is known with a relative error of 1 %, and two sketches are merged without a further one
 * (DDSketch: https://arxiv.org/abs/1908.10693).
 */
export class Sketch {
  #zeros: number;
  readonly #bins: Map<number, number>;

  /** @param bins counts by the number of the bin */
  constructor(zeros = 0, bins: Iterable<readonly [number, number]> = []) {
    this.#zeros = zeros;
    this.#bins = new Map(bins);
  }

  get zeros(): number {
    return this.#zeros;
  }

  add(value: number): void {
    if (value < LEAST) this.#zeros += 1;
    else this.#addTo(Math.ceil(Math.log(Math.min(value, MOST)) / LOG_GROWTH), 1);
  }

  merge(other: Sketch): void {
    this.#zeros += other.#zeros;
    for (const [bin, count] of other.#bins) this.#addTo(bin, count);
  }

  /** The bins that have any, in their order. */
  bins(): [bin: number, count: number][] {
    return [...this.#bins].toSorted(([one], [other]) => one - other);
  }

  /**
   * The numbers at some ranks, each 0 for the least of all, with the error of the sketch.
   * @param ranks ascending
   */
  atRanks(ranks: readonly number[]): number[] {
    const bins = this.bins();
    let next = 0;
    let below = this.#zeros;
    let value = 0;
    return ranks.map((rank) => {
      for (let bin = bins[next]; bin !== undefined && rank >= below; bin = bins[next]) {
        value = middleOf(bin[0]);
        below += bin[1];
        next += 1;
      }
      return value;
    });
  }

  #addTo(bin: number, count: number): void {
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + count);
  }
}

/** What a bin's numbers count as: equally far, as a part, from its least and its largest. */
function middleOf(bin: number): number {
  return (2 * GROWTH ** bin) / (GROWTH + 1);
}
