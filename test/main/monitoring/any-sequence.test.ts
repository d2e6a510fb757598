import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scheduleOf, slotsBetween } from '#shared/checks/schedule.ts';
import type { StoredResult } from '#shared/results/check-result.ts';
import { backoffMs, maxRetriesOf } from '#shared/runs/retry.ts';
import type { MemoryHistory } from '../../fixtures/memory-history.ts';
import {
  advance,
  checkOf,
  edit,
  editAndCrash,
  jump,
  MINUTE,
  outcomes,
  restart,
  retryStrategy,
  simple,
  store,
  toggle,
} from './lives-of-a-check.ts';

/**
 * Whatever happens to a check, in whatever order: a run at a time, one FINAL result a slot, retries
 * within their bounds, and every slot run or counted.
 */

function bySequence(results: readonly { result: StoredResult }[]): StoredResult[][] {
  const sequences = Map.groupBy(results, ({ result }) => result.sequenceId);
  return [...sequences.values()].map((entries) => entries.map(({ result }) => result));
}

/** The store keeps a second FINAL result of a slot as little as the real one, but says so. */
function expectNothingTwice({ ofResults }: MemoryHistory): void {
  expect(ofResults.refused).toEqual([]);
}

function expectSoundSequence(results: readonly StoredResult[]): void {
  expect(results.length).toBeLessThanOrEqual(maxRetriesOf(retryStrategy as never) + 1);
  expect(results.map(({ attempts }) => attempts)).toEqual(results.map((_, n) => n));
  const types = results.map(({ resultType }) => resultType);
  expect(types.slice(0, -1).every((type) => type === 'ATTEMPT')).toBe(true);
}

test('any sequence of outcomes, edits, orders, clock jumps and restarts', async () => {
  const steps = fc.array(fc.oneof(advance, advance, outcomes, restart, jump, simple), {
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = await checkOf();
      for (const step of sequence) {
        await world.play(step);
        expect(world.mostAtOnce()).toBeLessThanOrEqual(1);
      }
      await world.play({ do: 'outcomes', failing: [], durationMs: 0 });
      await world.play({ do: 'advance', ms: 20 * MINUTE });
      expectNothingTwice(world.history);
      const { results, skips } = world.history;
      const finals = results.filter(({ result }) => result.resultType === 'FINAL');
      const slots = finals.map(({ result }) => result.slot).filter((slot) => slot !== null);
      expect(new Set(slots).size).toBe(slots.length);
      for (const { fromSlot, toSlot, count } of skips) {
        expect(count).toBe((toSlot - fromSlot) / MINUTE + 1);
      }
      for (const one of bySequence(results)) expectSoundSequence(one);
      // Monitoring goes on, whatever came before.
      const lately = finals.filter(({ result }) => result.createdAt > world.now() - 3 * MINUTE);
      expect(lately.length).toBeGreaterThanOrEqual(2);
    }),
    { numRuns: 150 },
  );
}, 300_000);

test('without clock jumps every slot is run or counted, exactly once', async () => {
  const steps = fc.array(fc.oneof(advance, advance, outcomes, restart, simple), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = await checkOf();
      for (const step of sequence) await world.play(step);
      await world.play({ do: 'outcomes', failing: [], durationMs: 0 });
      await world.play({ do: 'advance', ms: 20 * MINUTE });
      expectNothingTwice(world.history);
      const { results, skips } = world.history;
      const schedule = scheduleOf(world.check);
      const run = new Set(
        results
          .map(({ result }) => result.slot)
          .filter((slot) => slot !== null && (slot - schedule.phaseMs) % MINUTE === 0),
      );
      const skipped = new Set<number>();
      for (const { fromSlot, toSlot } of skips) {
        for (let slot = fromSlot; slot <= toSlot; slot += MINUTE) {
          expect(run.has(slot) || skipped.has(slot)).toBe(false);
          skipped.add(slot);
        }
      }
      const all = slotsBetween(schedule, world.bornAt, world.now() + 1);
      expect(run.size + skipped.size).toBe(all);
      // Every attempt that another was promised after led to a FINAL result, unless it was cancelled.
      const open = bySequence(results).filter((one) => one.at(-1)?.resultType !== 'FINAL');
      expect(open.filter((one) => one[0]?.slot !== null)).toEqual([]);
      expect(world.followers.every(({ ends }) => ends.length <= 1)).toBe(true);
    }),
    { numRuns: 150 },
  );
}, 300_000);

