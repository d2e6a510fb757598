import { assign, setup } from 'xstate';
import { notProvided } from '#main/platform/not-provided.ts';

/**
 * Starts the runs of sessions in their order, at most `concurrency` at a time (specification 2.6). A
 * run is under way from its start until it makes no further attempt; one that is cancelled before its
 * turn never starts. The actor ends when no run waits or is under way.
 */

interface RunQueueContext {
  /** At least 1. */
  concurrency: number;
  /** Ids of runs in the order in which they start: a set may lose thousands from anywhere. */
  waiting: Set<string>;
  /** Iterates over `waiting`, also over runs that join later; never advanced while none waits. */
  order: Iterator<string>;
  underWay: Set<string>;
  /** The runs that start now. */
  starting: readonly string[];
}

type RunQueueEvent =
  /** More runs join after those that wait; this concurrency counts for all from now on. */
  | ({ type: 'RUNS_JOINED'; concurrency: number } & QueuedRuns)
  /** Runs that wait are cancelled and never start. */
  | { type: 'RUNS_LEFT'; ids: readonly string[] }
  | { type: 'RUN_ENDED'; id: string };

/** Runs by their ids, each in the order in which they start. */
export interface QueuedRuns {
  waiting: readonly string[];
  /** Under way since before a restart. */
  underWay?: readonly string[];
}

export const runQueueMachine = setup({
  types: { context: {} as RunQueueContext, events: {} as RunQueueEvent },
  actions: {
    /** Starts runs, in their order. */
    start: (_, _runs: { ids: readonly string[] }) => notProvided('run queue', 'start'),
    // Sets of thousands are changed in place: a copy for each run would take seconds in all.
    join: assign(({ context }, joined: QueuedRuns & { concurrency: number }) => {
      for (const id of joined.waiting) context.waiting.add(id);
      for (const id of joined.underWay ?? []) context.underWay.add(id);
      return { concurrency: joined.concurrency };
    }),
    leave: assign(({ context }, { ids }: { ids: readonly string[] }) => {
      for (const id of ids) context.waiting.delete(id);
      return {};
    }),
    end: assign(({ context }, { id }: { id: string }) => {
      context.underWay.delete(id);
      return {};
    }),
    takeNext: assign(({ context }) => ({ starting: takeNext(context) })),
  },
  guards: {
    isEmpty: ({ context: { waiting, underWay } }) => waiting.size === 0 && underWay.size === 0,
    isNobodyWaiting: ({ context }) => context.waiting.size === 0,
    isFull: ({ context: { concurrency, underWay } }) => underWay.size >= concurrency,
  },
}).createMachine({
  id: 'runQueue',
  context: () => {
    const waiting = new Set<string>();
    const order = waiting.values();
    return { concurrency: 1, waiting, order, underWay: new Set(), starting: [] };
  },
  initial: 'created',
  on: {
    RUNS_JOINED: { target: '.filling', actions: { type: 'join', params: ({ event }) => event } },
    RUNS_LEFT: { target: '.filling', actions: { type: 'leave', params: ({ event }) => event } },
    RUN_ENDED: { target: '.filling', actions: { type: 'end', params: ({ event }) => event } },
  },
  states: {
    /** No run has joined yet. */
    created: {},
    /** Starts as many runs as the concurrency allows; left at once. */
    filling: {
      always: [
        { guard: 'isEmpty', target: 'over' },
        { guard: 'isNobodyWaiting', target: 'draining' },
        { guard: 'isFull', target: 'full' },
        {
          target: 'filling',
          reenter: true,
          actions: [
            'takeNext',
            { type: 'start', params: ({ context: { starting } }) => ({ ids: starting }) },
          ],
        },
      ],
    },
    /** As many runs are under way as the concurrency allows; the others wait. */
    full: {},
    /** The last ones are under way; none waits. */
    draining: {},
    /** Every run is over. */
    over: { type: 'final' },
  },
});

function takeNext({ concurrency, waiting, order, underWay }: RunQueueContext): string[] {
  const ids: string[] = [];
  while (underWay.size < concurrency && waiting.size > 0) {
    const id = String(order.next().value);
    waiting.delete(id);
    underWay.add(id);
    ids.push(id);
  }
  return ids;
}
