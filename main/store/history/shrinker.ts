import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Cleanup, SLICE_CHECKS } from './cleanup.ts';
import type { Slice } from './slice.ts';
import { timeOfUuid } from './uuid.ts';

/** The times of the first and last rows of some checks, epoch ms. */
interface Span {
  from: number;
  to: number;
}

/** How much is removed between two looks at the size: a part of what there is, an hour at most. */
const STEPS = 20;
const LONGEST_STEP_MS = 3_600_000;
const SHORTEST_STEP_MS = 1_000;

/**
 * Removes the oldest raw rows of all checks alike while the history is too large. By their own times: a
 * clock that is wrong changes nothing about which are the oldest.
 */
export class Shrinker {
  readonly #sweeper: Cleanup;
  readonly #ends: StatementSync;

  constructor(database: DatabaseSync, sweeper: Cleanup) {
    this.#sweeper = sweeper;
    this.#ends = database.prepare(
      `SELECT key, (SELECT min(id) FROM results WHERE check_key = checks.key) AS first_result,
         (SELECT max(id) FROM results WHERE check_key = checks.key) AS last_result,
         (SELECT min(id) FROM heartbeat_events WHERE check_key = checks.key) AS first_event,
         (SELECT max(id) FROM heartbeat_events WHERE check_key = checks.key) AS last_event
       FROM checks WHERE key > ? ORDER BY key LIMIT ?`,
    );
  }

  /** The work, while `isTooLarge`; ends as well where no row is left. */
  *shrink(isTooLarge: () => boolean): Generator<Slice, void> {
    while (isTooLarge()) {
      const span: Span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
      yield this.#measure(span);
      if (span.from > span.to) return;
      const stepMs = Math.min(LONGEST_STEP_MS, (span.to - span.from) / STEPS);
      const before = span.from + Math.max(SHORTEST_STEP_MS, Math.ceil(stepMs));
      const expire = this.#sweeper.expire({ results: before, events: before, skips: before });
      yield () => isTooLarge() && expire();
    }
  }

  /** Widens a span to the rows of every check; a slice goes on where the last one ended. */
  #measure(span: Span): Slice {
    let done = 0;
    return () => {
      const rows = this.#ends.all(done, SLICE_CHECKS);
      for (const { key, ...ends } of rows) {
        for (const id of Object.values(ends)) if (id !== null) widen(span, id as Uint8Array);
        done = Number(key);
      }
      return rows.length === SLICE_CHECKS;
    };
  }
}

function widen(span: Span, id: Uint8Array): void {
  const at = timeOfUuid(id);
  span.from = Math.min(span.from, at);
  span.to = Math.max(span.to, at);
}
