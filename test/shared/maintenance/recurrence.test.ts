import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import {
  nextOccurrence,
  occurrenceAt,
  occurrencesBetween,
  REPEAT_UNITS,
  Recurrence,
  stateAt,
  type WindowTimes,
} from '#shared/maintenance/recurrence.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ONCE = {
  startsAt: '2026-03-01T10:00:00Z',
  endsAt: '2026-03-01T12:00:00Z',
  repeatUnit: null,
  repeatInterval: null,
  repeatEndsAt: null,
  timezone: null,
} satisfies WindowTimes;
const times = (members: Partial<WindowTimes>): WindowTimes => ({ ...ONCE, ...members });

/** The occurrences from a day on, as `start / end` with the zone's offset. */
function shown(window: WindowTimes, from: string, limit: number): string[] {
  const range = { fromMs: Date.parse(from), toMs: 8e15, limit };
  return occurrencesBetween(window, range).map(
    ({ startsAtMs, endsAtMs }) => `${local(startsAtMs, window)} / ${local(endsAtMs, window)}`,
  );
}

function local(ms: number, { timezone }: WindowTimes): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone ?? 'UTC');
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'minute' });
}

const dailyIn = (timezone: string, startsAt: string, endsAt: string) =>
  times({ startsAt, endsAt, repeatUnit: 'DAY', repeatInterval: 1, timezone });
const berlin = (startsAt: string, endsAt: string) => dailyIn('Europe/Berlin', startsAt, endsAt);
const monthly = (startsAt: string, repeatInterval = 1) =>
  times({
    startsAt: `${startsAt}T10:00:00Z`,
    endsAt: `${startsAt}T11:00:00Z`,
    repeatUnit: 'MONTH',
    repeatInterval,
  });

