import { expect, test } from 'vitest';
import type { HistoryRecords } from '#main/store/history/history.ts';
import {
  FIRST_RUN_WITHIN_MS,
  nextSlot,
  scheduleOf,
  slotsBetween,
} from '#shared/checks/schedule.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

// Checks are given offsets, so that no test hangs on what the hash of a random id would choose.
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('a check that is created runs within 10 s and then in every slot, never early', async () => {
  const { clock, configuration, runner } = await simulatedMonitor();
  const check = makeCheck('URL', { frequency: 5, frequencyOffset: 25, createdAt: clock.now() });
  const createdAt = clock.now();
  await configuration.checks.put(check);
  await clock.advance(HOUR);
  const { periodMs, phaseMs } = scheduleOf(check);
  const [first, ...rest] = runner.requests.map(({ at }) => at);
  expect((first ?? 0) - createdAt).toBeLessThan(10_000);
  expect(rest).toHaveLength(12);
  for (const at of rest) expect(at % periodMs).toBe(phaseMs);
});

/** The slots of a check's FINAL results, in the order they were kept. */
const slotsOf = (history: MemoryHistory, checkId: string) =>
  history.results
    .filter(({ result }) => result.checkId === checkId && result.resultType === 'FINAL')
    .map(({ result }) => result.slot ?? 0);

/** Counts instead of keeping: a month of results is not what the test is about. */
class CountingHistory extends MemoryHistory {
  count = 0;

  override async write({ results = [], skips = [] }: HistoryRecords): Promise<void> {
    this.count += results.length;
    this.skips.push(...skips);
  }
}

test('a month of 100 checks has exactly the number of runs that the schedule says', async () => {
  const frequencies = [20, 60, 120, 240, 720, 1440];
  const checks = Array.from({ length: 100 }, (_, n) =>
    makeCheck('URL', { frequency: frequencies[n % frequencies.length] as number }),
  );
  const history = new CountingHistory();
  const { clock, runner } = await simulatedMonitor(checks, { history });
  const start = clock.now();
  await clock.advance(30 * DAY);
  const expected = checks.map((check) => {
    const schedule = scheduleOf(check);
    const inSlots = slotsBetween(schedule, start, start + 30 * DAY + 1);
    // The first run is one more, unless a slot comes so soon that it serves.
    return nextSlot(schedule, start) - start <= FIRST_RUN_WITHIN_MS ? inSlots : inSlots + 1;
  });
  const total = expected.reduce((sum, runs) => sum + runs, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(runner.requests).toHaveLength(total);
  expect(history.count).toBe(total);
  expect(history.skips).toEqual([]);
}, 300_000);

test('slots that pass while a run is under way are counted and not made up for', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5 });
  const { clock, runner, history } = await simulatedMonitor([check]);
  await clock.advance(MINUTE);
  runner.requests.length = 0;
  runner.durationMs = 3 * MINUTE - 1;
  await clock.advance(6 * MINUTE);
  expect(runner.requests).toHaveLength(2);
  expect(runner.underWay).toBeLessThanOrEqual(1);
  expect(history.skips).toMatchObject([{ count: 2, reason: 'overlap' }]);
});

test('a deactivated check sleeps; activated again, it runs within 10 s', async () => {
  const check = makeCheck('URL', { frequency: 60, frequencyOffset: 300 });
  const { clock, runner, configuration } = await simulatedMonitor([check]);
  await clock.advance(10_000);
  expect(runner.requests).toHaveLength(1);
  await configuration.checks.put({ ...check, activated: false });
  await clock.advance(5 * HOUR);
  expect(runner.requests).toHaveLength(1);
  await configuration.checks.put({ ...check, activated: true });
  await clock.advance(10_000);
  expect(runner.requests).toHaveLength(2);
});

test('an edit takes effect at the next slot, also one made while a run is under way', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5 });
  const { clock, runner, configuration } = await simulatedMonitor([check]);
  await clock.advance(2 * MINUTE);
  runner.durationMs = 30_000;
  while (runner.underWay === 0) await clock.advance(1_000);
  await configuration.checks.put({ ...check, name: 'renamed' });
  await clock.advance(MINUTE);
  const names = runner.requests.slice(-2).map(({ request }) => request.check.name);
  expect(names).toEqual(['URL check', 'renamed']);
});

