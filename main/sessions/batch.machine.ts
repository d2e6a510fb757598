import { assign, setup } from 'xstate';

/**
 * Runs that one trigger asked for: started in their order, only so many under way at a time (2.6
 * `concurrency`). A member is under way from its start to its end; one that ends before its turn,
 * because it was cancelled, is passed over.
 */

export interface BatchInput {
  /** At least 1. */
  concurrency: number;
  /** Ids of members, in the order in which they start. */
  waiting: readonly string[];
  /** Ids of members that were under way before a restart, and still are. */
  underWay: readonly string[];
}

interface BatchContext extends Omit<BatchInput, 'underWay'> {
  underWay: ReadonlySet<string>;
}

export type BatchEvent = { type: 'MEMBER_ENDED'; id: string };

interface Members {
  ids: readonly string[];
}

export const batchMachine = setup({
  types: {
    context: {} as BatchContext,
    events: {} as BatchEvent,
    input: {} as BatchInput,
  },
  actions: {
    /** Has members start, in this order. */
    start: (_, _members: Members) => notProvided('start'),
    takeNext: assign(({ context }, { ids }: Members) => ({
      waiting: context.waiting.slice(ids.length),
      underWay: new Set([...context.underWay, ...ids]),
    })),
    takeEnd: assign(({ context }, { id }: { id: string }) => withoutMember(context, id)),
  },
  guards: {
    isOver: ({ context: { waiting, underWay } }) => waiting.length === 0 && underWay.size === 0,
    isLastUnderWay: ({ context }) => context.waiting.length === 0,
    isFull: ({ context: { concurrency, underWay } }) => underWay.size >= concurrency,
  },
}).createMachine({
  id: 'batch',
  context: ({ input }) => ({ ...input, underWay: new Set(input.underWay) }),
  initial: 'filling',
  on: {
    MEMBER_ENDED: {
      target: '.filling',
      actions: { type: 'takeEnd', params: ({ event }) => event },
    },
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

function next({ concurrency, underWay, waiting }: BatchContext): Members {
  return { ids: waiting.slice(0, concurrency - underWay.size) };
}

function withoutMember({ underWay, waiting }: BatchContext, id: string): Partial<BatchContext> {
  if (!underWay.has(id)) return { waiting: waiting.filter((waits) => waits !== id) };
  return { underWay: new Set([...underWay].filter((member) => member !== id)) };
}
