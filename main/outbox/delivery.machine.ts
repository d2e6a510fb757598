import { assign, fromPromise, setup } from 'xstate';
import type { StoredNotification } from '#shared/channel/notification.ts';
import type { Delivery } from '../channels/sender.ts';
import { underWay } from './attempt.ts';
import { HEALTHY, LONGEST_PROBE_MS, troubleAfter } from './channel-health.ts';
import {
  afterDelivery,
  allOf,
  bounded,
  chosen,
  type DeliveryContext,
  type DeliveryInput,
  excess,
  inHand,
  isAhead,
  orphans,
  RATE_WINDOW_MS,
  recent,
  retriedNow,
  verdict,
  withoutExcess,
} from './delivery-context.ts';
import { planNext, STORM_LONGEST_MS, withArrivals } from './delivery-plan.ts';

/**
 * What one channel sends, and when: one message at a time, in the order in which they came, each
 * until it is told or given up. Storms are gathered, too many messages wait, and a channel that does
 * not work is asked only now and then.
 */

export type DeliveryEvent =
  /** More is owed; oldest first. */
  | { type: 'TAKE'; notifications: readonly StoredNotification[] }
  /** What waits may work now: the channel was edited or deleted, or the network is back. */
  | { type: 'TRY_NOW' }
  /** What is under way is the last. */
  | { type: 'STOP' };

interface Sent {
  delivery: Delivery;
}

interface GivenUp {
  notifications: readonly StoredNotification[];
}

/** A store that hangs keeps no alert from leaving. */
const KEEP_PATIENCE_MS = 5_000;

