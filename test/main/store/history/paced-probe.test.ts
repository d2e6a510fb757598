import { expect, test } from 'vitest';
import { PacedProbe } from '#main/store/history/sqlite-history.ts';
import { SimulatedClock } from '../../../fixtures/simulated-clock.ts';

/** A probe that fails when told so, and counts how often it was asked. */
function countingProbe() {
  const clock = new SimulatedClock();
  const store = { isFailing: false, asked: 0 };
  const probe = new PacedProbe(clock, async () => {
    store.asked++;
    if (store.isFailing) throw new Error('the disk is full');
  });
  return { clock, store, probe };
}

test('a thousand questions within a second are one write', async () => {
  const { clock, store, probe } = countingProbe();
  await Promise.all(Array.from({ length: 500 }, () => probe.ask()));
  await clock.advance(999);
  await Promise.all(Array.from({ length: 500 }, () => probe.ask()));
  expect(store.asked).toBe(1);
});

test('a store that fails is told of within a second, and so is that it works again', async () => {
  const { clock, store, probe } = countingProbe();
  await probe.ask();
  store.isFailing = true;
  await clock.advance(1_000);
  await expect(probe.ask()).rejects.toThrow('the disk is full');
  await expect(probe.ask()).rejects.toThrow('the disk is full');
  store.isFailing = false;
  await clock.advance(1_000);
  await probe.ask();
  expect(store.asked).toBe(3);
});

test('a clock that is set back keeps no old answer', async () => {
  const { clock, store, probe } = countingProbe();
  await probe.ask();
  clock.jump(-3_600_000);
  await probe.ask();
  expect(store.asked).toBe(2);
});
