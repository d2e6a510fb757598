import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Samples } from '#shared/analytics/samples.ts';
import { countRuns, spanOf } from '#shared/analytics/slo-counts.ts';
import { overlapMs, united } from '#shared/analytics/slo-maintenance.ts';

interface Run {
  at: number;
  failed: boolean;
  ms: number;
}

function samplesOf(runs: readonly Run[]): Samples {
  return {
    at: Float64Array.from(runs, ({ at }) => at),
    failed: Uint8Array.from(runs, ({ failed }) => Number(failed)),
    retries: new Uint8Array(runs.length),
    locations: new Uint32Array(runs.length),
    statusCodes: new Uint16Array(runs.length),
    values: { responseTime: Float64Array.from(runs, ({ ms }) => ms) },
    locationNames: new Map(),
  };
}

const LONGEST = 1_000;
const run = fc.record({
  at: fc.integer({ min: 0, max: LONGEST }),
  failed: fc.boolean(),
  ms: fc.integer({ min: 0, max: 100 }),
});
const runs = fc.array(run).map((all) => all.toSorted((a, b) => a.at - b.at));
const range = fc
  .tuple(fc.integer({ min: 0, max: LONGEST }), fc.integer({ min: 0, max: 300 }))
  .map(([from, length]) => ({ from, to: from + length }));
const isIn = (at: number, { from, to }: { from: number; to: number }) => at >= from && at < to;

test('runs are counted as a plain recount of them counts', () => {
  const times = fc.array(range, { maxLength: 6 });
  const limits = fc.option(fc.integer({ min: 1, max: 100 }), { nil: null });
  fc.assert(
    fc.property(runs, times, times, limits, (all, ranges, planned, underMs) => {
      const counted = countRuns(samplesOf(all), { ranges, excluded: united(planned), underMs });
      const plain = ranges.map((one) => {
        const own = all.filter(
          ({ at }) => isIn(at, one) && !planned.some((maintenance) => isIn(at, maintenance)),
        );
        const good = own.filter(({ failed, ms }) => !failed && (underMs === null || ms < underMs));
        return { total: own.length, good: good.length };
      });
      expect(counted).toEqual(plain);
    }),
  );
});

test('a run without a time is not fast', () => {
  const all = samplesOf([{ at: 1, failed: false, ms: Number.NaN }]);
  const counting = { ranges: [{ from: 0, to: 9 }], excluded: [] };
  expect(countRuns(all, { ...counting, underMs: 50 })).toEqual([{ total: 1, good: 0 }]);
  expect(countRuns(all, { ...counting, underMs: null })).toEqual([{ total: 1, good: 1 }]);
});

test('times that were united are in their order, apart, and hold the same moments', () => {
  fc.assert(
    fc.property(fc.array(range), (times) => {
      const all = united(times);
      for (const [index, { from }] of all.entries()) {
        expect(from).toBeGreaterThan(all[index - 1]?.to ?? -1);
      }
      for (let at = 0; at <= LONGEST + 300; at += 7) {
        expect(all.some((one) => isIn(at, one))).toBe(times.some((one) => isIn(at, one)));
      }
    }),
  );
});

test('an overlap is as long as the moments that both hold', () => {
  fc.assert(
    fc.property(range, fc.array(range), (whole, times) => {
      const all = united(times);
      const moments = Array.from({ length: whole.to - whole.from }, (_, n) => whole.from + n);
      const held = moments.filter((at) => all.some((one) => isIn(at, one)));
      expect(overlapMs(whole, all)).toBe(held.length);
    }),
  );
});

test('a span reaches from the first start to the last end', () => {
  const ranges = [
    { from: 5, to: 6 },
    { from: 2, to: 4 },
  ];
  expect(spanOf(ranges)).toEqual({ from: 2, to: 6 });
});