export const deliveryMachine = setup({
  types: {
    context: {} as DeliveryContext,
    events: {} as DeliveryEvent,
    input: {} as DeliveryInput,
  },
  actors: {
    send: fromPromise<Delivery, DeliveryContext>(({ input: { port, parcel } }) =>
      port.send(inHand(parcel).notification),
    ),
    keep: fromPromise<boolean, DeliveryContext>(({ input: { port, parcel } }) =>
      port.keep(allOf(inHand(parcel))),
    ),
  },
  actions: {
    take: assign(({ context }, { came }: { came: readonly StoredNotification[] }) => ({
      queue: [...context.queue, ...came],
      arrivals: withArrivals(context, came),
    })),
    stop: assign({ isStopping: true }),
    retryNow: assign(({ context }) => retriedNow(context)),
    becomeLimited: assign({ wasLimited: true }),
    choose: assign(({ context }) => chosen(context)),
    begin: assign(({ context: { parcel, sentAt, clock } }) => ({
      parcel: { ...inHand(parcel), notification: underWay(inHand(parcel).notification) },
      sentAt: [...recent(sentAt, clock.now()), clock.now()],
    })),
    /** What the message stands for is kept as told by it: it needs no writing again. */
    forgetInstead: assign(({ context: { parcel } }) => ({
      parcel: { ...inHand(parcel), instead: [] },
    })),
    takeDelivery: assign(({ context }, { delivery }: Sent) => afterDelivery(context, delivery)),
    /** Says once that the channel is dead, and once that it works again; before `takeDelivery`. */
    tellTrouble: ({ context }, { delivery }: Sent) => {
      const { port, health, clock } = context;
      const after = afterDelivery(context, delivery).health;
      const trouble = troubleAfter(health, after, { reason: delivery.detail, at: clock.now() });
      if (trouble) port.tellTrouble(trouble);
    },
    keepOwed: ({ context: { port, parcel } }) => void port.keep(allOf(inHand(parcel))),
    putDown: assign({ parcel: null }),
    release: ({ context: { port, parcel } }) => port.release([inHand(parcel).notification]),
    releaseInstead: ({ context: { port, parcel } }) => port.release(inHand(parcel).instead),
    giveUp: ({ context: { port } }, { notifications }: GivenUp) => {
      if (notifications.length === 0) return;
      void port.keep(notifications);
      port.release(notifications);
    },
    dropExcess: assign(({ context }) => withoutExcess(context)),
  },
  guards: {
    isStopping: ({ context }) => context.isStopping,
    isGone: ({ context }) => !context.port.channelExists(),
    isProbeAwaited: ({ context: { health, clock } }) =>
      health.dead !== null && isAhead(health.dead.probeAt, clock.now(), LONGEST_PROBE_MS),
    hasParcel: ({ context }) => context.parcel !== null,
    isRetryAwaited: ({ context: { parcel, clock } }) =>
      parcel !== null && isAhead(parcel.notification.dueAt, clock.now(), LONGEST_PROBE_MS),
    owesNothing: ({ context: { parcel, queue } }) => parcel === null && queue.length === 0,
    isOverRate: ({ context: { sentAt, limits, clock } }) =>
      recent(sentAt, clock.now()).length >= limits.messagesPerMinute,
    isWorthWaiting: ({ context }) => planNext(context, context.clock.now()).kind === 'wait',
    isKept: (_, { kept }: { kept: boolean }) => kept,
    isSettled: ({ context }, { delivery }: Sent) => verdict(context, delivery) !== 'again',
  },
  delays: {
    untilGathered: ({ context }) => {
      const now = context.clock.now();
      const step = planNext(context, now);
      return step.kind === 'wait' ? bounded(step.until - now, STORM_LONGEST_MS) : 0;
    },
    untilRateAllows: ({ context: { sentAt, clock } }) => {
      const [oldest = 0] = recent(sentAt, clock.now());
      return bounded(oldest + RATE_WINDOW_MS - clock.now(), RATE_WINDOW_MS);
    },
    untilRetry: ({ context: { parcel, clock } }) =>
      bounded((parcel?.notification.dueAt ?? 0) - clock.now(), LONGEST_PROBE_MS),
    untilProbe: ({ context: { health, clock } }) =>
      bounded((health.dead?.probeAt ?? 0) - clock.now(), LONGEST_PROBE_MS),
    keepPatience: KEEP_PATIENCE_MS,
  },
}).createMachine({
  id: 'delivery',
  context: ({ input }) => ({
    ...input,
    queue: [],
    arrivals: [],
    wasLimited: false,
    parcel: null,
    sentAt: [],
    isStopping: false,
    health: HEALTHY,
  }),
  initial: 'waiting',
  states: {
    /** Decides what comes next; left at once. */
    planning: {
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
        { guard: 'owesNothing', target: 'waiting.idle' },
        { guard: 'isRetryAwaited', target: 'waiting.backingOff' },
        { guard: 'hasParcel', target: 'delivering' },
        { guard: 'isOverRate', target: 'waiting.limited' },
        { guard: 'isWorthWaiting', target: 'waiting.gathering' },
        { target: 'delivering', actions: 'choose' },
      ],
    },
    /** Nothing is being sent. */
    waiting: {
      initial: 'idle',
      on: {
        TAKE: {
          target: 'planning',
          actions: { type: 'take', params: ({ event }) => ({ came: event.notifications }) },
        },
        TRY_NOW: { target: 'planning', actions: 'retryNow' },
        STOP: { target: 'planning', actions: 'stop' },
      },
      states: {
        /** Nothing is owed. */
        idle: {},
        /** A moment, so that a storm can be seen; or until one is over. */
        gathering: { after: { untilGathered: '#delivery.planning' } },
        /** As many messages went in this minute as may. */
        limited: {
          entry: 'becomeLimited',
          after: { untilRateAllows: '#delivery.planning' },
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
        TAKE: {
          actions: { type: 'take', params: ({ event }) => ({ came: event.notifications }) },
        },
        STOP: { actions: 'stop' },
      },
      states: {
        /** Before it leaves it is kept as IN_PROGRESS: after a crash it is owed again. */
        marking: {
          entry: ['begin', 'releaseInstead'],
          invoke: {
            src: 'keep',
            input: ({ context }) => context,
            onDone: [
              {
                guard: { type: 'isKept', params: ({ event }) => ({ kept: event.output }) },
                target: 'sending',
                actions: 'forgetInstead',
              },
              { target: 'sending' },
            ],
          },
          after: { keepPatience: 'sending' },
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
                  { type: 'tellTrouble', params: sent },
                  { type: 'takeDelivery', params: sent },
                ],
              },
              {
                target: '#delivery.planning',
                actions: [
                  { type: 'tellTrouble', params: sent },
                  { type: 'takeDelivery', params: sent },
                  'keepOwed',
                ],
              },
            ],
          },
        },
        /** What became of it is kept. */
        settling: {
          invoke: { src: 'keep', input: ({ context }) => context, onDone: '#delivery.planning' },
          after: { keepPatience: '#delivery.planning' },
          exit: ['release', 'putDown'],
        },
      },
    },
    /** The appliance stops; what is owed is kept as owed. */
    stopped: { type: 'final' },
    /** The channel was deleted; what was owed is given up. */
    gone: { type: 'final' },
  },
});

function sent({ event }: { event: { output: Delivery } }): Sent {
  return { delivery: event.output };
}
