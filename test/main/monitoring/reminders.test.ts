import { describe, expect, it } from 'vitest';
import type { AlertSettings } from '#shared/checks/blocks.ts';
import { AlertWorld, addChannel, alertingCheck } from '../../fixtures/alert-world.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const MINUTE = 60_000;

/** Reminders every so many minutes, of a check that runs once an hour. */
const reminding = (
  amount: AlertSettings['reminders']['amount'],
  interval: AlertSettings['reminders']['interval'],
) => alertingCheck({ reminders: { amount, interval } }, { frequency: 60, frequencyOffset: 1 });

/** Fails now, and whenever it runs again. */
async function failOn(world: AlertWorld): Promise<void> {
  world.life.runner.outcome = FAILING;
  await world.run('F');
}

describe('a check that stays down', () => {
  it('is reminded of as often as its settings say, with what its alert said', async () => {
    const world = await AlertWorld.begin(reminding(2, 10));
    await failOn(world);
    await world.life.clock.advance(50 * MINUTE);
    expect(world.told).toEqual(['FAILURE', 'FAILURE reminder 1', 'FAILURE reminder 2']);
    expect(world.recorded).toEqual(['FAILURE']);
    const [alert, first, second] = world.sent;
    expect(first?.createdAt).toBe((alert?.createdAt ?? 0) + 10 * MINUTE);
    expect(second?.createdAt).toBe((alert?.createdAt ?? 0) + 20 * MINUTE);
    expect(first).toMatchObject({
      checkAlertId: alert?.checkAlertId,
      checkResultId: alert?.checkResultId,
    });
    expect(first?.notice).toEqual({ ...alert?.notice, isReminder: true, reminderSequence: 1 });
  });

  it('is reminded of across restarts, neither twice nor late', async () => {
    const world = await AlertWorld.begin(reminding(3, 10));
    await failOn(world);
    for (let minutes = 0; minutes < 45; minutes += 3) {
      await world.life.clock.advance(3 * MINUTE);
      await world.restart();
    }
    expect(world.told).toEqual([
      'FAILURE',
      'FAILURE reminder 1',
      'FAILURE reminder 2',
      'FAILURE reminder 3',
    ]);
  });

  it('is reminded of once after a long sleep', async () => {
    const world = await AlertWorld.begin(reminding(5, 5));
    await failOn(world);
    world.life.clock.jump(28 * MINUTE);
    await world.life.clock.advance(MINUTE);
    expect(world.told).toEqual(['FAILURE', 'FAILURE reminder 1']);
    await world.life.clock.advance(5 * MINUTE);
    expect(world.told).toHaveLength(3);
  });

  it('is not reminded of while it is muted, deactivated or over', async () => {
    const world = await AlertWorld.begin(reminding(5, 5));
    await failOn(world);
    await world.edit({ muted: true });
    await world.life.clock.advance(6 * MINUTE);
    expect(world.told).toEqual(['FAILURE']);
    await world.edit({ muted: false });
    await world.life.clock.advance(5 * MINUTE);
    expect(world.told).toEqual(['FAILURE', 'FAILURE reminder 2']);
    await world.edit({ activated: false });
    await world.life.clock.advance(30 * MINUTE);
    expect(world.told).toHaveLength(2);
  });

  it('is reminded of once the monitor can see again', async () => {
    const world = await AlertWorld.begin(reminding(5, 5));
    await failOn(world);
    world.isOffline = true;
    await world.life.clock.advance(12 * MINUTE);
    expect(world.told).toEqual(['FAILURE']);
    world.isOffline = false;
    await world.life.clock.advance(MINUTE);
    expect(world.told).toEqual(['FAILURE', 'FAILURE reminder 1']);
  });

  it('is reminded of by settings that were changed meanwhile', async () => {
    const world = await AlertWorld.begin(reminding(0, 5));
    await failOn(world);
    await world.life.clock.advance(7 * MINUTE);
    await world.edit({ alertSettings: reminding(1, 5).alertSettings });
    await world.life.clock.advance(1);
    expect(world.told).toEqual(['FAILURE', 'FAILURE reminder 1']);
  });
});

it('many reminders at once come in bursts, none twice', async () => {
  const clock = new SimulatedClock();
  const checks = Array.from({ length: 350 }, (_, n) => ({
    ...reminding(1, 10),
    id: `4c0f6a52-8f0e-4a57-9d53-${String(n).padStart(12, '0')}`,
  }));
  const { runner, configuration, outbox } = await simulatedMonitor(checks, { clock });
  await addChannel(configuration, '1');
  runner.outcome = { hasFailures: true };
  await clock.advance(30 * MINUTE);
  const reminded = outbox.taken.filter(
    ({ notice }) => notice.kind === 'alert' && notice.isReminder,
  );
  expect(new Set(reminded.map(({ checkId }) => checkId)).size).toBe(350);
  expect(reminded).toHaveLength(350);
});
