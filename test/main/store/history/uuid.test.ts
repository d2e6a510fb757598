import fc from 'fast-check';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import {
  firstUuidAt,
  formatUuid,
  parseUuid,
  requireUuid,
  timeOfUuid,
} from '#main/store/history/uuid.ts';

test('a UUID comes back as it was, with its time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (msecs) => {
      const id = v7({ msecs });
      expect(formatUuid(requireUuid(id))).toBe(id);
      expect(timeOfUuid(requireUuid(id))).toBe(msecs);
    }),
  );
});

test.each(['', 'x', '01A1FC3E-B0F3-716D-B018-FADEE9F6EF1C', `${v7()} `, v7().replaceAll('-', '')])(
  '%j is no UUID',
  (text) => {
    expect(parseUuid(text)).toBeNull();
    expect(() => requireUuid(text)).toThrow('Expected a UUID');
  },
);

test.each([
  [-1, 0],
  [0, 0],
  [0.5, 1],
  [1_790_000_000_000, 1_790_000_000_000],
  [Number.POSITIVE_INFINITY, 2 ** 48 - 1],
])('the first UUID at %d has the time %d', (time, expected) => {
  expect(timeOfUuid(firstUuidAt(time))).toBe(expected);
});
