import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendRun, codeRun, MAX_RUNS, readRuns } from '#shared/summaries/run-code.ts';

const anyRun = fc.record({
  state: fc.constantFrom('passing', 'degraded', 'failing', 'inconclusive'),
  responseTime: fc.double({ min: 0, max: 120_000, noNaN: true }),
} as const);

test('a run is read back in its state, and in its time give or take 7 %', () => {
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: MAX_RUNS }), (runs) => {
      const read = readRuns(runs.map(codeRun).join(''));
      expect(read.map(({ state }) => state)).toEqual(runs.map(({ state }) => state));
      for (const [index, { responseTime }] of runs.entries()) {
        const shown = read[index]?.responseTime ?? Number.NaN;
        expect(Math.abs(shown - responseTime)).toBeLessThan(0.07 * (responseTime + 1));
      }
    }),
  );
});

test('codes are as long in JSON as they are', () => {
  const codes = Array.from({ length: 2_000 }, (_, index) =>
    codeRun({ state: 'passing', responseTime: 1.006 ** index }),
  ).join('');
  expect(JSON.stringify(codes)).toBe(`"${codes}"`);
});

test.each([-1, 130_000, 1e9])('a time of %d ms is shown as one of the ends', (responseTime) => {
  const [run] = readRuns(codeRun({ state: 'failing', responseTime }));
  expect(run?.responseTime).toBeCloseTo(responseTime < 0 ? 0 : 130_000, -3);
});

test('of many runs the last 40 stay', () => {
  let codes = '';
  for (let count = 0; count < 50; count++) {
    codes = appendRun(
      codes,
      codeRun({ state: count < 20 ? 'failing' : 'passing', responseTime: 1 }),
    );
  }
  const runs = readRuns(codes);
  expect(runs).toHaveLength(40);
  expect(runs.filter(({ state }) => state === 'failing')).toHaveLength(10);
});

test('what is no code is passed over', () => {
  expect(readRuns('x#p')).toEqual([]);
});
