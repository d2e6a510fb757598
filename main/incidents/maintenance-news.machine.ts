import { assign, fromPromise, setup } from 'xstate';
import type { Clock } from '#shared/clock.ts';

interface NewsInput {
  clock: Clock;
  /** Has mailed what is due, and says when there is something next, epoch ms; rejects as the store. */
  mailDue(): Promise<number | null>;
}

interface NewsContext extends NewsInput {
  nextAt: number | null;
  /** A window changed while what is due was mailed. */
  isChanged: boolean;
}

/** A maintenance window changed. */
type NewsEvent = { type: 'CHANGED' };

/** A machine that slept, or whose clock was set, is late by so much at most. */
const LOOK_MS = 60_000;
/** Beyond a week nothing is known: then it is looked at anew. */
const LONGEST_MS = 24 * 60 * LOOK_MS;
const RETRY_MS = 5_000;

/** Has news of maintenance mailed when their time has come. */
export const maintenanceNewsMachine = setup({
  types: { context: {} as NewsContext, events: {} as NewsEvent, input: {} as NewsInput },
  actors: {
    mailDue: fromPromise<number | null, NewsContext>(({ input }) => input.mailDue()),
  },
  actions: {
    noteChange: assign({ isChanged: true }),
    begin: assign({ isChanged: false }),
    plan: assign(({ context: { clock } }, { nextAt }: { nextAt: number | null }) => ({
      nextAt: Math.min(nextAt ?? Number.POSITIVE_INFINITY, clock.now() + LONGEST_MS),
    })),
  },
  guards: {
    isChanged: ({ context }) => context.isChanged,
    isDue: ({ context: { nextAt, clock } }) => nextAt === null || clock.now() >= nextAt,
  },
  delays: {
    untilLook: ({ context: { nextAt, clock } }) =>
      Math.min(Math.max(0, (nextAt ?? 0) - clock.now()), LOOK_MS),
    retry: RETRY_MS,
  },
}).createMachine({
  id: 'maintenanceNews',
  context: ({ input }) => ({ ...input, nextAt: null, isChanged: false }),
  initial: 'mailing',
  states: {
    mailing: {
      entry: 'begin',
      invoke: {
        src: 'mailDue',
        input: ({ context }) => context,
        onDone: {
          target: 'waiting',
          actions: { type: 'plan', params: ({ event }) => ({ nextAt: event.output }) },
        },
        onError: 'storeFailing',
      },
      on: { CHANGED: { actions: 'noteChange' } },
    },
    waiting: {
      always: { guard: 'isChanged', target: 'mailing' },
      on: { CHANGED: 'mailing' },
      after: {
        untilLook: [
          { guard: 'isDue', target: 'mailing' },
          { target: 'waiting', reenter: true },
        ],
      },
    },
    storeFailing: { after: { retry: 'mailing' } },
  },
});
