import { expect, test } from 'vitest';
import type { ResultDetails } from '#shared/results/details.ts';
import { phasesOf } from '#shared/results/phases.ts';

const times = { wait: 0.1, dns: 2, tcp: 3, firstByte: 50, download: 5, total: 60.1 };
const http = (connection?: object): ResultDetails =>
  ({ apiCheckResult: { response: { status: 200, timingPhases: times, connection } } }) as never;
const shown = (details: ResultDetails) =>
  phasesOf(details).map(({ name, startMs, durationMs }) => [name, startMs, durationMs]);

test.each([
  [
    'of HTTP, without a wait of no interest',
    http(),
    [
      ['dns', 0, 2],
      ['tcp', 2, 3],
      ['firstByte', 5, 50],
      ['download', 55, 5],
    ],
  ],
  [
    'of HTTPS, whose handshake is a part of what was measured to the first byte',
    http({ address: '::1', tlsMs: 20, certificate: null }),
    [
      ['dns', 0, 2],
      ['tcp', 2, 3],
      ['tls', 5, 20],
      ['firstByte', 25, 30],
      ['download', 55, 5],
    ],
  ],
  [
    'of TCP',
    { tcpCheckResult: { timingPhases: { dns: 1, connection: 2, data: 3, total: 6 } } },
    [
      ['dns', 0, 1],
      ['tcp', 1, 2],
      ['data', 3, 3],
    ],
  ],
  ['of a run that sent nothing', { tcpCheckResult: { timingPhases: { dns: 0, data: 0 } } }, []],
  ['of a type without phases', { dnsCheckResult: {} }, []],
  ['of a result of which only the numbers are left', {}, []],
] as [string, ResultDetails, unknown][])('phases %s', (_name, details, expected) => {
  expect(shown(details)).toEqual(expected);
});
