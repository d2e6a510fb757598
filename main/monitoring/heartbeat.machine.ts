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

/** How often a heartbeat looks whether maintenance is over, or the appliance online again. */
const LOOK_MS = 10_000;

export const heartbeatMachine = setup({
  types: {
    context: {} as HeartbeatContext,
    events: {} as HeartbeatEvent,
    input: {} as HeartbeatInput,
  },
  actions: {
    /** Writes a ping and answers its sender. */
    recordPing: (_, _ping: { fact: HeartbeatRecord; reply: PingEvent['reply'] }) =>
      notProvided('heartbeat', 'recordPing'),
    /** Asks the connectivity monitor, before a miss is recorded, whether the appliance is online. */
    raiseDoubt: (_, _subject: { checkId: string }) => notProvided('heartbeat', 'raiseDoubt'),
    /** Writes a missed deadline. */
    recordMiss: (_, _fact: HeartbeatRecord) => notProvided('heartbeat', 'recordMiss'),
    /** Writes a gap, one for a whole time in which no ping could be missed. */
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
    /** The check is deactivated: pings are written, and none can be missed. */
    deactivated: {},
    /** No ping has come yet, so none can be missed. */
    unstarted: {},
    started: {
      initial: 'judging',
      on: {
        // As after a restart, a ping may have come while the machine slept.
        CLOCK_JUMPED: [
          {
            guard: 'mayHaveSleptThroughPing',
            target: '.expecting',
            actions: [{ type: 'recordGap', params: gapAsleep }, 'restartTimer'],
          },
          { target: '.judging' },
        ],
        // A ping may come before the timer that notices the wake.
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
              // Maintenance is over by now, and the ping was expected while it lasted.
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
