import { afterAll, describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type BatchInput, batchMachine } from '#main/sessions/batch.machine.ts';
import { MachineCoverage } from '../../fixtures/machine-coverage.ts';

const coverage = new MachineCoverage(batchMachine);
afterAll(() => coverage.expectFullCoverage());

/** A batch that says how many it starts. */
function run(input: Partial<BatchInput>) {
  const started: number[] = [];
  const logic = batchMachine.provide({
    actions: { start: (_, { count }) => void started.push(count) },
  });
  const actor = createActor(logic, {
    inspect: coverage.inspect,
    input: { concurrency: 2, waiting: 0, underWay: 0, ...input },
  });
  actor.start();
  const end = () => actor.send({ type: 'MEMBER_ENDED' });
  const leave = () => actor.send({ type: 'MEMBER_LEFT' });
  return { started, end, leave, state: () => actor.getSnapshot().value };
}

describe('a batch', () => {
  test('starts as many as may be under way, and one more for each that ends', () => {
    const { started, end, state } = run({ waiting: 4 });
    expect([started, state()]).toEqual([[2], 'full']);
    end();
    expect([started, state()]).toEqual([[2, 1], 'full']);
    end();
    expect([started, state()]).toEqual([[2, 1, 1], 'draining']);
    end();
    expect(state()).toBe('draining');
    end();
    expect(state()).toBe('done');
  });

  test('starts none for a member that ends before its turn', () => {
    const { started, end, leave, state } = run({ concurrency: 1, waiting: 3 });
    leave();
    expect([started, state()]).toEqual([[1], 'full']);
    end();
    expect([started, state()]).toEqual([[1, 1], 'draining']);
  });

  test('counts what was under way before a restart', () => {
    const { started, end } = run({ waiting: 2, underWay: 3 });
    expect(started).toEqual([]);
    end();
    expect(started).toEqual([]);
    end();
    expect(started).toEqual([1]);
  });

  test('of nothing is done at once', () => {
    expect(run({}).state()).toBe('done');
  });
});
