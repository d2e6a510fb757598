import { assign, fromPromise, setup } from 'xstate';
import { waitForRoomMs, withinMinute } from '#main/platform/rate-limiter.ts';
import type { Clock } from '#shared/clock.ts';
import type { StoredMailing } from '#shared/status-pages/mailing.ts';
import { afterMail, type MailOutcome } from '#shared/status-pages/mailing-rules.ts';
import type { Recipient } from './mail-port.ts';

/** One mail of a mailing. */
export interface MailJob {
  mailing: StoredMailing;
  recipient: Recipient;
}

/** The next mail, or when there may be one: epoch ms; null: when a mailing comes. */
export type Found = { job: MailJob } | { job: null; until: number | null };

/** The port of the machine. */
export interface MailingMachinePort {
  /** Rejects as the store. */
  find(): Promise<Found>;
  /** `down`: the server could not be used at all. Never rejects. */
  send(job: MailJob): Promise<MailOutcome | 'down'>;
  /** Rejects as the store. */
  write(mailing: StoredMailing): Promise<void>;
}

interface MailingInput {
  clock: Clock;
  perMinute: number;
  port: MailingMachinePort;
}

interface MailingContext extends MailingInput {
  job: MailJob | null;
  /** The mailing of the job after it. */
  outcome: StoredMailing | null;
  until: number | null;
  /** Of the mails of the last minute, epoch ms. */
  sentAt: readonly number[];
  /** How often in a row the server was down. */
  failures: number;
  /** A mailing came while the next one was looked for. */
  isWoken: boolean;
  isStopping: boolean;
}

type MailingEvent =
  /** A mailing is written. */
  | { type: 'WAKE' }
  /** The appliance stops: the mail under way is the last. */
  | { type: 'STOP' };

const STORE_RETRY_MS = 5_000;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 600_000;
const MINUTE_MS = 60_000;

/**
 * Sends mailings to subscribers: one mail at a time, at a rate of its own. What became of a mail is written
 * before the next is sent, so that a kill sends at most one twice. While the server is down nothing is
 * skipped.
 */
export const mailingMachine = setup({
  types: {
    context: {} as MailingContext,
    events: {} as MailingEvent,
    input: {} as MailingInput,
  },
  actors: {
    find: fromPromise<Found, MailingContext>(({ input }) => input.port.find()),
    send: fromPromise<MailOutcome | 'down', MailingContext>(({ input: { port, job } }) =>
      port.send(required(job)),
    ),
    write: fromPromise<void, MailingContext>(({ input: { port, outcome } }) =>
      port.write(required(outcome)),
    ),
  },
  actions: {
    wake: assign({ isWoken: true }),
    sleep: assign({ isWoken: false }),
    stop: assign({ isStopping: true }),
    take: assign((_, { found }: { found: Found }) =>
      found.job === null ? { job: null, until: found.until } : { job: found.job },
    ),
    count: assign(({ context: { sentAt, clock } }) => {
      const now = clock.now();
      return { sentAt: [...withinMinute(sentAt, now), now] };
    }),
    note: assign(({ context: { job, clock } }, { outcome }: { outcome: MailOutcome }) => {
      const { mailing, recipient } = required(job);
      const now = clock.now();
      return { outcome: afterMail(mailing, recipient.subscription, { outcome, now }), failures: 0 };
    }),
    noteDown: assign(({ context }) => ({ failures: context.failures + 1 })),
  },
  guards: {
    isStopping: ({ context }) => context.isStopping,
    isWoken: ({ context }) => context.isWoken,
    isLimited: ({ context }) => waitMs(context) > 0,
    hasJob: (_, { found }: { found: Found }) => found.job !== null,
    isDown: (_, { outcome }: { outcome: MailOutcome | 'down' }) => outcome === 'down',
  },
  delays: {
    untilRoom: ({ context }) => waitMs(context),
    untilDue: ({ context: { until, clock } }) =>
      Math.min(Math.max(0, (until ?? Number.POSITIVE_INFINITY) - clock.now()), LONGEST_PAUSE_MS),
    pause: ({ context: { failures } }) =>
      Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS),
    storeRetry: STORE_RETRY_MS,
  },
}).createMachine({
  id: 'mailing',
  context: ({ input }) => ({
    ...input,
    job: null,
    outcome: null,
    until: null,
    sentAt: [],
    failures: 0,
    isWoken: false,
    isStopping: false,
  }),
  initial: 'planning',
  on: { WAKE: { actions: 'wake' }, STOP: { actions: 'stop' } },
  states: {
    /** Left at once. */
    planning: {
      always: [
        { guard: 'isStopping', target: 'stopped' },
        { guard: 'isLimited', target: 'waiting.limited' },
        { target: 'looking' },
      ],
    },
    /** The next mail is looked for. */
    looking: {
      entry: 'sleep',
      invoke: {
        src: 'find',
        input: ({ context }) => context,
        onDone: [
          { guard: 'isStopping', target: 'stopped' },
          {
            guard: { type: 'hasJob', params: ({ event }) => ({ found: event.output }) },
            target: 'sending',
            actions: { type: 'take', params: ({ event }) => ({ found: event.output }) },
          },
          { guard: 'isWoken', target: 'planning' },
          {
            target: 'waiting.idle',
            actions: { type: 'take', params: ({ event }) => ({ found: event.output }) },
          },
        ],
        onError: 'waiting.storeFailing',
      },
    },
    sending: {
      entry: 'count',
      invoke: {
        src: 'send',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'isDown', params: ({ event }) => ({ outcome: event.output }) },
            target: 'waiting.serverDown',
            actions: 'noteDown',
          },
          {
            target: 'writing',
            actions: {
              type: 'note',
              params: ({ event }) => ({ outcome: event.output as MailOutcome }),
            },
          },
        ],
      },
    },
    /** No other mail is sent until what became of this one is written. */
    writing: {
      invoke: {
        src: 'write',
        input: ({ context }) => context,
        onDone: 'planning',
        onError: 'waiting.toWrite',
      },
    },
    /** Nothing is being sent. */
    waiting: {
      initial: 'idle',
      always: { guard: 'isStopping', target: 'stopped' },
      states: {
        /** No mailing is due. */
        idle: { on: { WAKE: '#mailing.planning' }, after: { untilDue: '#mailing.planning' } },
        /** The rate is used up for this minute. */
        limited: { after: { untilRoom: '#mailing.planning' } },
        serverDown: { after: { pause: '#mailing.planning' } },
        storeFailing: { after: { storeRetry: '#mailing.planning' } },
        toWrite: { after: { storeRetry: '#mailing.writing' } },
      },
    },
    /** The appliance stops; what is pending stays pending. */
    stopped: { type: 'final' },
  },
});

function waitMs({ sentAt, perMinute, clock }: MailingContext): number {
  return Math.min(waitForRoomMs(sentAt, perMinute, clock.now()), MINUTE_MS);
}

function required<T>(value: T | null): T {
  if (value === null) throw new Error('No mail is under way.');
  return value;
}
