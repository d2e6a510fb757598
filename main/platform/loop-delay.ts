import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** A finer look would wake an idle appliance more often, and cost a busy one more. */
const RESOLUTION_MS = 50;

/** How late the main thread comes to what is due, in seconds, since the start or the last reset. */
export class LoopDelay {
  /** Of whole intervals: what they are longer than the resolution is delay. */
  readonly #intervals: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#intervals.enable();
  }

  /** Without any, all but `max` are meaningless. */
  get samples(): number {
    return this.#intervals.count;
  }

  get min(): number {
    return delayOf(this.#intervals.min);
  }

  get max(): number {
    return delayOf(this.#intervals.max);
  }

  get mean(): number {
    return delayOf(this.#intervals.mean);
  }

  get stddev(): number {
    return this.#intervals.stddev / 1e9;
  }

  percentile(percent: number): number {
    return delayOf(this.#intervals.percentile(percent));
  }

  reset(): void {
    this.#intervals.reset();
  }

  stop(): void {
    this.#intervals.disable();
  }
}

function delayOf(intervalNs: number): number {
  return Math.max(0, intervalNs / 1e9 - RESOLUTION_MS / 1_000);
}
