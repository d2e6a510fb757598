import { expect, test } from 'vitest';
import { contentRange } from '#shared/api/content-range.ts';
import { rangeOf, rangeProblems } from '#shared/api/time-range.ts';

const HOUR = 3_600_000;
const NOW = 100 * HOUR;
const SPAN = 6 * HOUR;

test.each([
  ['neither bound: the last six hours', {}, { from: NOW - SPAN, to: NOW }],
  ['only to: six hours before it', { to: 50 * HOUR }, { from: 44 * HOUR, to: 50 * HOUR }],
  ['only from: six hours after it', { from: 50 * HOUR }, { from: 50 * HOUR, to: 56 * HOUR }],
  ['both: as they are', { from: HOUR, to: 2 * HOUR }, { from: HOUR, to: 2 * HOUR }],
])('%s', (_name, bounds, window) => {
  expect(rangeOf(bounds, NOW, SPAN)).toEqual(window);
});

test.each([
  ['six hours are allowed', { from: 0, to: SPAN }, []],
  ['an empty window is allowed', { from: 5, to: 5 }, []],
  ['more is not', { from: 0, to: SPAN + 1 }, ['expected at most 6 hours after from']],
  [
    'nor is an end before the start',
    { from: 6, to: 5 },
    ['expected a time that is not before from'],
  ],
])('%s', (_name, window, messages) => {
  const problems = rangeProblems(window, { maxMs: SPAN });
  expect(problems).toEqual(messages.map((message) => ({ path: 'to', message })));
});

test('the bounds are called what the query calls them', () => {
  const names = { from: 'startTime', to: 'endTime' };
  expect(rangeProblems({ from: 6, to: 5 }, { names })).toEqual([
    { path: 'endTime', message: 'expected a time that is not before startTime' },
  ]);
});

test.each([
  [0, 25, 57, '0-24/57'],
  [50, 7, 57, '50-56/57'],
  [0, 0, 0, '*/0'],
  [60, 0, 57, '*/57'],
])('a page from %i of %i entries out of %i is %s', (first, length, total, header) => {
  expect(contentRange(first, length, total)).toBe(header);
});