describe('repeats keep to the wall clock of their zone', () => {
  it.each<[string, WindowTimes, string, string[]]>([
    [
      'Berlin: 02:30 that does not exist is 03:30',
      berlin('2026-01-10T02:30:00', '2026-01-10T05:00:00'),
      '2026-03-28',
      [
        '2026-03-28T02:30+01:00 / 2026-03-28T05:00+01:00',
        '2026-03-29T03:30+02:00 / 2026-03-29T05:00+02:00',
        '2026-03-30T02:30+02:00 / 2026-03-30T05:00+02:00',
      ],
    ],
    [
      'Berlin: of 02:30 twice, the first begins and the window ends at its own time',
      berlin('2026-01-10T02:30:00', '2026-01-10T05:00:00'),
      '2026-10-25',
      ['2026-10-25T02:30+02:00 / 2026-10-25T05:00+01:00'],
    ],
    [
      'Berlin: one that the change would swallow keeps its length',
      berlin('2026-01-10T02:30:00', '2026-01-10T03:00:00'),
      '2026-03-29',
      ['2026-03-29T03:30+02:00 / 2026-03-29T04:00+02:00'],
    ],
    [
      'Berlin: a night shift stays one, of 7 and of 9 hours',
      berlin('2026-01-10T22:00:00', '2026-01-11T06:00:00'),
      '2026-10-24T12:00Z',
      ['2026-10-24T22:00+02:00 / 2026-10-25T06:00+01:00'],
    ],
    [
      'Berlin: the first is as given, also in the second 02:30, and later ones at 02:30',
      berlin('2025-10-26T02:30:00+01:00', '2025-10-26T02:45:00+01:00'),
      '2025-10-26',
      [
        '2025-10-26T02:30+01:00 / 2025-10-26T02:45+01:00',
        '2025-10-27T02:30+01:00 / 2025-10-27T02:45+01:00',
      ],
    ],
    [
      'Berlin: a first from the first 02:45 to the second 02:15 is of half an hour for ever',
      berlin('2025-10-26T02:45:00+02:00', '2025-10-26T02:15:00+01:00'),
      '2025-10-26',
      [
        '2025-10-26T02:45+02:00 / 2025-10-26T02:15+01:00',
        '2025-10-27T02:45+01:00 / 2025-10-27T03:15+01:00',
      ],
    ],
    [
      'New York: given in UTC, at 09:00 of its clock on both sides of the change',
      times({
        startsAt: '2026-03-01T14:00:00.000Z',
        endsAt: '2026-03-01T15:00:00.000Z',
        repeatUnit: 'WEEK',
        repeatInterval: 1,
        timezone: 'America/New_York',
      }),
      '2026-03-01',
      [
        '2026-03-01T09:00-05:00 / 2026-03-01T10:00-05:00',
        '2026-03-08T09:00-04:00 / 2026-03-08T10:00-04:00',
      ],
    ],
    [
      'Lord Howe: the clock moves by half an hour only',
      times({
        startsAt: '2026-10-03T02:15:00',
        endsAt: '2026-10-03T04:00:00',
        repeatUnit: 'DAY',
        repeatInterval: 1,
        timezone: 'Australia/Lord_Howe',
      }),
      '2026-10-02T12:00Z',
      [
        '2026-10-03T02:15+10:30 / 2026-10-03T04:00+10:30',
        '2026-10-04T02:45+11:00 / 2026-10-04T04:00+11:00',
        '2026-10-05T02:15+11:00 / 2026-10-05T04:00+11:00',
      ],
    ],
    [
      'Lord Howe: of 01:45 twice, half an hour apart, the first',
      dailyIn('Australia/Lord_Howe', '2026-01-01T01:45:00', '2026-01-01T04:00:00'),
      '2026-04-04T12:00Z',
      [
        '2026-04-05T01:45+11:00 / 2026-04-05T04:00+10:30',
        '2026-04-06T01:45+10:30 / 2026-04-06T04:00+10:30',
      ],
    ],
    [
      'Casablanca: the clock goes back for Ramadan only',
      dailyIn('Africa/Casablanca', '2026-01-01T02:30:00', '2026-01-01T04:00:00'),
      '2026-02-15',
      [
        '2026-02-15T02:30+01:00 / 2026-02-15T04:00+00:00',
        '2026-02-16T02:30+00:00 / 2026-02-16T04:00+00:00',
      ],
    ],
    [
      'Casablanca: and forward again five weeks later',
      dailyIn('Africa/Casablanca', '2026-01-01T02:30:00', '2026-01-01T04:00:00'),
      '2026-03-22',
      [
        '2026-03-22T03:30+01:00 / 2026-03-22T04:00+01:00',
        '2026-03-23T02:30+01:00 / 2026-03-23T04:00+01:00',
      ],
    ],
    [
      'Chatham: the clock changes at a quarter to three',
      dailyIn('Pacific/Chatham', '2026-01-01T03:00:00', '2026-01-01T05:00:00'),
      '2026-09-26T12:00Z',
      [
        '2026-09-27T04:00+13:45 / 2026-09-27T05:00+13:45',
        '2026-09-28T03:00+13:45 / 2026-09-28T05:00+13:45',
      ],
    ],
    [
      'Troll: two hours at once, and an hour of maintenance that falls into them',
      dailyIn('Antarctica/Troll', '2026-01-01T01:30:00', '2026-01-01T02:30:00'),
      '2026-03-29',
      [
        '2026-03-29T03:30+02:00 / 2026-03-29T04:30+02:00',
        '2026-03-30T01:30+02:00 / 2026-03-30T02:30+02:00',
      ],
    ],
    [
      'Apia had no 30 December 2011: what was due then is on the 31st',
      dailyIn('Pacific/Apia', '2011-12-28T10:00:00', '2011-12-28T12:00:00'),
      '2011-12-29T12:00Z',
      [
        '2011-12-29T10:00-10:00 / 2011-12-29T12:00-10:00',
        '2011-12-31T10:00+14:00 / 2011-12-31T12:00+14:00',
      ],
    ],
    [
      'no zone is UTC',
      times({ repeatUnit: 'DAY', repeatInterval: 28 }),
      '2026-03-02',
      ['2026-03-29T10:00+00:00 / 2026-03-29T12:00+00:00'],
    ],
    [
      'a date is midnight in the zone',
      berlin('2026-03-28', '2026-03-29'),
      '2026-03-28T12:00Z',
      [
        '2026-03-29T00:00+01:00 / 2026-03-30T00:00+02:00',
        '2026-03-30T00:00+02:00 / 2026-03-31T00:00+02:00',
      ],
    ],
  ])('%s', (_name, window, from, expected) => {
    expect(shown(window, from, expected.length)).toEqual(expected);
  });
});

