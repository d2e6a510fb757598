import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { dateText } from '#shared/templates/date-text.ts';

const now = new Date('2026-03-10T12:34:56.789Z');
const load = createRequire(import.meta.url);

describe('the date of a template', () => {
  test.each([
    [[], '2026-03-10T12:34:56.789Z'],
    [['YYYY-MM-DD'], '2026-03-10'],
    [['2 days ago', 'YYYY-MM-DD'], '2026-03-08'],
    [['tomorrow', 'YYYY-MM-DD'], '2026-03-11'],
    [['last week', 'X'], String(Date.UTC(2026, 2, 3, 12, 34, 56) / 1_000)],
    [['no time at all', 'X'], null],
    [[`${' '.repeat(200)}now`, 'X'], null],
  ])('of %j is %s', (args, expected) => {
    for (const readsIso of [true, false]) {
      expect(dateText(args, { now, load, readsIso })).toBe(expected);
    }
  });

  test.each([
    [true, '00:00'],
    [false, '12:00'],
  ])('of an ISO 8601 date is its first moment, or as a phrase noon: %s', (readsIso, time) => {
    const text = dateText(['2026-03-08', 'YYYY-MM-DD HH:mm'], { now, load, readsIso });
    expect(text).toBe(`2026-03-08 ${time}`);
  });
});
