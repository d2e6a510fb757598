import { expect, test } from 'vitest';
import { CheckActor } from '#main/monitoring/check-actor.ts';
import type { MachineMemory } from '#main/monitoring/check-context.ts';
import { type CheckPorts, checkLogic } from '#main/monitoring/check-ports.ts';
import { nextSlot, scheduleOf } from '#shared/checks/schedule.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const HOUR = 3_600_000;
const HOURLY = makeCheck('URL', { frequency: 60, frequencyOffset: 300 });
const SLOT = nextSlot(scheduleOf(HOURLY), 0);
const SETTLED = {
  lastSlot: 0,
  newestSlot: null,
  fresh: false,
  lastLocation: null,
  interrupted: null,
};

function start({
  check = HOURLY,
  ...memory
}: Partial<MachineMemory> & { check?: typeof HOURLY } = {}) {
  const clock = new SimulatedClock(0);
  const runs: { at: number; slot: number | null; name: string; order: string | undefined }[] = [];
  const ports: CheckPorts = {
    carryOut: async ({ slot, check, ordered }) => {
      runs.push({ at: clock.now(), slot, name: check.name, order: ordered?.order.id });
      return { lastLocation: 'paris' };
    },
    countSkipped: () => {},
    remember: () => {},
    cancelRun: () => {},
    isPaused: () => false,
    isSkippedInOverload: () => false,
  };
  const failed = (_: string, error: unknown) => {
    throw error;
  };
  const actor = new CheckActor(
    { ports, logic: checkLogic(ports), clock, failed },
    { check, memory: { ...SETTLED, ...memory } },
  );
  actor.start();
  return { actor, clock, runs };
}

test('a check sleeps from the start, and runs its slots on time in its sleep', async () => {
  const { actor, clock, runs } = start();
  expect(actor.isAsleep).toBe(true);
  await clock.advance(SLOT);
  expect(actor.isAsleep).toBe(true);
  await clock.advance(HOUR);
  expect(runs.map(({ at, slot }) => [at, slot])).toEqual([SLOT, SLOT + HOUR].map((at) => [at, at]));
  expect(actor.isAsleep).toBe(true);
});

test('a check that runs every minute sleeps as well, whatever it is told', async () => {
  const { actor, clock, runs } = start({ check: makeCheck('URL', { frequency: 1 }) });
  for (let n = 0; n < 30; n++) {
    await clock.advance(6_000);
    if (n % 2 === 1) actor.send({ type: 'CLOCK_JUMPED' });
    await clock.advance(0);
    expect(actor.isAsleep).toBe(true);
  }
  expect(runs).toHaveLength(3);
});

test('an edit wakes a check, which sleeps on by its new settings', async () => {
  const { actor, clock, runs } = start();
  actor.send({ type: 'EDITED', check: { ...HOURLY, name: 'edited', frequency: 120 } });
  await clock.advance(0);
  expect(actor.isAsleep).toBe(true);
  await clock.advance(4 * HOUR);
  expect(runs).toHaveLength(2);
  expect(runs[0]).toMatchObject({ name: 'edited' });
});

test('a run that is ordered wakes a check at once, and its slot still comes', async () => {
  const { actor, clock, runs } = start();
  actor.send({ type: 'ORDERED', order: order('now'), follower: new RecordingFollower() });
  await clock.advance(0);
  expect(runs).toMatchObject([{ order: 'now', slot: null }]);
  expect(actor.isAsleep).toBe(true);
  await clock.advance(SLOT);
  expect(runs[1]).toMatchObject({ order: undefined, slot: SLOT });
});

test('a deactivated check sleeps without a timer until an edit activates it', async () => {
  const { actor, clock, runs } = start();
  actor.send({ type: 'EDITED', check: { ...HOURLY, activated: false } });
  await clock.advance(3 * HOUR);
  expect({ isAsleep: actor.isAsleep, runs }).toEqual({ isAsleep: true, runs: [] });
  actor.send({ type: 'EDITED', check: HOURLY });
  await clock.advance(5_000);
  expect(runs).toHaveLength(1);
});

test('a check that sleeps hears that the clock was set, and awaits the slot that is next by it', async () => {
  const { actor, clock, runs } = start();
  clock.jump(-2 * HOUR);
  actor.send({ type: 'CLOCK_JUMPED' });
  await clock.advance(HOUR);
  expect(runs.map(({ slot }) => slot)).toEqual([SLOT - 2 * HOUR]);
});

test('a check with a first run, or with a run that was cut short, does not sleep', () => {
  const interrupted = { orderId: null, slot: 1, checkRunId: 1, sequences: [] };
  expect(start({ fresh: true }).actor.isAsleep).toBe(false);
  expect(start({ interrupted }).runs).toHaveLength(1);
});

test('a check that was stopped in its sleep does not wake', async () => {
  const { actor, clock, runs } = start();
  actor.stop();
  actor.send({ type: 'CLOCK_JUMPED' });
  await clock.advance(2 * HOUR);
  expect(runs).toEqual([]);
});
