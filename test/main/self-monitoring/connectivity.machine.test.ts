import { describe, expect, test } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import { sightMachine } from '#main/self-monitoring/connectivity.machine.ts';
import type { SightEvent } from '#main/self-monitoring/connectivity-context.ts';
import type { CanaryWord } from '#main/self-monitoring/probes.ts';
import type { BlindReason, RunCount } from '#shared/self-monitoring/connectivity.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const SECOND = 1_000;
const BUNCH: RunCount = { ran: 8, inDoubt: 3 };
const LONE: RunCount = { ran: 8, inDoubt: 1 };

/** The machine alone: the canaries say what the test tells them to, after 0.1 s. */
class LoneSight {
  readonly #clock = new SimulatedClock(0);
  readonly #send: (event: SightEvent) => void;
  readonly facts: string[] = [];
  word: CanaryWord = 'answered';
  count: RunCount = LONE;

  constructor(coverage?: MachineCoverage) {
    const clock = this.#clock;
    const at = () => `${clock.now() / SECOND} s:`;
    const logic = sightMachine.provide({
      actors: { askCanaries: fromPromise(() => this.#ask()) },
      actions: {
        believe: (_, upTo) => void this.facts.push(`${at()} believe up to ${upTo.at / SECOND} s`),
        excuse: (_, { reasons }) => void this.facts.push(`${at()} excuse for ${reasons}`),
        tell: (_, { reasons }) => void this.facts.push(`${at()} tell ${reasons}`),
        noteSight: (_, { reasons, since, isTold }) =>
          void this.facts.push(
            `${at()} see again after ${reasons} since ${since / SECOND} s${isTold ? ', told' : ''}`,
          ),
      },
    });
    const input = { clock, toldAfterMs: 30 * SECOND, count: () => this.count };
    const actor = createActor(logic, {
      input,
      clock: actorClock(clock),
      inspect: coverage?.inspect,
    });
    actor.start();
    this.#send = (event) => actor.send(event);
  }

  async #ask(): Promise<CanaryWord> {
    await new Promise<void>((resolve) => this.#clock.setTimeout(resolve, 100));
    return this.word;
  }

  pass(seconds: number): Promise<void> {
    return this.#clock.advance(seconds * SECOND);
  }

  doubt(): void {
    this.#send({ type: 'DOUBT', at: this.#clock.now() });
  }

  health(...reasons: BlindReason[]): void {
    this.#send({ type: 'HEALTH', reasons });
  }
}

interface Scenario {
  name: string;
  play(sight: LoneSight): Promise<void>;
  facts: string[];
}

const BELIEVED_AT_START = '0.1 s: believe up to 0.1 s';

const SCENARIOS: Scenario[] = [
  {
    name: 'a run in doubt is believed as soon as a canary answers',
    play: async (sight) => {
      await sight.pass(10);
      sight.doubt();
      await sight.pass(1);
    },
    facts: [BELIEVED_AT_START, '10.1 s: believe up to 10.1 s'],
  },
  {
    name: 'canaries are asked once a second at most, and their word is younger than the run',
    play: async (sight) => {
      await sight.pass(10);
      sight.doubt();
      await sight.pass(0.05);
      sight.doubt();
      await sight.pass(0.5);
      sight.doubt();
      await sight.pass(2);
      sight.doubt();
      await sight.pass(0.3);
      sight.doubt();
      await sight.pass(1);
    },
    facts: [
      BELIEVED_AT_START,
      '10.1 s: believe up to 10 s',
      '11.1 s: believe up to 11.1 s',
      '12.65 s: believe up to 12.65 s',
      '13.65 s: believe up to 13.65 s',
    ],
  },
  {
    name: 'with silent canaries a bunch is excused, until one answers; short blindness is not told',
    play: async (sight) => {
      await sight.pass(10);
      sight.word = 'silent';
      sight.count = BUNCH;
      sight.doubt();
      await sight.pass(10);
      sight.word = 'answered';
      await sight.pass(10);
    },
    facts: [
      BELIEVED_AT_START,
      '10.1 s: excuse for NETWORK',
      '20.3 s: see again after NETWORK since 10.1 s',
    ],
  },
  {
    name: 'blindness that lasts is told, once, and so is its end',
    play: async (sight) => {
      await sight.pass(10);
      sight.word = 'silent';
      sight.count = BUNCH;
      sight.doubt();
      await sight.pass(600);
      sight.word = 'answered';
      await sight.pass(10);
    },
    facts: [
      BELIEVED_AT_START,
      '10.1 s: excuse for NETWORK',
      '40.1 s: tell NETWORK',
      expect.stringMatching(/^61\d\.\d s: see again after NETWORK since 10.1 s, told$/),
    ],
  },
  {
    name: 'silent canaries excuse no lone failure among targets that are seen',
    play: async (sight) => {
      await sight.pass(10);
      sight.word = 'silent';
      sight.doubt();
      await sight.pass(5);
    },
    facts: [BELIEVED_AT_START, '10.1 s: believe up to 10.1 s'],
  },
  {
    name: 'canaries that prove nothing excuse nothing',
    play: async (sight) => {
      await sight.pass(10);
      sight.word = 'unknown';
      sight.count = BUNCH;
      sight.doubt();
      await sight.pass(5);
    },
    facts: [BELIEVED_AT_START, '10.1 s: believe up to 10.1 s'],
  },
  {
    name: 'targets that are seen end it, whatever the canaries say',
    play: async (sight) => {
      await sight.pass(10);
      sight.word = 'silent';
      sight.count = BUNCH;
      sight.doubt();
      await sight.pass(1);
      sight.count = LONE;
      await sight.pass(10);
    },
    facts: [
      BELIEVED_AT_START,
      '10.1 s: excuse for NETWORK',
      '15.2 s: see again after NETWORK since 10.1 s',
    ],
  },
  {
    name: 'canaries that were silent for long prove nothing new: it stays as it was',
    play: async (sight) => {
      await sight.pass(10);
      sight.word = 'silent';
      sight.count = BUNCH;
      sight.doubt();
      await sight.pass(1);
      sight.word = 'unknown';
      await sight.pass(20);
    },
    facts: [BELIEVED_AT_START, '10.1 s: excuse for NETWORK'],
  },
  {
    name: 'its own trouble makes it blind at once; what comes to it is one blindness',
    play: async (sight) => {
      await sight.pass(10);
      sight.count = BUNCH;
      sight.health('BUSY');
      sight.word = 'silent';
      await sight.pass(6);
      sight.health('STORE');
      await sight.pass(1);
      sight.word = 'answered';
      await sight.pass(10);
      sight.health();
      await sight.pass(10);
    },
    facts: [
      BELIEVED_AT_START,
      '10 s: excuse for BUSY',
      '27 s: see again after BUSY,NETWORK,STORE since 10 s',
    ],
  },
  {
    name: 'its own trouble ends the wait of runs in doubt',
    play: async (sight) => {
      await sight.pass(10);
      sight.doubt();
      sight.health('MEMORY');
      await sight.pass(1);
    },
    facts: [BELIEVED_AT_START, '10 s: excuse for MEMORY'],
  },
  {
    name: 'now and then the canaries are asked although nothing fails',
    play: (sight) => sight.pass(301),
    facts: [BELIEVED_AT_START, '300.2 s: believe up to 300.2 s'],
  },
];

describe('the sight machine', () => {
  test.each(SCENARIOS)('$name', async ({ play, facts }) => {
    const sight = new LoneSight();
    await play(sight);
    expect(sight.facts).toEqual(facts);
  });

  test('reaches every state and takes every transition', async () => {
    const coverage = new MachineCoverage(sightMachine);
    for (const { play } of SCENARIOS) await play(new LoneSight(coverage));
    coverage.expectFullCoverage();
  });
});
