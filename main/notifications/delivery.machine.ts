import type { Delivery } from './channels/sender.ts';
import { excess, initialContext, orphans } from './delivery-context.ts';
import { deliverySetup, type Sent } from './delivery-setup.ts';

/**
 * What one channel sends, and when: one message at a time, in the order in which they came, each
 * until it is told or given up. Storms are gathered, too many messages wait, and a channel that does
 * not work is asked only now and then. What the names stand for is in delivery-setup.ts.
 */
export const deliveryMachine = deliverySetup.createMachine({
  id: 'delivery',
  context: ({ input }) => initialContext(input),
  initial: 'waiting',
  states: {
    /** Decides what comes next; left at once. */
    planning: {
      entry: 'retryIfAsked',
      always: [
        { guard: 'isStopping', target: 'stopped' },
        {
          guard: 'isGone',
          target: 'gone',
          actions: {
            type: 'giveUp',
            params: ({ context }) => ({ notifications: orphans(context) }),
          },
        },
        { guard: 'isProbeAwaited', target: 'waiting.dead' },
        { guard: 'hasNothingPending', target: 'waiting.idle' },
        { guard: 'isRetryAwaited', target: 'waiting.backingOff' },
        { guard: 'hasDigest', target: 'delivering' },
        { guard: 'isLimited', target: 'waiting.limited' },
        { guard: 'isWorthWaiting', target: 'waiting.gathering' },
        { target: 'delivering', actions: 'choose' },
      ],
    },
    /** Nothing is being sent. */
    waiting: {
      initial: 'idle',
      on: {
        ENQUEUE: {
          target: 'planning',
          actions: { type: 'enqueue', params: ({ event }) => ({ came: event.notifications }) },
        },
        TRY_NOW: { target: 'planning', actions: 'askAgain' },
        STOP: { target: 'planning', actions: 'stop' },
      },
      states: {
        /** Nothing is pending. */
        idle: {},
        /** A moment, so that a storm can be seen; or until one is over. */
        gathering: { after: { untilNextStep: '#delivery.planning' } },
        /** As many messages went in this minute as may. */
        limited: {
          entry: 'becomeLimited',
          after: { untilNextStep: '#delivery.planning' },
        },
        /** The message that failed is tried again, and before any other. */
        backingOff: { after: { untilRetry: '#delivery.planning' } },
        /** The channel does not work; it is tried with one message now and then. */
        dead: {
          entry: [
            {
              type: 'giveUp',
              params: ({ context }) => ({ notifications: excess(context) }),
            },
            'dropExcess',
          ],
          after: { untilProbe: '#delivery.planning' },
        },
      },
    },
    /** One message is on its way. */
    delivering: {
      initial: 'marking',
      on: {
        ENQUEUE: {
          actions: { type: 'enqueue', params: ({ event }) => ({ came: event.notifications }) },
        },
        TRY_NOW: { actions: 'askAgain' },
        STOP: { actions: 'stop' },
      },
      states: {
        /** Before it leaves it is kept as IN_PROGRESS: after a crash it is pending again. */
        marking: {
          entry: ['begin', 'releaseReplaced'],
          invoke: {
            src: 'write',
            input: ({ context }) => context,
            onDone: [
              {
                guard: { type: 'isWritten', params: ({ event }) => ({ written: event.output }) },
                target: 'sending',
                actions: 'forgetReplaced',
              },
              { target: 'sending' },
            ],
          },
          after: { writePatience: 'sending' },
        },
        sending: {
          invoke: {
            src: 'send',
            input: ({ context }) => context,
            onDone: [
              {
                guard: { type: 'isSettled', params: sent },
                target: 'settling',
                actions: [
                  { type: 'reportTrouble', params: sent },
                  { type: 'noteDelivery', params: sent },
                ],
              },
              {
                target: '#delivery.planning',
                actions: [
                  { type: 'reportTrouble', params: sent },
                  { type: 'noteDelivery', params: sent },
                  'writePending',
                ],
              },
            ],
          },
        },
        /** What became of it is kept. */
        settling: {
          invoke: { src: 'write', input: ({ context }) => context, onDone: '#delivery.planning' },
          after: { writePatience: '#delivery.planning' },
          exit: ['release', 'putDown'],
        },
      },
    },
    /** The appliance stops; what is pending is kept as pending. */
    stopped: { type: 'final' },
    /** The channel was deleted; what was pending is given up. */
    gone: { type: 'final' },
  },
});

function sent({ event }: { event: { output: Delivery } }): Sent {
  return { delivery: event.output };
}
