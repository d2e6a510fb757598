import { and, assign, fromPromise, not, setup } from 'xstate';
import { notProvided } from '#main/platform/not-provided.ts';
import type { SkippedSlots } from '#main/store/history/history.ts';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { isTooLate } from '#shared/checks/schedule.ts';
import {
  type CheckContext,
  type CheckEvent,
  type CheckInput,
  type CheckRunInput,
  contextOf,
  type FollowedRun,
  type RunOutcome,
} from './check-context.ts';
import {
  firstSlot,
  isTakenUp,
  lastSlotAfterEdit,
  losesSlots,
  lostInRun,
  lostInWait,
  overlapped,
  overloaded,
  paused,
  runOf,
  scheduledSlot,
  sleptThrough,
  slotsMissed,
  slotTaken,
  stateOfBegin,
  stateOfEdit,
  wasInterrupted,
} from './check-slots.ts';
import type { CheckState } from './persisted-state.ts';

/**
 * When a check runs. The machine waits for the next slot, starts its run, and waits again: a check
 * never has two runs at once, and a slot that was skipped is not made up for. Runs that sessions order
 * come before the next slot. The `run` actor executes the run, or takes over the one that is under way.
 *
 * Most slots are run without it: `CheckActor` does what it would where nothing else happens meanwhile.
 */

type Edit = Extract<CheckEvent, { type: 'EDITED' }>;

