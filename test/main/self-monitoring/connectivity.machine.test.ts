import { describe, expect, test } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { actorClock } from '#main/platform/actor-clock.ts';
import { connectivityMachine } from '#main/self-monitoring/connectivity.machine.ts';
import type { ConnectivityEvent } from '#main/self-monitoring/connectivity-context.ts';
import type { ProbeVerdict } from '#main/self-monitoring/probes.ts';
import type { OfflineReason, RunCount } from '#shared/self-monitoring/connectivity.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const SECOND = 1_000;
const BUNCH: RunCount = { ran: 8, inDoubt: 3 };
const LONE: RunCount = { ran: 8, inDoubt: 1 };

/** The machine alone: the canaries say what the test tells them to, after 0.1 s. */
class LoneConnectivity {
  readonly #clock = new SimulatedClock(0);
  readonly #send: (event: ConnectivityEvent) => void;
  readonly facts: string[] = [];
  word: ProbeVerdict = 'answered';
  count: RunCount = LONE;

  constructor(coverage?: MachineCoverage) {
    const clock = this.#clock;
    const at = () => `${clock.now() / SECOND} s:`;
    const logic = connectivityMachine.provide({
      actors: { askProbes: fromPromise(() => this.#ask()) },
      actions: {
        believe: (_, upTo) => void this.facts.push(`${at()} believe up to ${upTo.at / SECOND} s`),
        excuse: (_, { reasons }) => void this.facts.push(`${at()} excuse for ${reasons}`),
        tell: (_, { reasons }) => void this.facts.push(`${at()} tell ${reasons}`),
        noteConnectivity: (_, { reasons, since, isTold }) =>
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

  async #ask(): Promise<ProbeVerdict> {
    await new Promise<void>((resolve) => this.#clock.setTimeout(resolve, 100));
    return this.word;
  }

  pass(seconds: number): Promise<void> {
    return this.#clock.advance(seconds * SECOND);
  }

  doubt(): void {
    this.#send({ type: 'DOUBT', at: this.#clock.now() });
  }

  health(...reasons: OfflineReason[]): void {
    this.#send({ type: 'HEALTH', reasons });
  }
}

interface Scenario {
  name: string;
  play(connectivity: LoneConnectivity): Promise<void>;
  facts: string[];
}

const BELIEVED_AT_START = '0.1 s: believe up to 0.1 s';

const SCENARIOS: Scenario[] = [
  {
    name: 'a run in doubt is believed as soon as a canary answers',
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.doubt();
      await connectivity.pass(1);
    },
    facts: [BELIEVED_AT_START, '10.1 s: believe up to 10.1 s'],
  },
  {
    name: 'canaries are asked once a second at most, and their word is younger than the run',
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.doubt();
      await connectivity.pass(0.05);
      connectivity.doubt();
      await connectivity.pass(0.5);
      connectivity.doubt();
      await connectivity.pass(2);
      connectivity.doubt();
      await connectivity.pass(0.3);
      connectivity.doubt();
      await connectivity.pass(1);
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
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.word = 'silent';
      connectivity.count = BUNCH;
      connectivity.doubt();
      await connectivity.pass(10);
      connectivity.word = 'answered';
      await connectivity.pass(10);
    },
    facts: [
      BELIEVED_AT_START,
      '10.1 s: excuse for NETWORK',
      '20.3 s: see again after NETWORK since 10.1 s',
    ],
  },
  {
    name: 'blindness that lasts is told, once, and so is its end',
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.word = 'silent';
      connectivity.count = BUNCH;
      connectivity.doubt();
      await connectivity.pass(600);
      connectivity.word = 'answered';
      await connectivity.pass(10);
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
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.word = 'silent';
      connectivity.doubt();
      await connectivity.pass(5);
    },
    facts: [BELIEVED_AT_START, '10.1 s: believe up to 10.1 s'],
  },
  {
    name: 'canaries that prove nothing excuse nothing',
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.word = 'unknown';
      connectivity.count = BUNCH;
      connectivity.doubt();
      await connectivity.pass(5);
    },
    facts: [BELIEVED_AT_START, '10.1 s: believe up to 10.1 s'],
  },
  {
    name: 'targets that are seen end it, whatever the canaries say',
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.word = 'silent';
      connectivity.count = BUNCH;
      connectivity.doubt();
      await connectivity.pass(1);
      connectivity.count = LONE;
      await connectivity.pass(10);
    },
    facts: [
      BELIEVED_AT_START,
      '10.1 s: excuse for NETWORK',
      '15.2 s: see again after NETWORK since 10.1 s',
    ],
  },
  {
    name: 'canaries that were silent for long prove nothing new: it stays as it was',
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.word = 'silent';
      connectivity.count = BUNCH;
      connectivity.doubt();
      await connectivity.pass(1);
      connectivity.word = 'unknown';
      await connectivity.pass(20);
    },
    facts: [BELIEVED_AT_START, '10.1 s: excuse for NETWORK'],
  },
  {
    name: 'its own trouble makes it blind at once; what comes to it is one blindness',
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.count = BUNCH;
      connectivity.health('BUSY');
      connectivity.word = 'silent';
      await connectivity.pass(6);
      connectivity.health('STORE');
      await connectivity.pass(1);
      connectivity.word = 'answered';
      await connectivity.pass(10);
      connectivity.health();
      await connectivity.pass(10);
    },
    facts: [
      BELIEVED_AT_START,
      '10 s: excuse for BUSY',
      '27 s: see again after BUSY,NETWORK,STORE since 10 s',
    ],
  },
  {
    name: 'its own trouble ends the wait of runs in doubt',
    play: async (connectivity) => {
      await connectivity.pass(10);
      connectivity.doubt();
      connectivity.health('MEMORY');
      await connectivity.pass(1);
    },
    facts: [BELIEVED_AT_START, '10 s: excuse for MEMORY'],
  },
  {
    name: 'now and then the canaries are asked although nothing fails',
    play: (connectivity) => connectivity.pass(301),
    facts: [BELIEVED_AT_START, '300.2 s: believe up to 300.2 s'],
  },
];

describe('the sight machine', () => {
  test.each(SCENARIOS)('$name', async ({ play, facts }) => {
    const connectivity = new LoneConnectivity();
    await play(connectivity);
    expect(connectivity.facts).toEqual(facts);
  });

  test('reaches every state and takes every transition', async () => {
    const coverage = new MachineCoverage(connectivityMachine);
    for (const { play } of SCENARIOS) await play(new LoneConnectivity(coverage));
    coverage.expectFullCoverage();
  });
});
