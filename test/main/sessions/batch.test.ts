import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { Batch } from '#main/sessions/batch.ts';
import { InTurns } from '#main/sessions/in-turns.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const clock = new SimulatedClock();
const log = pino({ level: 'silent' });

/** A batch of members that start at once, unless `turns` says otherwise. */
function run(concurrency: number, waiting: readonly string[], turns?: InTurns) {
  const started: string[] = [];
  const atOnce = { add: (work: () => void) => work() } as InTurns;
  const start = (id: string) => void started.push(id);
  const batch = new Batch({ concurrency, start, turns: turns ?? atOnce, clock, log });
  for (const id of waiting) batch.add(id);
  return { batch, started };
}

test('members start in their order, those that end before their turn are passed over', () => {
  const { batch, started } = run(1, ['a', 'b', 'c', 'd']);
  batch.ended('a');
  batch.begin();
  batch.ended('c');
  batch.ended('b');
  expect(started).toEqual(['b', 'd']);
});

test('a member that ends twice, or is none, makes no room', () => {
  const { batch, started } = run(1, ['a', 'b', 'c']);
  batch.begin();
  batch.ended('stranger');
  batch.ended('a');
  batch.ended('a');
  expect(started).toEqual(['a', 'b']);
});

test('what was under way before a restart takes up room', () => {
  const { batch, started } = run(2, ['c', 'd']);
  for (const id of ['a', 'b']) batch.add(id, { isUnderWay: true });
  batch.begin();
  expect(started).toEqual([]);
  batch.ended('b');
  expect(started).toEqual(['c']);
});

test('never has more under way than may be, keeps the order and starts all, whatever happens', () => {
  const scenario = fc.record({
    concurrency: fc.integer({ min: 1, max: 5 }),
    size: fc.integer({ min: 0, max: 20 }),
    picks: fc.array(fc.nat(), { maxLength: 60 }),
  });
  fc.assert(
    fc.property(scenario, ({ concurrency, size, picks }) => {
      const ids = Array.from({ length: size }, (_, n) => `member ${n}`);
      const { batch, started } = run(concurrency, ids);
      batch.begin();
      const ended = new Set<string>();
      for (const pick of [...picks, ...ids.keys()]) {
        const left = ids.filter((id) => !ended.has(id));
        const id = left[pick % Math.max(1, left.length)];
        if (id === undefined) break;
        const underWay = started.filter((member) => !ended.has(member));
        expect(underWay.length).toBe(Math.min(concurrency, left.length));
        ended.add(id);
        batch.ended(id);
      }
      expect(started).toEqual([...started].sort((a, b) => ids.indexOf(a) - ids.indexOf(b)));
    }),
  );
});

test('ten members start in a turn, those of several batches together', async () => {
  const turns = new InTurns();
  const ids = Array.from({ length: 15 }, (_, n) => `member ${n}`);
  const batches = [run(15, ids, turns), run(15, ids, turns)];
  for (const { batch } of batches) batch.begin();
  const counts: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn();
    counts.push(batches.reduce((sum, { started }) => sum + started.length, 0));
  }
  expect(counts).toEqual([10, 20, 30]);
  expect(batches.map(({ started }) => started)).toEqual([ids, ids]);
});
