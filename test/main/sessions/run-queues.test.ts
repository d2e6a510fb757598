import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { InTurns } from '#main/sessions/in-turns.ts';
import type { QueuedRuns } from '#main/sessions/run-queue.machine.ts';
import { RunQueues } from '#main/sessions/run-queues.ts';
import { SimulatedClock } from '../../fixtures/simulated-clock.ts';

const clock = new SimulatedClock();

/** Does the work at once. */
class AtOnce extends InTurns {
  override add(work: () => void): void {
    work();
  }
}

/** A queue that says which runs it starts, and which could not be. */
function run(turns: InTurns = new AtOnce(), broken = '') {
  const started: string[] = [];
  const said: string[] = [];
  const start = (id: string) => {
    if (id === broken) throw new Error('It cannot be started.');
    started.push(id);
  };
  const stream = { write: (line: string) => void said.push(String(JSON.parse(line).id)) };
  const queues = new RunQueues({ start, turns, clock, log: pino({}, stream) });
  const queue = {
    join: (runs: QueuedRuns, concurrency: number) => queues.join('group 1', runs, concurrency),
    left: (id: string) => queues.leave([id]),
    ended: (id: string) => queues.ended(id),
  };
  return { queues, queue, started, said };
}

test('runs start in their order, those that are over before their turn are passed over', () => {
  const { queue, started } = run();
  queue.join({ waiting: ['a', 'b', 'c', 'd'] }, 1);
  queue.left('c');
  queue.ended('a');
  queue.ended('b');
  expect(started).toEqual(['a', 'b', 'd']);
});

test('runs that join start after those that wait, also once nobody waits', () => {
  const { queue, queues, started } = run();
  queue.join({ waiting: ['a', 'b'] }, 1);
  queue.join({ waiting: ['c'] }, 1);
  for (const id of ['a', 'b', 'c']) queue.ended(id);
  expect(queues.size).toBe(0);
  queue.join({ waiting: ['d'] }, 1);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  expect(queues.size).toBe(1);
});

test('one that is cancelled while it is under way takes up its room until that ended', () => {
  const { queue, started } = run();
  queue.join({ waiting: ['a', 'b'] }, 1);
  queue.left('a');
  expect(started).toEqual(['a']);
  queue.ended('a');
  expect(started).toEqual(['a', 'b']);
});

test('a run that ends twice, or is none, makes no room', () => {
  const { queue, started } = run();
  queue.join({ waiting: ['a', 'b', 'c'] }, 1);
  for (const id of ['stranger', 'a', 'a', 'c']) queue.ended(id);
  expect(started).toEqual(['a', 'b']);
});

test('what was under way before a restart takes up room', () => {
  const { queue, started } = run();
  queue.join({ waiting: ['c', 'd'], underWay: ['a', 'b'] }, 2);
  expect(started).toEqual([]);
  queue.ended('b');
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
      const { queue, queues, started } = run();
      queue.join({ waiting: ids }, concurrency);
      const over = new Set<string>();
      for (const pick of [...picks, ...ids.keys()]) {
        const left = ids.filter((id) => !over.has(id));
        const id = left[pick % Math.max(1, left.length)];
        if (id === undefined) break;
        const underWay = started.filter((member) => !over.has(member));
        expect(underWay.length).toBe(Math.min(concurrency, left.length));
        over.add(id);
        queue.left(id);
        queue.ended(id);
      }
      expect(started).toEqual([...started].sort((a, b) => ids.indexOf(a) - ids.indexOf(b)));
      expect(queues.size).toBe(over.size === size ? 0 : 1);
    }),
  );
});

test('ten runs start in a turn, those of several queues together', async () => {
  const turns = new InTurns();
  const ids = Array.from({ length: 15 }, (_, n) => `member ${n}`);
  const both = [run(turns), run(turns)];
  for (const { queue } of both) queue.join({ waiting: ids }, 15);
  const counts: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    counts.push(both.reduce((sum, { started }) => sum + started.length, 0));
    await nextTurn();
  }
  expect(both.map(({ started }) => started)).toEqual([ids, ids]);
  expect(counts).toEqual([0, 10, 20]);
});

test('a run that cannot be started is logged, and holds up nobody', async () => {
  const ids = Array.from({ length: 15 }, (_, n) => `member ${n}`);
  const others = ids.filter((id) => id !== 'member 3');
  const many = run(new InTurns(), 'member 3');
  many.queue.join({ waiting: ids }, 15);
  const single = run(new InTurns(), 'member 3');
  single.queue.join({ waiting: ids }, 1);
  for (const id of ids) {
    await nextTurn();
    single.queue.ended(id);
  }
  expect([many.started, single.started]).toEqual([others, others]);
  expect([many.said, single.said]).toEqual([['member 3'], ['member 3']]);
});
