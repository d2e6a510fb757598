import { expect, test } from 'vitest';
import { fromColumns, toColumns } from '#main/store/history/metrics.ts';

test.each([
  ['API', { wait: 1, dns: 2, tcp: 3, firstByte: 4, download: 5, total: 6 }],
  ['TCP', { dns: 1, connection: 2, data: 3, total: 6 }],
  ['DNS', { total: 6.25 }],
  ['ICMP', { latencyAvg: 2, latencyMin: 1, latencyMax: 3, latencyStdDev: 0.5, packetLoss: 50 }],
  ['BROWSER', {}],
] as const)('the numbers of %s come back by their names', (type, metrics) => {
  expect(fromColumns(type, toColumns(type, metrics))).toEqual(metrics);
});