export const checkMachine = setup({
  types: {
    context: {} as CheckContext,
    events: {} as CheckEvent,
    input: {} as CheckInput,
  },
  actors: {
    /** Executes a run up to its FINAL results and has them written, or waits for the one under way. */
    run: fromPromise<RunOutcome, { run: CheckRunInput; underWay: Promise<RunOutcome> | null }>(() =>
      notProvided('check', 'run'),
    ),
  },
  actions: {
    /** Writes how many slots were skipped. */
    countSkipped: (_, _skipped: SkippedSlots) => notProvided('check', 'countSkipped'),
    /** Hands what changed of the persisted state to the recorder. */
    remember: (_, _memory: Partial<CheckState>) => notProvided('check', 'remember'),
    /** Cancels the ordered run under way: it makes no further attempt. */
    cancelRun: (_, _run: { checkId: string }) => notProvided('check', 'cancelRun'),
    notifyCancelled: (_, { run }: { run: FollowedRun | undefined }) =>
      run?.follower.ended('cancelled'),
    planFirstRun: assign(({ context }) => ({ slot: firstSlot(context) })),
    planNextSlot: assign(({ context }) => ({ slot: scheduledSlot(context) })),
    passOver: assign((_, { toSlot }: SkippedSlots) => ({ lastSlot: toSlot })),
    applyEdit: assign(({ context }, { check }: { check: RunnableCheck }) => ({
      check,
      lastSlot: lastSlotAfterEdit(context, check),
    })),
    // What was planned before the check was deactivated is no plan of its first run.
    becomeFresh: assign({ fresh: true, slot: 0 }),
    passOverFirstRun: assign({ fresh: false }),
    queueRequest: assign(({ context }, run: FollowedRun) => ({ orders: [...context.orders, run] })),
    dropRequest: assign(({ context }, { orderId }: { orderId: string }) => ({
      orders: context.orders.filter(({ order }) => order.id !== orderId),
    })),
    takeRequest: assign(({ context: { orders } }) => ({
      ordered: orders[0] ?? null,
      orders: orders.slice(1),
    })),
    takeSlot: assign(({ context }) => slotTaken(context)),
    takeUp: assign(({ context: { interrupted } }) => ({
      ordered: null,
      keptSlot: interrupted?.slot ?? null,
    })),
    finish: assign(({ context }, { lastLocation }: RunOutcome) => ({
      lastLocation,
      underWay: null,
      interrupted: isTakenUp(context) ? null : context.interrupted,
    })),
  },
  guards: {
    isRunning: ({ context }) => context.underWay !== null,
    isRequested: ({ context }) => context.orders.length > 0,
    wasInterrupted: ({ context }) => wasInterrupted(context),
    isDeactivated: ({ context }) => !context.check.activated,
    isFresh: ({ context }) => context.fresh,
    isEarly: ({ context }) => context.clock.now() < context.slot,
    isTooLate: ({ context: { fresh, slot, clock } }) => !fresh && isTooLate(slot, clock.now()),
    /** Whether maintenance keeps a check from running now. */
    isPaused: ({ context: _ }): boolean => notProvided('check', 'isPaused'),
    /** Whether an overload skips the slot. */
    isSkippedInOverload: ({ context: _ }): boolean => notProvided('check', 'isSkippedInOverload'),
    isFirstRunPaused: and(['isFresh', 'isPaused']),
    isLetGo: and([not('isFresh'), 'isSkippedInOverload']),
    isOverlapped: ({ context }) => context.check.activated && slotsMissed(context) > 0,
    activates: (_, { check }: { check: RunnableCheck }) => check.activated,
    losesSlots: ({ context }, { check }: { check: RunnableCheck }) => losesSlots(context, check),
    isUnderWay: ({ context }, { orderId }: { orderId: string }) =>
      context.ordered?.order.id === orderId,
  },
  delays: {
    untilSlot: ({ context }) => Math.max(0, context.slot - context.clock.now()),
  },
}).createMachine({
  id: 'check',
  context: ({ input }) => contextOf(input),
  initial: 'planning',
  on: {
    CANCELLED: {
      actions: [
        {
          type: 'notifyCancelled',
          params: ({ context, event }) => ({
            run: context.orders.find(({ order }) => order.id === event.orderId),
          }),
        },
        { type: 'dropRequest', params: ({ event }) => event },
      ],
    },
  },
  states: {
    /** Chooses the next state; left at once. */
    planning: {
      always: [
        { guard: 'isRunning', target: 'running' },
        { guard: 'wasInterrupted', target: 'running', actions: 'takeUp' },
        { guard: 'isRequested', target: 'running', actions: 'takeRequest' },
        { guard: 'isDeactivated', target: 'asleep' },
        { guard: 'isFresh', target: 'waiting', actions: 'planFirstRun' },
        { target: 'waiting', actions: 'planNextSlot' },
      ],
    },
    /** The check is deactivated and has no slots. */
    asleep: {
      on: {
        EDITED: [
          {
            guard: { type: 'activates', params: ({ event }) => event },
            target: 'planning',
            actions: ['becomeFresh', ...editActions()],
          },
          { actions: [...editActions()] },
        ],
        ORDERED: {
          target: 'planning',
          actions: { type: 'queueRequest', params: ({ event }) => event },
        },
      },
    },
    /** The check waits for its next slot. */
    waiting: {
      after: {
        untilSlot: [
          // A timer may fire a hair before its time, or after the clock was set back.
          { guard: 'isEarly', target: 'planning' },
          {
            // The machine slept through the slot: it is skipped, so that a wake starts no burst of runs.
            guard: 'isTooLate',
            target: 'planning',
            actions: countingBy(sleptThrough),
          },
          {
            guard: 'isFirstRunPaused',
            target: 'planning',
            actions: ['passOverFirstRun', { type: 'remember', params: { fresh: false } }],
          },
          {
            guard: 'isPaused',
            target: 'planning',
            actions: countingBy(paused),
          },
          {
            guard: 'isLetGo',
            target: 'planning',
            actions: countingBy(overloaded),
          },
          {
            target: 'running',
            actions: [
              'takeSlot',
              { type: 'remember', params: ({ context }) => stateOfBegin(context) },
            ],
          },
        ],
      },
      on: {
        EDITED: [
          {
            // The edit came before the machine noticed that it had slept.
            guard: { type: 'losesSlots', params: ({ event }) => event },
            target: 'planning',
            actions: [...countingBy(lostInWait), ...editActions()],
          },
          { target: 'planning', actions: [...editActions()] },
        ],
        ORDERED: {
          target: 'planning',
          actions: { type: 'queueRequest', params: ({ event }) => event },
        },
        CLOCK_JUMPED: 'planning',
      },
    },
    /** A run is under way, with its retries. */
    running: {
      invoke: {
        src: 'run',
        input: ({ context }) => ({ run: runOf(context), underWay: context.underWay }),
        onDone: [
          {
            guard: 'isOverlapped',
            target: 'planning',
            actions: [
              { type: 'finish', params: ({ event }) => event.output },
              ...countingBy(overlapped),
            ],
          },
          {
            target: 'planning',
            actions: { type: 'finish', params: ({ event }) => event.output },
          },
        ],
      },
      on: {
        // The edit counts from the next slot on: the run under way keeps the check that it began with.
        EDITED: [
          {
            // Slots up to now were due by the settings before the edit.
            guard: { type: 'losesSlots', params: ({ event }) => event },
            actions: [...countingBy(lostInRun), ...editActions()],
          },
          { actions: [...editActions()] },
        ],
        ORDERED: { actions: { type: 'queueRequest', params: ({ event }) => event } },
        CANCELLED: {
          guard: { type: 'isUnderWay', params: ({ event }) => event },
          actions: { type: 'cancelRun', params: ({ context }) => ({ checkId: context.check.id }) },
        },
      },
    },
  },
});

/** The actions that count slots as skipped and continue after them. */
function countingBy(skippedBy: (context: CheckContext) => SkippedSlots) {
  const params = ({ context }: { context: CheckContext }) => skippedBy(context);
  return [
    { type: 'countSkipped', params },
    { type: 'passOver', params },
  ] as const;
}

/** The actions that apply an edit and persist the schedule that it leads to. */
function editActions() {
  return [
    { type: 'applyEdit', params: ({ event }: { event: Edit }) => event },
    {
      type: 'remember',
      params: ({ context }: { context: CheckContext }) => stateOfEdit(context),
    },
  ] as const;
}
