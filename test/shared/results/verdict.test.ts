import { describe, expect, it } from 'vitest';
import type { AssertionOutcome } from '#shared/assertions/evaluate.ts';
import { type JudgedRun, judge, type Verdict } from '#shared/results/verdict.ts';
import { CAUSES, type Cause, INTERNAL_CAUSES } from '#shared/runs/protocol.ts';

const HTTP: JudgedRun = {
  checkType: 'API',
  shouldFail: false,
  degradedResponseTime: 500,
  maxResponseTime: 1_000,
  responseTime: 100,
  failure: null,
  statusCode: 200,
  outcomes: [],
};
const TCP: JudgedRun = { ...HTTP, checkType: 'TCP', statusCode: null };
const DNS: JudgedRun = { ...TCP, checkType: 'DNS', responseCode: 'NOERROR' };
const ICMP: JudgedRun = {
  ...TCP,
  checkType: 'ICMP',
  packetLoss: 0,
  degradedPacketLossThreshold: 10,
  maxPacketLossThreshold: 20,
};

const outcome = (source: string, error: string | null): AssertionOutcome => ({
  source,
  comparison: 'EQUALS',
  property: '',
  target: '',
  regex: null,
  order: 0,
  error,
  actual: null,
});
const failed = (cause: Cause) => ({ failure: { cause, message: `because of ${cause}` } });

/** The flags that are up, and the cause and message of the failure. */
function summary({ failure, ...flags }: Verdict): string {
  const up = Object.entries(flags).flatMap(([name, isUp]) => (isUp ? [name] : []));
  return (
    [...up, ...(failure ? [`${failure.cause}: ${failure.message}`] : [])].join(' | ') || 'passes'
  );
}

type Row = [about: string, run: Partial<JudgedRun>, summary: string];

function judges(base: JudgedRun, rows: Row[]): void {
  it.each(rows)('%s', (_, run, expected) => {
    expect(summary(judge({ ...base, ...run }))).toBe(expected);
  });
}

