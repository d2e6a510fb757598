import { expect, test } from 'vitest';
import { Yielding } from '#main/platform/yielding.ts';

test('work lets others go first whenever it took four milliseconds', async () => {
  let now = 0;
  const pace = new Yielding(() => now);
  const due: boolean[] = [];
  for (const step of [1, 2, 1, 1, 3, 1]) {
    now += step;
    due.push(pace.isDue);
    if (pace.isDue) await pace.rest();
  }
  expect(due).toEqual([false, false, true, false, true, false]);
});
