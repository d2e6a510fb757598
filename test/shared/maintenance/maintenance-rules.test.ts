import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MaintenanceCalendar,
  maintenanceOf,
  type WindowEffect,
} from '#shared/maintenance/maintenance-rules.ts';
import { occurrenceAt } from '#shared/maintenance/recurrence.ts';

const at = (time: string) => Date.parse(`2026-05-04T${time}:00Z`);
const DAY = 24 * 3_600_000;

function makeWindow(members: Partial<WindowEffect> = {}): WindowEffect {
  return {
    id: '1',
    startsAt: '2026-05-01T10:00:00Z',
    endsAt: '2026-05-01T12:00:00Z',
    repeatUnit: 'DAY',
    repeatInterval: 1,
    repeatEndsAt: null,
    timezone: null,
    tags: [],
    pauseAllChecks: false,
    silenceAlertsTags: [],
    silenceAllAlerts: false,
    changes: [],
    ...members,
  };
}

const NONE = { paused: false, silenced: false, until: null };

describe('what an open window means for a check with the tags api and eu', () => {
  it.each<[Partial<WindowEffect>, object]>([
    [{}, NONE],
    [{ pauseAllChecks: true }, { paused: true, silenced: false, until: at('12:00') }],
    [{ tags: ['eu', 'us'] }, { paused: true, silenced: false, until: at('12:00') }],
    [{ tags: ['us'] }, NONE],
    [{ tags: ['EU'] }, NONE],
    [{ silenceAllAlerts: true }, { paused: false, silenced: true, until: at('12:00') }],
    [{ silenceAlertsTags: ['api'] }, { paused: false, silenced: true, until: at('12:00') }],
    [{ silenceAlertsTags: ['us'] }, NONE],
    [
      { tags: ['api'], silenceAllAlerts: true },
      { paused: true, silenced: true, until: at('12:00') },
    ],
  ])('%j', (members, expected) => {
    const calendar = new MaintenanceCalendar([makeWindow(members)]);
    expect(maintenanceOf(['api', 'eu'], calendar, at('11:00'))).toEqual(expected);
    expect(maintenanceOf(['api', 'eu'], calendar, at('12:00'))).toEqual(NONE);
  });
});

it('of several open windows, the last to close decides until when', () => {
  const calendar = new MaintenanceCalendar([
    makeWindow({ tags: ['api'] }),
    makeWindow({ id: '2', endsAt: '2026-05-01T13:00:00Z', tags: ['api'] }),
    makeWindow({ id: '3', endsAt: '2026-05-01T14:00:00Z', silenceAlertsTags: ['eu'] }),
    makeWindow({
      id: '4',
      endsAt: '2026-05-01T15:00:00Z',
      pauseAllChecks: true,
      startsAt: '2026-05-01T14:30:00Z',
    }),
  ]);
  const meaning = (tags: string[], time: string) => maintenanceOf(tags, calendar, at(time));
  expect(meaning(['api'], '11:00')).toEqual({ paused: true, silenced: false, until: at('13:00') });
  expect(meaning(['api', 'eu'], '11:00')).toEqual({
    paused: true,
    silenced: true,
    until: at('14:00'),
  });
  expect(meaning([], '11:00')).toEqual(NONE);
  expect(meaning([], '14:45')).toEqual({ paused: true, silenced: false, until: at('15:00') });
});

it('a window that is changed or deleted counts from the next question on', () => {
  const calendar = new MaintenanceCalendar([makeWindow({ pauseAllChecks: true })]);
  const paused = () => maintenanceOf([], calendar, at('11:00')).paused;
  expect(paused()).toBe(true);
  calendar.put(makeWindow({ pauseAllChecks: true, startsAt: '2026-05-01T11:30:00Z' }));
  expect(paused()).toBe(false);
  calendar.put(makeWindow({ id: '2', pauseAllChecks: true }));
  expect(paused()).toBe(true);
  calendar.delete('2');
  expect(paused()).toBe(false);
});

it('10,000 checks and 100 windows: each window is looked at once until one opens or closes', () => {
  let looks = 0;
  const windows = Array.from({ length: 100 }, (_, n) => {
    const endsAt = n % 2 === 0 ? '2026-05-01T12:00:00Z' : '2026-05-01T13:00:00Z';
    const window = makeWindow({ id: String(n), tags: [`tag ${n}`], endsAt });
    // Only an evaluation reads what was changed of a window.
    return Object.defineProperty(window, 'changes', {
      get: () => {
        looks += 1;
        return [];
      },
    });
  });
  const calendar = new MaintenanceCalendar(windows);
  const ask = (nowMs: number) =>
    Array.from({ length: 10_000 }, (_, n) => maintenanceOf([`tag ${n % 200}`], calendar, nowMs));
  const paused = ask(at('10:30')).filter((one) => one.paused);
  expect(paused).toHaveLength(5_000);
  ask(at('10:00'));
  ask(at('11:59'));
  expect(looks).toBe(100);
  ask(at('12:00'));
  expect(looks).toBe(150);
  ask(at('12:59'));
  expect(looks).toBe(150);
  for (const time of ['11:59', '12:00', '11:59', '12:00']) ask(at(time));
  expect(looks).toBe(150);
});

const tag = fc.constantFrom('a', 'b', 'c', 'd');
const tags = fc.uniqueArray(tag, { maxLength: 2 });
const anyWindow = fc
  .record({
    startHour: fc.integer({ min: 0, max: 72 }),
    hours: fc.integer({ min: 1, max: 40 }),
    repeatUnit: fc.constantFrom('DAY' as const, 'WEEK' as const, null),
    repeatInterval: fc.integer({ min: 1, max: 3 }),
    tags,
    pauseAllChecks: fc.boolean(),
    silenceAlertsTags: tags,
    silenceAllAlerts: fc.boolean(),
  })
  .map(({ startHour, hours, ...members }) => {
    const start = at('00:00') + startHour * 3_600_000;
    const end = start + hours * 3_600_000;
    const iso = (ms: number) => new Date(ms).toISOString();
    return makeWindow({ ...members, startsAt: iso(start), endsAt: iso(end) });
  });

it('the calendar says what looking at every window says, whichever way the clock goes', () => {
  const moment = fc.integer({ min: -DAY, max: 20 * DAY }).map((ms) => at('00:00') + ms);
  fc.assert(
    fc.property(
      fc.array(anyWindow, { maxLength: 5 }),
      fc.array(fc.tuple(moment, tags), { minLength: 1, maxLength: 20 }),
      (made, questions) => {
        const windows = made.map((window, n) => ({ ...window, id: String(n) }));
        const calendar = new MaintenanceCalendar(windows);
        for (const [now, own] of questions) {
          expect(maintenanceOf(own, calendar, now)).toEqual(plainly(own, windows, now));
        }
      },
    ),
  );
});

function plainly(own: readonly string[], windows: readonly WindowEffect[], now: number) {
  const shares = (listed: readonly string[]) => listed.some((one) => own.includes(one));
  const open = windows.flatMap((window) => {
    const occurrence = occurrenceAt(window, now);
    return occurrence === null ? [] : [{ ...window, until: occurrence.endsAtMs }];
  });
  const paused = open.filter((one) => one.pauseAllChecks || shares(one.tags));
  const silenced = open.filter((one) => one.silenceAllAlerts || shares(one.silenceAlertsTags));
  const untils = [...paused, ...silenced].map(({ until }) => until);
  return {
    paused: paused.length > 0,
    silenced: silenced.length > 0,
    until: untils.length === 0 ? null : Math.max(...untils),
  };
}
