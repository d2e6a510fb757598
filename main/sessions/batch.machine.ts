import { assign, setup } from 'xstate';

/**
 * Runs that one trigger asked for: started in their order, only so many under way at a time (2.6
 * `concurrency`). A member is under way from its start to its end; one that ends before its turn,
 * because it was cancelled, is passed over. The machine counts; which member is next is known to
 * whoever starts it (batch.ts), for a batch may have thousands.
 */

export interface BatchInput {
  /** At least 1. */
  concurrency: number;
  /** How many members wait for their start. */
  waiting: number;
  /** How many were under way before a restart, and still are. */
  underWay: number;
}

type BatchContext = BatchInput;

export type BatchEvent =
  /** A member that was under way is over. */
  | { type: 'MEMBER_ENDED' }
  /** A member that waited is over. */
  | { type: 'MEMBER_LEFT' };

export const batchMachine = setup({
  types: {
    context: {} as BatchContext,
    events: {} as BatchEvent,
    input: {} as BatchInput,
  },
  actions: {
    /** Has the next so many members start, in their order. */
    start: (_, _members: { count: number }) => notProvided('start'),
    takeNext: assign(({ context: { waiting, underWay } }, { count }: { count: number }) => ({
      waiting: waiting - count,
      underWay: underWay + count,
    })),
    takeEnd: assign(({ context }) => ({ underWay: context.underWay - 1 })),
    takeLeave: assign(({ context }) => ({ waiting: context.waiting - 1 })),
  },
  guards: {
    isOver: ({ context: { waiting, underWay } }) => waiting === 0 && underWay === 0,
    isLastUnderWay: ({ context }) => context.waiting === 0,
    isFull: ({ context: { concurrency, underWay } }) => underWay >= concurrency,
  },
}).createMachine({
  id: 'batch',
  context: ({ input }) => ({ ...input }),
  initial: 'filling',
  on: {
    MEMBER_ENDED: { target: '.filling', actions: 'takeEnd' },
    MEMBER_LEFT: { target: '.filling', actions: 'takeLeave' },
  },
  states: {
    /** Starts as many as there is room for; left at once. */
    filling: {
      always: [
        { guard: 'isOver', target: 'done' },
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
    /** Every member is over. */
    done: { type: 'final' },
  },
});

function notProvided(port: string): never {
  throw new Error(`The port ${port} of the batch machine is not provided.`);
}

function next({ concurrency, underWay, waiting }: BatchContext): { count: number } {
  return { count: Math.min(waiting, concurrency - underWay) };
}