test('a longer frequency is taken up at once, not after the slot that was awaited', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5 });
  const { clock, runner, configuration } = await simulatedMonitor([check]);
  await clock.advance(2 * MINUTE);
  runner.requests.length = 0;
  const hourly = { ...check, frequency: 60, frequencyOffset: 300 };
  await configuration.checks.put(hourly);
  await clock.advance(HOUR);
  expect(runner.requests.map(({ at }) => at % HOUR)).toEqual([scheduleOf(hourly).phaseMs]);
});

test('a deleted check runs no more, and the result of its last run is dropped', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5 });
  const { clock, runner, configuration, history } = await simulatedMonitor([check]);
  await clock.advance(2 * MINUTE);
  runner.durationMs = 10_000;
  while (runner.underWay === 0) await clock.advance(1_000);
  await configuration.checks.delete(check.id);
  const runs = runner.requests.length;
  await clock.advance(10 * MINUTE);
  expect(runner.requests).toHaveLength(runs);
  expect(history.resultCount).toBe(0);
});

test('locations take turns, and go on after a restart from the one used last', async () => {
  const locations = ['eu-west-1', 'us-east-1', 'ap-south-1'] as const;
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5, locations: [...locations] });
  const first = await simulatedMonitor([check]);
  await first.clock.advance(2 * MINUTE);
  await first.root.stop();
  const second = await simulatedMonitor([], first);
  await second.clock.advance(3 * MINUTE);
  const used = [...first.runner.requests, ...second.runner.requests].map(
    ({ request }) => request.location,
  );
  expect(used).toEqual(used.map((_, index) => locations[index % 3]));
});

test('in parallel every location runs at once, as one run', async () => {
  const check = makeCheck('URL', {
    frequency: 1,
    frequencyOffset: 5,
    locations: ['eu-west-1', 'us-east-1'],
    privateLocations: ['office'],
    runParallel: true,
  });
  const { clock, runner, history } = await simulatedMonitor([check]);
  await clock.advance(10_000);
  expect(runner.requests.map(({ request }) => request.location)).toEqual([
    'eu-west-1',
    'us-east-1',
    'office',
  ]);
  expect(new Set(history.results.map(({ result }) => result.checkRunId)).size).toBe(1);
});

test('slots that passed while the appliance was down are counted, also the one cut short', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5 });
  const first = await simulatedMonitor([check]);
  await first.clock.advance(3 * MINUTE + 30_000);
  const slots = slotsOf(first.history, check.id);
  // Killed: nothing is told to stop. The actors of the first life are simply not advanced again.
  first.clock.jump(10 * MINUTE);
  const restartedAt = first.clock.now();
  const { history } = await simulatedMonitor([], { ...first });
  const last = Math.max(...slots);
  expect(history.skips).toMatchObject([
    { count: slotsBetween(scheduleOf(check), last, restartedAt), reason: 'down' },
  ]);
});

test('a second restart counts the same gap only once', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5 });
  const first = await simulatedMonitor([check]);
  await first.clock.advance(3 * MINUTE);
  first.clock.jump(10 * MINUTE);
  await simulatedMonitor([], { ...first });
  const { history } = await simulatedMonitor([], { ...first });
  expect(history.skips).toHaveLength(1);
});

test('what a crash left of the history of a deleted check is forgotten at the next start', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5 });
  const first = await simulatedMonitor([check]);
  await first.clock.advance(3 * MINUTE);
  const { history } = await simulatedMonitor([], {
    ...first,
    configuration: new MemoryConfiguration(),
  });
  expect(history.resultCount).toBe(0);
  expect(history.states.size).toBe(0);
});

test('an edit in a first attempt and then a crash: the slot of that attempt is counted', async () => {
  const check = makeCheck('URL', { frequency: 1, frequencyOffset: 5 });
  const first = await simulatedMonitor([check]);
  await first.clock.advance(3 * MINUTE);
  first.runner.durationMs = 20_000;
  while (first.runner.underWay === 0) await first.clock.advance(1_000);
  const slot = nextSlot(scheduleOf(check), first.clock.now() - MINUTE);
  const updated_at = new Date(first.clock.now()).toISOString();
  await first.configuration.checks.put({ ...check, frequency: 60, updated_at });
  // Killed: the run never comes to a result.
  const { history } = await simulatedMonitor([], { ...first });
  expect(slotsOf(history, check.id)).not.toContain(slot);
  expect(history.skips).toMatchObject([{ fromSlot: slot, toSlot: slot, count: 1, reason: 'down' }]);
});
