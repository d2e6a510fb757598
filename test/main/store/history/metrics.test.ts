import { expect, test } from 'vitest';
import { packMore, toColumns, unpackMore } from '#main/store/history/metrics.ts';
import { MAX_MEASURED_PAGES } from '#shared/checks/enums.ts';
import { makeResult } from '../records.ts';

test.each([
  [
    'API',
    { wait: 1, dns: 2, tcp: 3, firstByte: 4, download: 5, total: 6, other: 7 },
    [1, 2, 3, 4, 5, 6],
  ],
  ['TCP', { dns: 1, connection: 2, data: 3, total: 6 }, [1, 2, 3, 6, null, null]],
  ['DNS', { total: 6.25 }, [6.25, null, null, null, null, null]],
  ['ICMP', { latencyAvg: 2, packetLoss: 50 }, [null, 2, null, null, null, 50]],
  ['BROWSER', { TTFB: 1, CLS: 0.25, documentErrors: 9 }, [1, null, null, 0.25, null, null]],
  ['MULTI_STEP', {}, [null, null, null, null, null, null]],
] as const)('the numbers of %s stand in their columns', (type, metrics, columns) => {
  expect(toColumns(type, metrics)).toEqual(columns);
});

test('the other numbers of a browser check stand together, with those of its later pages', () => {
  const { result } = makeResult({
    checkType: 'BROWSER',
    metrics: { TTFB: 1, consoleErrors: 2, networkErrors: 3, documentErrors: 4 },
    laterPages: [{}, { FCP: 5.5, unknown: 6 }],
  });
  expect(unpackMore(packMore(result) ?? '')).toEqual({
    metrics: [3, null, 4],
    laterPages: [
      [null, null, null, null, null],
      [null, 5.5, null, null, null],
    ],
  });
});

test('pages beyond the tenth are not stored', () => {
  const laterPages = Array.from({ length: 30 }, (_, n) => ({ TTFB: n }));
  const { result } = makeResult({ checkType: 'BROWSER', metrics: {}, laterPages });
  expect(unpackMore(packMore(result) ?? '').laterPages).toHaveLength(MAX_MEASURED_PAGES - 1);
});

test.each([
  ['a type whose numbers all have columns', makeResult()],
  ['a browser check that measured nothing', makeResult({ checkType: 'BROWSER', metrics: {} })],
])('%s has nothing else', (_, { result }) => {
  expect(packMore(result)).toBeNull();
});
