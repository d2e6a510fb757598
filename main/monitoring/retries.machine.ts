import { assign, fromPromise, setup } from 'xstate';
import type { Clock } from '#shared/clock.ts';
import { backoffMs, type RetryStrategy } from '#shared/runs/retry.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { SequenceState } from './persisted-state.ts';

/**
 * The retries at one location (specification 2.4): after an attempt that failed the next one is made
 * after a wait, as the strategy says, until one result is FINAL.
 */

interface RetriesContext {
  /** With the time at which the next retry is due. */
  sequence: SequenceState;
  strategy: RetryStrategy | null;
  clock: Clock;
  /**
   * Makes one attempt and has its result written. Given with the input and not by `provide`, which
   * would make a machine for each of many runs.
   */
  attempt(sequence: SequenceState): Promise<AttemptOutcome>;
}

export const retriesMachine = setup({
  types: {
    context: {} as RetriesContext,
    input: {} as RetriesContext,
  },
  actors: {
    attempt: fromPromise<AttemptOutcome, RetriesContext>(({ input: { attempt, sequence } }) =>
      attempt(sequence),
    ),
  },
  actions: {
    moveOn: assign((_, { sequence }: AttemptOutcome) => ({ sequence })),
  },
  guards: {
    isFinal: (_, { resultType }: AttemptOutcome) => resultType === 'FINAL',
  },
  delays: {
    untilRetry: ({ context }) => waitMs(context),
  },
}).createMachine({
  id: 'retries',
  context: ({ input }) => input,
  initial: 'backingOff',
  states: {
    /** Waits for the next attempt; after a restart, for the rest of the wait. */
    backingOff: { after: { untilRetry: 'attempting' } },
    attempting: {
      invoke: {
        src: 'attempt',
        input: ({ context }) => context,
        onDone: [
          { guard: { type: 'isFinal', params: ({ event }) => event.output }, target: 'settled' },
          {
            target: 'backingOff',
            actions: { type: 'moveOn', params: ({ event }) => event.output },
          },
        ],
      },
    },
    /** Its FINAL result is there. */
    settled: { type: 'final' },
  },
});

/**
 * Milliseconds until the retry that is due. A clock that was set back makes no wait longer than the
 * strategy says.
 */
function waitMs({ sequence, strategy, clock }: RetriesContext): number {
  const longestMs = strategy === null ? 0 : backoffMs(strategy, sequence.attempts);
  const leftMs = (sequence.dueAt ?? 0) - clock.now();
  return Math.min(Math.max(0, leftMs), longestMs);
}
