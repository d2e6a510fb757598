import { assign, fromPromise, setup } from 'xstate';
import type { Clock } from '#shared/clock.ts';
import { backoffMs, type RetryStrategy, retryAt } from '#shared/rules/retry.ts';
import type { RunResult } from '#shared/run/protocol.ts';
import type { SequenceMemory } from './memory.ts';

/**
 * The attempts at one location (specification 2.4, contract 5): a failed attempt is tried again after
 * a wait, as its strategy says, until one result is FINAL.
 */

export interface AttemptsInput {
  sequence: SequenceMemory;
  strategy: RetryStrategy | null;
  clock: Clock;
  /** Given with the input and not by `provide`, which would make a machine for each of many runs. */
  port: AttemptsPort;
}

/** What the machine has done by others. */
export interface AttemptsPort {
  /** Makes one attempt. Never rejects: trouble of our own is a result with `hasErrors`. */
  attempt(sequence: SequenceMemory): Promise<RunResult>;
  /** Has a result kept, with where the sequence stands after it. */
  keep(attempt: JudgedAttempt): void;
  /** Where the attempt after one at a location runs. */
  nextLocation(location: string): string;
}

interface AttemptsContext extends AttemptsInput {
  /** Whether no further attempt is wanted. */
  cancelled: boolean;
}

export type AttemptsEvent = { type: 'CANCEL' };

/** An attempt that is over, with what is known once it was judged. */
export interface JudgedAttempt {
  result: RunResult;
  resultType: 'ATTEMPT' | 'FINAL';
  /** Where it ran and how many retries came before it. */
  location: string;
  attempts: number;
  /** Where the sequence stands after it. */
  sequence: SequenceMemory;
}

export const attemptsMachine = setup({
  types: {
    context: {} as AttemptsContext,
    events: {} as AttemptsEvent,
    input: {} as AttemptsInput,
  },
  actors: {
    attempt: fromPromise<RunResult, AttemptsContext>(({ input: { port, sequence } }) =>
      port.attempt(sequence),
    ),
  },
  actions: {
    keep: ({ context: { port } }, attempt: JudgedAttempt) => port.keep(attempt),
    moveOn: assign((_, { sequence }: JudgedAttempt) => ({ sequence })),
    cancel: assign({ cancelled: true }),
    begin: assign(({ context: { sequence } }) => ({ sequence: { ...sequence, dueAt: null } })),
  },
  guards: {
    isDue: ({ context }) => context.sequence.dueAt === null,
    isTriedAgain: ({ context }, result: RunResult) => dueAfter(context, result) !== null,
  },
  delays: {
    untilRetry: ({ context }) => waitMs(context),
  },
}).createMachine({
  id: 'attempts',
  context: ({ input }) => ({ ...input, cancelled: false }),
  initial: 'planning',
  states: {
    /** A first attempt is made at once; after a restart a wait goes on. */
    planning: {
      always: [{ guard: 'isDue', target: 'attempting' }, { target: 'backingOff' }],
    },
    attempting: {
      entry: 'begin',
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
          {
            target: 'settled',
            actions: [
              { type: 'keep', params: judged },
              { type: 'moveOn', params: judged },
            ],
          },
        ],
      },
      // The attempt under way is the last.
      on: { CANCEL: { actions: 'cancel' } },
    },
    /** Waits for the next attempt. */
    backingOff: {
      after: { untilRetry: 'attempting' },
      on: { CANCEL: 'cancelled' },
    },
    /** Its FINAL result is there. */
    settled: { type: 'final' },
    /** Ended while it waited: its last result was an ATTEMPT. */
    cancelled: { type: 'final' },
  },
});

interface AttemptOver {
  context: AttemptsContext;
  event: { output: RunResult };
}

/** When the attempt after this one is due, epoch ms; null where there is none. */
function dueAfter(context: AttemptsContext, result: RunResult): number | null {
  if (context.cancelled) return null;
  const { attempts, firstStartedAt } = context.sequence;
  return retryAt(context.strategy, {
    attempts,
    hasFailures: result.hasFailures,
    cause: result.failure?.cause ?? null,
    firstStartedAt: firstStartedAt ?? result.startedAt,
    stoppedAt: result.stoppedAt,
  });
}

/** The attempt that is over, with what follows from it. */
function judged({ context, event }: AttemptOver): JudgedAttempt {
  const result = event.output;
  const { sequence, port } = context;
  const { location, attempts } = sequence;
  const dueAt = dueAfter(context, result);
  const firstStartedAt = sequence.firstStartedAt ?? result.startedAt;
  const after =
    dueAt === null
      ? { ...sequence, firstStartedAt, settled: true }
      : {
          ...sequence,
          firstStartedAt,
          dueAt,
          attempts: attempts + 1,
          location: port.nextLocation(location),
        };
  const resultType = dueAt === null ? 'FINAL' : 'ATTEMPT';
  return { result, resultType, location, attempts, sequence: after };
}

/**
 * Milliseconds until the retry that is due. A clock that was set back makes no wait longer than the
 * strategy says.
 */
function waitMs({ sequence, strategy, clock }: AttemptsContext): number {
  const longestMs = strategy === null ? 0 : backoffMs(strategy, sequence.attempts);
  const leftMs = (sequence.dueAt ?? 0) - clock.now();
  return Math.min(Math.max(0, leftMs), longestMs);
}
