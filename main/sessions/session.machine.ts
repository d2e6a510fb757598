import { assign, setup } from 'xstate';
import type { StartedRun } from '#main/monitoring/check-runs-port.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import type { StoredSession } from '#shared/sessions/check-session.ts';
import { withEnd, withResult, withRun } from '#shared/sessions/session-rules.ts';

/**
 * One check session, from its creation to its end (specification 3). Its states are the statuses
 * that the API shows; what a result does to the status is a rule (shared/rules/session.ts), and the
 * machine goes where the rule says. An end is final: nothing moves a session that is over.
 */

interface SessionInput {
  /** A new session, or one from before a restart, that is not over. */
  session: StoredSession;
  clock: Clock;
}

type SessionContext = SessionInput;

export type SessionEvent =
  /** The run begins; after a restart, again. */
  | { type: 'RUN_STARTED'; run: StartedRun }
  /** A result is there, which is kept together with the session. */
  | { type: 'RESULT'; result: StoredResult }
  /** The run is over, and nothing more will come. */
  | { type: 'RUN_ENDED' }
  /** Somebody wants it no longer. */
  | { type: 'CANCEL' }
  /** The check is gone, or never was there. */
  | { type: 'CHECK_DELETED' };

interface Subject {
  session: StoredSession;
}

export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as SessionInput,
  },
  actions: {
    /** Has the session kept as it is now. */
    keep: (_, _subject: Subject) => notProvided('keep'),
    /** Has the run make no further attempt. */
    cancelRun: (_, _subject: Subject) => notProvided('cancelRun'),
    takeRun: assign(({ context }, { run }: { run: StartedRun }) => ({
      session: withRun(context.session, run),
    })),
    takeResult: assign(({ context }, { result }: { result: StoredResult }) => ({
      session: withResult(context.session, result),
    })),
    fail: assign(({ context: { session, clock } }) => ({
      session: withEnd(session, 'FAILED', clock.now()),
    })),
    timeOut: assign(({ context: { session, clock } }) => ({
      session: withEnd(session, 'TIMED_OUT', clock.now()),
    })),
    cancel: assign(({ context: { session, clock } }) => ({
      session: withEnd(session, 'CANCELLED', clock.now()),
    })),
  },
  guards: {
    isWaiting: ({ context }) => context.session.status === 'STARTED',
    isEarly: ({ context }) => untilDeadlineMs(context) > 0,
    isOverdue: ({ context }) => untilDeadlineMs(context) <= 0,
    isFailing: ({ context }) => context.session.status === 'PROGRESS_FAILED',
    isDegrading: ({ context }) => context.session.status === 'PROGRESS_DEGRADED',
    hasPassed: ({ context }) => context.session.status === 'PASSED',
    isDegraded: ({ context }) => context.session.status === 'DEGRADED',
    hasFailed: ({ context }) => context.session.status === 'FAILED',
  },
  delays: {
    untilDeadline: ({ context }) => Math.max(0, untilDeadlineMs(context)),
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({ ...input }),
  initial: 'resuming',
  on: {
    CANCEL: {
      target: '.CANCELLED',
      actions: [
        'cancel',
        { type: 'keep', params: ({ context }) => context },
        { type: 'cancelRun', params: ({ context }) => context },
      ],
    },
    CHECK_DELETED: {
      target: '.CANCELLED',
      actions: ['cancel', { type: 'keep', params: ({ context }) => context }],
    },
    // A run that ends before all its results are there told too little to pass.
    RUN_ENDED: {
      target: '.FAILED',
      actions: ['fail', { type: 'keep', params: ({ context }) => context }],
    },
  },
  states: {
    /** Goes where the session stands; left at once. */
    resuming: {
      always: [
        { guard: 'isWaiting', target: 'STARTED' },
        {
          guard: 'isOverdue',
          target: 'TIMED_OUT',
          actions: [
            'timeOut',
            { type: 'keep', params: ({ context }) => context },
            { type: 'cancelRun', params: ({ context }) => context },
          ],
        },
        { target: 'underWay' },
      ],
    },
    /** Created; no run has begun. Waits without a deadline. */
    STARTED: {
      on: {
        RUN_STARTED: {
          target: 'underWay',
          actions: [
            { type: 'takeRun', params: ({ event }) => event },
            { type: 'keep', params: ({ context }) => context },
          ],
        },
      },
    },
    /** A run has begun. Its time counts from there, also over a restart. */
    underWay: {
      initial: 'judging',
      after: {
        untilDeadline: [
          // A timer may fire a hair before its time, or after the clock was set back.
          { guard: 'isEarly', target: 'underWay', reenter: true },
          {
            target: 'TIMED_OUT',
            actions: [
              'timeOut',
              { type: 'keep', params: ({ context }) => context },
              { type: 'cancelRun', params: ({ context }) => context },
            ],
          },
        ],
      },
      on: {
        RUN_STARTED: {
          target: '.judging',
          actions: [
            { type: 'takeRun', params: ({ event }) => event },
            { type: 'keep', params: ({ context }) => context },
          ],
        },
        // Not kept here: it goes into one transaction with the result.
        RESULT: {
          target: '.judging',
          actions: { type: 'takeResult', params: ({ event }) => event },
        },
      },
      states: {
        /** Goes where the results point; left at once. */
        judging: {
          always: [
            { guard: 'hasFailed', target: '#session.FAILED' },
            { guard: 'isDegraded', target: '#session.DEGRADED' },
            { guard: 'hasPassed', target: '#session.PASSED' },
            { guard: 'isFailing', target: 'PROGRESS_FAILED' },
            { guard: 'isDegrading', target: 'PROGRESS_DEGRADED' },
            { target: 'PROGRESS' },
          ],
        },
        /** No FINAL result is bad so far. */
        PROGRESS: {},
        /** A FINAL result is degraded, none is bad. */
        PROGRESS_DEGRADED: {},
        /** A FINAL result is bad. */
        PROGRESS_FAILED: {},
      },
    },
    /** Every location has its FINAL result, and all are well. */
    PASSED: { type: 'final' },
    /** Every location has its FINAL result; the worst is degraded. */
    DEGRADED: { type: 'final' },
    /** Every location has its FINAL result; one is bad. Or the run ended without them. */
    FAILED: { type: 'final' },
    /** The run took longer than all its attempts and waits can. */
    TIMED_OUT: { type: 'final' },
    /** Somebody cancelled it, or its check is gone. */
    CANCELLED: { type: 'final' },
  },
});

function notProvided(port: string): never {
  throw new Error(`The port ${port} of the session machine is not provided.`);
}

function untilDeadlineMs({ session, clock }: SessionContext): number {
  return (session.deadlineAt ?? Number.POSITIVE_INFINITY) - clock.now();
}
