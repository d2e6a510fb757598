import type { Aggregation } from './metric.ts';
import { Sketch } from './sketch.ts';
import { PERCENTILES } from './statistics.ts';

/** What stands for many numbers: all of it but the sketch is exact. */
export interface Moments {
  count: number;
  sum: number;
  /** The squares of the distances from the mean, added up: the squares themselves would lose a small spread. */
  deviations: number;
  min: number;
  max: number;
}

/**
 * One number of many, as {@link Statistics} gives it, of numbers that are not there any more: percentiles
 * have the error of the sketch.
 */
export class Summary {
  #moments: Moments;
  readonly #sketch: Sketch;

  constructor(moments: Moments = NONE, sketch = new Sketch()) {
    this.#moments = moments;
    this.#sketch = sketch;
  }

  /** @param values without NaN */
  static of(values: Float64Array): Summary {
    const sketch = new Sketch();
    const moments = { ...NONE, count: values.length };
    for (const value of values) {
      sketch.add(value);
      moments.sum += value;
      moments.min = Math.min(moments.min, value);
      moments.max = Math.max(moments.max, value);
    }
    const mean = moments.sum / moments.count;
    for (const value of values) moments.deviations += (value - mean) ** 2;
    return new Summary(moments, sketch);
  }

  get moments(): Moments {
    return this.#moments;
  }

  get sketch(): Sketch {
    return this.#sketch;
  }

  merge(other: Summary): void {
    this.#moments = joined(this.#moments, other.moments);
    this.#sketch.merge(other.sketch);
  }

  of(aggregation: Aggregation): number | null {
    return this.#moments.count === 0 ? null : this.#of(aggregation);
  }

  #of(aggregation: Aggregation): number {
    const { count, sum, deviations, min, max } = this.#moments;
    switch (aggregation) {
      case 'avg':
        return sum / count;
      case 'sum':
        return sum;
      case 'min':
        return min;
      case 'max':
        return max;
      case 'stddev':
        return Math.sqrt(deviations / count);
      default:
        return this.#quantile(PERCENTILES[aggregation]);
    }
  }

  #quantile(part: number): number {
    const { count, min, max } = this.#moments;
    const place = part * (count - 1);
    const [below = 0, above = 0] = this.#sketch.atRanks([Math.floor(place), Math.ceil(place)]);
    const value = below + (above - below) * (place - Math.floor(place));
    return Math.min(Math.max(value, min), max);
  }
}

const NONE: Moments = {
  count: 0,
  sum: 0,
  deviations: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
};

function joined(one: Moments, other: Moments): Moments {
  const count = one.count + other.count;
  if (one.count === 0 || other.count === 0) return one.count === 0 ? other : one;
  const apart = other.sum / other.count - one.sum / one.count;
  return {
    count,
    sum: one.sum + other.sum,
    deviations: one.deviations + other.deviations + (apart ** 2 * one.count * other.count) / count,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
  };
}
