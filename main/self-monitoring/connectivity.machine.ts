import { assign, fromPromise, setup } from 'xstate';
import { notProvided } from '#main/platform/not-provided.ts';
import { isBunch, seesTargets } from '#shared/self-monitoring/connectivity.ts';
import {
  type ConnectivityContext,
  type ConnectivityEvent,
  type ConnectivityInput,
  earlier,
  initialContext,
  type Moment,
  type Outage,
  ofRun,
  outage,
  type Reasons,
  union,
  untilQuestionMs,
  upToNow,
  upToQuestion,
  wordOf,
} from './connectivity-context.ts';
import type { ProbeVerdict } from './probes.ts';

/**
 * Whether the appliance is offline. A failing run that may be our own fault waits until the
 * connectivity probes answer. The appliance is offline where no probe answers while failures come in
 * a bunch, or where its own health is bad; it ends when a probe answers, or runs reach their targets,
 * and the health is good.
 */

/** How often the probes are asked while nothing fails, to know which of them answer at all. */
const ROUTINE_MS = 5 * 60_000;
const ASK_AGAIN_MS = 5_000;

export const connectivityMachine = setup({
  types: {
    context: {} as ConnectivityContext,
    events: {} as ConnectivityEvent,
    input: {} as ConnectivityInput,
  },
  actors: {
    askProbes: fromPromise<ProbeVerdict>(() => notProvided('connectivity', 'askProbes')),
  },
  actions: {
    /** Ends the wait of the runs that came up to a time, epoch ms: their failures stand. */
    believe: (_, _upTo: Moment) => notProvided('connectivity', 'believe'),
    /** Ends the wait of every run: each becomes inconclusive. */
    excuse: (_, _outage: Reasons) => notProvided('connectivity', 'excuse'),
    /** Notifies people that the appliance is offline. */
    tell: (_, _outage: Outage) => notProvided('connectivity', 'tell'),
    /** Records the end of an outage; notifies people of it where they were notified of its start. */
    noteConnectivity: (_, _outage: Outage) => notProvided('connectivity', 'noteConnectivity'),
    // The time is the run's own: the event comes a little later, and the run must count.
    noteDoubt: assign(({ context }, { at }: Moment) => ({
      doubtedAt: earlier(at, context.doubtedAt),
    })),
    noteQuestion: assign(({ context }) => ({
      askedAt: context.clock.now(),
      doubtedAgainAt: null,
    })),
    noteAnotherDoubt: assign(({ context }, { at }: Moment) => ({
      doubtedAgainAt: earlier(at, context.doubtedAgainAt),
    })),
    noteWord: assign(({ context }, { word }: { word: ProbeVerdict }) => ({
      lastWord: { word, at: context.askedAt },
    })),
    forgetDoubt: assign({ doubtedAt: null }),
    forgetFirstDoubt: assign(({ context }) => ({ doubtedAt: context.doubtedAgainAt })),
    addReasons: assign(({ context }, { reasons }: Reasons) => ({
      reasons: union(context.reasons, reasons),
    })),
    dropNetwork: assign(({ context: { reasons } }) => ({
      reasons: reasons.filter((reason) => reason !== 'NETWORK'),
    })),
    takeHealth: assign(({ context }, { reasons }: Reasons) => ({
      reasons: union(
        context.reasons.filter((reason) => reason === 'NETWORK'),
        reasons,
      ),
      allReasons: union(context.allReasons, reasons),
    })),
    noteNetwork: assign(({ context }) => ({
      reasons: union(context.reasons, ['NETWORK']),
      allReasons: union(context.allReasons, ['NETWORK']),
    })),
    beginOutage: assign(({ context }) => ({
      allReasons: context.reasons,
      since: context.clock.now(),
      doubtedAt: null,
      lastWord: null,
    })),
    noteTold: assign({ isTold: true }),
    endOutage: assign({ since: null, isTold: false }),
  },
  guards: {
    wasAskedJustNow: ({ context }) => untilQuestionMs(context) > 0,
    isUnwell: (_, { reasons }: Reasons) => reasons.length > 0,
    isAnswered: (_, { word }: { word: ProbeVerdict }) => word === 'answered',
    isAnsweredTooEarly: ({ context }, { word }: { word: ProbeVerdict }) =>
      word === 'answered' && context.doubtedAgainAt !== null,
    isSilentInBunch: ({ context }, { word }: { word: ProbeVerdict }) =>
      word === 'silent' && isBunch(context.count(context.doubtedAt ?? context.clock.now())),
    isSilent: (_, { word }: { word: ProbeVerdict }) => word === 'silent',
    seesTargets: ({ context }) => seesTargets(context.count(context.since ?? context.clock.now())),
    hasNoReason: ({ context }) => context.reasons.length === 0,
  },
  delays: {
    untilQuestion: ({ context }) => untilQuestionMs(context),
    untilRoutineLook: ROUTINE_MS,
    untilNextLook: ASK_AGAIN_MS,
    untilTold: ({ context }) => context.toldAfterMs,
  },
}).createMachine({
  id: 'connectivity',
  context: ({ input }) => initialContext(input),
  initial: 'asking',
  states: {
    /** The appliance is online; the probes are asked now and then. */
    seeing: {
      after: { untilRoutineLook: 'asking' },
      on: {
        DOUBT: [
          {
            guard: 'wasAskedJustNow',
            target: 'suspicious',
            actions: { type: 'noteDoubt', params: ofRun },
          },
          { target: 'asking', actions: { type: 'noteDoubt', params: ofRun } },
        ],
      },
    },
    /** Runs wait, and the probes were asked a moment ago. */
    suspicious: { after: { untilQuestion: 'asking' } },
    asking: {
      entry: 'noteQuestion',
      invoke: {
        src: 'askProbes',
        onDone: [
          {
            guard: { type: 'isSilentInBunch', params: wordOf },
            target: 'blind',
            actions: 'noteNetwork',
          },
          {
            guard: { type: 'isAnsweredTooEarly', params: wordOf },
            target: 'suspicious',
            actions: [
              { type: 'noteWord', params: wordOf },
              { type: 'believe', params: upToQuestion },
              'forgetFirstDoubt',
            ],
          },
          {
            target: 'seeing',
            actions: [
              { type: 'noteWord', params: wordOf },
              { type: 'believe', params: upToNow },
              'forgetDoubt',
            ],
          },
        ],
      },
      on: {
        DOUBT: {
          actions: [
            { type: 'noteDoubt', params: ofRun },
            { type: 'noteAnotherDoubt', params: ofRun },
          ],
        },
      },
    },
    /** The appliance is offline: failing runs are inconclusive. */
    blind: {
      initial: 'dark',
      entry: ['beginOutage', { type: 'excuse', params: ({ context }) => context }],
      exit: [{ type: 'noteConnectivity', params: outage }, 'endOutage'],
      always: { guard: 'hasNoReason', target: 'seeing' },
      after: { untilTold: { actions: ['noteTold', { type: 'tell', params: outage }] } },
      on: { HEALTH: { actions: { type: 'takeHealth', params: ({ event }) => event } } },
      states: {
        dark: { after: { untilNextLook: 'looking' } },
        looking: {
          invoke: {
            src: 'askProbes',
            onDone: [
              {
                guard: { type: 'isAnswered', params: wordOf },
                target: 'dark',
                actions: 'dropNetwork',
              },
              // Runs that reach their targets show that the network works, though the probes are silent.
              { guard: 'seesTargets', target: 'dark', actions: 'dropNetwork' },
              {
                guard: { type: 'isSilent', params: wordOf },
                target: 'dark',
                actions: 'noteNetwork',
              },
              { target: 'dark' },
            ],
          },
        },
      },
    },
  },
  on: {
    HEALTH: {
      guard: { type: 'isUnwell', params: ({ event }) => event },
      target: '.blind',
      actions: { type: 'addReasons', params: ({ event }) => event },
    },
  },
});
