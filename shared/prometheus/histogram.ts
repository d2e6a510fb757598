import { sampleLine } from './exposition.ts';

/** Upper bounds of buckets, ascending: seconds, or counts. */
export type Bounds = readonly number[];

/** Of one request over a network, and its phases: few, for each is a line of each phase of each check. */
export const TIMING_BOUNDS: Bounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Of a whole script. */
export const DURATION_BOUNDS: Bounds = [0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 240];
/** Of errors on the pages of a run. */
export const COUNT_BOUNDS: Bounds = [0, 1, 2, 5, 10, 20, 50, 100];

/** The numbers of one histogram: those of its buckets, each alone, with the last without a bound; then the sum. */
export function histogramWidth(bounds: Bounds): number {
  return bounds.length + 2;
}

/** Counts a value. @param at where the histogram begins in the numbers */
export function observe(numbers: Float64Array, at: number, bounds: Bounds, value: number): void {
  let bucket = 0;
  while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
  const sum = at + bounds.length + 1;
  numbers[at + bucket] = (numbers[at + bucket] ?? 0) + 1;
  numbers[sum] = (numbers[sum] ?? 0) + value;
}

/** Its lines: cumulative buckets, sum and count. Empty where nothing was counted. */
export function histogramLines(
  name: string,
  labels: string,
  { numbers, at, bounds }: { numbers: Float64Array; at: number; bounds: Bounds },
): string {
  let count = 0;
  let lines = '';
  for (let bucket = 0; bucket <= bounds.length; bucket++) {
    count += numbers[at + bucket] ?? 0;
    lines += sampleLine(`${name}_bucket`, `${labels},le="${bounds[bucket] ?? '+Inf'}"`, count);
  }
  if (count === 0) return '';
  const sum = numbers[at + bounds.length + 1] ?? 0;
  return (
    lines + sampleLine(`${name}_sum`, labels, sum) + sampleLine(`${name}_count`, labels, count)
  );
}
