import { assign, setup } from 'xstate';
import type { Clock } from '#shared/clock.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { StoredTestSession } from '#shared/sessions/test-session.ts';
import {
  isPending,
  withTestCancelled,
  withTestResult,
  withTestRunEnded,
} from '#shared/sessions/test-session-rules.ts';

/**
 * One test session, from its creation to its end (contract 15.11). Its states are the statuses that
 * the API shows. It has no time-out but those of its runs, and does not outlive the process.
 */

interface TestSessionInput {
  session: StoredTestSession;
  clock: Clock;
}

type TestSessionContext = TestSessionInput;

/** `resultId` is that of the result that is pending for the check. */
export type TestSessionEvent =
  /** An attempt is over; its result is kept together with the session. */
  | { type: 'RESULT'; resultId: string; result: StoredResult }
  /** A run is over, and nothing more of it will come. */
  | { type: 'RUN_ENDED'; resultId: string }
  /** A run was given up, or its check is gone. */
  | { type: 'RUN_CANCELLED'; resultId: string }
  /** Somebody wants it no longer. */
  | { type: 'CANCEL' };

interface Subject {
  session: StoredTestSession;
}

export const testSessionMachine = setup({
  types: {
    context: {} as TestSessionContext,
    events: {} as TestSessionEvent,
    input: {} as TestSessionInput,
  },
  actions: {
    /** Has the session kept as it is now. */
    keep: (_, _subject: Subject) => notProvided('keep'),
    /** Has the runs that are pending make no further attempt. */
    cancelRuns: (_, _subject: Subject) => notProvided('cancelRuns'),
    takeResult: assign(
      ({ context }, { resultId, result }: { resultId: string; result: StoredResult }) => ({
        session: withTestResult(context.session, resultId, result),
      }),
    ),
    failRun: assign(({ context: { session, clock } }, { resultId }: { resultId: string }) => ({
      session: withTestRunEnded(session, resultId, 'FAILED', clock.now()),
    })),
    cancelRun: assign(({ context: { session, clock } }, { resultId }: { resultId: string }) => ({
      session: withTestRunEnded(session, resultId, 'CANCELLED', clock.now()),
    })),
    cancel: assign(({ context: { session, clock } }) => ({
      session: withTestCancelled(session, clock.now()),
    })),
  },
  guards: {
    isPending: ({ context }, { resultId }: { resultId: string }) =>
      isPending(context.session, resultId),
    isRunning: ({ context }) => context.session.status === 'RUNNING',
    hasPassed: ({ context }) => context.session.status === 'PASSED',
    hasFailed: ({ context }) => context.session.status === 'FAILED',
  },
}).createMachine({
  id: 'testSession',
  context: ({ input }) => ({ ...input }),
  initial: 'RUNNING',
  states: {
    /** Checks are pending. */
    RUNNING: {
      on: {
        // Not kept here: it goes into one transaction with the detail of the result.
        RESULT: {
          guard: { type: 'isPending', params: ({ event }) => event },
          target: 'judging',
          actions: { type: 'takeResult', params: ({ event }) => event },
        },
        // A run that ends without its FINAL result told too little to pass.
        RUN_ENDED: {
          guard: { type: 'isPending', params: ({ event }) => event },
          target: 'judging',
          actions: [
            { type: 'failRun', params: ({ event }) => event },
            { type: 'keep', params: ({ context }) => context },
          ],
        },
        RUN_CANCELLED: {
          guard: { type: 'isPending', params: ({ event }) => event },
          target: 'judging',
          actions: [
            { type: 'cancelRun', params: ({ event }) => event },
            { type: 'keep', params: ({ context }) => context },
          ],
        },
        CANCEL: {
          target: 'CANCELLED',
          actions: [
            { type: 'cancelRuns', params: ({ context }) => context },
            'cancel',
            { type: 'keep', params: ({ context }) => context },
          ],
        },
      },
    },
    /** Goes where the results point; left at once. */
    judging: {
      always: [
        { guard: 'isRunning', target: 'RUNNING' },
        { guard: 'hasPassed', target: 'PASSED' },
        { guard: 'hasFailed', target: 'FAILED' },
        { target: 'CANCELLED' },
      ],
    },
    /** Every check has passed. */
    PASSED: { type: 'final' },
    /** Every check is over; one has failed, or told nothing. */
    FAILED: { type: 'final' },
    /** Somebody cancelled it, or checks were given up and none has failed. */
    CANCELLED: { type: 'final' },
  },
});

function notProvided(port: string): never {
  throw new Error(`The port ${port} of the test session machine is not provided.`);
}
