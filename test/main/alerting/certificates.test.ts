import { describe, expect, it } from 'vitest';
import { AlertWorld, addChannel, alertingCheck } from '../../fixtures/alert-world.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const DAY = 86_400_000;
const START = new SimulatedClock().now();

/** A certificate that ends so many days after the start of the tests. */
const ending = (days: number) => ({
  certificate: { domain: 'shop.example.com', notAfter: START + days * DAY + 3_600_000 },
});

async function watching(thresholds: Record<string, number>, muted = false) {
  const ids = Object.keys(thresholds).map(Number);
  const world = await AlertWorld.begin(
    alertingCheck(
      {},
      {
        muted,
        alertChannelSubscriptions: ids.map((alertChannelId) => ({
          alertChannelId,
          activated: true,
        })),
      },
    ),
  );
  for (const [id, sslExpiryThreshold] of Object.entries(thresholds)) {
    await addChannel(world.configuration, id, { sslExpiry: true, sslExpiryThreshold });
  }
  return world;
}

async function meet(world: AlertWorld, days: number): Promise<void> {
  world.life.runner.outcomes.push(ending(days));
  while (world.life.runner.outcomes.length > 0) await world.life.clock.advance(5_000);
}

describe('a certificate that ends soon', () => {
  it('is told to each channel at its own threshold, once', async () => {
    const world = await watching({ 1: 10, 2: 30 });
    for (const days of [31, 20, 20]) await meet(world, days);
    expect(world.sent.map(({ channelId }) => channelId)).toEqual(['2']);
    await meet(world, 20);
    await world.restart();
    await meet(world, 20);
    expect(world.sent).toHaveLength(1);
    await meet(world, 9);
    expect(world.sent.map(({ channelId }) => channelId).sort()).toEqual(['1', '2', '2']);
    expect(world.recorded).toEqual(['SSL', 'SSL']);
    expect(world.sent[0]?.notice).toMatchObject({
      alertType: 'ALERT_SSL',
      ssl: { daysRemaining: 20, domain: 'shop.example.com' },
      resultId: null,
      since: null,
    });
    expect(world.alerts[0]).toMatchObject({ resultId: null, withheld: null, occasion: 'run' });
  });

  it('is told with the failure that comes with it, each for itself', async () => {
    const world = await watching({ 1: 30 });
    world.life.runner.outcomes.push({ ...ending(-1), hasFailures: true });
    await world.life.clock.advance(10_000);
    expect(world.recorded.sort()).toEqual(['FAILURE', 'SSL']);
  });

  it('waits while the check is muted', async () => {
    const world = await watching({ 1: 30 }, true);
    await meet(world, 5);
    expect(world.recorded).toEqual([]);
    await world.edit({ muted: false });
    await meet(world, 5);
    expect(world.told).toEqual(['SSL']);
  });
});

describe('the days that a certificate has left', () => {
  it('are shown with the status, and stay while runs fail before they meet it', async () => {
    const world = await watching({ 1: 1 });
    const days = () => world.life.root.statusOf(world.check.id)?.sslDaysRemaining;
    await meet(world, 90);
    expect(days()).toBe(90);
    await world.run('F');
    expect(days()).toBe(90);
    await world.run('P');
    expect(days()).toBeNull();
  });
});
