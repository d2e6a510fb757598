import { expect, test } from 'vitest';
import { readInstant } from '#shared/api/query.ts';

const NOON = Date.UTC(2026, 0, 15, 12);

test.each([
  ['UNIX seconds', '1768478400', NOON],
  ['fractional seconds', '1768478400.25', NOON + 250],
  ['milliseconds', '1768478400250', NOON + 250],
  ['the epoch', '0', 0],
  ['a date', '2026-01-15', Date.UTC(2026, 0, 15)],
  ['a date and time in UTC', '2026-01-15T12:00:00.250Z', NOON + 250],
  ['a date and time without an offset', '2026-01-15T12:00:00', NOON],
  ['an offset', '2026-01-15T14:00:00+02:00', NOON],
  ['an offset whose plus became a space', '2026-01-15T14:00:00 02:00', NOON],
])('%s is a moment', (_name, text, ms) => {
  expect(readInstant(text)).toBe(ms);
});

test.each([
  '',
  'yesterday',
  '-5',
  '1e9',
  '2026-02-30',
  '2026-01-15T25:00:00Z',
  '99999999999999999',
  '9999999999999999',
])('"%s" is none', (text) => {
  expect(readInstant(text)).toBeUndefined();
});
