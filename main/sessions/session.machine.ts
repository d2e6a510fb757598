import { assign, setup } from 'xstate';
import type { RunFollower, StartedRun } from '#main/monitoring/check-runs-port.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredResult } from '#shared/results/check-result.ts';

/** What happens to a session; `runId` names one of its runs. */
export type SessionEvent =
  /** A run begins; after a restart, again. */
  | { type: 'RUN_STARTED'; runId: string; run: StartedRun }
  /** An attempt is over; its result is written together with the session. */
  | { type: 'RESULT'; runId: string; result: StoredResult }
  /** A run is over: no further result of it comes. */
  | { type: 'RUN_ENDED'; runId: string; how: RunEnd }
  /** The session is cancelled. */
  | { type: 'CANCEL' };

export type RunEnd = Parameters<RunFollower['ended']>[0];

/**
 * The rules of one kind of session: each event gives the session after it, or the same object where
 * nothing changes. A session that is over never changes.
 */
export interface SessionRules<S> {
  hasEnded(session: S): boolean;
  /** Epoch ms; null while its time does not run. */
  deadlineOf(session: S): number | null;
  withRun(session: S, run: StartedRun): S;
  withResult(session: S, runId: string, result: StoredResult): S;
  withRunEnded(session: S, runId: string, how: RunEnd, at: number): S;
  withCancelled(session: S, at: number): S;
  withTimeout(session: S, at: number): S;
}

export interface SessionPorts<S> {
  rules: SessionRules<S>;
  clock: Clock;
  /** Writes the session as it is now. */
  write(session: S): void;
  /** Cancels the runs that the session still waits for. */
  cancelRuns(session: S): void;
}

/**
 * The machine of a session, from its creation to its end: one run of one check, or of each of many.
 * What an event does to the session is a rule of its kind; the machine keeps its time and says what
 * is written and which runs are cancelled.
 */
export function createSessionMachine<S>({ rules, clock, write, cancelRuns }: SessionPorts<S>) {
  const afterEvent = (session: S, event: SessionEvent): S => {
    switch (event.type) {
      case 'RUN_STARTED':
        return rules.withRun(session, event.run);
      case 'RESULT':
        return rules.withResult(session, event.runId, event.result);
      case 'RUN_ENDED':
        return rules.withRunEnded(session, event.runId, event.how, clock.now());
      case 'CANCEL':
        return rules.withCancelled(session, clock.now());
    }
  };
  const untilDeadlineMs = (session: S) =>
    (rules.deadlineOf(session) ?? Number.POSITIVE_INFINITY) - clock.now();

  return setup({
    types: {
      context: {} as { session: S },
      events: {} as SessionEvent,
      input: {} as { session: S },
    },
    actions: {
      change: assign(({ context, event }) => ({ session: afterEvent(context.session, event) })),
      timeOut: assign(({ context: { session } }) => ({
        session: rules.withTimeout(session, clock.now()),
      })),
      write: ({ context }) => write(context.session),
      cancelRuns: ({ context }) => cancelRuns(context.session),
    },
    guards: {
      changes: ({ context: { session }, event }) => afterEvent(session, event) !== session,
      isOver: ({ context }) => rules.hasEnded(context.session),
      isOverdue: ({ context }) => untilDeadlineMs(context.session) <= 0,
      hasDeadline: ({ context }) => rules.deadlineOf(context.session) !== null,
    },
    delays: { untilDeadline: ({ context }) => Math.max(0, untilDeadlineMs(context.session)) },
  }).createMachine({
    id: 'session',
    context: ({ input }) => ({ ...input }),
    initial: 'judging',
    on: {
      RUN_STARTED: { guard: 'changes', target: '.judging', actions: ['change', 'write'] },
      // The recorder writes the session, in one transaction with the result.
      RESULT: { guard: 'changes', target: '.judging', actions: 'change' },
      RUN_ENDED: { guard: 'changes', target: '.judging', actions: ['change', 'write'] },
      CANCEL: { target: '.judging', actions: ['cancelRuns', 'change', 'write'] },
    },
    states: {
      /** Chooses the state by the session, also after a restart; left at once. */
      judging: {
        always: [
          { guard: 'isOver', target: 'over' },
          { guard: 'isOverdue', target: 'over', actions: ['cancelRuns', 'timeOut', 'write'] },
          { guard: 'hasDeadline', target: 'timed' },
          { target: 'untimed' },
        ],
      },
      /** There is no deadline yet: no run has begun, or sessions of this kind have none. */
      untimed: {},
      /** A run has begun: the deadline counts from there, also across a restart. */
      timed: {
        // A timer may fire a hair before its time, or after the clock was set back.
        after: { untilDeadline: 'judging' },
      },
      /** An end is final: nothing changes a session that is over. */
      over: { type: 'final' },
    },
  });
}
