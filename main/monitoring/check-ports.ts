import { fromPromise } from 'xstate';
import type { SkippedSlots } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { checkMachine } from './check.machine.ts';
import type { CheckRunInput, RunOutcome } from './check-context.ts';
import type { CheckState } from './persisted-state.ts';

/** What a check does to the world around it. */
export interface CheckPorts {
  /** Executes a run up to its FINAL results, and has them written. */
  carryOut(run: CheckRunInput): Promise<RunOutcome>;
  /** Writes how many slots were skipped. */
  countSkipped(skipped: SkippedSlots): void;
  /** Hands what changed of the persisted state to the recorder. */
  remember(checkId: string, memory: Partial<CheckState>): void;
  /** Cancels the ordered run under way: it makes no further attempt. */
  cancelRun(checkId: string): void;
  /** Whether maintenance keeps a check from running now. */
  isPaused(check: RunnableCheck): boolean;
  /** Whether an overload skips a slot, epoch ms. */
  isSkippedInOverload(check: RunnableCheck, slot: number): boolean;
}

/** The check machine with its ports: one for all checks. */
export function checkLogic(ports: CheckPorts): typeof checkMachine {
  return checkMachine.provide({
    actors: { run: fromPromise(({ input }) => input.underWay ?? ports.carryOut(input.run)) },
    actions: {
      countSkipped: (_, skipped) => ports.countSkipped(skipped),
      remember: ({ context: { check } }, memory) => ports.remember(check.id, memory),
      cancelRun: (_, { checkId }) => ports.cancelRun(checkId),
    },
    guards: {
      isPaused: ({ context: { check } }) => ports.isPaused(check),
      isSkippedInOverload: ({ context: { check, slot } }) => ports.isSkippedInOverload(check, slot),
    },
  });
}
