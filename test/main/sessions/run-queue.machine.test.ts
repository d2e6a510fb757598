import { afterAll, describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { runQueueMachine } from '#main/sessions/run-queue.machine.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';

const coverage = new MachineCoverage(runQueueMachine);
afterAll(() => coverage.expectFullCoverage());

/** A batch that says how many it starts. */
function run() {
  const started: number[] = [];
  const logic = runQueueMachine.provide({
    actions: { start: (_, { count }) => void started.push(count) },
  });
  const actor = createActor(logic, { inspect: coverage.inspect, input: { concurrency: 1 } });
  actor.start();
  const join = (waiting: number, concurrency: number, underWay = 0) =>
    actor.send({ type: 'MEMBERS_JOINED', waiting, concurrency, underWay });
  const leave = () => actor.send({ type: 'MEMBER_LEFT' });
  const end = () => actor.send({ type: 'MEMBER_ENDED' });
  return { started, join, leave, end, state: () => actor.getSnapshot().value };
}

describe('a batch', () => {
  test('starts as many as may be under way, and one more for each that ends', () => {
    const { started, join, end, state } = run();
    expect(state()).toBe('empty');
    join(4, 2);
    expect([started, state()]).toEqual([[2], 'full']);
    end();
    expect([started, state()]).toEqual([[2, 1], 'full']);
    end();
    expect([started, state()]).toEqual([[2, 1, 1], 'draining']);
    end();
    expect(state()).toBe('draining');
    end();
    expect(state()).toBe('empty');
  });

  test('starts none for a member that is over before its turn', () => {
    const { started, join, leave, end, state } = run();
    join(3, 1);
    leave();
    expect([started, state()]).toEqual([[1], 'full']);
    end();
    expect([started, state()]).toEqual([[1, 1], 'draining']);
  });

  test('counts what was under way before a restart, though it be too much', () => {
    const { started, join, end } = run();
    join(2, 2, 3);
    end();
    expect(started).toEqual([]);
    end();
    expect(started).toEqual([1]);
  });

  test('goes by the concurrency that came last, and on after it was empty', () => {
    const { started, join, end, state } = run();
    join(3, 1);
    join(3, 4);
    expect(started).toEqual([1, 3]);
    for (let ended = 0; ended < 6; ended++) end();
    expect(state()).toBe('empty');
    join(1, 1);
    expect([started, state()]).toEqual([[1, 3, 1, 1, 1], 'draining']);
  });
});
