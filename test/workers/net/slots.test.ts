import { expect, test } from 'vitest';
import { Slots } from '#workers/net/slots.ts';

test('so many tasks run at once, the others in the order in which they came', async () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const tasks = gates.map((gate, index) =>
    slots.use(async () => {
      begun.push(index);
      await gate.promise;
      return index;
    }),
  );
  expect(begun).toEqual([0, 1]);
  gates[1]?.resolve();
  expect(await tasks[1]).toBe(1);
  expect(begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3, 4]);
});

test('a task that fails gives its turn on', async () => {
  const slots = new Slots(1);
  const failing = slots.use(() => Promise.reject(new Error('broken')));
  const next = slots.use(async () => 'ran');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('ran');
});
