import type { RunCount } from '#shared/self-monitoring/connectivity.ts';

/** How long a run counts. */
const WINDOW_MS = 30_000;

/** The checks that ran within the last half a minute, each by its last run. */
export class RecentRuns {
  /** By check, the oldest first. */
  readonly #runs = new Map<string, { at: number; isInDoubt: boolean }>();

  /** @param at epoch ms */
  note(checkId: string, at: number, isInDoubt: boolean): void {
    this.#runs.delete(checkId);
    this.#runs.set(checkId, { at, isInDoubt });
    for (const [oldest, run] of this.#runs) {
      if (at - run.at <= WINDOW_MS) break;
      this.#runs.delete(oldest);
    }
  }

  /** When the last run of a check was, epoch ms, if it was in doubt; else null. */
  inDoubtAt(checkId: string): number | null {
    const last = this.#runs.get(checkId);
    return last?.isInDoubt ? last.at : null;
  }

  /** Counts the runs of the window that are no older than `since`, epoch ms. */
  count(now: number, since: number): RunCount {
    const from = Math.max(now - WINDOW_MS, since);
    let ran = 0;
    let inDoubt = 0;
    for (const run of this.#runs.values()) {
      if (run.at < from) continue;
      ran++;
      if (run.isInDoubt) inDoubt++;
    }
    return { ran, inDoubt };
  }
}
