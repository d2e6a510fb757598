import { assign, fromPromise, setup } from 'xstate';
import type { Clock } from '#shared/clock.ts';
import type { RunResult } from '#shared/runs/protocol.ts';
import { backoffMs, type RetryStrategy } from '#shared/runs/retry.ts';
import { type AttemptOutcome, dueAfter, judge } from './attempt-outcome.ts';
import type { SequenceState } from './persisted-state.ts';

/**
 * The retries at one location (specification 2.4, contract 5): after an attempt that failed the next
 * one is made after a wait, as the strategy says, until one result is FINAL.
 */

interface RetriesInput {
  /** With the time at which the first retry is due. */
  sequence: SequenceState;
  strategy: RetryStrategy | null;
  clock: Clock;
  /** Given with the input and not by `provide`, which would make a machine for each of many runs. */
  port: AttemptsPort;
}

/** What the attempts at a location have done by others. */
export interface AttemptsPort {
  /** Makes one attempt. Never rejects: trouble of our own is a result with `hasErrors`. */
  attempt(sequence: SequenceState): Promise<RunResult>;
  /** Has a result kept, with where the sequence stands after it. */
  keep(attempt: AttemptOutcome): void;
  /** Where the attempt after one at a location runs. */
  nextLocation(location: string): string;
}

interface RetriesContext extends RetriesInput {
  /** Whether no further attempt is wanted. */
  cancelled: boolean;
}

type RetriesEvent = { type: 'CANCEL' };

export const retriesMachine = setup({
  types: {
    context: {} as RetriesContext,
    events: {} as RetriesEvent,
    input: {} as RetriesInput,
  },
  actors: {
    attempt: fromPromise<RunResult, RetriesContext>(({ input: { port, sequence } }) =>
      port.attempt(sequence),
    ),
  },
  actions: {
    keep: ({ context: { port } }, attempt: AttemptOutcome) => port.keep(attempt),
    moveOn: assign((_, { sequence }: AttemptOutcome) => ({ sequence })),
    cancel: assign({ cancelled: true }),
  },
  guards: {
    isTriedAgain: ({ context }, result: RunResult) => dueAfter(result, context) !== null,
  },
  delays: {
    untilRetry: ({ context }) => waitMs(context),
  },
}).createMachine({
  id: 'retries',
  context: ({ input }) => ({ ...input, cancelled: false }),
  initial: 'backingOff',
  states: {
    /** Waits for the next attempt; after a restart, for the rest of the wait. */
    backingOff: {
      after: { untilRetry: 'attempting' },
      on: { CANCEL: 'cancelled' },
    },
    attempting: {
      invoke: {
        src: 'attempt',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'isTriedAgain', params: ({ event }) => event.output },
            target: 'backingOff',
            actions: [
              { type: 'keep', params: judged },
              { type: 'moveOn', params: judged },
            ],
          },
          { target: 'settled', actions: { type: 'keep', params: judged } },
        ],
      },
      // The attempt under way is the last.
      on: { CANCEL: { actions: 'cancel' } },
    },
    /** Its FINAL result is there. */
    settled: { type: 'final' },
    /** Ended while it waited: its last result was an ATTEMPT. */
    cancelled: { type: 'final' },
  },
});

/** The attempt that is over, with what follows from it. */
function judged({ context, event }: { context: RetriesContext; event: { output: RunResult } }) {
  const { sequence, strategy, cancelled, port } = context;
  const nextLocation = (location: string) => port.nextLocation(location);
  return judge(event.output, { sequence, strategy, cancelled, nextLocation });
}

/**
 * Milliseconds until the retry that is due. A clock that was set back makes no wait longer than the
 * strategy says.
 */
function waitMs({ sequence, strategy, clock }: RetriesContext): number {
  const longestMs = strategy === null ? 0 : backoffMs(strategy, sequence.attempts);
  const leftMs = (sequence.dueAt ?? 0) - clock.now();
  return Math.min(Math.max(0, leftMs), longestMs);
}
