import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createActor } from 'xstate';
import { CheckActor } from '#main/monitoring/check-actor.ts';
import type { CheckEvent, CheckInput } from '#main/monitoring/check-context.ts';
import { type CheckPorts, checkLogic } from '#main/monitoring/check-ports.ts';
import { actorClock } from '#main/platform/actor-clock.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const MINUTE = 60_000;
const CHECK = makeCheck('URL', { frequency: 1 });

type Step =
  | { do: 'pass'; ms: number }
  | { do: 'jump'; ms: number }
  | { do: 'edit'; frequency: number; activated: boolean }
  | { do: 'order'; id: string }
  | { do: 'cancel'; id: string }
  | { do: 'pause'; isPaused: boolean }
  | { do: 'overload'; isOverloaded: boolean };

const milliseconds = (least: number) =>
  fc.oneof(
    fc.integer({ min: least, max: MINUTE }),
    fc.integer({ min: -90, max: 90 }).map((minutes) => Math.max(least, minutes * MINUTE)),
  );
const orderId = fc.constantFrom('a', 'b');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: milliseconds(0).map((ms) => ({ do: 'pass' as const, ms })) },
  milliseconds(-90 * MINUTE).map((ms) => ({ do: 'jump' as const, ms })),
  fc.record({
    do: fc.constant('edit' as const),
    frequency: fc.constantFrom(1, 2, 10),
    activated: fc.boolean(),
  }),
  fc.record({ do: fc.constant('order' as const), id: orderId }),
  fc.record({ do: fc.constant('cancel' as const), id: orderId }),
  fc.record({ do: fc.constant('pause' as const), isPaused: fc.boolean() }),
  fc.record({ do: fc.constant('overload' as const), isOverloaded: fc.boolean() }),
);

const life = fc.record({
  fresh: fc.boolean(),
  steps: fc.array(step, { maxLength: 25 }),
  /** How long the runs take, in turn. */
  runs: fc.array(fc.integer({ min: 0, max: 4 * MINUTE }), { minLength: 1, maxLength: 5 }),
});
type Life = typeof life extends fc.Arbitrary<infer L> ? L : never;

interface World {
  clock: SimulatedClock;
  ports: CheckPorts;
  input: CheckInput;
  /** Everything that the check did to the world around it, with the time. */
  log: unknown[];
  is: { paused: boolean; overloaded: boolean };
}

function worldOf({ fresh, runs }: Life): World {
  const clock = new SimulatedClock(0);
  const log: unknown[] = [];
  const write = (...entry: unknown[]) => void log.push([clock.now(), ...entry]);
  const is = { paused: false, overloaded: false };
  let count = 0;
  const ports: CheckPorts = {
    carryOut: ({ check, slot, ordered, lastLocation }) => {
      write('run', check.frequency, slot, ordered?.order.id, lastLocation);
      const lasts = runs[count % runs.length] ?? 0;
      const location = `location ${count++}`;
      const { promise, resolve } = Promise.withResolvers<{ lastLocation: string }>();
      clock.setTimeout(() => resolve({ lastLocation: location }), lasts);
      return promise;
    },
    countSkipped: (skipped) => write('skipped', skipped),
    remember: (_, memory) => write('remember', memory),
    cancelRun: () => write('cancel'),
    isPaused: () => is.paused,
    isSkippedInOverload: () => is.overloaded,
  };
  const memory = { lastSlot: 0, newestSlot: null, fresh, lastLocation: null, interrupted: null };
  return { clock, ports, input: { check: CHECK, clock, memory }, log, is };
}

async function live({ steps }: Life, world: World, send: (event: CheckEvent) => void) {
  const { clock, input, log, is } = world;
  for (const [index, step] of steps.entries()) {
    if (step.do === 'pass') await clock.advance(step.ms);
    else if (step.do === 'pause') is.paused = step.isPaused;
    else if (step.do === 'overload') is.overloaded = step.isOverloaded;
    else if (step.do === 'cancel') send({ type: 'CANCELLED', orderId: step.id });
    else if (step.do === 'jump') {
      clock.jump(step.ms);
      send({ type: 'CLOCK_JUMPED' });
    } else if (step.do === 'edit') {
      const { frequency, activated } = step;
      send({ type: 'EDITED', check: { ...input.check, frequency, activated } });
    } else send({ type: 'ORDERED', order: order(step.id), follower: new RecordingFollower() });
    log.push(index);
    await clock.advance(0);
  }
  await clock.advance(30 * MINUTE);
  return log;
}

function liveByMachine(life: Life) {
  const world = worldOf(life);
  const { clock, ports, input } = world;
  const actor = createActor(checkLogic(ports), { clock: actorClock(clock), input });
  actor.start();
  return live(life, world, (event) => actor.send(event));
}

function liveByCheckActor(life: Life) {
  const world = worldOf(life);
  const { clock, ports, input } = world;
  const failed = (_: string, error: unknown) => {
    throw error;
  };
  const actor = new CheckActor({ ports, logic: checkLogic(ports), clock, failed }, input);
  actor.start();
  return live(life, world, (event) => actor.send(event));
}

test('whatever happens, a check whose actor is let go between its slots does what the machine alone does', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (given) => {
      expect(await liveByCheckActor(given)).toEqual(await liveByMachine(given));
    }),
    { numRuns: 100 },
  );
});
