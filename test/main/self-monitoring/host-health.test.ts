import { describe, expect, test } from 'vitest';
import { HostHealth, processHealth } from '#main/self-monitoring/host-health.ts';
import type { Health } from '#shared/self-monitoring/connectivity.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const SECOND = 1_000;

/** A watch over an appliance that is as well as the test says. */
function watched() {
  const clock = new SimulatedClock(0);
  const health: Health = { heapShare: 0.1, freeBytes: 4e9, isStoreFailing: false };
  const state = { standstillMs: 0 };
  const told: string[] = [];
  const ports = { clock, health: () => health, longestStandstillMs: () => state.standstillMs };
  const watch = new HostHealth(ports, (reasons) => told.push(reasons.join()));
  return { clock, health, state, told, watch };
}

describe('the watch over the appliance itself', () => {
  test('says nothing while all is well, and nothing twice', async () => {
    const { clock, told, health } = watched();
    await clock.advance(60 * SECOND);
    health.isStoreFailing = true;
    await clock.advance(60 * SECOND);
    health.isStoreFailing = false;
    await clock.advance(60 * SECOND);
    expect(told).toEqual(['STORE', '']);
  });

  test.each([
    ['a sleep', 0, 'ASLEEP'],
    ['a standstill', 6 * SECOND, 'BUSY'],
  ])('%s counts for 20 seconds', async (_name, standstillMs, reason) => {
    const { clock, told, state } = watched();
    await clock.advance(10 * SECOND);
    state.standstillMs = standstillMs;
    clock.jump(6 * SECOND);
    await clock.advance(19 * SECOND);
    expect(told).toEqual([reason]);
    await clock.advance(3 * SECOND);
    expect(told).toEqual([reason, '']);
  });

  test('a clock that is set back, or that ticks late by little, is none', async () => {
    const { clock, told } = watched();
    clock.jump(-3_600 * SECOND);
    await clock.advance(5 * SECOND);
    clock.jump(4 * SECOND);
    await clock.advance(5 * SECOND);
    expect(told).toEqual([]);
  });

  test('a sleep is seen at once by whoever looks before the timers', async () => {
    const { clock, told, watch } = watched();
    await clock.advance(10 * SECOND);
    clock.jump(60 * SECOND);
    watch.look();
    expect(told).toEqual(['ASLEEP']);
    watch.stop();
    await clock.advance(60 * SECOND);
    expect(told).toEqual(['ASLEEP']);
  });
});

test('the health of this process can be told', () => {
  using health = processHealth(() => true);
  const { heapShare, freeBytes, isStoreFailing } = health.health();
  expect(heapShare).toBeGreaterThan(0);
  expect(heapShare).toBeLessThan(1);
  expect(freeBytes ?? 1).toBeGreaterThan(0);
  expect(isStoreFailing).toBe(true);
  expect(health.longestStandstillMs()).toBeGreaterThanOrEqual(0);
});
