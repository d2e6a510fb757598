import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultFrequencyOffset,
  firstRunDelay,
  frequencyOffsetRange,
  nextSlot,
  scheduleOf,
  slotsBetween,
  slotToAwait,
} from '#shared/checks/schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const id = fc.uuid();
const now = fc.integer({ min: 0, max: 4_000_000_000_000 });
const frequency = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1440 }));
const settings = fc
  .tuple(id, frequency, fc.option(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })))
  .map(([checkId, minutes, share]) => ({
    id: checkId,
    frequency: minutes,
    frequencyOffset: share === null ? undefined : offsetAt(minutes, share),
  }));

/** The offset at a share of a frequency's range. */
function offsetAt(minutes: number, share: number): number {
  if (minutes === 0) return [10, 20, 30][Math.floor(share * 3)] ?? 10;
  return 1 + Math.floor(share * frequencyOffsetRange(minutes).max);
}

describe('the bounds of frequencyOffset by rules 1 to 3 of 2.2', () => {
  it.each([
    [0, [10, 20, 30], [0, 1, 9, 11, 15, 25, 31, 40, 10.5], '10, 20 or 30'],
    [1, [1, 10], [0, 11, -1, 1.5], 'a whole number from 1 to 10'],
    [5, [1, 50], [0, 51], 'a whole number from 1 to 50'],
    [60, [1, 600], [0, 601], 'a whole number from 1 to 600'],
    [61, [1, 2], [0, 3], 'a whole number from 1 to 2'],
    [120, [1, 2], [3], 'a whole number from 1 to 2'],
    [720, [1, 12], [0, 13], 'a whole number from 1 to 12'],
    [1440, [1, 24], [0, 25], 'a whole number from 1 to 24'],
  ])('frequency %i', (minutes, good, bad, description) => {
    const range = frequencyOffsetRange(minutes);
    expect(good.filter((offset) => !range.allows(offset))).toEqual([]);
    expect(bad.filter((offset) => range.allows(offset))).toEqual([]);
    expect([range.min, range.max]).toEqual([good[0], good.at(-1)]);
    expect(range.description).toBe(description);
  });

  it('an offset that is left out is one of them', () => {
    fc.assert(
      fc.property(id, frequency, (checkId, minutes) => {
        const offset = defaultFrequencyOffset(checkId, minutes);
        expect(frequencyOffsetRange(minutes).allows(offset)).toBe(true);
      }),
    );
  });
});

describe('the slots of a check', () => {
  it.each([
    [0, 10, 10 * SECOND, 0, 10 * SECOND],
    [0, 30, 30 * SECOND, 0, 30 * SECOND],
    [1, 1, MINUTE, 6 * SECOND, 12 * SECOND],
    [1, 9, MINUTE, 54 * SECOND, MINUTE],
    [1, 10, MINUTE, 0, 6 * SECOND],
    [10, 17, 10 * MINUTE, 102 * SECOND, 108 * SECOND],
    [60, 600, HOUR, 0, 6 * SECOND],
    [720, 1, 12 * HOUR, HOUR, 2 * HOUR],
    [720, 12, 12 * HOUR, 0, HOUR],
  ])('frequency %i, offset %i: every %i ms, from %i to %i ms of the period', (...row) => {
    const [minutes, frequencyOffset, periodMs, fromMs, toMs] = row;
    fc.assert(
      fc.property(id, (checkId) => {
        const schedule = scheduleOf({ id: checkId, frequency: minutes, frequencyOffset });
        expect(schedule.periodMs).toBe(periodMs);
        expect(schedule.phaseMs).toBeGreaterThanOrEqual(fromMs);
        expect(schedule.phaseMs).toBeLessThan(toMs);
      }),
      { numRuns: 50 },
    );
  });

  it('come exactly one a period, for ever at the same phase', () => {
    fc.assert(
      fc.property(settings, now, (check, start) => {
        const schedule = scheduleOf(check);
        let slot = nextSlot(schedule, start);
        expect(slot).toBeGreaterThan(start);
        expect(slot).toBeLessThanOrEqual(start + schedule.periodMs);
        for (let count = 0; count < 5; count++) {
          const following = nextSlot(schedule, slot);
          expect(following - slot).toBe(schedule.periodMs);
          expect((following - schedule.phaseMs) % schedule.periodMs).toBe(0);
          slot = following;
        }
      }),
    );
  });

  it('do not depend on when they are asked for', () => {
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(settings, now, share, (check, start, part) => {
        const schedule = scheduleOf(check);
        const slot = nextSlot(schedule, start);
        const later = start + Math.floor(part * (slot - start));
        expect(nextSlot(schedule, later)).toBe(slot);
      }),
    );
  });

  it('are counted between two times, both left out', () => {
    fc.assert(
      fc.property(settings, now, fc.integer({ min: 0, max: 20 * HOUR }), (check, from, span) => {
        const schedule = scheduleOf(check);
        const counted = slotsBetween(schedule, from, from + span);
        let walked = 0;
        for (let at = nextSlot(schedule, from); at < from + span && walked < 200; walked++) {
          at = nextSlot(schedule, at);
        }
        if (walked < 200) expect(counted).toBe(walked);
        else expect(counted).toBeGreaterThanOrEqual(200);
      }),
    );
  });
});

