import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { InTurns } from '#main/sessions/in-turns.ts';
import { RunQueue } from '#main/sessions/run-queue.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const clock = new SimulatedClock();

/** Does the work at once. */
class AtOnce extends InTurns {
  override add(work: () => void): void {
    work();
  }
}

/** A batch that says which members it starts, and which could not be. */
function run(turns: InTurns = new AtOnce(), broken = '') {
  const started: string[] = [];
  const said: string[] = [];
  const start = (id: string) => {
    if (id === broken) throw new Error('It cannot be started.');
    started.push(id);
  };
  const stream = { write: (line: string) => void said.push(String(JSON.parse(line).id)) };
  return { batch: new RunQueue({ start, turns, clock, log: pino({}, stream) }), started, said };
}

test('members start in their order, those that are over before their turn are passed over', () => {
  const { batch, started } = run();
  batch.join({ waiting: ['a', 'b', 'c', 'd'] }, 1);
  batch.left('c');
  batch.ended('a');
  batch.ended('b');
  expect(started).toEqual(['a', 'b', 'd']);
});

test('members that join start after those that wait, also once nobody waits', () => {
  const { batch, started } = run();
  batch.join({ waiting: ['a', 'b'] }, 1);
  batch.join({ waiting: ['c'] }, 1);
  for (const id of ['a', 'b', 'c']) batch.ended(id);
  expect(batch.isEmpty).toBe(true);
  batch.join({ waiting: ['d'] }, 1);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  expect(batch.isEmpty).toBe(false);
});

test('one that is over while its run is under way takes up its room until that ended', () => {
  const { batch, started } = run();
  batch.join({ waiting: ['a', 'b'] }, 1);
  batch.left('a');
  expect(started).toEqual(['a']);
  batch.ended('a');
  expect(started).toEqual(['a', 'b']);
});

test('a member that ends twice, or is none, makes no room', () => {
  const { batch, started } = run();
  batch.join({ waiting: ['a', 'b', 'c'] }, 1);
  for (const id of ['stranger', 'a', 'a', 'c']) batch.ended(id);
  expect(started).toEqual(['a', 'b']);
});

test('what was under way before a restart takes up room', () => {
  const { batch, started } = run();
  batch.join({ waiting: ['c', 'd'], underWay: ['a', 'b'] }, 2);
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
      const { batch, started } = run();
      batch.join({ waiting: ids }, concurrency);
      const over = new Set<string>();
      for (const pick of [...picks, ...ids.keys()]) {
        const left = ids.filter((id) => !over.has(id));
        const id = left[pick % Math.max(1, left.length)];
        if (id === undefined) break;
        const underWay = started.filter((member) => !over.has(member));
        expect(underWay.length).toBe(Math.min(concurrency, left.length));
        over.add(id);
        batch.left(id);
        batch.ended(id);
      }
      expect(started).toEqual([...started].sort((a, b) => ids.indexOf(a) - ids.indexOf(b)));
      expect(batch.isEmpty).toBe(over.size === size);
    }),
  );
});

test('ten members start in a turn, those of several batches together', async () => {
  const turns = new InTurns();
  const ids = Array.from({ length: 15 }, (_, n) => `member ${n}`);
  const both = [run(turns), run(turns)];
  for (const { batch } of both) batch.join({ waiting: ids }, 15);
  const counts: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    counts.push(both.reduce((sum, { started }) => sum + started.length, 0));
    await nextTurn();
  }
  expect(both.map(({ started }) => started)).toEqual([ids, ids]);
  expect(counts).toEqual([0, 10, 20]);
});

test('a member that cannot be started is said, and holds up nobody', async () => {
  const ids = Array.from({ length: 15 }, (_, n) => `member ${n}`);
  const others = ids.filter((id) => id !== 'member 3');
  const many = run(new InTurns(), 'member 3');
  many.batch.join({ waiting: ids }, 15);
  const single = run(new InTurns(), 'member 3');
  single.batch.join({ waiting: ids }, 1);
  for (const id of ids) {
    await nextTurn();
    single.batch.ended(id);
  }
  expect([many.started, single.started]).toEqual([others, others]);
  expect([many.said, single.said]).toEqual([['member 3'], ['member 3']]);
});
