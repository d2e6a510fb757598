import type { Meta } from './meta.ts';

const NAMES = { results: 'results_removed_before', events: 'events_removed_before' } as const;
export type RawKind = keyof typeof NAMES;

/** From which time on, epoch ms, nothing was removed of the results and events of the checks that there are. */
export class RawFrom {
  readonly #meta: Meta;

  constructor(meta: Meta) {
    this.#meta = meta;
  }

  /** Negative infinity where nothing was removed ever. */
  of(kind: RawKind): number {
    return this.#meta.read(NAMES[kind]) ?? Number.NEGATIVE_INFINITY;
  }

  /** Some from before a time were removed. Inside the transaction that removes them. */
  raise(kind: RawKind, beforeMs: number): void {
    if (beforeMs > this.of(kind)) this.#meta.write(NAMES[kind], beforeMs);
  }
}
