import { assign, fromPromise, setup } from 'xstate';
import type { RunnableCheck } from '#shared/check/check.ts';
import type { Clock } from '#shared/clock.ts';
import {
  FIRST_RUN_WITHIN_MS,
  firstRunDelay,
  nextSlot,
  scheduleOf,
  slotsBetween,
} from '#shared/rules/schedule.ts';
import type { SkippedSlots } from '../store/history.ts';

/**
 * When a check runs. The machine sleeps until the next slot, has it run, and waits again: never two
 * runs at once, no slot made up for later. What a run does stands behind the `runSlot` actor.
 */

/** What the machine keeps with every run, so that a restart goes on where it was. */
export interface CheckMemory {
  /** The last slot that was run or given up, epoch ms. */
  lastSlot: number | null;
  /** The location used last: round robin goes on from the one after it. */
  lastLocation: string | null;
}

export interface CheckInput {
  check: RunnableCheck;
  clock: Clock;
  memory: CheckMemory;
  /** Whether the check is new or just activated: its first run comes soon. */
  fresh: boolean;
}

interface CheckContext extends CheckMemory {
  check: RunnableCheck;
  clock: Clock;
  /** The slot that is awaited or being run, epoch ms. */
  slot: number;
  /** Whether `slot` is the first run after creation or activation, which is off the schedule. */
  fresh: boolean;
}

export type CheckEvent = { type: 'EDITED'; check: RunnableCheck };

/** One slot to be run. */
export interface SlotRun {
  check: RunnableCheck;
  slot: number;
  lastLocation: string | null;
}

export const checkMachine = setup({
  types: {
    context: {} as CheckContext,
    events: {} as CheckEvent,
    input: {} as CheckInput,
  },
  actors: {
    /** Runs a slot to its FINAL results, has them kept, and answers the location used last. */
    runSlot: fromPromise<{ lastLocation: string }, SlotRun>(() => notProvided('runSlot')),
  },
  actions: {
    /** Has slots counted that no run was made for. */
    countSkipped: (_, _skipped: SkippedSlots) => notProvided('countSkipped'),
    planFirstRun: assign(({ context }) => ({ slot: firstSlot(context), fresh: true })),
    planNextSlot: assign(({ context }) => ({
      slot: nextSlot(scheduleOf(context.check), context.clock.now()),
      fresh: false,
    })),
    takeEdit: assign(({ event }) => ({ check: event.check })),
    rememberLocation: assign((_, done: { lastLocation: string }) => done),
  },
  guards: {
    isActivated: ({ context }) => context.check.activated,
    editActivates: ({ event }) => event.check.activated,
    editDeactivates: ({ event }) => !event.check.activated,
    isFresh: ({ context }) => context.fresh,
    isEarly: ({ context }) => context.clock.now() < context.slot,
    isMissed: ({ context }) => !context.fresh && slotsSince(context) > 0,
    isOverlapped: ({ context }) => context.check.activated && slotsSince(context) > 0,
  },
  delays: {
    untilSlot: ({ context }) => Math.max(0, context.slot - context.clock.now()),
  },
}).createMachine({
  id: 'check',
  context: ({ input }) => ({
    check: input.check,
    clock: input.clock,
    ...input.memory,
    slot: 0,
    fresh: input.fresh,
  }),
  initial: 'planning',
  states: {
    asleep: {
      on: {
        EDITED: [
          {
            guard: 'editActivates',
            target: 'waiting',
            actions: ['takeEdit', 'planFirstRun'],
          },
          { actions: 'takeEdit' },
        ],
      },
    },
    planning: {
      always: [
        { guard: ({ context }) => !context.check.activated, target: 'asleep' },
        { guard: 'isFresh', target: 'waiting', actions: 'planFirstRun' },
        { target: 'waiting', actions: 'planNextSlot' },
      ],
    },
    waiting: {
      after: {
        untilSlot: [
          // A timer may fire a hair before its time, or after the clock was set back.
          { guard: 'isEarly', target: 'waiting', reenter: true },
          {
            // The machine slept through the slot and at least the next one: no late run, no burst.
            guard: 'isMissed',
            target: 'planning',
            actions: [
              { type: 'countSkipped', params: ({ context }) => skippedSince(context, 'asleep') },
              assign(({ context }) => ({ lastSlot: context.slot, fresh: false })),
            ],
          },
          { target: 'running' },
        ],
      },
      on: {
        EDITED: [
          { guard: 'editDeactivates', target: 'asleep', actions: 'takeEdit' },
          { guard: 'isFresh', actions: 'takeEdit' },
          { target: 'planning', actions: 'takeEdit' },
        ],
      },
    },
    running: {
      entry: assign(({ context }) => ({ lastSlot: context.slot, fresh: false })),
      invoke: {
        src: 'runSlot',
        input: ({ context: { check, slot, lastLocation } }) => ({ check, slot, lastLocation }),
        onDone: [
          {
            guard: 'isOverlapped',
            target: 'planning',
            actions: [
              { type: 'rememberLocation', params: ({ event }) => event.output },
              { type: 'countSkipped', params: ({ context }) => skippedSince(context, 'overlap') },
            ],
          },
          {
            guard: 'isActivated',
            target: 'waiting',
            actions: [
              { type: 'rememberLocation', params: ({ event }) => event.output },
              'planNextSlot',
            ],
          },
          {
            target: 'asleep',
            actions: { type: 'rememberLocation', params: ({ event }) => event.output },
          },
        ],
      },
      // Takes effect at the next slot: the run in flight keeps the check it began with.
      on: { EDITED: { actions: 'takeEdit' } },
    },
  },
});

function notProvided(port: string): never {
  throw new Error(`The port ${port} of the check machine is not provided.`);
}

/** The first run comes soon; a slot that comes as soon serves as well. */
function firstSlot({ check, clock }: CheckContext): number {
  const now = clock.now();
  const scheduled = nextSlot(scheduleOf(check), now);
  return scheduled - now <= FIRST_RUN_WITHIN_MS ? scheduled : now + firstRunDelay(check.id);
}

/** Slots of the schedule after the context's own that have passed by now. */
function slotsSince({ check, slot, clock }: CheckContext): number {
  return slotsBetween(scheduleOf(check), slot, clock.now());
}

/** The slots that passed: with the awaited one itself where the machine slept through it. */
function skippedSince(context: CheckContext, reason: 'asleep' | 'overlap'): SkippedSlots {
  const { check, slot, clock } = context;
  const schedule = scheduleOf(check);
  const now = clock.now();
  return {
    checkId: check.id,
    fromSlot: reason === 'asleep' ? slot : nextSlot(schedule, slot),
    toSlot: nextSlot(schedule, now) - schedule.periodMs,
    count: slotsSince(context) + (reason === 'asleep' ? 1 : 0),
    reason,
  };
}
