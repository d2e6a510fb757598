import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** To look more often would wake an idle machine more often. */
const EVERY_MS = 50;

/** Of everybody who asks: one timer serves all. */
const watched = new Set<RecordableHistogram>();
let timer: NodeJS.Timeout | undefined;

/** How late the main thread comes to what is due, in seconds, since the start or the last reset; until the stop. */
export class LoopDelay {
  readonly #delays = createHistogram();

  constructor() {
    watched.add(this.#delays);
    timer ??= watch();
  }

  /** Without any, all but `max` are meaningless. */
  get samples(): number {
    return this.#delays.count;
  }

  get min(): number {
    return this.#delays.min / 1e9;
  }

  get max(): number {
    return this.#delays.max / 1e9;
  }

  get mean(): number {
    return this.#delays.mean / 1e9;
  }

  get stddev(): number {
    return this.#delays.stddev / 1e9;
  }

  percentile(percent: number): number {
    return this.#delays.percentile(percent) / 1e9;
  }

  reset(): void {
    this.#delays.reset();
  }

  stop(): void {
    watched.delete(this.#delays);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}

function watch(): NodeJS.Timeout {
  let lookedAt = performance.now();
  const look = () => {
    const now = performance.now();
    const lateMs = now - lookedAt - EVERY_MS;
    lookedAt = now;
    // A histogram takes nothing below one.
    for (const delays of watched) delays.record(Math.max(1, Math.round(lateMs * 1e6)));
  };
  // Whoever waits for nothing else does not wait for it.
  return setInterval(look, EVERY_MS).unref();
}
