import { expect, test } from 'vitest';
import { PassingMap } from '#main/platform/passing-map.ts';

test('entries are there until they are deleted or set anew, in the order in which they came', () => {
  const map = new PassingMap<string, number>();
  for (const [index, key] of ['a', 'b', 'c', 'a'].entries()) map.set(key, index);
  expect([map.size, map.get('a'), map.has('b'), map.values()]).toEqual([3, 3, true, [1, 2, 3]]);
  expect([map.delete('b'), map.delete('b')]).toEqual([1, undefined]);
  expect([map.size, map.get('b'), map.has('b'), map.values()]).toEqual([
    2,
    undefined,
    false,
    [2, 3],
  ]);
});
