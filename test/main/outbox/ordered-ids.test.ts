import { expect, test } from 'vitest';
import { OrderedIds } from '#main/outbox/ordered-ids.ts';
import { requireUuidOfTime } from '#main/store/sqlite/uuid.ts';

const NOON = Date.UTC(2026, 0, 15, 12);

/** Ids given at these times, each of which the store takes as one of its time. */
function idsAt(times: readonly number[]): string[] {
  const ids = new OrderedIds();
  return times.map((now) => {
    const { id, at } = ids.next(now);
    requireUuidOfTime(id, at);
    return id;
  });
}

test.each<[string, number[]]>([
  ['of one millisecond', Array.from({ length: 10_000 }, () => NOON)],
  ['of a clock that goes on', [0, 0, 1, 1, 2, 500].map((ms) => NOON + ms)],
  ['of a clock that is corrected', [0, -1, -30_000, -59_999, 1].map((ms) => NOON + ms)],
])('ids %s sort as they were given, and are no two alike', (_, times) => {
  const ids = idsAt(times);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

test('a clock that is set back by more than a minute is believed', () => {
  const ids = new OrderedIds();
  expect(ids.next(NOON).at).toBe(NOON);
  expect(ids.next(NOON - 60_001).at).toBe(NOON - 60_001);
});
