import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { checkMachine } from '#main/monitoring/check.machine.ts';
import { CheckActor } from '#main/monitoring/check-actor.ts';
import type {
  CheckEvent,
  CheckRunInput,
  RunOutcome,
  RunUnderWay,
} from '#main/monitoring/check-context.ts';
import { type CheckPorts, checkLogic } from '#main/monitoring/check-ports.ts';
import { type CheckState, persistedCheckState } from '#main/monitoring/persisted-state.ts';
import { actorClock } from '#main/platform/actor-clock.ts';
import type { SkippedSlots } from '#main/store/history/history.ts';
import type { CheckOf } from '#shared/checks/check.ts';
import { scheduleOf } from '#shared/checks/schedule.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const MINUTE = 60_000;
const ID = '2f6f9c1e-58a1-4f3e-9f0e-0f6a1f6a2b11';
const CHECK = makeCheck('URL', { id: ID, frequency: 1, frequencyOffset: 5 });
const SCHEDULE = scheduleOf(CHECK);

interface Options {
  fresh?: boolean;
  activated?: boolean;
  memory?: Partial<CheckState>;
  underWay?: RunUnderWay;
  coverage?: MachineCoverage | undefined;
  /** Whether it rests between its slots, as all do, or is the machine throughout. */
  rests?: boolean;
}

/** One check that is due every minute: slot 0 is about half a minute after the start. */
class LoneCheck {
  readonly #clock = new SimulatedClock(0);
  readonly #ends: (() => void)[] = [];
  readonly #send: (event: CheckEvent) => void;
  #check: CheckOf<'URL'>;
  /** The runs that began, the slots that were counted, and what was cancelled. */
  readonly facts: string[] = [];
  readonly followers = new Map<string, RecordingFollower>();
  /** What was to be remembered so far. */
  readonly memory: Partial<CheckState> = {};
  /** Whether a maintenance window holds. */
  isPaused = false;
  isOverloaded = false;

  constructor(options: Options = {}) {
    const { fresh = false, activated = true, memory = {}, rests = false } = options;
    this.#check = { ...CHECK, activated };
    const clock = this.#clock;
    const ports: CheckPorts = {
      carryOut: (run) => this.#run(run),
      countSkipped: (skipped) => void this.facts.push(describeSkipped(skipped)),
      remember: (_, changed) => void Object.assign(this.memory, changed),
      cancelRun: () => void this.facts.push('run cancelled'),
      isPaused: () => this.isPaused,
      isSkippedInOverload: () => this.isOverloaded,
    };
    const remembered = {
      check: this.#check,
      memory: { ...persistedCheckState(undefined), fresh, ...memory },
    };
    const logic = checkLogic(ports);
    const failed = (_: string, error: unknown) => expect.fail(String(error));
    const actor = rests
      ? new CheckActor({ ports, logic, clock, failed }, remembered)
      : createActor(logic, {
          input: { ...remembered, clock, underWay: options.underWay ?? null },
          clock: actorClock(clock),
          inspect: options.coverage?.inspect,
        });
    actor.start();
    this.#send = (event) => actor.send(event);
  }

  async #run(run: CheckRunInput): Promise<RunOutcome> {
    this.facts.push(describeRun(run));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.push(resolve);
    await promise;
    return { lastLocation: 'paris' };
  }

  pass(minutes: number): Promise<void> {
    return this.#clock.advance(minutes * MINUTE);
  }

  /** The clock moves and the timers do not: the machine sleeps, or the clock is set. */
  jump(minutes: number): void {
    this.#clock.jump(minutes * MINUTE);
  }

  tellJump(): void {
    this.#send({ type: 'CLOCK_JUMPED' });
  }

  /** The run under way ends. */
  async end(): Promise<void> {
    const end = this.#ends.shift();
    if (end === undefined) throw new Error('No run is under way.');
    end();
    await this.#clock.advance(0);
  }

  edit(members: Partial<CheckOf<'URL'>>): void {
    this.#check = { ...this.#check, ...members };
    this.#send({ type: 'EDITED', check: this.#check });
  }

  order(id: string): void {
    const follower = new RecordingFollower();
    this.followers.set(id, follower);
    this.#send({ type: 'ORDERED', order: order(id), follower });
  }

  cancel(orderId: string): void {
    this.#send({ type: 'CANCELLED', orderId });
  }
}

function describeRun({ slot, ordered, interrupted }: CheckRunInput): string {
  const again = interrupted ? ' again' : '';
  if (ordered) return `order ${ordered.order.id}${again}`;
  if (slot === null) return `a slot that ran before${again}`;
  const n = slotNumber(slot);
  return `${Number.isInteger(n) ? `slot ${n}` : 'first run'}${again}`;
}

function describeSkipped({ fromSlot, toSlot, count, reason }: SkippedSlots): string {
  return `${reason} ${count}: ${slotNumber(fromSlot)} to ${slotNumber(toSlot)}`;
}