describe.each([['API'], ['URL']] as const)('a run of type %s', (checkType) => {
  judges({ ...HTTP, checkType }, [
    ['a good answer', {}, 'passes'],
    ['a redirect', { statusCode: 302 }, 'passes'],
    ['status 399', { statusCode: 399 }, 'passes'],
    [
      'status 400',
      { statusCode: 400 },
      'hasFailures | STATUS: Expected a status below 400, but got 400',
    ],
    [
      'status 404 that an assertion wants, without shouldFail',
      { statusCode: 404, outcomes: [outcome('STATUS_CODE', null)] },
      'hasFailures | STATUS: Expected a status below 400, but got 404',
    ],
    [
      'a failed exchange',
      { ...failed('CONNECTION_REFUSED'), statusCode: null },
      'hasFailures | CONNECTION_REFUSED: because of CONNECTION_REFUSED',
    ],
    [
      'a failed exchange after a status',
      { ...failed('TOO_LARGE'), statusCode: 500 },
      'hasFailures | TOO_LARGE: because of TOO_LARGE',
    ],
    [
      'a broken assertion',
      { outcomes: [outcome('TEXT_BODY', null), outcome('TEXT_BODY', 'one'), outcome('X', 'two')] },
      'hasFailures | ASSERTION: one',
    ],
    [
      'a bad status before a broken assertion',
      { statusCode: 500, outcomes: [outcome('TEXT_BODY', 'one')] },
      'hasFailures | STATUS: Expected a status below 400, but got 500',
    ],
    ['as slow as the degraded limit', { responseTime: 500 }, 'passes'],
    ['slower than the degraded limit', { responseTime: 500.01 }, 'isDegraded'],
    ['as slow as the maximum', { responseTime: 1_000 }, 'isDegraded'],
    [
      'slower than the maximum',
      { responseTime: 1_000.01 },
      'hasFailures | overMaxResponseTime | MAX_RESPONSE_TIME: Expected a response time of at most 1000 ms, but got 1000.01 ms',
    ],
    [
      'slow with a broken assertion',
      { responseTime: 700, outcomes: [outcome('TEXT_BODY', 'one')] },
      'hasFailures | ASSERTION: one',
    ],
    [
      'over the maximum with a broken assertion',
      { responseTime: 1_500, outcomes: [outcome('TEXT_BODY', 'one')] },
      'hasFailures | overMaxResponseTime | ASSERTION: one',
    ],
    [
      'a timeout over the maximum',
      { ...failed('TIMEOUT_RESPONSE'), statusCode: null, responseTime: 30_000 },
      'hasFailures | overMaxResponseTime | TIMEOUT_RESPONSE: because of TIMEOUT_RESPONSE',
    ],
    [
      'no limits',
      { responseTime: 90_000, degradedResponseTime: null, maxResponseTime: undefined },
      'passes',
    ],
    ['a degraded limit only', { responseTime: 90_000, maxResponseTime: null }, 'isDegraded'],
    [
      'a limit of 0',
      { responseTime: 1, degradedResponseTime: 0, maxResponseTime: null },
      'isDegraded',
    ],
  ]);

  describe('that should fail', () => {
    judges({ ...HTTP, checkType, shouldFail: true }, [
      ['status 500', { statusCode: 500 }, 'passes'],
      ['status 400', { statusCode: 400 }, 'passes'],
      [
        'status 200',
        { statusCode: 200 },
        'hasFailures | STATUS: Expected a status of 400 or more, but got 200',
      ],
      [
        'status 200 with an assertion on something else',
        { outcomes: [outcome('TEXT_BODY', null)] },
        'hasFailures | STATUS: Expected a status of 400 or more, but got 200',
      ],
      [
        'status 200 that an assertion wants',
        { outcomes: [outcome('STATUS_CODE', null)] },
        'passes',
      ],
      [
        'status 500 that an assertion does not want',
        { statusCode: 500, outcomes: [outcome('STATUS_CODE', 'not 404')] },
        'hasFailures | ASSERTION: not 404',
      ],
      [
        'status 500 with another broken assertion',
        { statusCode: 500, outcomes: [outcome('TEXT_BODY', 'one')] },
        'hasFailures | ASSERTION: one',
      ],
      ['status 500, slowly', { statusCode: 500, responseTime: 600 }, 'isDegraded'],
      [
        'status 500, too slowly',
        { statusCode: 500, responseTime: 1_001 },
        'hasFailures | overMaxResponseTime | MAX_RESPONSE_TIME: Expected a response time of at most 1000 ms, but got 1001 ms',
      ],
      [
        'no answer at all',
        { ...failed('CONNECTION_REFUSED'), statusCode: null },
        'hasFailures | CONNECTION_REFUSED: because of CONNECTION_REFUSED',
      ],
    ]);
  });
});

describe('a TCP run', () => {
  judges(TCP, [
    ['a connection', {}, 'passes'],
    [
      'no connection',
      failed('CONNECTION_REFUSED'),
      'hasFailures | CONNECTION_REFUSED: because of CONNECTION_REFUSED',
    ],
    [
      'a broken assertion',
      { outcomes: [outcome('RESPONSE_DATA', 'one')] },
      'hasFailures | ASSERTION: one',
    ],
    ['a slow one', { responseTime: 600 }, 'isDegraded'],
  ]);

  describe('that should fail', () => {
    judges({ ...TCP, shouldFail: true }, [
      [
        'a connection',
        {},
        'hasFailures | ASSERTION: Expected the connection to fail, but it was established',
      ],
      ['a refused connection', failed('CONNECTION_REFUSED'), 'passes'],
      ['no address', failed('DNS_FAILURE'), 'passes'],
      ['no connection in time', { ...failed('TIMEOUT_CONNECT'), responseTime: 30_000 }, 'passes'],
      [
        'a connection without the reply waited for',
        failed('TIMEOUT_RESPONSE'),
        'hasFailures | TIMEOUT_RESPONSE: because of TIMEOUT_RESPONSE',
      ],
      [
        'a target that the operator denies',
        failed('DENIED_TARGET'),
        'hasFailures | DENIED_TARGET: because of DENIED_TARGET',
      ],
    ]);
  });
});

