import type { Delivery } from './channels/sender.ts';
import { excess, initialContext, orphans } from './delivery-context.ts';
import { deliverySetup, type Sent } from './delivery-setup.ts';

/**
 * The delivery of one channel: one message at a time, in the order in which notifications came, each
 * tried until it is sent or given up. A storm becomes a digest, messages beyond the rate wait, and an
 * unhealthy channel is tried only now and then. Actions and guards are in delivery-setup.ts.
 */
export const deliveryMachine = deliverySetup.createMachine({
  id: 'delivery',
  context: ({ input }) => initialContext(input),
  initial: 'waiting',
  states: {
    /** Chooses the next message; left at once. */
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
        /** Alerts wait a moment to show whether a storm begins; in a storm, until it is over. */
        gathering: { after: { untilNextStep: '#delivery.planning' } },
        /** The rate of the channel is used up for this minute. */
        limited: {
          entry: 'becomeLimited',
          after: { untilNextStep: '#delivery.planning' },
        },
        /** A message that failed waits for its retry, which comes before any other message. */
        backingOff: { after: { untilRetry: '#delivery.planning' } },
        /** The channel is unhealthy: one message is tried now and then. */
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
        /** The message is written as IN_PROGRESS before it is sent: after a crash it is pending again. */
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
        /** The outcome of the message is written. */
        settling: {
          invoke: { src: 'write', input: ({ context }) => context, onDone: '#delivery.planning' },
          after: { writePatience: '#delivery.planning' },
          exit: ['release', 'putDown'],
        },
      },
    },
    /** The appliance stops; pending notifications stay pending. */
    stopped: { type: 'final' },
    /** The channel was deleted; its pending notifications are given up. */
    gone: { type: 'final' },
  },
});

function sent({ event }: { event: { output: Delivery } }): Sent {
  return { delivery: event.output };
}