function slotNumber(slot: number): number {
  return (slot - SCHEDULE.phaseMs) / SCHEDULE.periodMs;
}

const SLOT_BEFORE = SCHEDULE.phaseMs - MINUTE;

const RUN_CUT_SHORT = {
  slot: SLOT_BEFORE,
  checkRunId: 1,
  sequences: [],
};

interface Scenario {
  name: string;
  options?: Options;
  play(check: LoneCheck): Promise<void>;
  facts: string[];
}

const SCENARIOS: Scenario[] = [
  {
    name: 'it runs at each of its slots',
    play: async (check) => {
      for (let n = 0; n < 3; n++) {
        await check.pass(1);
        await check.end();
      }
    },
    facts: ['slot 0', 'slot 1', 'slot 2'],
  },
  {
    name: 'new, it has a first run within seconds',
    options: { fresh: true },
    play: async (check) => {
      await check.pass(5 / 60);
      await check.end();
      await check.pass(1);
    },
    facts: ['first run', 'slot 0'],
  },
  {
    name: 'an edit in the wait for its first run leaves that where it was',
    options: { fresh: true },
    play: async (check) => {
      check.edit({ name: 'Renamed' });
      await check.pass(5 / 60);
    },
    facts: ['first run'],
  },
  {
    name: 'slots that pass while a run is under way are counted, and none is made up for',
    play: async (check) => {
      await check.pass(3);
      await check.end();
      await check.pass(1);
    },
    facts: ['slot 0', 'overlap 2: 1 to 2', 'slot 3'],
  },
  {
    name: 'slots that the machine slept through are counted once it wakes',
    play: async (check) => {
      check.jump(5);
      check.tellJump();
      await check.pass(1);
    },
    facts: ['asleep 5: 0 to 4', 'slot 5'],
  },
  {
    name: 'a sleep that only the timer notices is counted as well',
    play: async (check) => {
      check.jump(5.5);
      await check.pass(1);
    },
    facts: ['asleep 6: 0 to 5'],
  },
  {
    name: 'a timer that fires before its slot, as the clock was set back, waits on',
    play: async (check) => {
      check.jump(-0.2);
      await check.pass(0.65);
      expect(check.facts).toEqual([]);
      await check.pass(0.2);
    },
    facts: ['slot 0'],
  },
  {
    name: 'slots that come again, as the clock was set back far, run without a slot to their name',
    play: async (check) => {
      await check.pass(1);
      await check.end();
      check.jump(-10);
      check.tellJump();
      await check.pass(1);
    },
    facts: ['slot 0', 'a slot that ran before'],
  },
  {
    name: 'in maintenance its slots are counted, and what is ordered runs all the same',
    play: async (check) => {
      check.isPaused = true;
      await check.pass(2);
      check.order('a');
      await check.end();
      check.isPaused = false;
      await check.pass(1);
    },
    facts: ['maintenance 1: 0 to 0', 'maintenance 1: 1 to 1', 'order a', 'slot 2'],
  },
  {
    name: 'maintenance that begins in a run lets it end',
    play: async (check) => {
      await check.pass(0.7);
      check.isPaused = true;
      await check.end();
      await check.pass(1);
    },
    facts: ['slot 0', 'maintenance 1: 1 to 1'],
  },
  {
    name: 'made in maintenance, it has no first run and waits for its slots',
    options: { fresh: true },
    play: async (check) => {
      check.isPaused = true;
      await check.pass(0.2);
      check.isPaused = false;
      await check.pass(0.7);
    },
    facts: ['slot 0'],
  },
  {
    name: 'in an overload its slots are counted, and what is ordered runs all the same',
    play: async (check) => {
      check.isOverloaded = true;
      await check.pass(2);
      check.order('a');
      await check.end();
      check.isOverloaded = false;
      await check.pass(1);
    },
    facts: ['overload 1: 0 to 0', 'overload 1: 1 to 1', 'order a', 'slot 2'],
  },
  {
    name: 'an overload skips no first run',
    options: { fresh: true },
    play: async (check) => {
      check.isOverloaded = true;
      await check.pass(0.2);
    },
    facts: ['first run'],
  },
  {
    name: 'deactivated, it sleeps through edits, and no slot is counted',
    options: { activated: false },
    play: async (check) => {
      await check.pass(5);
      check.edit({ name: 'Renamed' });
      await check.pass(5);
    },
    facts: [],
  },
  {
    name: 'activated, it is as good as new',
    options: { activated: false },
    play: async (check) => {
      await check.pass(5);
      check.edit({ activated: true });
      await check.pass(5 / 60);
      await check.end();
      await check.pass(1);
    },
    facts: ['first run', 'slot 5'],
  },
  {
    name: 'deactivated while it waits, it sleeps',
    play: async (check) => {
      check.edit({ activated: false });
      await check.pass(5);
    },
    facts: [],
  },
  {
    name: 'the slots that passed in a run are counted where it is deactivated before the run ends',
    play: async (check) => {
      await check.pass(3);
      check.edit({ activated: false });
      await check.end();
      await check.pass(5);
    },
    facts: ['slot 0', 'overlap 2: 1 to 2'],
  },
  {
    name: 'the slots that passed in a run are counted by the schedule that they were of',
    play: async (check) => {
      await check.pass(3);
      check.edit({ frequency: 60 });
      await check.pass(2);
      await check.end();
      await check.pass(5);
    },
    facts: ['slot 0', 'overlap 2: 1 to 2'],
  },
  {
    name: 'an edit in a run changes nothing of it, and slots are counted once',
    play: async (check) => {
      await check.pass(1);
      check.edit({ name: 'Renamed' });
      await check.pass(1);
      check.edit({ name: 'Renamed again' });
      await check.pass(1);
      await check.end();
    },
    facts: ['slot 0', 'overlap 2: 1 to 2'],
  },
  {
    name: 'an edit that comes before the wake was noticed loses no slot',
    play: async (check) => {
      check.jump(5);
      check.edit({ frequency: 60 });
      await check.pass(5);
    },
    facts: ['asleep 5: 0 to 4'],
  },
  {
    name: 'an edit at the very moment of a slot, before its timer, loses no slot',
    play: async (check) => {
      check.jump(SCHEDULE.phaseMs / MINUTE);
      check.edit({ frequency: 60 });
      await check.pass(5);
    },
    facts: ['asleep 1: 0 to 0'],
  },
  {
    name: 'an edit that leaves the slots as they are lets a late one run',
    play: async (check) => {
      check.jump(SCHEDULE.phaseMs / MINUTE + 0.1);
      check.edit({ name: 'Renamed' });
      await check.pass(0);
    },
    facts: ['slot 0'],
  },
  {
    name: 'an order runs at once, and the schedule goes on',
    play: async (check) => {
      check.order('a');
      await check.end();
      await check.pass(1);
    },
    facts: ['order a', 'slot 0'],
  },
  {
    name: 'deactivated, it runs what is ordered and sleeps again',
    options: { activated: false },
    play: async (check) => {
      check.order('a');
      await check.end();
      await check.pass(5);
    },
    facts: ['order a'],
  },
  {
    name: 'orders wait for the run under way, the oldest first; one is cancelled and never runs',
    play: async (check) => {
      await check.pass(0.7);
      for (const id of ['a', 'b', 'c']) check.order(id);
      check.cancel('b');
      for (let n = 0; n < 3; n++) await check.end();
      expect(check.followers.get('b')?.ends).toEqual(['cancelled']);
    },
    facts: ['slot 0', 'order a', 'order c'],
  },
  {
    name: 'the ordered run under way is cancelled where it is the one that is meant',
    play: async (check) => {
      check.order('a');
      check.cancel('another');
      check.cancel('a');
      await check.end();
    },
    facts: ['order a', 'run cancelled'],
  },
  {
    name: 'a run that began without the machine goes on with it, and the next slot comes',
    options: {
      memory: { lastSlot: SLOT_BEFORE },
      underWay: { keptSlot: SLOT_BEFORE, outcome: Promise.resolve({ lastLocation: 'paris' }) },
    },
    play: (check) => check.pass(1),
    facts: ['slot 0'],
  },
  {
    name: "a slot's run that a crash cut short is taken up first, and once",
    options: { memory: { interrupted: { ...RUN_CUT_SHORT, orderId: null } } },
    play: async (check) => {
      await check.end();
      await check.pass(1);
    },
    facts: ['slot -1 again', 'slot 0'],
  },
  {
    name: 'an ordered run that a crash cut short is taken up when it is ordered again',
    options: { memory: { interrupted: { ...RUN_CUT_SHORT, slot: null, orderId: 'a' } } },
    play: async (check) => {
      await check.pass(1);
      await check.end();
      for (const id of ['b', 'a', 'a']) {
        check.order(id);
        await check.end();
      }
    },
    facts: ['slot 0', 'order b', 'order a again', 'order a'],
  },
];

describe('the check machine', () => {
  test.each(SCENARIOS)('$name', async ({ options, play, facts }) => {
    const check = new LoneCheck(options);
    await play(check);
    expect(check.facts).toEqual(facts);
  });

  test.each(SCENARIOS)('$name, also where it rests between its slots', async (scenario) => {
    const { options, play, facts } = scenario;
    const [check, resting] = [new LoneCheck(options), new LoneCheck({ ...options, rests: true })];
    await play(check);
    await play(resting);
    expect(resting.facts).toEqual(facts);
    expect(resting.memory).toEqual(check.memory);
  });

  test('reaches every state and takes every transition', async () => {
    const coverage = new MachineCoverage(checkMachine);
    for (const { options, play } of SCENARIOS) await play(new LoneCheck({ ...options, coverage }));
    coverage.expectFullCoverage();
  });
});
