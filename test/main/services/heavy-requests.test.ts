import { expect, test } from 'vitest';
import { HeavyRequests } from '#main/services/heavy-requests.ts';

/** A queue with a task under way that holds up all others until it is let go. */
function heldQueue() {
  const queue = new HeavyRequests('things');
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const log: string[] = [];
  const first = queue.take(
    () => held,
    () => false,
  );
  const take = (name: string, isGone = () => false) =>
    queue
      .take(async () => void log.push(name), isGone)
      .catch(({ code }: { code: string }) => void log.push(`${name}: ${code}`));
  return { take, log, letGo, first };
}

test('four wait in their order, and the next is sent away', async () => {
  const { take, log, letGo } = heldQueue();
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => take(name));
  await all[4];
  expect(log).toEqual(['e: TOO_MANY']);
  letGo();
  await Promise.all(all);
  expect(log).toEqual(['e: TOO_MANY', 'a', 'b', 'c', 'd']);
});

test('whoever hung up leaves the place to others, and never begins', async () => {
  const { take, log, letGo } = heldQueue();
  let areGone = false;
  const all = ['a', 'b', 'c', 'd'].map((name) => take(name, () => areGone));
  areGone = true;
  all.push(take('e'), take('f'));
  await Promise.all(all.slice(0, 4));
  expect(log).toEqual(['a: TIMED_OUT', 'b: TIMED_OUT', 'c: TIMED_OUT', 'd: TIMED_OUT']);
  letGo();
  await Promise.all(all);
  expect(log.slice(4)).toEqual(['e', 'f']);
});

test('whoever hung up while waiting is passed over', async () => {
  const { take, log, letGo, first } = heldQueue();
  let isGone = false;
  const all = [take('a', () => isGone), take('b')];
  isGone = true;
  letGo();
  await Promise.all([first, ...all]);
  expect(log.toSorted()).toEqual(['a: TIMED_OUT', 'b']);
  await take('c');
  expect(log.at(-1)).toBe('c');
});

test('a task that fails does not stop those behind it', async () => {
  const queue = new HeavyRequests('things');
  const isGone = () => false;
  const fails = expect(
    queue.take(() => Promise.reject(new Error('failed')), isGone),
  ).rejects.toThrow('failed');
  expect(await queue.take(async () => 'next', isGone)).toBe('next');
  await fails;
});
