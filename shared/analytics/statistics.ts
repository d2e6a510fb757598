import type { Aggregation } from './metric.ts';

/** The part of all numbers below each percentile. */
export const PERCENTILES = { median: 0.5, p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const;

/**
 * One number of many. Exact: a percentile is that of the sorted numbers, between two of them by linear
 * interpolation; `stddev` is that of the whole population. Null of no numbers.
 */
export class Statistics {
  readonly #values: Float64Array;
  #sorted: Float64Array | null = null;

  /** @param values without NaN; they are not changed */
  constructor(values: Float64Array) {
    this.#values = values;
  }

  of(aggregation: Aggregation): number | null {
    return this.#values.length === 0 ? null : this.#of(aggregation);
  }

  #of(aggregation: Aggregation): number {
    switch (aggregation) {
      case 'avg':
        return this.#mean();
      case 'sum':
        return this.#sum();
      case 'min':
        return this.#values.reduce((least, value) => Math.min(least, value));
      case 'max':
        return this.#values.reduce((most, value) => Math.max(most, value));
      case 'stddev':
        return this.#deviation();
      default:
        return this.#quantile(PERCENTILES[aggregation]);
    }
  }

  #sum(): number {
    return this.#values.reduce((total, value) => total + value, 0);
  }

  #mean(): number {
    return this.#sum() / this.#values.length;
  }

  #deviation(): number {
    const mean = this.#mean();
    const squares = this.#values.reduce((total, value) => total + (value - mean) ** 2, 0);
    return Math.sqrt(squares / this.#values.length);
  }

  #quantile(part: number): number {
    this.#sorted ??= this.#values.toSorted();
    const place = part * (this.#sorted.length - 1);
    const below = this.#sorted[Math.floor(place)] ?? 0;
    const above = this.#sorted[Math.ceil(place)] ?? 0;
    return below + (above - below) * (place - Math.floor(place));
  }
}