test('retries begin no sooner than the strategy says, and at once where the wait is over', async () => {
  const steps = fc.array(fc.oneof(advance, outcomes, restart), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = await checkOf();
      for (const step of sequence) await world.play(step);
      await world.play({ do: 'advance', ms: 20 * MINUTE });
      expectNothingTwice(world.history);
      for (const one of bySequence(world.history.results)) {
        for (const [n, result] of one.slice(1).entries()) {
          const waited = result.startedAt - (one[n]?.stoppedAt ?? 0);
          expect(waited).toBeGreaterThanOrEqual(backoffMs(retryStrategy as never, n + 1));
        }
      }
    }),
    { numRuns: 100 },
  );
}, 300_000);

/** The slots that the results name, and those that were counted, each as often as it was. */
function slotsOf({ results, skips }: MemoryHistory) {
  const named = results.map(({ result }) => result.slot).filter((slot) => slot !== null);
  const counted = skips.flatMap(({ fromSlot, toSlot, count }) =>
    Array.from(
      { length: count },
      (_, n) => fromSlot + (n * (toSlot - fromSlot)) / (count - 1 || 1),
    ),
  );
  return { run: new Set(named), counted };
}

test('a store that fails for a while loses nothing, also in parallel locations', async () => {
  const steps = fc.array(fc.oneof(advance, advance, outcomes, store, simple), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const locations = ['eu-west-1', 'us-east-1'] as const;
      const world = await checkOf({ locations: [...locations], runParallel: true });
      for (const step of sequence) await world.play(step);
      await world.play({ do: 'outcomes', failing: [], durationMs: 0 });
      await world.play({ do: 'store', fails: false });
      await world.play({ do: 'advance', ms: 20 * MINUTE });
      expectNothingTwice(world.history);
      const { run, counted } = slotsOf(world.history);
      const schedule = scheduleOf(world.check);
      const scheduled = [...run].filter((slot) => (slot - schedule.phaseMs) % MINUTE === 0);
      const all = [...scheduled, ...counted];
      expect(new Set(all).size).toBe(all.length);
      expect(all.length).toBe(slotsBetween(schedule, world.bornAt, world.now() + 1));
      for (const one of bySequence(world.history.results)) expectSoundSequence(one);
      const finals = world.history.results.filter(({ result }) => result.resultType === 'FINAL');
      const bySlot = Map.groupBy(finals, ({ result }) => result.slot);
      for (const slot of run) expect(bySlot.get(slot)).toHaveLength(locations.length);
    }),
    { numRuns: 80 },
  );
}, 300_000);

test('a group that is switched off and on, also across restarts: no slot counts twice', async () => {
  const steps = fc.array(fc.oneof(advance, advance, outcomes, restart, toggle), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = await checkOf();
      const off: [number, number][] = [];
      for (const step of sequence) {
        const from = world.now();
        await world.play(step);
        if (!world.isOn()) off.push([from, world.now()]);
      }
      const { run, counted } = slotsOf(world.history);
      expect(new Set(counted).size).toBe(counted.length);
      expect(counted.filter((slot) => run.has(slot))).toEqual([]);
      expect(world.mostAtOnce()).toBeLessThanOrEqual(1);
      // What passed while the group was off is nobody's: neither run nor counted.
      const isOff = (slot: number) => off.some(([from, to]) => slot > from && slot < to);
      expect(counted.filter(isOff)).toEqual([]);
    }),
    { numRuns: 80 },
  );
}, 300_000);

test('edits, and crashes right after them, also in a run: every slot is run or counted once', async () => {
  const steps = fc.array(
    fc.oneof(advance, advance, outcomes, restart, edit, editAndCrash, editAndCrash),
    { maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = await checkOf();
      for (const step of sequence) await world.play(step);
      await world.play({ do: 'outcomes', failing: [], durationMs: 0 });
      await world.play({ do: 'advance', ms: 20 * MINUTE });
      expectNothingTwice(world.history);
      const due = world.slotsDue();
      const { run, counted } = slotsOf(world.history);
      // The first run after creation or activation is in no slot.
      const inSlots = [...run].filter((slot) => due.includes(slot));
      expect([...inSlots, ...counted].toSorted()).toEqual(due.toSorted());
    }),
    { numRuns: 300 },
  );
}, 300_000);
