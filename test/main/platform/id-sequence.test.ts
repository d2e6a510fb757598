import { describe, expect, test } from 'vitest';
import { IdSequence } from '#main/platform/id-sequence.ts';
import { requireUuidOfTime } from '#main/store/history/uuid.ts';

const NOON = Date.UTC(2026, 0, 15, 12);

/** Ids given at these times, each of which the store takes as one of its time. */
function idsAt(times: readonly number[]): string[] {
  const ids = new IdSequence();
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
  const ids = new IdSequence();
  expect(ids.next(NOON).at).toBe(NOON);
  expect(ids.next(NOON - 60_001).at).toBe(NOON - 60_001);
});

describe('ids that follow those of an earlier process', () => {
  const followed = (aheadMs: number) => {
    const last = new IdSequence().next(NOON + aheadMs);
    const ids = new IdSequence();
    ids.follow(last.id, NOON);
    return { last, ids };
  };

  test.each([-1, 0, 1, 10_000, 60_000])(
    'sort after them where its clock was %i ms ahead',
    (aheadMs) => {
      const { last, ids } = followed(aheadMs);
      const next = ids.next(NOON);
      requireUuidOfTime(next.id, next.at);
      expect(next.id > last.id).toBe(true);
      expect(Math.abs(next.at - NOON)).toBeLessThanOrEqual(60_001);
    },
  );

  test('have the time of this clock where the other was further ahead', () => {
    expect(followed(60_001).ids.next(NOON).at).toBe(NOON);
  });

  test('still sort as they are given where the clock was set back meanwhile', () => {
    const ids = new IdSequence();
    const given = [ids.next(NOON), ids.next(NOON)];
    ids.follow(new IdSequence().next(NOON + 70_000).id, NOON);
    ids.follow(new IdSequence().next(NOON - 1).id, NOON);
    given.push(ids.next(NOON));
    expect(given).toEqual(given.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
  });
});
