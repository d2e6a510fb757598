import { assign, setup } from 'xstate';
import { notProvided } from '#main/platform/not-provided.ts';
import type { SkippedSlots } from '#main/store/history/history.ts';
import type { HeartbeatCheck } from '#shared/checks/check.ts';
import { deadlineAt, expectedAt, LATE_WINDOW_MS } from '#shared/checks/heartbeat-rules.ts';
import type {
  HeartbeatContext,
  HeartbeatEvent,
  HeartbeatInput,
  HeartbeatPersistedState,
  HeartbeatRecord,
  PingEvent,
} from './heartbeat-context.ts';
import {
  acceptedPing,
  gapAsleep,
  gapOffline,
  gapPaused,
  missRecord,
  now,
  thisMoment,
  timerAfterEdit,
  timerAtPing,
  timerOf,
  verdictOf,
  whenExpected,
  whileExpected,
} from './heartbeat-records.ts';

/**
 * Waits for the pings of one heartbeat check. The timer starts at the first ping;
 * every ping and every missed deadline resets it. A miss is recorded a moment after its deadline,
 * so that a ping on its way still counts as LATE. A deadline is no miss where the machine slept through it, in
 * maintenance, or while the monitor was offline: the timer starts again when that is over.
 */

/** How often a heartbeat looks whether the maintenance is over that it waits for, or the monitor online again. */
const LOOK_MS = 10_000;

