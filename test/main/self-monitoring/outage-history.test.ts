import { describe, expect, test } from 'vitest';
import { OutageHistory } from '#main/self-monitoring/outage-history.ts';

const SECOND = 1_000;

/** Blind from 100 s to 200 s, and from 400 s to 500 s. */
function twiceOffline(): OutageHistory {
  const past = new OutageHistory();
  past.note({ reasons: ['NETWORK'], since: 100 * SECOND, isTold: true }, 200 * SECOND);
  past.note({ reasons: ['BUSY'], since: 400 * SECOND, isTold: false }, 500 * SECOND);
  return past;
}

describe('a time of blindness, or a moment before or after one', () => {
  test.each([
    ['ended well before', 0, 79, false],
    ['ended a moment before', 0, 80, true],
    ['lies in the first', 150, 160, true],
    ['holds the second', 300, 600, true],
    ['began a moment after', 220, 300, true],
    ['lies between the two', 221, 379, false],
    ['began well after', 521, 600, false],
  ])('a time that %s', (_name, from, to, isTouched) => {
    const span = { from: from * SECOND, to: to * SECOND };
    expect(twiceOffline().touches(span)).toBe(isTouched);
  });
});

test('a run says nothing that began before the end of the last blindness', () => {
  expect(twiceOffline().reasonsAt(500 * SECOND)).toEqual(['BUSY']);
  expect(twiceOffline().reasonsAt(501 * SECOND)).toEqual([]);
  expect(new OutageHistory().reasonsAt(0)).toEqual([]);
});

test('most times are remembered, not all', () => {
  const past = twiceOffline();
  for (let n = 0; n < 99; n++) past.note({ reasons: [], since: 1e9, isTold: false }, 1e9);
  expect(past.touches({ from: 150 * SECOND, to: 160 * SECOND })).toBe(false);
  expect(past.touches({ from: 450 * SECOND, to: 460 * SECOND })).toBe(true);
});
