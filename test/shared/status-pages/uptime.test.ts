import { describe, expect, test } from 'vitest';
import {
  downMs,
  exceptionalDays,
  firstDayOf,
  meanUptime,
  type Span,
  type Trouble,
  uptimeOf,
  worstState,
} from '#shared/status-pages/uptime.ts';
import { DAY, HOUR, MINUTE, PAGE_NOW } from '../../fixtures/public-pages.ts';

const span = (startedAt: number, endedAt: number): Span => ({ startedAt, endedAt });

describe('the time that a service was down', () => {
  test.each<[string, Span[], Span[], number]>([
    ['nothing', [], [], 0],
    ['one incident', [span(10, 20)], [], 10],
    ['two apart', [span(10, 20), span(30, 35)], [], 15],
    ['two that overlap count once', [span(10, 20), span(15, 25)], [], 15],
    ['one within another counts once', [span(10, 40), span(15, 25)], [], 30],
    ['two that touch', [span(10, 20), span(20, 30)], [], 20],
    ['one without a length', [span(10, 10)], [], 0],
    ['what was before counts from the beginning', [span(-50, 5)], [], 5],
    ['what goes on counts to the end', [span(90, 500)], [], 10],
    ['all the time', [span(-1, 101)], [], 100],
    ['maintenance in the middle is left out', [span(10, 30)], [span(15, 20)], 15],
    ['maintenance at its edge is left out', [span(10, 30)], [span(0, 20)], 10],
    ['maintenance all over it leaves nothing', [span(10, 30)], [span(0, 40)], 0],
    ['maintenance elsewhere changes nothing', [span(10, 30)], [span(40, 50)], 20],
    ['two maintenances that overlap', [span(10, 30)], [span(12, 18), span(15, 20)], 12],
  ])('%s', (_, trouble, maintenance, expected) => {
    expect(downMs(trouble, maintenance, { from: 0, to: 100 })).toBe(expected);
  });
});

describe('per cent of 90 days', () => {
  test.each<[string, number, number]>([
    ['nothing', 0, 100],
    ['a millisecond is no 100', 1, 99.99],
    ['ten minutes', 10 * MINUTE, 99.99],
    ['a quarter of an hour is rounded down', 15 * MINUTE, 99.98],
    ['four hours', 4 * HOUR, 99.81],
    ['a day', DAY, 98.88],
    ['half of it', 45 * DAY, 50],
    ['all of it', 90 * DAY, 0],
    ['more than all of it', 200 * DAY, 0],
  ])('%s down', (_, ms, expected) => {
    expect(uptimeOf([span(PAGE_NOW - ms, PAGE_NOW)], [], PAGE_NOW)).toBe(expected);
  });

  test.each([
    [[100], 100],
    [[100, 99.99], 99.99],
    [[100, 100, 99.99], 99.99],
    [[0, 100], 50],
    [[99.81, 99.99, 100], 99.93],
  ])('the mean of %j is %d', (uptimes, expected) => {
    expect(meanUptime(uptimes)).toBe(expected);
  });
});

describe('the days that are not as they should be', () => {
  const trouble = (
    startedAt: number,
    endedAt: number,
    members: Partial<Trouble> = {},
  ): Trouble => ({
    startedAt,
    endedAt,
    state: 'down',
    name: 'Fire',
    ...members,
  });
  const midnight = Date.UTC(2026, 0, 15);
  const day = (number: number, members: object = {}) => ({
    day: number,
    state: 'down',
    minutesDown: 60,
    names: ['Fire'],
    ...members,
  });

  test('the first of them is 89 days before today, in UTC', () => {
    expect(new Date(firstDayOf(PAGE_NOW)).toISOString()).toBe('2025-10-18T00:00:00.000Z');
    expect(firstDayOf(midnight)).toBe(firstDayOf(midnight + DAY - 1));
  });

  test.each<[string, Trouble[], object[]]>([
    ['none', [], []],
    ['today', [trouble(midnight, midnight + HOUR)], [day(89)]],
    ['across midnight', [trouble(midnight - HOUR, midnight + HOUR)], [day(88), day(89)]],
    ['to midnight is one day', [trouble(midnight - HOUR, midnight)], [day(88)]],
    ['a second is a minute', [trouble(midnight, midnight + 1_000)], [day(89, { minutesDown: 1 })]],
    [
      'one without a length shows on its day',
      [trouble(midnight, midnight)],
      [day(89, { minutesDown: 0 })],
    ],
    ['before the first day', [trouble(midnight - 100 * DAY, midnight - 95 * DAY)], []],
    [
      'since before the first day',
      [trouble(midnight - 100 * DAY, firstDayOf(PAGE_NOW) + HOUR)],
      [day(0)],
    ],
    [
      'two of one day: the worst, and both names',
      [
        trouble(midnight, midnight + HOUR, { state: 'degraded' }),
        trouble(midnight, midnight + HOUR, { name: 'Flood' }),
      ],
      [day(89, { names: ['Fire', 'Flood'] })],
    ],
  ])('%s', (_, spans, expected) => {
    expect(exceptionalDays(spans, [], PAGE_NOW)).toEqual(expected);
  });

  test.each<[string, Trouble[], (Span & { name: string })[], object[]]>([
    [
      'maintenance alone',
      [],
      [{ ...span(midnight, midnight + HOUR), name: 'Work' }],
      [day(89, { state: 'maintenance', minutesDown: 0, names: ['Work'] })],
    ],
    [
      'trouble within maintenance is part of it',
      [trouble(midnight, midnight + HOUR)],
      [{ ...span(midnight, midnight + HOUR), name: 'Work' }],
      [day(89, { state: 'maintenance', minutesDown: 0, names: ['Work'] })],
    ],
    [
      'trouble that lasts longer than maintenance',
      [trouble(midnight, midnight + 2 * HOUR)],
      [{ ...span(midnight, midnight + HOUR), name: 'Work' }],
      [day(89)],
    ],
  ])('%s', (_, spans, maintenance, expected) => {
    expect(exceptionalDays(spans, maintenance, PAGE_NOW)).toEqual(expected);
  });
});

test.each([
  [[], 'works'],
  [['works'], 'works'],
  [['maintenance', 'works'], 'maintenance'],
  [['degraded', 'maintenance'], 'degraded'],
  [['degraded', 'partly-down'], 'partly-down'],
  [['down', 'partly-down'], 'down'],
] as const)('the worst of %j is %s', (states, expected) => {
  expect(worstState(states)).toBe(expected);
});
