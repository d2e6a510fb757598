import { expect, test } from 'vitest';
import { nextSlot, scheduleOf } from '#shared/checks/schedule.ts';
import {
  isOverloaded,
  isSkippedInOverload,
  overloadWarnings,
} from '#shared/self-monitoring/overload.ts';

test.each([
  [0, false, false],
  [0, true, false],
  [0.09, true, false],
  [0.1, false, false],
  [0.1, true, true],
  [0.19, false, false],
  [0.2, false, true],
  [1, false, true],
])(
  'with %f of the room filled, and an overload before: %s, there is one: %s',
  (filled, was, is) => {
    expect(isOverloaded(filled, was)).toBe(is);
  },
);

const ROUNDS = 200;

/** Whether each slot of a check is skipped, slot by slot. */
function slotsOf(id: string, filled: number, frequency: number): boolean[] {
  const check = { id, frequency, frequencyOffset: 10 };
  const { periodMs } = scheduleOf(check);
  const first = nextSlot(scheduleOf(check), Date.UTC(2026, 0, 1));
  return Array.from({ length: ROUNDS }, (_, n) =>
    isSkippedInOverload(check, first + n * periodMs, filled),
  );
}

const longestGap = (slots: readonly boolean[]) =>
  Math.max(...slots.map((_, from) => slots.slice(from).findIndex((skipped) => !skipped)));

test.each([
  ['none', 0.1, 0, 0],
  ['every tenth', 0.14, 0.1, 1],
  ['every fourth', 0.2, 0.25, 1],
  ['every second', 0.3, 0.5, 2],
  ['nine of ten', 0.46, 0.9, 13],
])(
  '%s of the slots of each check is skipped with %f of the room filled, and never many in a row',
  (_, filled, part, inARow) => {
    for (const frequency of [0, 1, 30]) {
      for (let n = 0; n < 100; n++) {
        const slots = slotsOf(`check ${n}`, filled, frequency);
        const skipped = slots.filter(Boolean).length;
        expect(Math.abs(skipped / ROUNDS - part)).toBeLessThan(0.02);
        expect(longestGap(slots)).toBeLessThanOrEqual(inARow);
      }
    }
  },
);

test('of many checks the same part is skipped in each round', () => {
  const checks = Array.from({ length: 1_000 }, (_, n) => slotsOf(`check ${n}`, 0.3, 0));
  for (let round = 0; round < ROUNDS; round++) {
    const skipped = checks.filter((slots) => slots[round]).length;
    expect(Math.abs(skipped - 500)).toBeLessThan(60);
  }
});

test('slots that come hourly or more rarely are skipped only where all are', () => {
  for (const frequency of [60, 1_440]) {
    expect(slotsOf('check', 0.49, frequency)).not.toContain(true);
    expect(slotsOf('check', 0.5, frequency)).not.toContain(false);
  }
});

test('all slots are skipped where half of the room is filled', () => {
  expect(slotsOf('check', 0.5, 0)).not.toContain(false);
  expect(slotsOf('check', 1, 0)).not.toContain(false);
});

test('an operator is warned of it while it lasts', () => {
  expect([overloadWarnings(false).length, overloadWarnings(true).length]).toEqual([0, 1]);
});