describe('10,000 checks of one frequency spread out', () => {
  /** Ids as random as UUIDs, the same in every run. */
  const ids = Array.from({ length: 10_000 }, (_, index) => {
    const hex = createHash('sha256').update(String(index)).digest('hex');
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      hex.slice(12, 16),
      hex.slice(16, 20),
      hex.slice(20, 32),
    ].join('-');
  });

  function fullestBucket(times: number[], bucketMs: number): number {
    const counts = new Map<number, number>();
    for (const time of times) {
      const bucket = Math.floor(time / bucketMs);
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    }
    return Math.max(...counts.values());
  }

  // At most 1.5 times the mean and a little: what a good hash stays below.
  it.each([
    ['every 10 s', 0, 10, 150],
    ['every 30 s', 0, 30, 65],
    ['every minute, offsets left out', 1, undefined, 45],
    ['every 10 minutes, offsets left out', 10, undefined, 15],
    ['every 10 minutes with one offset', 10, 17, 225],
    ['every 12 hours with one offset', 720, 3, 8],
  ])('%s', (_, minutes, frequencyOffset, most) => {
    const phases = ids.map(
      (checkId) => scheduleOf({ id: checkId, frequency: minutes, frequencyOffset }).phaseMs,
    );
    expect(fullestBucket(phases, 100)).toBeLessThanOrEqual(most);
  });

  it('ids that differ in one character do too', () => {
    const phases = Array.from(
      { length: 10_000 },
      (_, index) => scheduleOf({ id: `check-${index}`, frequency: 0, frequencyOffset: 10 }).phaseMs,
    );
    expect(fullestBucket(phases, 100)).toBeLessThanOrEqual(150);
  });

  it('and so do their first runs, within 10 s of creation', () => {
    const delays = ids.map(firstRunDelay);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThan(10 * SECOND);
    expect(fullestBucket(delays, 100)).toBeLessThanOrEqual(500);
  });
});

describe('the slot to wait for', () => {
  const schedule = { periodMs: 60_000, phaseMs: 0 };
  it.each([
    ['the next one', 100_000, 90_000, 120_000],
    ['not one that was run already', 119_990, 120_000, 180_000],
    ['one that passed a moment ago and was not run', 120_003, 60_000, 120_000],
    ['after a clock set back a little, the one after the last', 100_000, 120_000, 180_000],
    ['after a clock set back far, the next by the clock', 100_000, 3_600_000, 120_000],
  ])('%s', (_, now, lastSlot, expected) => {
    expect(slotToAwait(schedule, now, lastSlot)).toBe(expected);
  });
});
