import { isDeepStrictEqual } from 'node:util';
import { PassingMap } from '#main/platform/passing-map.ts';
import type { KeptState, SkippedSlots } from '#main/store/history/history.ts';
import type { Check, RunnableCheck } from '#shared/checks/check.ts';
import type { Group } from '#shared/groups/group.ts';
import { resume } from './catch-up.ts';
import { CheckActor } from './check-actor.ts';
import type { CheckRunInput, RunOutcome } from './check-context.ts';
import { type CheckPorts, checkLogic } from './check-ports.ts';
import { CheckRun, type CheckRunParts } from './check-run.ts';
import type { Overload } from './overload.ts';
import { type CheckState, persistedCheckState } from './persisted-state.ts';
import type { Recorder } from './recorder.ts';

interface CheckActorsParts extends CheckRunParts {
  recorder: Recorder;
  overload: Overload;
  /** Whether maintenance keeps a check from running at a moment, epoch ms. */
  isPaused(check: Check, at: number): boolean;
  /** Called when an actor failed by a fault of our code: it has stopped. */
  failed(checkId: string, error: unknown): void;
}

/** Makes the actors of checks and executes their runs: it provides the ports of their machine. */
export class CheckActors {
  readonly #parts: CheckActorsParts;
  /** The runs under way: at most one for each check. */
  readonly #runs = new PassingMap<string, CheckRun>();
  readonly #actorParts: ConstructorParameters<typeof CheckActor>[0];

  constructor(parts: CheckActorsParts) {
    this.#parts = parts;
    const { clock, isPaused, failed } = parts;
    const ports: CheckPorts = {
      carryOut: (run) => this.#carryOut(run),
      countSkipped: (skipped) => this.#countSkipped(skipped),
      remember: (checkId, memory) => this.#remember(checkId, memory),
      cancelRun: (checkId) => this.#runs.get(checkId)?.cancel(),
      isPaused: (check) => isPaused(check, clock.now()),
      isSkippedInOverload: (check, slot) => parts.overload.skips(check, slot),
    };
    this.#actorParts = { ports, logic: checkLogic(ports), clock, failed };
  }

  /**
   * An actor that continues from its persisted state, not started; slots missed since are counted.
   *
   * @param check with the settings of its group in it
   */
  make(check: RunnableCheck, group: Group | undefined, kept: KeptState | undefined): CheckActor {
    const { clock, recorder } = this.#parts;
    const { memory, skips } = resume(check, group, persistedCheckState(kept), clock.now());
    if (skips.length > 0) recorder.writeMissed(check.id, memory, skips);
    else this.#remember(check.id, memory);
    const { schedule: _, begunSlot: __, ...rest } = memory;
    return new CheckActor(this.#actorParts, { check, memory: rest });
  }

  /** Ends an actor with its run; the followers of its runs are notified. */
  end(checkId: string, actor: CheckActor, how: 'cancelled' | 'deleted'): void {
    this.#runs.get(checkId)?.abandon(how);
    for (const { follower } of actor.orders) follower.ended(how);
    actor.stop();
  }

  /** Resolves when the attempts under way are written; a retry that waits is made after the restart. */
  async drain(): Promise<void> {
    await Promise.all(this.#runs.values().map((run) => run.drain()));
  }

  async #carryOut(input: CheckRunInput): Promise<RunOutcome> {
    const { id } = input.check;
    const run = new CheckRun(this.#parts, input);
    this.#runs.set(id, run);
    try {
      return await run.carryOut();
    } finally {
      // A run that was abandoned may end after the next one began.
      if (this.#runs.get(id) === run) this.#runs.delete(id);
    }
  }

  #countSkipped(skipped: SkippedSlots): void {
    const { recorder, overload } = this.#parts;
    const memory = { lastSlot: skipped.toSlot };
    if (skipped.reason === 'overload') {
      overload.note(skipped.count);
      recorder.holdSkip(memory, skipped);
    } else recorder.writeState(skipped.checkId, memory, [skipped]);
  }

  /** A new schedule is written at once, as a restart needs it; other state with the next record. */
  #remember(checkId: string, memory: Partial<CheckState>): void {
    const { recorder } = this.#parts;
    const known = recorder.stateOf(checkId)?.actor.schedule;
    const isKept = memory.schedule === undefined || isDeepStrictEqual(memory.schedule, known);
    if (isKept) recorder.remember(checkId, memory);
    else recorder.writeState(checkId, memory);
  }
}
