import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { actorClock } from '#main/actors/actor-clock.ts';
import { type AttemptsEvent, attemptsMachine } from '#main/actors/attempts.machine.ts';
import type { SequenceMemory } from '#main/actors/memory.ts';
import type { RetryStrategy } from '#shared/rules/retry.ts';
import type { RunResult } from '#shared/run/protocol.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { passingRun } from '../../fixtures/passing-run.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING } from '../../fixtures/simulated-monitor.ts';

const SECOND = 1_000;
const TWICE: RetryStrategy = {
  type: 'FIXED',
  baseBackoffSeconds: 20,
  sameRegion: false,
  maxRetries: 2,
};

const NEW: SequenceMemory = {
  id: 'sequence',
  location: 'paris',
  attempts: 0,
  firstStartedAt: null,
  dueAt: null,
  settled: false,
};

interface Options {
  sequence?: SequenceMemory;
  strategy?: RetryStrategy | null;
  coverage?: MachineCoverage | undefined;
}

/** The attempts at one location, which the test answers; all times are seconds. */
class Attempts {
  readonly #clock = new SimulatedClock(0);
  readonly #answers: ((result: RunResult) => void)[] = [];
  readonly #send: (event: AttemptsEvent) => void;
  /** What happened, each with when it did. */
  readonly facts: string[] = [];

  constructor({ sequence = NEW, strategy = TWICE, coverage }: Options = {}) {
    const clock = this.#clock;
    const port = {
      attempt: ({ location }: SequenceMemory) => this.#attempt(location),
      keep: ({ resultType, attempts }: { resultType: string; attempts: number }) =>
        this.#note(`${resultType} ${attempts}`),
      nextLocation: (location: string) => (location === 'paris' ? 'tokyo' : 'paris'),
    };
    const actor = createActor(attemptsMachine, {
      input: { sequence, strategy, clock, port },
      clock: actorClock(clock),
      inspect: coverage?.inspect,
    });
    actor.subscribe({ complete: () => this.#note(String(actor.getSnapshot().value)) });
    actor.start();
    this.#send = (event) => actor.send(event);
  }

  #attempt(location: string): Promise<RunResult> {
    this.#note(`attempt in ${location}`);
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    this.#answers.push(resolve);
    return promise;
  }

  #note(fact: string): void {
    this.facts.push(`${this.#clock.now() / SECOND} s: ${fact}`);
  }

  pass(seconds: number): Promise<void> {
    return this.#clock.advance(seconds * SECOND);
  }

  jump(seconds: number): void {
    this.#clock.jump(seconds * SECOND);
  }

  async fails(): Promise<void> {
    await this.#answer(FAILING);
  }

  async passes(): Promise<void> {
    await this.#answer({});
  }

  cancel(): void {
    this.#send({ type: 'CANCEL' });
  }

  async #answer(members: Partial<RunResult>): Promise<void> {
    const now = this.#clock.now();
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error('No attempt is under way.');
    answer(passingRun({ runId: 'run', startedAt: now, stoppedAt: now, ...members }));
    await this.#clock.advance(0);
  }
}

interface Scenario {
  name: string;
  options?: Options;
  play(attempts: Attempts): Promise<void>;
  facts: string[];
}

const SCENARIOS: Scenario[] = [
  {
    name: 'an attempt that passes is the only one',
    play: (attempts) => attempts.passes(),
    facts: ['0 s: attempt in paris', '0 s: FINAL 0', '0 s: settled'],
  },
  {
    name: 'a failed attempt is tried again after the wait, where the next turn is',
    play: async (attempts) => {
      await attempts.fails();
      await attempts.pass(19);
      expect(attempts.facts).toHaveLength(2);
      await attempts.pass(1);
      await attempts.passes();
    },
    facts: [
      '0 s: attempt in paris',
      '0 s: ATTEMPT 0',
      '20 s: attempt in tokyo',
      '20 s: FINAL 1',
      '20 s: settled',
    ],
  },
  {
    name: 'the last attempt that the strategy allows is FINAL, also where it fails',
    play: async (attempts) => {
      for (const waitS of [20, 20, 0]) {
        await attempts.fails();
        await attempts.pass(waitS);
      }
    },
    facts: [
      '0 s: attempt in paris',
      '0 s: ATTEMPT 0',
      '20 s: attempt in tokyo',
      '20 s: ATTEMPT 1',
      '40 s: attempt in paris',
      '40 s: FINAL 2',
      '40 s: settled',
    ],
  },
  {
    name: 'without a strategy nothing is tried again',
    options: { strategy: null },
    play: (attempts) => attempts.fails(),
    facts: ['0 s: attempt in paris', '0 s: FINAL 0', '0 s: settled'],
  },
  {
    name: 'cancelled in an attempt, that attempt is the last',
    play: async (attempts) => {
      attempts.cancel();
      await attempts.fails();
    },
    facts: ['0 s: attempt in paris', '0 s: FINAL 0', '0 s: settled'],
  },
  {
    name: 'cancelled in a wait, it ends there and then',
    play: async (attempts) => {
      await attempts.fails();
      await attempts.pass(5);
      attempts.cancel();
      await attempts.pass(60);
    },
    facts: ['0 s: attempt in paris', '0 s: ATTEMPT 0', '5 s: cancelled'],
  },
  {
    name: 'after a restart the rest of a wait goes on',
    options: { sequence: { ...NEW, attempts: 1, firstStartedAt: -15_000, dueAt: 5_000 } },
    play: async (attempts) => {
      await attempts.pass(5);
      await attempts.passes();
    },
    facts: ['5 s: attempt in paris', '5 s: FINAL 1', '5 s: settled'],
  },
  {
    name: 'after a restart an attempt that is overdue is made at once',
    options: { sequence: { ...NEW, attempts: 2, firstStartedAt: -90_000, dueAt: -60_000 } },
    play: async (attempts) => {
      await attempts.pass(0);
      await attempts.fails();
    },
    facts: ['0 s: attempt in paris', '0 s: FINAL 2', '0 s: settled'],
  },
  {
    name: 'where the clock was set back before a restart, the wait is as long as the strategy says',
    options: { sequence: { ...NEW, attempts: 1, firstStartedAt: 7_000_000, dueAt: 7_200_000 } },
    play: async (attempts) => {
      await attempts.pass(20);
      await attempts.passes();
    },
    facts: ['20 s: attempt in paris', '20 s: FINAL 1', '20 s: settled'],
  },
  {
    name: 'a clock that is set in a wait makes it neither longer nor shorter',
    play: async (attempts) => {
      await attempts.fails();
      attempts.jump(-3_600);
      await attempts.pass(20);
      await attempts.passes();
    },
    facts: [
      '0 s: attempt in paris',
      '0 s: ATTEMPT 0',
      '-3580 s: attempt in tokyo',
      '-3580 s: FINAL 1',
      '-3580 s: settled',
    ],
  },
];

describe('the attempts machine', () => {
  test.each(SCENARIOS)('$name', async ({ options, play, facts }) => {
    const attempts = new Attempts(options);
    await play(attempts);
    expect(attempts.facts).toEqual(facts);
  });

  test('reaches every state and takes every transition', async () => {
    const coverage = new MachineCoverage(attemptsMachine);
    for (const { options, play } of SCENARIOS) await play(new Attempts({ ...options, coverage }));
    coverage.expectFullCoverage();
  });
});
