import { expect, test } from 'vitest';
import { nextSlot, scheduleOf } from '#shared/checks/schedule.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import type { MemoryHistory } from '../../fixtures/memory-history.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const everyMinute = () => makeCheck('URL', { frequency: 1, frequencyOffset: 5 });

const keptSlots = (history: MemoryHistory) =>
  history.results.map(({ result }) => result.slot).filter((slot) => slot !== null);

test('after a sleep over several slots there is no burst: the gap is counted as asleep', async () => {
  const { clock, runner, history } = await simulatedMonitor([everyMinute()]);
  await clock.advance(5 * MINUTE);
  const before = runner.requests.length;
  clock.jump(2 * HOUR);
  await clock.advance(MINUTE);
  expect(runner.requests.length - before).toBeLessThanOrEqual(1);
  await clock.advance(MINUTE);
  expect(runner.requests.length - before).toBeLessThanOrEqual(2);
  expect(history.skips).toMatchObject([{ count: 120, reason: 'asleep' }]);
  const skip = history.skips[0];
  for (const slot of keptSlots(history)) {
    expect(slot >= (skip?.fromSlot ?? 0) && slot <= (skip?.toSlot ?? 0)).toBe(false);
  }
});

test('a sleep that ends before the awaited slot costs nothing: the slot is in time', async () => {
  const daily = makeCheck('URL', { frequency: 1_440, frequencyOffset: 12 });
  const { clock, runner, history } = await simulatedMonitor([daily]);
  await clock.advance(10_000);
  const slot = nextSlot(scheduleOf(daily), clock.now());
  const before = runner.requests.length;
  clock.jump(slot - clock.now() - 5 * MINUTE);
  await clock.advance(6 * MINUTE);
  expect(runner.requests.slice(before).map(({ at }) => at)).toEqual([slot]);
  expect(history.skips).toEqual([]);
});

test('a clock that is set back a little makes no slot run twice', async () => {
  const { clock, runner, history } = await simulatedMonitor([everyMinute()]);
  await clock.advance(10 * MINUTE);
  clock.jump(-45_000);
  await clock.advance(20 * MINUTE);
  const slots = keptSlots(history);
  expect(new Set(slots).size).toBe(slots.length);
  expect(runner.requests.length).toBe(slots.length);
});

test('a clock that is set back far makes monitoring go on at the time that it is', async () => {
  const { clock, runner, history } = await simulatedMonitor([everyMinute()]);
  await clock.advance(2 * HOUR);
  const before = runner.requests.length;
  clock.jump(-HOUR);
  await clock.advance(2 * HOUR);
  expect(runner.requests.length - before).toBeGreaterThan(118);
  const slots = keptSlots(history);
  expect(new Set(slots).size).toBe(slots.length);
  expect(history.results.filter(({ result }) => result.slot === null).length).toBeGreaterThan(55);
  expect(history.skips).toEqual([]);
});

test('a clock that is set forward and back again leaves no hole behind', async () => {
  const { clock, runner } = await simulatedMonitor([everyMinute()]);
  await clock.advance(10 * MINUTE);
  clock.jump(DAY);
  await clock.advance(5 * MINUTE);
  clock.jump(-DAY);
  const before = runner.requests.length;
  await clock.advance(10 * MINUTE);
  expect(runner.requests.length - before).toBeGreaterThanOrEqual(9);
});

test('a run that the machine slept through blames no target', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5, retryStrategy: null });
  const { clock, runner, history } = await simulatedMonitor([check]);
  await clock.advance(2 * MINUTE);
  runner.durationMs = 10_000;
  runner.outcome = FAILING;
  while (runner.underWay === 0) await clock.advance(500);
  clock.jump(HOUR);
  await clock.advance(20_000);
  expect(history.results.at(-1)?.result).toMatchObject({ hasErrors: true, hasFailures: false });
});

test('a wait for a retry is never longer than the strategy says, wherever the clock goes', async () => {
  const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 20, sameRegion: true } as const;
  const check = makeCheck('URL', { frequency: 60, frequencyOffset: 300, retryStrategy });
  const { clock, runner } = await simulatedMonitor([check]);
  runner.outcome = FAILING;
  await clock.advance(6_000);
  expect(runner.requests).toHaveLength(1);
  clock.jump(-2 * HOUR);
  await clock.advance(20_000);
  expect(runner.requests).toHaveLength(2);
});
