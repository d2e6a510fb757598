import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HistoryFacts } from '#main/store/history.ts';
import { StoreError } from '#main/store/store-error.ts';
import type { StoredResult } from '#shared/result/check-result.ts';
import { backoffMs, maxRetriesOf } from '#shared/rules/retry.ts';
import { scheduleOf, slotsBetween } from '#shared/rules/schedule.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { makeGroup } from '../../fixtures/groups.ts';
import { MemoryConfiguration } from '../../fixtures/memory-configuration.ts';
import { MemoryHistory } from '../../fixtures/memory-history.ts';
import { order, RecordingFollower } from '../../fixtures/recording-follower.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';
import { FAILING, simulatedMonitor } from '../../fixtures/simulated-monitor.ts';

/**
 * Whatever happens to a check, in whatever order: a run at a time, one FINAL result a slot, retries
 * within their bounds, and every slot run or counted. Each life of the appliance has a clock and
 * a configuration of its own, so that what was killed never acts again.
 */

/** A store that fails while it is told to. */
class FailingHistory extends MemoryHistory {
  isFailing = false;

  override async write(facts: HistoryFacts): Promise<void> {
    if (this.isFailing) throw new StoreError('FULL', 'The disk is full.');
    await super.write(facts);
  }
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const retryStrategy = { type: 'LINEAR', baseBackoffSeconds: 20, sameRegion: true, maxRetries: 3 };

type Step =
  | { do: 'advance'; ms: number }
  | { do: 'outcomes'; failing: boolean[]; durationMs: number }
  | { do: 'restart'; killed: boolean; downMs: number }
  | { do: 'jump'; ms: number }
  | { do: 'order' }
  | { do: 'cancel' }
  | { do: 'rename' }
  /** The group of the check is switched off, or on again. */
  | { do: 'toggle' }
  | { do: 'store'; fails: boolean };

const advance = fc.record({
  do: fc.constant('advance' as const),
  ms: fc.integer({ min: 1, max: 5 * MINUTE }),
});
const outcomes = fc.record({
  do: fc.constant('outcomes' as const),
  failing: fc.array(fc.boolean(), { maxLength: 6 }),
  durationMs: fc.constantFrom(0, 1, 2_000, 29_000),
});
const restart = fc.record({
  do: fc.constant('restart' as const),
  killed: fc.boolean(),
  downMs: fc.integer({ min: 0, max: 10 * MINUTE }),
});
const jump = fc.record({
  do: fc.constant('jump' as const),
  ms: fc.constantFrom(-3_600_000, -90_000, -500, 500, 45_000, 7_200_000),
});
const simple = fc.constantFrom<Step>({ do: 'order' }, { do: 'cancel' }, { do: 'rename' });
const toggle = fc.constant<Step>({ do: 'toggle' });
const store = fc.record({ do: fc.constant('store' as const), fails: fc.boolean() });

async function copyOf({ checks, groups }: MemoryConfiguration): Promise<MemoryConfiguration> {
  const copy = new MemoryConfiguration();
  for (const group of groups.all()) await copy.groups.put(group);
  for (const check of checks.all()) await copy.checks.put(check);
  return copy;
}

/** A check that lives through several lives of the appliance. */
async function checkOf(members: Parameters<typeof makeCheck<'URL'>>[1] = {}) {
  const check = makeCheck('URL', {
    frequency: 1,
    frequencyOffset: 5,
    retryStrategy: retryStrategy as never,
    groupId: 1,
    ...members,
  });
  const history = new FailingHistory();
  let configuration = new MemoryConfiguration();
  const group = makeGroup('v2', { retryStrategy: 'FALLBACK' });
  await configuration.groups.put(group);
  const isOn = () => configuration.groups.get(group.id)?.activated ?? false;
  const bornAt = Date.parse(check.created_at);
  let orders = 0;
  let life = await simulatedMonitor([check], { history, configuration });
  const followers: RecordingFollower[] = [];
  const steps: { [K in Step['do']]: (step: Extract<Step, { do: K }>) => Promise<void> } = {
    advance: ({ ms }) => life.clock.advance(ms),
    outcomes: async ({ failing, durationMs }) => {
      life.runner.outcomes.push(...failing.map((fails) => (fails ? FAILING : {})));
      life.runner.durationMs = durationMs;
    },
    restart: async ({ killed, downMs }) => {
      const { clock, runner } = life;
      if (!killed) {
        const stopping = life.root.stop();
        await clock.advance(MINUTE);
        await stopping;
      }
      configuration = await copyOf(configuration);
      life = await simulatedMonitor([], {
        history,
        configuration,
        clock: new SimulatedClock(clock.now() + downMs),
      });
      life.runner.outcomes.push(...runner.outcomes);
    },
    jump: async ({ ms }) => life.clock.jump(ms),
    order: async () => {
      const follower = new RecordingFollower();
      if (life.root.order(check.id, order(`order ${orders++}`), follower)) followers.push(follower);
    },
    cancel: async () => life.root.cancel(check.id, `order ${orders - 1}`),
    rename: () =>
      configuration.checks.put({ ...check, name: `renamed ${orders}`, updated_at: null }),
    toggle: () =>
      configuration.groups.put({
        ...group,
        activated: !isOn(),
        updated_at: new Date(life.clock.now()).toISOString(),
      }),
    store: async ({ fails }) => {
      history.isFailing = fails;
    },
  };
  return {
    check,
    history,
    followers,
    bornAt,
    isOn,
    now: () => life.clock.now(),
    mostAtOnce: () => life.runner.mostAtOnce,
    take: (step: Step) => (steps[step.do] as (step: Step) => Promise<void>)(step),
  };
}

function bySequence(results: readonly { result: StoredResult }[]): StoredResult[][] {
  const sequences = Map.groupBy(results, ({ result }) => result.sequenceId);
  return [...sequences.values()].map((entries) => entries.map(({ result }) => result));
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
        await world.take(step);
        expect(world.mostAtOnce()).toBeLessThanOrEqual(1);
      }
      await world.take({ do: 'outcomes', failing: [], durationMs: 0 });
      await world.take({ do: 'advance', ms: 20 * MINUTE });
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
      for (const step of sequence) await world.take(step);
      await world.take({ do: 'outcomes', failing: [], durationMs: 0 });
      await world.take({ do: 'advance', ms: 20 * MINUTE });
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
      const cancelled = world.followers.filter(({ ends }) => ends.includes('cancelled')).length;
      const open = bySequence(results).filter((one) => one.at(-1)?.resultType !== 'FINAL');
      expect(open.filter((one) => one[0]?.slot !== null)).toEqual([]);
      expect(cancelled).toBeLessThanOrEqual(world.followers.length);
    }),
    { numRuns: 150 },
  );
}, 300_000);

test('retries begin no sooner than the strategy says, and at once where the wait is over', async () => {
  const steps = fc.array(fc.oneof(advance, outcomes, restart), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = await checkOf();
      for (const step of sequence) await world.take(step);
      await world.take({ do: 'advance', ms: 20 * MINUTE });
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
  const counted = skips.flatMap(({ fromSlot, count }) =>
    Array.from({ length: count }, (_, n) => fromSlot + n * MINUTE),
  );
  return { run: new Set(named), counted };
}

test('a store that fails for a while loses nothing, also in parallel locations', async () => {
  const steps = fc.array(fc.oneof(advance, advance, outcomes, store, simple), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const locations = ['eu-west-1', 'us-east-1'] as const;
      const world = await checkOf({ locations: [...locations], runParallel: true });
      for (const step of sequence) await world.take(step);
      await world.take({ do: 'outcomes', failing: [], durationMs: 0 });
      await world.take({ do: 'store', fails: false });
      await world.take({ do: 'advance', ms: 20 * MINUTE });
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
        await world.take(step);
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
