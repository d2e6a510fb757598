import { afterAll, describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type QueuedRuns, runQueueMachine } from '#main/sessions/run-queue.machine.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';

const coverage = new MachineCoverage(runQueueMachine);
afterAll(() => coverage.expectFullCoverage());

/** A queue that says what it starts. */
function run() {
  const started: string[] = [];
  const logic = runQueueMachine.provide({
    actions: { start: (_, { ids }) => void started.push(ids.join(' ')) },
  });
  const actor = createActor(logic, { inspect: coverage.inspect }).start();
  const join = (runs: QueuedRuns, concurrency: number) =>
    actor.send({ type: 'RUNS_JOINED', concurrency, ...runs });
  const leave = (...ids: string[]) => actor.send({ type: 'RUNS_LEFT', ids });
  const end = (...ids: string[]) => {
    for (const id of ids) actor.send({ type: 'RUN_ENDED', id });
  };
  return { started, join, leave, end, state: () => actor.getSnapshot().value };
}

describe('a run queue', () => {
  test('starts as many as may be under way, and one more for each that ends, until all are over', () => {
    const { started, join, end, state } = run();
    expect(state()).toBe('created');
    join({ waiting: ['a', 'b', 'c', 'd'] }, 2);
    expect([started, state()]).toEqual([['a b'], 'full']);
    end('a');
    expect([started, state()]).toEqual([['a b', 'c'], 'full']);
    end('b');
    expect([started, state()]).toEqual([['a b', 'c', 'd'], 'draining']);
    end('c');
    expect(state()).toBe('draining');
    end('d');
    expect(state()).toBe('over');
  });

  test('starts no run that is cancelled before its turn', () => {
    const { started, join, leave, end, state } = run();
    join({ waiting: ['a', 'b', 'c'] }, 1);
    leave('b');
    expect([started, state()]).toEqual([['a'], 'full']);
    end('a');
    expect([started, state()]).toEqual([['a', 'c'], 'draining']);
  });

  test('counts what was under way before a restart, though it be too much', () => {
    const { started, join, end } = run();
    join({ waiting: ['d', 'e'], underWay: ['a', 'b', 'c'] }, 2);
    end('a');
    expect(started).toEqual([]);
    end('b');
    expect(started).toEqual(['d']);
  });

  test('goes by the concurrency that came last', () => {
    const { started, join, state } = run();
    join({ waiting: ['a', 'b', 'c'] }, 1);
    join({ waiting: ['d'] }, 3);
    expect([started, state()]).toEqual([['a', 'b c'], 'full']);
  });

  test('is over at once where there is nothing to order', () => {
    const { join, state } = run();
    join({ waiting: [] }, 1);
    expect(state()).toBe('over');
  });
});
