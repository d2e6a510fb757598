import type { CheckRun } from './check-context.ts';
import { CheckRunAttempts } from './check-run.ts';
import type { RunnerParts } from './runner-parts.ts';

/** The runs under way: at most one for each check. */
export class CheckRunner {
  readonly #parts: RunnerParts;
  readonly #underWay = new Map<string, CheckRunAttempts>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Carries out a run to its end; rejects only where our own code fails. */
  async run(run: CheckRun): Promise<{ lastLocation: string | null }> {
    const underWay = new CheckRunAttempts(this.#parts, run);
    this.#underWay.set(run.check.id, underWay);
    try {
      return await underWay.carryOut();
    } finally {
      if (this.#underWay.get(run.check.id) === underWay) this.#underWay.delete(run.check.id);
    }
  }

  /** The run of a check makes no further attempt. */
  cancel(checkId: string): void {
    this.#underWay.get(checkId)?.cancel();
  }

  /** Gives the run of a check up: nothing more of it is kept. */
  abandon(checkId: string, how: 'cancelled' | 'deleted'): void {
    this.#underWay.get(checkId)?.abandon(how);
  }

  /** Resolves when the attempts under way are kept; what waits for a retry goes on after a restart. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map((run) => run.drain()));
  }
}
