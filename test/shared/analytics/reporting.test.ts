import { expect, test } from 'vitest';
import { quickRangeAt } from '#shared/analytics/quick-range.ts';
import { calendarStarts, type Granularity, MAX_AGGREGATES } from '#shared/analytics/reporting.ts';

const CALENDARS: [
  what: string,
  zone: string,
  granularity: Granularity,
  from: string,
  to: string,
  starts: string[],
][] = [
  [
    'days of UTC, the first one cut',
    'UTC',
    'day',
    '2026-03-28T10:00:00Z',
    '2026-03-30T10:00:00Z',
    ['2026-03-28T10:00:00Z', '2026-03-29T00:00:00Z', '2026-03-30T00:00:00Z'],
  ],
  [
    'a day of 23 hours',
    'Europe/Berlin',
    'day',
    '2026-03-27T23:00:00Z',
    '2026-03-30T22:00:00Z',
    ['2026-03-27T23:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ],
  [
    'a day of 25 hours',
    'Europe/Berlin',
    'day',
    '2026-10-23T22:00:00Z',
    '2026-10-26T23:00:00Z',
    ['2026-10-23T22:00:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  ],
  [
    'a day that begins at one',
    'Africa/Cairo',
    'day',
    '2026-04-22T22:00:00Z',
    '2026-04-25T21:00:00Z',
    ['2026-04-22T22:00:00Z', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
  ],
  [
    'weeks from Monday',
    'America/New_York',
    'week',
    '2026-03-04T05:00:00Z',
    '2026-03-17T00:00:00Z',
    ['2026-03-04T05:00:00Z', '2026-03-09T04:00:00Z', '2026-03-16T04:00:00Z'],
  ],
  [
    'months of different lengths',
    'UTC',
    'month',
    '2026-01-31T00:00:00Z',
    '2026-04-01T00:00:00Z',
    ['2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
  ],
];

test.each(CALENDARS)('%s', (_what, zone, granularity, from, to, starts) => {
  const range = { from: Date.parse(from), to: Date.parse(to) };
  const found = calendarStarts(range, granularity, zone);
  expect(found).toEqual(starts.map((start) => Date.parse(start)));
});

test('of too many days one more than may be is told, however long the time', () => {
  expect(calendarStarts({ from: 0, to: 8e12 }, 'day', 'UTC')).toHaveLength(MAX_AGGREGATES + 1);
});

test('calendar times begin where the day of the zone does', () => {
  // On this day clocks in Cairo went from midnight to one.
  const now = Date.parse('2026-04-24T10:00:00Z');
  expect(quickRangeAt('thisMonth', now, 'Africa/Cairo').from).toBe(
    Date.parse('2026-03-31T22:00:00Z'),
  );
  expect(quickRangeAt('lastWeek', now, 'Africa/Cairo')).toEqual({
    from: Date.parse('2026-04-12T22:00:00Z'),
    to: Date.parse('2026-04-19T22:00:00Z'),
  });
});