describe('a DNS run', () => {
  judges(DNS, [
    ['NOERROR', {}, 'passes'],
    [
      'NXDOMAIN',
      { responseCode: 'NXDOMAIN' },
      'hasFailures | RESPONSE_CODE: Expected the response code NOERROR, but got NXDOMAIN',
    ],
    [
      'NXDOMAIN with an assertion on something else',
      { responseCode: 'NXDOMAIN', outcomes: [outcome('TEXT_ANSWER', null)] },
      'hasFailures | RESPONSE_CODE: Expected the response code NOERROR, but got NXDOMAIN',
    ],
    [
      'NXDOMAIN that an assertion wants',
      { responseCode: 'NXDOMAIN', outcomes: [outcome('RESPONSE_CODE', null)] },
      'passes',
    ],
    [
      'NOERROR that an assertion does not want',
      { outcomes: [outcome('RESPONSE_CODE', 'one')] },
      'hasFailures | ASSERTION: one',
    ],
    [
      'no answer',
      { ...failed('TIMEOUT_RESPONSE'), responseCode: undefined },
      'hasFailures | TIMEOUT_RESPONSE: because of TIMEOUT_RESPONSE',
    ],
    ['a slow one', { responseTime: 600 }, 'isDegraded'],
    ['shouldFail has no effect', { shouldFail: true }, 'passes'],
  ]);
});

describe('an ICMP run', () => {
  judges(ICMP, [
    ['no loss', {}, 'passes'],
    ['response times are not judged', { responseTime: 5_000 }, 'passes'],
    ['as much loss as is degraded', { packetLoss: 10 }, 'passes'],
    ['more loss than is degraded', { packetLoss: 10.5 }, 'isDegraded'],
    ['as much loss as the maximum', { packetLoss: 20 }, 'isDegraded'],
    [
      'more loss than the maximum',
      { packetLoss: 100 / 3 },
      'hasFailures | PACKET_LOSS: Expected a packet loss of at most 20 %, but got 33.33 %',
    ],
    [
      'nothing but loss, without thresholds',
      { packetLoss: 100, degradedPacketLossThreshold: null, maxPacketLossThreshold: null },
      'hasFailures | PACKET_LOSS: Expected a packet loss of less than 100 %, but got 100 %',
    ],
    [
      'half of it lost, without thresholds',
      { packetLoss: 50, degradedPacketLossThreshold: null, maxPacketLossThreshold: null },
      'passes',
    ],
    [
      'nothing but loss, with a threshold of 100',
      { packetLoss: 100, maxPacketLossThreshold: 100 },
      'hasFailures | PACKET_LOSS: Expected a packet loss of less than 100 %, but got 100 %',
    ],
    [
      'loss and a broken assertion',
      { packetLoss: 15, outcomes: [outcome('LATENCY', 'one')] },
      'hasFailures | ASSERTION: one',
    ],
    ['no address', failed('DNS_FAILURE'), 'hasFailures | DNS_FAILURE: because of DNS_FAILURE'],
    ['shouldFail has no effect', { shouldFail: true }, 'passes'],
  ]);
});

describe('our own trouble is an error and never a failure', () => {
  const runs = [HTTP, { ...HTTP, checkType: 'URL' as const }, TCP, DNS, ICMP];
  it.each(
    runs.flatMap((run) =>
      INTERNAL_CAUSES.flatMap((cause) =>
        [false, true].map((shouldFail) => [run.checkType, cause, shouldFail, run] as const),
      ),
    ),
  )('%s: %s with shouldFail %s', (_, cause, shouldFail, run) => {
    const verdict = judge({ ...run, ...failed(cause), shouldFail, responseTime: 90_000 });
    expect(summary(verdict)).toBe(`hasErrors | ${cause}: because of ${cause}`);
  });

  it('every other cause is a failure of an API run', () => {
    for (const cause of CAUSES.filter((known) => !INTERNAL_CAUSES.includes(known))) {
      const verdict = judge({ ...HTTP, ...failed(cause), statusCode: null });
      expect(summary(verdict)).toBe(`hasFailures | ${cause}: because of ${cause}`);
    }
  });
});
