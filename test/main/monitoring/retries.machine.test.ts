import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type AttemptOutcome, judge } from '#main/monitoring/attempt-outcome.ts';
import type { SequenceState } from '#main/monitoring/persisted-state.ts';
import { retriesMachine } from '#main/monitoring/retries.machine.ts';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { RunResult } from '#shared/runs/protocol.ts';
import type { RetryStrategy } from '#shared/runs/retry.ts';
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

/** After a first attempt in Paris that failed. */
const FAILED_ONCE: SequenceState = {
  id: 'sequence',
  location: 'tokyo',
  attempts: 1,
  firstStartedAt: 0,
  dueAt: 20 * SECOND,
  settled: false,
};

interface Options {
  sequence?: Partial<SequenceState>;
  coverage?: MachineCoverage | undefined;
}

/** The retries at one location, which the test answers; all times are seconds. */
class Retries {
  readonly #clock = new SimulatedClock(0);
  readonly #answers: ((result: RunResult) => void)[] = [];
  /** What happened, each with when it did. */
  readonly facts: string[] = [];

  constructor({ sequence = {}, coverage }: Options = {}) {
    const clock = this.#clock;
    const attempt = (next: SequenceState) => this.#attempt(next);
    const actor = createActor(retriesMachine, {
      input: { sequence: { ...FAILED_ONCE, ...sequence }, strategy: TWICE, clock, attempt },
      clock: actorClock(clock),
      inspect: coverage?.inspect,
    });
    actor.subscribe({ complete: () => this.#note(String(actor.getSnapshot().value)) });
    actor.start();
  }

  async #attempt(sequence: SequenceState): Promise<AttemptOutcome> {
    this.#note(`attempt in ${sequence.location}`);
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    this.#answers.push(resolve);
    const nextLocation = (location: string) => (location === 'paris' ? 'tokyo' : 'paris');
    const judging = { sequence, strategy: TWICE, cancelled: false, nextLocation };
    const outcome = judge(await promise, judging);
    this.#note(`${outcome.resultType} ${outcome.attempts}`);
    return outcome;
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
  play(retries: Retries): Promise<void>;
  facts: string[];
}

const SCENARIOS: Scenario[] = [
  {
    name: 'the retry is made after the wait; one that passes is the last',
    play: async (retries) => {
      await retries.pass(19);
      expect(retries.facts).toEqual([]);
      await retries.pass(1);
      await retries.passes();
    },
    facts: ['20 s: attempt in tokyo', '20 s: FINAL 1', '20 s: settled'],
  },
  {
    name: 'the last attempt that the strategy allows is FINAL, also where it fails',
    play: async (retries) => {
      for (let n = 0; n < 2; n++) {
        await retries.pass(20);
        await retries.fails();
      }
    },
    facts: [
      '20 s: attempt in tokyo',
      '20 s: ATTEMPT 1',
      '40 s: attempt in paris',
      '40 s: FINAL 2',
      '40 s: settled',
    ],
  },
  {
    name: 'after a restart the rest of a wait goes on',
    options: { sequence: { firstStartedAt: -15_000, dueAt: 5_000 } },
    play: async (retries) => {
      await retries.pass(5);
      await retries.passes();
    },
    facts: ['5 s: attempt in tokyo', '5 s: FINAL 1', '5 s: settled'],
  },
  {
    name: 'after a restart an attempt that is overdue is made at once',
    options: { sequence: { attempts: 2, firstStartedAt: -90_000, dueAt: -60_000 } },
    play: async (retries) => {
      await retries.pass(0);
      await retries.fails();
    },
    facts: ['0 s: attempt in tokyo', '0 s: FINAL 2', '0 s: settled'],
  },
  {
    name: 'where the clock was set back before a restart, the wait is as long as the strategy says',
    options: { sequence: { firstStartedAt: 7_000_000, dueAt: 7_200_000 } },
    play: async (retries) => {
      await retries.pass(20);
      await retries.passes();
    },
    facts: ['20 s: attempt in tokyo', '20 s: FINAL 1', '20 s: settled'],
  },
  {
    name: 'a clock that is set in a wait makes it neither longer nor shorter',
    play: async (retries) => {
      retries.jump(-3_600);
      await retries.pass(20);
      await retries.passes();
    },
    facts: ['-3580 s: attempt in tokyo', '-3580 s: FINAL 1', '-3580 s: settled'],
  },
];

describe('the retries machine', () => {
  test.each(SCENARIOS)('$name', async ({ options, play, facts }) => {
    const retries = new Retries(options);
    await play(retries);
    expect(retries.facts).toEqual(facts);
  });

  test('reaches every state and takes every transition', async () => {
    const coverage = new MachineCoverage(retriesMachine);
    for (const { options, play } of SCENARIOS) await play(new Retries({ ...options, coverage }));
    coverage.expectFullCoverage();
  });
});
