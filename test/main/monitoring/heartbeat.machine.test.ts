import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { heartbeatMachine } from '#main/monitoring/heartbeat.machine.ts';
import type { HeartbeatEvent } from '#main/monitoring/heartbeat-context.ts';
import type { SkippedSlots } from '#main/store/history/history.ts';
import type { HeartbeatCheck } from '#shared/checks/check.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const MINUTE = 60_000;
const HOUR = 60;

/** One heartbeat, expected every hour with a grace of 10 minutes; all times are minutes. */
class Heartbeat {
  readonly #clock = new SimulatedClock(0);
  readonly #check = makeCheck('HEARTBEAT', {
    heartbeat: { period: 60, periodUnit: 'minutes', grace: 10, graceUnit: 'minutes' },
  } as never) as HeartbeatCheck;
  /** States of pings and misses, with when they were; gaps as `asleep`, from and to. */
  readonly facts: (string | number)[][] = [];
  readonly #send: (event: HeartbeatEvent) => void;
  #maintenance: readonly [from: number, to: number] = [0, 0];
  #outage: readonly [from: number, to: number] = [-1, -1];

  #whenDoubted = () => {};

  constructor(coverage?: MachineCoverage) {
    const logic = heartbeatMachine.provide({
      actions: {
        recordPing: (_, { fact }) => void this.facts.push([fact.state, fact.at / MINUTE]),
        raiseDoubt: () => this.#whenDoubted(),
        recordMiss: (_, fact) => void this.facts.push([fact.state, fact.at / MINUTE]),
        recordGap: (_, gap) => void this.facts.push(gapOf(gap)),
      },
      guards: {
        isPaused: (_, { at }) => this.#isPausedAt(at / MINUTE),
        isUnseen: (_, { from, to }) => this.#isOfflineWithin(from / MINUTE, to / MINUTE),
      },
    });
    const clock = this.#clock;
    const actor = createActor(logic, {
      input: { check: this.#check, clock, memory: { lastResetAt: null } },
      clock: {
        setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs),
        clearTimeout: (handle) => clock.clearTimeout(handle),
      },
      inspect: coverage?.inspect,
    });
    actor.start();
    this.#send = (event) => actor.send(event);
  }

  /** A maintenance window, from one minute to before another. */
  maintain(from: number, to: number): void {
    this.#maintenance = [from, to];
  }

  #isPausedAt(minute: number): boolean {
    const [from, to] = this.#maintenance;
    return minute >= from && minute < to;
  }

  /** The monitor is blind, from one minute to before another. */
  blind(from: number, to: number): void {
    this.#outage = [from, to];
  }

  /** The monitor is blind, which is found out only once it is asked whether it sees. */
  offlineOnceDoubted(from: number, to: number): void {
    this.#whenDoubted = () => this.blind(from, to);
  }

  #isOfflineWithin(from: number, to: number): boolean {
    const [start, end] = this.#outage;
    return to >= start && from < end;
  }

  ping(): void {
    const reply = () => undefined;
    this.#send({ type: 'PING', at: this.#clock.now(), source: null, userAgent: null, reply });
  }

  activate(activated: boolean): void {
    this.#send({ type: 'EDITED', check: { ...this.#check, activated } });
  }

  pass(minutes: number): Promise<void> {
    return this.#clock.advance(minutes * MINUTE);
  }

  /** The clock moves and the timers do not: the machine sleeps, or the clock is set. */
  jump(minutes: number): void {
    this.#clock.jump(minutes * MINUTE);
  }

  /** The jump was noticed by who watches the clock. */
  tellJump(): void {
    this.#send({ type: 'CLOCK_JUMPED' });
  }
}

const gapOf = ({ fromSlot, toSlot, count, reason }: SkippedSlots) => [
  reason,
  count,
  fromSlot / MINUTE,
  toSlot / MINUTE,
];

interface Scenario {
  name: string;
  play(heartbeat: Heartbeat): Promise<void>;
  facts: (string | number)[][];
}