export const heartbeatMachine = setup({
  types: {
    context: {} as HeartbeatContext,
    events: {} as HeartbeatEvent,
    input: {} as HeartbeatInput,
  },
  actions: {
    /** Has a ping written and answers it. */
    recordPing: (_, _ping: { fact: HeartbeatRecord; reply: PingEvent['reply'] }) =>
      notProvided('heartbeat', 'recordPing'),
    /** A miss is about to be recorded: asks whether the monitor is online. */
    raiseDoubt: (_, _subject: { checkId: string }) => notProvided('heartbeat', 'raiseDoubt'),
    /** Has a missed deadline written. */
    recordMiss: (_, _fact: HeartbeatRecord) => notProvided('heartbeat', 'recordMiss'),
    /** Has a time counted in which no ping could be missed: one gap, however many periods it was. */
    recordGap: (_, _gap: SkippedSlots) => notProvided('heartbeat', 'recordGap'),
    resetTimer: assign((_, memory: HeartbeatPersistedState) => memory),
    restartTimer: assign(({ context }) => ({ lastResetAt: context.clock.now() })),
    applyEdit: assign((_, edit: { check: HeartbeatCheck }) => edit),
  },
  delays: {
    untilDeadline: ({ context }) => deadlineAt(timerOf(context)) - context.clock.now(),
    untilNextLook: LOOK_MS,
    untilMiss: ({ context }) => deadlineAt(timerOf(context)) + LATE_WINDOW_MS - context.clock.now(),
  },
  guards: {
    isDeactivated: ({ context }) => !context.check.activated,
    hasStarted: ({ context }) => context.lastResetAt !== null,
    wasClockSetBack: ({ context }) => verdictOf(context) === 'SET_BACK',
    isBeforeDeadline: ({ context }) => verdictOf(context) === 'WAITING',
    mayPingBeOnItsWay: ({ context }) => verdictOf(context) === 'OVERDUE',
    mayHaveSleptThroughPing: ({ context }) => expectedAt(timerOf(context)) < context.clock.now(),
    /** Whether maintenance paused the check at a moment, epoch ms. */
    isPaused: (_, _moment: { check: HeartbeatCheck; at: number }): boolean =>
      notProvided('heartbeat', 'isPaused'),
    /** Whether the monitor was offline at any moment of a time, epoch ms. */
    isUnseen: (_, _time: { from: number; to: number }): boolean =>
      notProvided('heartbeat', 'isUnseen'),
    sleptThroughDeadline: ({ context }) => verdictOf(context) === 'ASLEEP',
  },
}).createMachine({
  id: 'heartbeat',
  context: ({ input: { check, clock, memory } }) => ({ check, clock, ...memory }),
  initial: 'planning',
  on: {
    EDITED: {
      target: '.planning',
      actions: [
        {
          type: 'resetTimer',
          params: ({ context, event }) => timerAfterEdit(context, event.check),
        },
        { type: 'applyEdit', params: ({ event: { check } }) => ({ check }) },
      ],
    },
    PING: {
      target: '.planning',
      actions: [...pingActions()],
    },
  },
  states: {
    planning: {
      always: [
        { guard: 'isDeactivated', target: 'deactivated' },
        { guard: 'hasStarted', target: 'started' },
        { target: 'unstarted' },
      ],
    },
    /** Pings are kept, nothing is judged. */
    deactivated: {},
    /** Nothing can fail before the first ping. */
    unstarted: {},
    started: {
      initial: 'judging',
      on: {
        // As after a restart: a ping may have come while nobody listened.
        CLOCK_JUMPED: [
          {
            guard: 'mayHaveSleptThroughPing',
            target: '.expecting',
            actions: [{ type: 'recordGap', params: gapAsleep }, 'restartTimer'],
          },
          { target: '.judging' },
        ],
        // The wake may be noticed by a ping, before the timer that slept as well.
        PING: {
          guard: 'sleptThroughDeadline',
          target: 'planning',
          actions: [{ type: 'recordGap', params: gapAsleep }, 'restartTimer', ...pingActions()],
        },
      },
      states: {
        /** A timer may fire late, or after the clock was set: only the clock says what is due. */
        judging: {
          always: [
            { guard: 'wasClockSetBack', target: 'expecting', actions: 'restartTimer' },
            { guard: 'isBeforeDeadline', target: 'expecting' },
            { guard: 'mayPingBeOnItsWay', target: 'overdue' },
            {
              guard: 'sleptThroughDeadline',
              target: 'expecting',
              actions: [{ type: 'recordGap', params: gapAsleep }, 'restartTimer'],
            },
            { guard: { type: 'isPaused', params: now }, target: 'paused' },
            {
              // Over by now, and the ping was expected while it lasted.
              guard: { type: 'isPaused', params: whenExpected },
              target: 'expecting',
              actions: [{ type: 'recordGap', params: gapPaused }, 'restartTimer'],
            },
            { guard: { type: 'isUnseen', params: thisMoment }, target: 'unseen' },
            {
              guard: { type: 'isUnseen', params: whileExpected },
              target: 'expecting',
              actions: [{ type: 'recordGap', params: gapOffline }, 'restartTimer'],
            },
            {
              target: 'expecting',
              actions: [
                { type: 'recordMiss', params: ({ context }) => missRecord(context) },
                {
                  type: 'resetTimer',
                  params: ({ context }) => ({ lastResetAt: deadlineAt(timerOf(context)) }),
                },
              ],
            },
          ],
        },
        expecting: { after: { untilDeadline: 'judging' } },
        /** In maintenance, and the deadline passed: nothing is expected until that is over. */
        paused: {
          on: {
            PING: {
              target: '#heartbeat.planning',
              actions: [...pingActions()],
            },
          },
          after: {
            untilNextLook: [
              { guard: { type: 'isPaused', params: now }, target: 'paused', reenter: true },
              {
                target: 'expecting',
                actions: [{ type: 'recordGap', params: gapPaused }, 'restartTimer'],
              },
            ],
          },
        },
        /** The monitor is offline, and the deadline passed: a ping that could not arrive is not missed. */
        unseen: {
          on: {
            PING: {
              target: '#heartbeat.planning',
              actions: [...pingActions()],
            },
          },
          after: {
            untilNextLook: [
              { guard: { type: 'isUnseen', params: thisMoment }, target: 'unseen', reenter: true },
              {
                target: 'expecting',
                actions: [{ type: 'recordGap', params: gapOffline }, 'restartTimer'],
              },
            ],
          },
        },
        /** The deadline passed; a ping on its way is LATE until the miss is recorded. */
        overdue: {
          entry: { type: 'raiseDoubt', params: ({ context }) => ({ checkId: context.check.id }) },
          after: { untilMiss: 'judging' },
        },
      },
    },
  },
});

/** The actions that keep a ping and start the timer again. */
function pingActions() {
  return [
    { type: 'recordPing', params: acceptedPing },
    { type: 'resetTimer', params: timerAtPing },
  ] as const;
}
