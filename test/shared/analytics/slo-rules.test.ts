import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Objective } from '#shared/analytics/slo.ts';
import {
  type BurnRates,
  burnRate,
  burnsFast,
  errorBudget,
  exhaustedInMs,
} from '#shared/analytics/slo-rules.ts';

const availability = (percent: number): Objective => ({ kind: 'AVAILABILITY', percent });

describe('a burn rate', () => {
  test.each([
    [{ total: 0, good: 0 }, 99.9, null],
    [{ total: 1_000, good: 1_000 }, 99.9, 0],
    [{ total: 1_000, good: 999 }, 99.9, 1],
    [{ total: 10_000, good: 9_856 }, 99.9, 14.4],
    [{ total: 60, good: 0 }, 99.9, 1_000],
    [{ total: 100, good: 90 }, 95, 2],
  ])('of %o with a goal of %d %% is %s', (count, percent, rate) => {
    expect(burnRate(count, availability(percent))).toEqual(
      rate === null ? null : expect.closeTo(rate, 9),
    );
  });

  test('of exactly the threshold reaches it, whatever the goal', () => {
    for (const percent of [99.9, 99.99, 99.95, 99.5, 99, 98.7]) {
      const total = 1_000_000;
      const bad = Math.round(total * (100 - percent) * 14.4) / 100;
      if (!Number.isInteger(bad)) continue;
      const rate = burnRate({ total, good: total - bad }, availability(percent));
      const rates = { oneHour: rate, sixHours: rate };
      expect([percent, burnsFast(false, rates, availability(percent))]).toEqual([percent, true]);
    }
  });
});

describe('a budget burns fast', () => {
  test.each<[string, boolean, BurnRates, boolean]>([
    ['where both rates are high', false, { oneHour: 14.4, sixHours: 6 }, true],
    ['not for a short outage alone', false, { oneHour: 100, sixHours: 5.9 }, false],
    ['not where it is over', false, { oneHour: 14.3, sixHours: 100 }, false],
    ['not without runs', false, { oneHour: null, sixHours: null }, false],
    ['still, where the rate wavers', true, { oneHour: 6, sixHours: 3 }, true],
    ['no longer below the lower rate', true, { oneHour: 5.9, sixHours: 100 }, false],
    ['no longer without runs', true, { oneHour: null, sixHours: null }, false],
  ])('%s', (_, wasBurning, rates, burns) => {
    expect(burnsFast(wasBurning, rates, availability(99.9))).toBe(burns);
  });

  test('where all runs are bad, with a budget too large for such rates', () => {
    const [whole, most] = [10, 9];
    const goal = availability(90);
    expect(burnsFast(false, { oneHour: whole, sixHours: whole }, goal)).toBe(true);
    expect(burnsFast(false, { oneHour: most, sixHours: most }, goal)).toBe(false);
  });

  test('never twice without an end: one episode begins once', () => {
    const rate = fc.option(fc.double({ min: 0, max: 1_000, noNaN: true }), { nil: null });
    const looks = fc.array(fc.record({ oneHour: rate, sixHours: rate }));
    fc.assert(
      fc.property(looks, (all) => {
        let isBurning = false;
        for (const rates of all) {
          const burns = burnsFast(isBurning, rates, availability(99.9));
          if (burns && !isBurning) {
            expect(rates.oneHour ?? 0).toBeGreaterThanOrEqual(14.4);
            expect(rates.sixHours ?? 0).toBeGreaterThanOrEqual(6);
          }
          if (!burns && isBurning) expect(rates.oneHour ?? 0).toBeLessThan(6);
          isBurning = burns;
        }
      }),
    );
  });
});

describe('an error budget', () => {
  const DAYS_30 = 30 * 24 * 3_600_000;

  test('of 99.9 % over 30 days is 43.2 minutes', () => {
    const { minutes, runs, leftPercent } = errorBudget(
      { total: 43_200, good: 43_200 },
      availability(99.9),
      DAYS_30,
    );
    expect(minutes).toEqual({ allowed: expect.closeTo(43.2), used: 0, left: expect.closeTo(43.2) });
    expect(runs).toEqual({ allowed: expect.closeTo(43.2), used: 0, left: expect.closeTo(43.2) });
    expect(leftPercent).toBe(100);
  });

  test('is whole where there were no runs', () => {
    expect(errorBudget({ total: 0, good: 0 }, availability(99), DAYS_30).leftPercent).toBe(100);
  });

  test('is what a plain recount of single runs gives', () => {
    const runs = fc.array(fc.boolean(), { minLength: 1, maxLength: 500 });
    const goals = fc.integer({ min: 500, max: 999 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(runs, goals, (all, percent) => {
        const bad = all.filter((isGood) => !isGood).length;
        const count = { total: all.length, good: all.length - bad };
        const budget = errorBudget(count, availability(percent), DAYS_30);
        // In whole thousandths of runs, so without fractions that cannot be written.
        const allowedThousandths = all.length * Math.round((100 - percent) * 10);
        expect(budget.runs.left).toBeCloseTo(allowedThousandths / 1_000 - bad, 6);
        expect(budget.leftPercent).toBeCloseTo(100 - (100 * bad * 1_000) / allowedThousandths, 6);
        expect(budget.minutes.left).toBeCloseTo(
          (budget.minutes.allowed * budget.leftPercent) / 100,
          6,
        );
        expect(budget.leftPercent >= -1e-9).toBe(count.good / count.total >= percent / 100 - 1e-12);
      }),
    );
  });

  test('is gone sooner the faster it burns', () => {
    expect(exhaustedInMs(1, 30)).toBe(DAYS_30);
    expect(exhaustedInMs(14.4, 30) / 3_600_000).toBe(50);
  });
});
