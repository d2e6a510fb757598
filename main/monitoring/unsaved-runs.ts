import type { Log } from '#main/platform/log.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import type { FollowedRun } from './check-context.ts';
import { CheckRun, type CheckRunParts } from './check-run.ts';

/** Runs of checks that are not saved: they have no actor, no schedule and no history, only a follower. */
export class UnsavedRuns {
  readonly #parts: CheckRunParts & { log: Log };
  /** The runs under way, by the ids of their orders. */
  readonly #runs = new Map<string, CheckRun>();

  constructor(parts: CheckRunParts & { log: Log }) {
    this.#parts = parts;
  }

  start(check: RunnableCheck, ordered: FollowedRun): void {
    const { id } = ordered.order;
    const input = { check, ordered, slot: null, lastLocation: null, interrupted: null };
    const run = new CheckRun(this.#parts, input);
    this.#runs.set(id, run);
    run
      .carryOut()
      .catch((err: unknown) => this.#parts.log.error({ err }, 'A run of an unsaved check failed.'))
      .finally(() => this.#runs.delete(id));
  }

  /** Whether the run is one of these. */
  cancel(orderId: string): boolean {
    const run = this.#runs.get(orderId);
    run?.cancel();
    return run !== undefined;
  }

  /** Resolves when the attempts under way are written. */
  async drain(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.drain()));
  }
}