describe('a monthly one is counted from the first date and clamps to the last day', () => {
  it.each<[string, number, string[]]>([
    ['2026-01-31', 1, ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['2027-12-31', 2, ['2027-12-31', '2028-02-29', '2028-04-30', '2028-06-30', '2028-08-31']],
    ['2024-02-29', 12, ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
    ['2026-01-15', 365, ['2026-01-15', '2056-06-15']],
  ])('from %s every %i months', (first, interval, expected) => {
    const days = shown(monthly(first, interval), first, expected.length);
    expect(days.map((text) => text.slice(0, 10))).toEqual(expected);
  });
});

describe('repeatEndsAt is the last day on which one may start, in the zone', () => {
  it.each<[string, WindowTimes, string]>([
    ['a plain date', times({ repeatEndsAt: '2026-03-05' }), '2026-03-05T10:00+00:00'],
    ['the day before', times({ repeatEndsAt: '2026-03-04' }), '2026-03-04T10:00+00:00'],
    ['a moment', times({ repeatEndsAt: '2026-03-04T23:59:00Z' }), '2026-03-04T10:00+00:00'],
    [
      'a moment, in the zone',
      times({ repeatEndsAt: '2026-03-04T23:59:00Z', timezone: 'Asia/Tokyo' }),
      '2026-03-05T19:00+09:00',
    ],
    [
      'midnight in UTC, which is how clients write a date',
      times({ repeatEndsAt: '2026-03-05T00:00:00.000Z', timezone: 'America/New_York' }),
      '2026-03-05T05:00-05:00',
    ],
    ['the first day', times({ repeatEndsAt: '2026-03-01' }), '2026-03-01T10:00+00:00'],
  ])('%s', (_name, window, last) => {
    const daily = times({ ...window, repeatUnit: 'DAY', repeatInterval: 1 });
    expect(shown(daily, '2026-03-01', 100).at(-1)?.split(' / ')[0]).toBe(last);
    const longAfter = Date.parse('2030-01-01');
    expect(nextOccurrence(daily, longAfter)).toBeNull();
    expect(stateAt(new Recurrence(daily), longAfter).untilMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('the last one runs its full length', () => {
    const nights = times({
      startsAt: '2026-03-01T22:00:00Z',
      endsAt: '2026-03-02T06:00:00Z',
      repeatUnit: 'DAY',
      repeatInterval: 1,
      repeatEndsAt: '2026-03-03',
    });
    expect(occurrenceAt(nights, Date.parse('2026-03-04T05:59:00Z'))).not.toBeNull();
    expect(occurrenceAt(nights, Date.parse('2026-03-04T22:30:00Z'))).toBeNull();
  });
});

describe('what is open', () => {
  const at = (text: string) => Date.parse(`2026-03-01T${text}Z`);

  it.each([
    ['09:59:59.999', null, at('10:00')],
    ['10:00', at('12:00'), null],
    ['11:59:59.999', at('12:00'), null],
    ['12:00', null, null],
  ])('a single one at %s', (time, endsAtMs, nextMs) => {
    expect(occurrenceAt(ONCE, at(time))?.endsAtMs ?? null).toBe(endsAtMs);
    expect(nextOccurrence(ONCE, at(time))?.startsAtMs ?? null).toBe(nextMs);
  });

  it('of several at once it is the one that began last', () => {
    const long = times({ endsAt: '2026-03-03T10:00:00Z', repeatUnit: 'DAY', repeatInterval: 1 });
    expect(stateAt(new Recurrence(long), at('10:00') + 3 * DAY + HOUR)).toEqual({
      open: { startsAtMs: at('10:00') + 3 * DAY, endsAtMs: at('10:00') + 5 * DAY },
      fromMs: at('10:00') + 3 * DAY,
      untilMs: at('10:00') + 4 * DAY,
    });
  });

  it("St. John's put the clock back over midnight: the day before, one had begun already", () => {
    const window = times({
      startsAt: '2010-11-01T00:00:30',
      endsAt: '2010-11-01T01:30:00',
      repeatUnit: 'DAY',
      repeatInterval: 1,
      timezone: 'America/St_Johns',
    });
    // 23:30 on the 6th for the second time: the 7th began for 60 seconds before that.
    const again = Date.parse('2010-11-06T23:30:00-03:30');
    expect(local(occurrenceAt(window, again)?.startsAtMs ?? 0, window)).toBe(
      '2010-11-07T00:00-02:30',
    );
  });
});

describe('those between two moments begin at the first or later and before the second', () => {
  const daily = times({ repeatUnit: 'DAY', repeatInterval: 1 });
  const start = Date.parse(ONCE.startsAt);
  it.each([
    [start, start + 2 * DAY, 10, [0, 1]],
    [start + 1, start + 2 * DAY + 1, 10, [1, 2]],
    [start - DAY, start, 10, []],
    [start - DAY, start + 9 * DAY, 3, [0, 1, 2]],
    [start + 5 * DAY, start + 9 * DAY, 0, []],
  ])('%i to %i, at most %i', (fromMs, toMs, limit, days) => {
    const found = occurrencesBetween(daily, { fromMs, toMs, limit });
    expect(found.map(({ startsAtMs }) => (startsAtMs - start) / DAY)).toEqual(days);
  });
});

const zone = fc.constantFrom(
  null,
  'Europe/Berlin',
  'America/New_York',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Chatham',
);
const FIRST = Date.parse('2000-01-01');
const minutes = fc.integer({ min: 0, max: 20 * 365 * 24 * 60 });
const anyWindow = fc
  .record({
    start: minutes,
    length: fc.integer({ min: 1, max: 60 * 24 * 2 }),
    repeatUnit: fc.constantFrom(...REPEAT_UNITS),
    repeatInterval: fc.integer({ min: 3, max: 365 }),
    lastDay: fc.option(fc.integer({ min: 0, max: 4_000 })),
    timezone: zone,
  })
  .map(({ start, length, lastDay, ...repeat }): WindowTimes => {
    const startsAtMs = FIRST + start * 60_000;
    const iso = (ms: number) => new Date(ms).toISOString();
    const lastMs = lastDay === null ? null : startsAtMs + (lastDay + 1) * DAY;
    const repeatEndsAt = lastMs === null ? null : iso(lastMs).slice(0, 10);
    return {
      ...repeat,
      repeatEndsAt,
      startsAt: iso(startsAtMs),
      endsAt: iso(startsAtMs + length * 60_000),
    };
  });
const anyMoment = minutes.map((amount) => FIRST + amount * 120_000);

describe('of any window at any moment', () => {
  it('the open occurrence contains the moment and the next one begins after it', () => {
    fc.assert(
      fc.property(anyWindow, anyMoment, (window, now) => {
        const open = occurrenceAt(window, now);
        const next = nextOccurrence(window, now);
        if (open !== null) {
          expect(open.startsAtMs).toBeLessThanOrEqual(now);
          expect(open.endsAtMs).toBeGreaterThan(now);
        }
        if (next !== null) expect(next.startsAtMs).toBeGreaterThan(now);
      }),
      { numRuns: 500 },
    );
  });

  it('each occurrence is found at its start, is over at its end, and is followed by the next', () => {
    fc.assert(
      fc.property(anyWindow, anyMoment, (window, fromMs) => {
        const found = occurrencesBetween(window, { fromMs, toMs: 8e15, limit: 5 });
        for (const [index, occurrence] of found.entries()) {
          const { startsAtMs, endsAtMs } = occurrence;
          expect(endsAtMs).toBeGreaterThan(startsAtMs);
          expect(occurrenceAt(window, startsAtMs)).toEqual(occurrence);
          expect(nextOccurrence(window, startsAtMs - 1)).toEqual(occurrence);
          expect(occurrenceAt(window, endsAtMs)).toBeNull();
          const next = nextOccurrence(window, startsAtMs);
          if (index < found.length - 1) expect(next).toEqual(found[index + 1]);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('the n-th begins n intervals after the first on the wall clock, as the library counts them', () => {
    fc.assert(
      fc.property(anyWindow, fc.integer({ min: 1, max: 400 }), (window, n) => {
        const unit = { DAY: 'days', WEEK: 'weeks', MONTH: 'months' }[window.repeatUnit ?? 'DAY'];
        const first = Temporal.Instant.from(window.startsAt).toZonedDateTimeISO(
          window.timezone ?? 'UTC',
        );
        const startsAtMs = first.add({
          [unit]: n * (window.repeatInterval ?? 0),
        }).epochMilliseconds;
        const endless = { ...window, repeatEndsAt: null };
        expect(nextOccurrence(endless, startsAtMs - 1)?.startsAtMs).toBe(startsAtMs);
      }),
      { numRuns: 500 },
    );
  });

  it('its length on the wall clock is that of the first, but in the hours of a clock change', () => {
    fc.assert(
      fc.property(anyWindow, anyMoment, (window, fromMs) => {
        const onTheWall = ({ startsAtMs, endsAtMs }: { startsAtMs: number; endsAtMs: number }) =>
          wallClock(endsAtMs, window) - wallClock(startsAtMs, window);
        const [first] = occurrencesBetween(window, { fromMs: FIRST, toMs: 8e15, limit: 1 });
        const found = occurrencesBetween(window, { fromMs, toMs: 8e15, limit: 3 });
        if (first === undefined) throw new Error('There is always a first one');
        if (nearChange(first, window)) return;
        for (const occurrence of found.filter((one) => !nearChange(one, window))) {
          expect(onTheWall(occurrence)).toBe(onTheWall(first));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('the state holds from its first moment to its last, and not one longer', () => {
    fc.assert(
      fc.property(anyWindow, anyMoment, (window, now) => {
        const state = stateAt(new Recurrence(window), now);
        const { fromMs, untilMs } = state;
        expect(fromMs).toBeLessThanOrEqual(now);
        expect(untilMs).toBeGreaterThan(now);
        if (Number.isFinite(fromMs)) expect(stateAt(new Recurrence(window), fromMs)).toEqual(state);
        if (Number.isFinite(untilMs)) {
          expect(stateAt(new Recurrence(window), untilMs - 1)).toEqual(state);
          expect(stateAt(new Recurrence(window), untilMs)).not.toEqual(state);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** What the wall clock shows, as if it were UTC. */
function wallClock(ms: number, { timezone }: WindowTimes): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone ?? 'UTC');
  return ms + zoned.offsetNanoseconds / 1e6;
}

/** Whether the clock changes within some hours of either end, so that a time may be moved. */
function nearChange(
  { startsAtMs, endsAtMs }: { startsAtMs: number; endsAtMs: number },
  window: WindowTimes,
): boolean {
  const offset = (ms: number) => wallClock(ms, window) - ms;
  return [startsAtMs, endsAtMs].some((ms) => offset(ms - 3 * HOUR) !== offset(ms + 3 * HOUR));
}
