import { assign, fromPromise, setup } from 'xstate';
import type { StoredNotification } from '#shared/notifications/notification.ts';
import { LONGEST_PROBE_MS, troubleAfter } from './channel-health.ts';
import type { Delivery } from './channels/sender.ts';
import {
  allOf,
  bounded,
  chosen,
  type DeliveryContext,
  inHand,
  isAhead,
  stateOf,
  withoutExcess,
} from './delivery-context.ts';
import { planNext, RATE_WINDOW_MS, STORM_LONGEST_MS, withArrivals } from './delivery-plan.ts';
import type { DeliveryInput } from './delivery-port.ts';
import { afterDelivery, begun, retriedIfAsked, verdict } from './delivery-tries.ts';

/** The guards, actions and delays of the delivery machine. */

export type DeliveryEvent =
  /** More notifications are pending; oldest first. */
  | { type: 'ENQUEUE'; notifications: readonly StoredNotification[] }
  /** The channel was edited or deleted, or the network is back: a retry may work now. */
  | { type: 'TRY_NOW' }
  /** The appliance stops: the send under way is the last. */
  | { type: 'STOP' };

export interface Sent {
  delivery: Delivery;
}

interface GivenUp {
  notifications: readonly StoredNotification[];
}

/** A message is sent after this time even where the store hangs. */
const WRITE_PATIENCE_MS = 5_000;
const LONGEST_WAIT_MS = Math.max(STORM_LONGEST_MS, RATE_WINDOW_MS);

export const deliverySetup = setup({
  types: {
    context: {} as DeliveryContext,
    events: {} as DeliveryEvent,
    input: {} as DeliveryInput,
  },
  actors: {
    send: fromPromise<Delivery, DeliveryContext>(({ input: { port, digest } }) =>
      port.send(inHand(digest).notification),
    ),
    write: fromPromise<boolean, DeliveryContext>(({ input }) =>
      input.port.write(allOf(inHand(input.digest)), stateOf(input)),
    ),
  },
  actions: {
    enqueue: assign(({ context }, { came }: { came: readonly StoredNotification[] }) => ({
      queue: [...context.queue, ...came],
      arrivals: withArrivals(context, came),
    })),
    stop: assign({ isStopping: true }),
    askAgain: assign({ isAskedAgain: true }),
    retryIfAsked: assign(({ context }) => retriedIfAsked(context)),
    becomeLimited: assign({ wasLimited: true }),
    choose: assign(({ context }) => chosen(context)),
    begin: assign(({ context }) => begun(context)),
    /** The notifications that a digest replaces are written: they need no second write. */
    forgetReplaced: assign(({ context: { digest } }) => ({
      digest: { ...inHand(digest), replaced: [] },
    })),
    noteDelivery: assign(({ context }, { delivery }: Sent) => afterDelivery(context, delivery)),
    /** Reports once that the channel is unhealthy, and once that it works again; before `noteDelivery`. */
    reportTrouble: ({ context }, { delivery }: Sent) => {
      const { port, health, clock } = context;
      const after = afterDelivery(context, delivery).health;
      const trouble = troubleAfter(health, after, { reason: delivery.detail, at: clock.now() });
      if (trouble) port.reportTrouble(trouble);
    },
    writePending: ({ context }) =>
      void context.port.write(allOf(inHand(context.digest)), stateOf(context)),
    putDown: assign({ digest: null }),
    release: ({ context: { port, digest } }) => port.release([inHand(digest).notification]),
    releaseReplaced: ({ context: { port, digest } }) => port.release(inHand(digest).replaced),
    giveUp: ({ context }, { notifications }: GivenUp) => {
      if (notifications.length === 0) return;
      void context.port.write(notifications, stateOf(context));
      context.port.release(notifications);
    },
    dropExcess: assign(({ context }) => withoutExcess(context)),
  },
  guards: {
    isStopping: ({ context }) => context.isStopping,
    isGone: ({ context }) => !context.port.channelExists(),
    isProbeAwaited: ({ context: { health, clock } }) =>
      health.dead !== null && isAhead(health.dead.probeAt, clock.now(), LONGEST_PROBE_MS),
    hasDigest: ({ context }) => context.digest !== null,
    isRetryAwaited: ({ context: { digest, clock } }) =>
      digest !== null && isAhead(digest.notification.dueAt, clock.now(), LONGEST_PROBE_MS),
    hasNothingPending: ({ context: { digest, queue } }) => digest === null && queue.length === 0,
    isLimited: ({ context }) => {
      const step = planNext(context, context.clock.now());
      return step.kind === 'wait' && step.isLimited;
    },
    isWorthWaiting: ({ context }) => planNext(context, context.clock.now()).kind === 'wait',
    isWritten: (_, { written }: { written: boolean }) => written,
    isSettled: ({ context }, { delivery }: Sent) => verdict(context, delivery) !== 'again',
  },
  delays: {
    untilNextStep: ({ context }) => {
      const now = context.clock.now();
      const step = planNext(context, now);
      return step.kind === 'wait' ? bounded(step.until - now, LONGEST_WAIT_MS) : 0;
    },
    untilRetry: ({ context: { digest, clock } }) =>
      bounded((digest?.notification.dueAt ?? 0) - clock.now(), LONGEST_PROBE_MS),
    untilProbe: ({ context: { health, clock } }) =>
      bounded((health.dead?.probeAt ?? 0) - clock.now(), LONGEST_PROBE_MS),
    writePatience: WRITE_PATIENCE_MS,
  },
});