const SCENARIOS: Scenario[] = [
  {
    name: 'in maintenance nothing is missed, and the timer starts again when that is over',
    play: async (heartbeat) => {
      heartbeat.maintain(50, 200);
      heartbeat.ping();
      await heartbeat.pass(271);
    },
    facts: [
      ['RECEIVED', 0],
      ['maintenance', 1, 60, expect.closeTo(200, 0)],
      ['FAILING', expect.closeTo(270, 0)],
    ],
  },
  {
    name: 'a ping that was expected in maintenance is not missed soon after it',
    play: async (heartbeat) => {
      heartbeat.maintain(50, 65);
      heartbeat.ping();
      await heartbeat.pass(139);
    },
    facts: [
      ['RECEIVED', 0],
      ['maintenance', 1, 60, expect.closeTo(70, 0)],
    ],
  },
  {
    name: 'a ping in maintenance counts as ever',
    play: async (heartbeat) => {
      heartbeat.maintain(50, 200);
      heartbeat.ping();
      await heartbeat.pass(100);
      heartbeat.ping();
      await heartbeat.pass(50);
    },
    facts: [
      ['RECEIVED', 0],
      ['LATE', 100],
    ],
  },
  {
    name: 'before a miss is recorded it is asked whether the monitor sees',
    play: async (heartbeat) => {
      heartbeat.offlineOnceDoubted(50, 200);
      heartbeat.ping();
      await heartbeat.pass(210);
    },
    facts: [
      ['RECEIVED', 0],
      ['blind', 1, 60, expect.closeTo(200, 0)],
    ],
  },
  {
    name: 'while the monitor is blind nothing is missed, and the timer starts again when it sees',
    play: async (heartbeat) => {
      heartbeat.blind(65, 200);
      heartbeat.ping();
      await heartbeat.pass(271);
    },
    facts: [
      ['RECEIVED', 0],
      ['blind', 1, 60, expect.closeTo(200, 0)],
      ['FAILING', expect.closeTo(270, 0)],
    ],
  },
  {
    name: 'a ping that was expected while the monitor was blind is not missed soon after it',
    play: async (heartbeat) => {
      heartbeat.blind(50, 65);
      heartbeat.ping();
      await heartbeat.pass(139);
    },
    facts: [
      ['RECEIVED', 0],
      ['blind', 1, 60, expect.closeTo(70, 0)],
    ],
  },
  {
    name: 'a blindness that was over before a ping was expected excuses nothing',
    play: async (heartbeat) => {
      heartbeat.blind(10, 50);
      heartbeat.ping();
      await heartbeat.pass(71);
    },
    facts: [
      ['RECEIVED', 0],
      ['FAILING', 70],
    ],
  },
  {
    name: 'a ping that comes while the monitor is blind counts as ever',
    play: async (heartbeat) => {
      heartbeat.blind(50, 200);
      heartbeat.ping();
      await heartbeat.pass(100);
      heartbeat.ping();
      await heartbeat.pass(50);
    },
    facts: [
      ['RECEIVED', 0],
      ['LATE', 100],
    ],
  },
  {
    name: 'a miss is recorded, once for each deadline',
    play: async (heartbeat) => {
      heartbeat.ping();
      await heartbeat.pass(150);
    },
    facts: [
      ['RECEIVED', 0],
      ['FAILING', 70],
      ['FAILING', 140],
    ],
  },
  {
    name: 'deactivated, it takes pings and judges nothing, also after a sleep',
    play: async (heartbeat) => {
      heartbeat.ping();
      heartbeat.activate(false);
      await heartbeat.pass(300);
      heartbeat.jump(300);
      heartbeat.ping();
    },
    facts: [
      ['RECEIVED', 0],
      ['RECEIVED', 600],
    ],
  },
  {
    name: 'a sleep over many periods is one gap, and the timer starts again at the wake',
    play: async (heartbeat) => {
      heartbeat.ping();
      await heartbeat.pass(30);
      heartbeat.jump(48 * HOUR);
      heartbeat.tellJump();
      await heartbeat.pass(71);
    },
    facts: [
      ['RECEIVED', 0],
      ['asleep', 1, 60, 2_910],
      ['FAILING', 2_980],
    ],
  },
  {
    name: 'a sleep that only the timer notices, long after it was due, is a gap too',
    play: async (heartbeat) => {
      heartbeat.ping();
      heartbeat.jump(48 * HOUR);
      await heartbeat.pass(141);
    },
    facts: [
      ['RECEIVED', 0],
      ['asleep', 1, 60, 2_950],
      ['FAILING', 3_020],
    ],
  },
  {
    name: 'a sleep in which a ping was expected, and which ends before the deadline, is a gap too',
    play: async (heartbeat) => {
      heartbeat.ping();
      heartbeat.jump(65);
      heartbeat.tellJump();
      await heartbeat.pass(71);
    },
    facts: [
      ['RECEIVED', 0],
      ['asleep', 1, 60, 65],
      ['FAILING', 135],
    ],
  },
  {
    name: 'a sleep in which nothing was expected changes nothing',
    play: async (heartbeat) => {
      heartbeat.ping();
      heartbeat.jump(50);
      heartbeat.tellJump();
      await heartbeat.pass(21);
    },
    facts: [
      ['RECEIVED', 0],
      ['FAILING', 70],
    ],
  },
  {
    name: 'a sleep that began while a ping might have been on its way is a gap too',
    play: async (heartbeat) => {
      heartbeat.ping();
      await heartbeat.pass(70);
      heartbeat.jump(HOUR);
      heartbeat.tellJump();
    },
    facts: [
      ['RECEIVED', 0],
      ['asleep', 1, 60, 130],
    ],
  },
  {
    name: 'a ping that comes before the timer wakes is judged from the wake on',
    play: async (heartbeat) => {
      heartbeat.ping();
      heartbeat.jump(5 * HOUR);
      heartbeat.ping();
      await heartbeat.pass(71);
    },
    facts: [
      ['RECEIVED', 0],
      ['asleep', 1, 60, 300],
      ['EARLY', 300],
      ['FAILING', 370],
    ],
  },
  {
    name: 'a ping within its grace, right after a sleep, is one like any other',
    play: async (heartbeat) => {
      heartbeat.ping();
      await heartbeat.pass(5);
      heartbeat.jump(60);
      heartbeat.ping();
    },
    facts: [
      ['RECEIVED', 0],
      ['GRACE', 65],
    ],
  },
  {
    name: 'a timer that is a few seconds late is no sleep',
    play: async (heartbeat) => {
      heartbeat.ping();
      heartbeat.jump(10 / 60);
      await heartbeat.pass(71);
    },
    facts: [
      ['RECEIVED', 0],
      ['FAILING', 70],
    ],
  },
  {
    name: 'a clock that is set back fires no deadline twice',
    play: async (heartbeat) => {
      heartbeat.ping();
      await heartbeat.pass(71);
      heartbeat.jump(-30);
      await heartbeat.pass(100);
    },
    facts: [
      ['RECEIVED', 0],
      ['FAILING', 70],
      ['FAILING', 140],
    ],
  },
  {
    name: 'a clock that is set back at the deadline waits for it again',
    play: async (heartbeat) => {
      heartbeat.ping();
      await heartbeat.pass(70);
      heartbeat.jump(-10);
      await heartbeat.pass(5);
      heartbeat.ping();
    },
    facts: [
      ['RECEIVED', 0],
      ['GRACE', 65],
    ],
  },
  {
    name: 'a ping after the clock was set back before the last one is EARLY and starts the timer',
    play: async (heartbeat) => {
      await heartbeat.pass(600);
      heartbeat.ping();
      heartbeat.jump(-300);
      heartbeat.ping();
      await heartbeat.pass(71);
    },
    facts: [
      ['RECEIVED', 600],
      ['EARLY', 300],
      ['FAILING', 370],
    ],
  },
  {
    name: 'a clock that is set back before the last ping starts the timer once that is told',
    play: async (heartbeat) => {
      await heartbeat.pass(600);
      heartbeat.ping();
      heartbeat.jump(-300);
      heartbeat.tellJump();
      await heartbeat.pass(71);
    },
    facts: [
      ['RECEIVED', 600],
      ['FAILING', 370],
    ],
  },
  {
    name: 'a clock that is set back far delays a failure by no more than a period and its grace',
    play: async (heartbeat) => {
      await heartbeat.pass(600);
      heartbeat.ping();
      heartbeat.jump(-300);
      await heartbeat.pass(141);
    },
    facts: [
      ['RECEIVED', 600],
      ['FAILING', 440],
    ],
  },
];

describe('the heartbeat machine', () => {
  test.each(SCENARIOS)('$name', async ({ play, facts }) => {
    const heartbeat = new Heartbeat();
    await play(heartbeat);
    expect(heartbeat.facts).toEqual(facts);
  });

  test('reaches every state and takes every transition', async () => {
    const coverage = new MachineCoverage(heartbeatMachine);
    for (const { play } of SCENARIOS) await play(new Heartbeat(coverage));
    coverage.expectFullCoverage();
  });
});

test('what was not reached or taken is named', () => {
  const coverage = new MachineCoverage(heartbeatMachine);
  new Heartbeat(coverage);
  expect(coverage.missing()).toMatchObject({
    states: expect.arrayContaining(['heartbeat.started.overdue']),
    transitions: expect.arrayContaining([
      'heartbeat.started: PING, candidate 0 → heartbeat.planning',
    ]),
  });
  expect(coverage.missing().states).not.toContain('heartbeat.planning');
  expect(() => coverage.expectFullCoverage()).toThrow();
});
