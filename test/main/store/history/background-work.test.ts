import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BackgroundWork } from '#main/store/history/background-work.ts';

/** A chore of so many steps that says when it takes one. */
function task(steps: number, said: string[], name: string) {
  return function* () {
    for (let step = 1; step <= steps; step++) {
      said.push(`${name} ${step}`);
      yield;
    }
  };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

test('a chore takes one step a turn, so that other work comes in between', async () => {
  const said: string[] = [];
  const backgroundWork = new BackgroundWork({ sweep: task(3, said, 'step') }, () => undefined);
  backgroundWork.want('sweep');
  expect(said).toEqual([]);
  while (!said.includes('step 3')) {
    await nextTurn();
    said.push('other work');
  }
  for (const step of ['step 1', 'step 2', 'step 3']) {
    expect(said[said.indexOf(step) + 1]).toBe('other work');
  }
});

test('a chore that is wanted while it runs is run once more', async () => {
  const said: string[] = [];
  const backgroundWork = new BackgroundWork({ sweep: task(2, said, 'step') }, () => undefined);
  backgroundWork.want('sweep');
  await nextTurn();
  backgroundWork.want('sweep');
  backgroundWork.want('sweep');
  await expect.poll(() => said).toEqual(['step 1', 'step 2', 'step 1', 'step 2']);
  await turns(12);
  expect(said).toHaveLength(4);
});

test('a chore that fails is told of, and neither stops the others nor itself for ever', async () => {
  const said: string[] = [];
  const failures: unknown[] = [];
  const broken = () => ({
    next: () => {
      throw new Error('disk full');
    },
  });
  const backgroundWork = new BackgroundWork(
    { broken, trim: task(1, said, 'trim') },
    (name, error) => failures.push([name, (error as Error).message]),
  );
  backgroundWork.want('broken');
  backgroundWork.want('trim');
  await expect.poll(() => said).toEqual(['trim 1']);
  backgroundWork.want('broken');
  await expect.poll(() => failures).toHaveLength(2);
  await turns(4);
  expect(said).toEqual(['trim 1']);
  expect(failures).toEqual([
    ['broken', 'disk full'],
    ['broken', 'disk full'],
  ]);
});

test('after a stop no step is taken', async () => {
  const said: string[] = [];
  const backgroundWork = new BackgroundWork({ sweep: task(5, said, 'step') }, () => undefined);
  backgroundWork.want('sweep');
  await nextTurn();
  backgroundWork.stop();
  const before = said.length;
  await turns(4);
  expect(said).toHaveLength(before);
});

test('a step that took long is followed by a rest of several times as long', async () => {
  const STEP_MS = 8;
  const begun: number[] = [];
  const sweep = function* () {
    for (; begun.length < 2; ) {
      begun.push(performance.now());
      while (performance.now() < (begun.at(-1) ?? 0) + STEP_MS);
      yield;
    }
  };
  const backgroundWork = new BackgroundWork({ sweep }, () => undefined);
  backgroundWork.want('sweep');
  await expect.poll(() => begun).toHaveLength(2);
  const [first = 0, second = 0] = begun;
  expect(second - first).toBeGreaterThan(4 * STEP_MS);
});
