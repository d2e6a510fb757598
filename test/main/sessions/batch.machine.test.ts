import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type BatchInput, batchMachine } from '#main/sessions/batch.machine.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';

const coverage = new MachineCoverage(batchMachine);
afterAll(() => coverage.expectFullCoverage());

/** A batch that says what it starts. */
function run(input: Partial<BatchInput>) {
  const started: string[] = [];
  const logic = batchMachine.provide({
    actions: { start: (_, { ids }) => void started.push(...ids) },
  });
  const actor = createActor(logic, {
    inspect: coverage.inspect,
    input: { concurrency: 2, waiting: [], underWay: [], ...input },
  });
  actor.start();
  const end = (id: string) => actor.send({ type: 'MEMBER_ENDED', id });
  return { actor, started, end, state: () => actor.getSnapshot().value };
}

describe('a batch', () => {
  test('starts as many as may be under way, in their order, and one more for each that ends', () => {
    const { started, end, state } = run({ waiting: ['a', 'b', 'c', 'd'] });
    expect([started, state()]).toEqual([['a', 'b'], 'full']);
    end('b');
    expect([started, state()]).toEqual([['a', 'b', 'c'], 'full']);
    end('a');
    expect([started, state()]).toEqual([['a', 'b', 'c', 'd'], 'draining']);
    end('c');
    expect(state()).toBe('draining');
    end('d');
    expect(state()).toBe('done');
  });

  test('passes over a member that ends before its turn', () => {
    const { started, end, state } = run({ concurrency: 1, waiting: ['a', 'b', 'c'] });
    end('b');
    expect(state()).toBe('full');
    end('a');
    expect([started, state()]).toEqual([['a', 'c'], 'draining']);
  });

  test('counts what was under way before a restart', () => {
    const { started, end } = run({ waiting: ['c', 'd'], underWay: ['a', 'b'] });
    expect(started).toEqual([]);
    end('a');
    expect(started).toEqual(['c']);
  });

  test('of nothing is done at once', () => {
    expect(run({}).state()).toBe('done');
  });

  test('never has more under way than may be, keeps the order and ends, whatever happens', () => {
    const scenario = fc.record({
      concurrency: fc.integer({ min: 1, max: 5 }),
      size: fc.integer({ min: 0, max: 20 }),
      picks: fc.array(fc.nat(), { maxLength: 60 }),
    });
    fc.assert(
      fc.property(scenario, ({ concurrency, size, picks }) => {
        const ids = Array.from({ length: size }, (_, n) => `member ${n}`);
        const { started, end, state } = run({ concurrency, waiting: ids });
        const ended = new Set<string>();
        for (const pick of [...picks, ...ids.keys()]) {
          const left = ids.filter((id) => !ended.has(id));
          const id = left[pick % Math.max(1, left.length)];
          if (id === undefined) break;
          const underWay = started.filter((member) => !ended.has(member));
          expect(underWay.length).toBeLessThanOrEqual(concurrency);
          expect(underWay.length).toBe(Math.min(concurrency, left.length));
          ended.add(id);
          end(id);
        }
        expect(started).toEqual([...started].sort((a, b) => ids.indexOf(a) - ids.indexOf(b)));
        if (ended.size === size) expect(state()).toBe('done');
      }),
    );
  });
});
