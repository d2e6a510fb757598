import { assign, setup } from 'xstate';

/**
 * Runs that somebody asked for: started in their order, only so many under way at a time (2.6
 * `concurrency`). A member is under way from its start until its run makes no further attempt; one
 * that is over before its turn, because it was cancelled, is passed over. The machine counts; which
 * member is next is known to whoever starts it (batch.ts), for there may be thousands.
 */

interface RunQueueInput {
  /** At least 1. */
  concurrency: number;
}

interface RunQueueContext extends RunQueueInput {
  /** How many members wait for their start, and how many are under way. */
  waiting: number;
  underWay: number;
}

type RunQueueEvent =
  /** More members, after those that wait; all start by this concurrency from now on. */
  | ({ type: 'MEMBERS_JOINED' } & RunQueueContext)
  /** A member that waited is over. */
  | { type: 'MEMBER_LEFT' }
  /** The run of a member is over. */
  | { type: 'MEMBER_ENDED' };

export const runQueueMachine = setup({
  types: {
    context: {} as RunQueueContext,
    events: {} as RunQueueEvent,
    input: {} as RunQueueInput,
  },
  actions: {
    /** Has the next so many members start, in their order. */
    start: (_, _members: { count: number }) => notProvided('start'),
    takeNext: assign(({ context: { waiting, underWay } }, { count }: { count: number }) => ({
      waiting: waiting - count,
      underWay: underWay + count,
    })),
    takeMembers: assign(({ context }, joined: RunQueueContext) => ({
      concurrency: joined.concurrency,
      waiting: context.waiting + joined.waiting,
      underWay: context.underWay + joined.underWay,
    })),
    takeLeave: assign(({ context }) => ({ waiting: context.waiting - 1 })),
    takeEnd: assign(({ context }) => ({ underWay: context.underWay - 1 })),
  },
  guards: {
    isEmpty: ({ context: { waiting, underWay } }) => waiting === 0 && underWay === 0,
    isLastUnderWay: ({ context }) => context.waiting === 0,
    isFull: ({ context: { concurrency, underWay } }) => underWay >= concurrency,
  },
}).createMachine({
  id: 'batch',
  context: ({ input: { concurrency } }) => ({ concurrency, waiting: 0, underWay: 0 }),
  initial: 'empty',
  on: {
    MEMBERS_JOINED: {
      target: '.filling',
      actions: { type: 'takeMembers', params: ({ event }) => event },
    },
    MEMBER_LEFT: { target: '.filling', actions: 'takeLeave' },
    MEMBER_ENDED: { target: '.filling', actions: 'takeEnd' },
  },
  states: {
    /** Every member is over, or none has joined. */
    empty: {},
    /** Starts as many as there is room for; left at once. */
    filling: {
      always: [
        { guard: 'isEmpty', target: 'empty' },
        { guard: 'isLastUnderWay', target: 'draining' },
        { guard: 'isFull', target: 'full' },
        {
          target: 'filling',
          reenter: true,
          actions: [
            { type: 'start', params: ({ context }) => next(context) },
            { type: 'takeNext', params: ({ context }) => next(context) },
          ],
        },
      ],
    },
    /** As many are under way as may be; the others wait. */
    full: {},
    /** The last ones are under way; none waits. */
    draining: {},
  },
});

function notProvided(port: string): never {
  throw new Error(`The port ${port} of the batch machine is not provided.`);
}

function next({ concurrency, underWay, waiting }: RunQueueContext): { count: number } {
  return { count: Math.min(waiting, concurrency - underWay) };
}
