import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { offsetAt, toMoment } from '#shared/maintenance/local-time.ts';

const MINUTE = 60_000;
/** Zones that are odd: half an hour, two changes around Ramadan, two hours, a day that never was. */
const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'Africa/Casablanca',
  'Africa/Cairo',
  'America/St_Johns',
  'Antarctica/Troll',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
);
const minutesOf = (from: string, to: string) =>
  fc
    .integer({ min: Date.parse(from) / MINUTE, max: Date.parse(to) / MINUTE })
    .map((minutes) => minutes * MINUTE);
/** The second is short, so that questions meet, in any order. */
const moment = fc.oneof(
  minutesOf('1850-01-01', '2150-01-01'),
  minutesOf('2026-01-01', '2027-01-01'),
);

it('a zone is as far from UTC as the library says, in whatever order one asks', () => {
  fc.assert(
    fc.property(zone, fc.array(moment, { minLength: 30, maxLength: 60 }), (name, moments) => {
      for (const ms of moments) {
        const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name);
        expect(offsetAt(ms, name)).toBe(zoned.offsetNanoseconds / 1e6);
      }
    }),
  );
});

it('a time on the wall is the moment that the library says, also in and around a change', () => {
  const changes = ['2011-12-30T00:30', '2026-02-15T02:30', '2026-03-29T02:30', '2026-04-05T03:00'];
  const nearChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -3_000, max: 3_000 }))
    .map(([text, minutes]) => Date.parse(`${text}Z`) + minutes * MINUTE);
  fc.assert(
    fc.property(zone, fc.oneof(nearChange, moment), (name, wallMs) => {
      const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO('UTC');
      const zoned = wall.toPlainDateTime().toZonedDateTime(name, { disambiguation: 'compatible' });
      expect(toMoment(wallMs, name)).toBe(zoned.epochMilliseconds);
    }),
    { numRuns: 1_000 },
  );
});

it('more names than are remembered are answered all the same', () => {
  const ms = Date.UTC(2026, 6, 1);
  for (let n = 0; n < 2_048; n++) {
    const letters = [...'europe/berlin'].map((letter, at) =>
      (n >> at) & 1 ? letter.toUpperCase() : letter,
    );
    expect(offsetAt(ms, letters.join(''))).toBe(120 * MINUTE);
  }
});
