import { describe, expect, test } from 'vitest';
import type { RunnableCheck } from '#shared/checks/check.ts';
import { CAUSES, type Cause, NETWORK_CAUSES } from '#shared/runs/protocol.ts';
import {
  isBunch,
  isExcused,
  isInDoubt,
  isOnThisMachine,
  ownTrouble,
  reasonText,
  seesTargets,
  withoutBlame,
} from '#shared/self-monitoring/connectivity.ts';
import { makeCheck } from '../../fixtures/checks.ts';
import { passingRun } from '../../fixtures/passing-run.ts';

const failing = (cause: Cause, members = {}) =>
  passingRun({
    runId: 'a run',
    hasFailures: true,
    failure: { cause, message: 'it failed' },
    statusCode: null,
    ...members,
  });

describe('a failing run is in doubt where it brought no word of its target', () => {
  const inDoubt: readonly Cause[] = [...NETWORK_CAUSES, 'SCRIPT', 'TIMEOUT_RUN'];
  test.each(CAUSES.map((cause) => [cause, inDoubt.includes(cause)] as const))(
    '%s: %s',
    (cause, expected) => expect(isInDoubt(failing(cause))).toBe(expected),
  );

  test.each([
    ['every ping lost', failing('PACKET_LOSS', { metrics: { packetLoss: 100 } }), true],
    ['some pings lost', failing('PACKET_LOSS', { metrics: { packetLoss: 60 } }), false],
    ['a teardown script', failing('SCRIPT', { statusCode: 200 }), false],
    ['a passing run', passingRun({ runId: 'a run' }), false],
    ['our own trouble', failing('INTERNAL', { hasFailures: false, hasErrors: true }), false],
  ])('%s', (_name, result, expected) => expect(isInDoubt(result)).toBe(expected));
});

describe('failures come in a bunch', () => {
  test.each([
    { ran: 1, least: 1 },
    { ran: 2, least: 1 },
    { ran: 3, least: 2 },
    { ran: 4, least: 2 },
    { ran: 5, least: 3 },
    { ran: 6, least: 3 },
    { ran: 500, least: 3 },
  ])('of $ran checks that ran, with $least', ({ ran, least }) => {
    expect(isBunch({ ran, inDoubt: least })).toBe(true);
    expect(isBunch({ ran, inDoubt: least - 1 })).toBe(false);
  });

  test('not where nothing ran', () => expect(isBunch({ ran: 0, inDoubt: 0 })).toBe(false));
});

test.each([
  [{ ran: 0, inDoubt: 0 }, false],
  [{ ran: 10, inDoubt: 0 }, true],
  [{ ran: 10, inDoubt: 2 }, true],
  [{ ran: 10, inDoubt: 3 }, false],
  [{ ran: 1, inDoubt: 1 }, false],
])('of %j: targets are seen: %s', (count, expected) => expect(seesTargets(count)).toBe(expected));

describe('what a blind monitor excuses', () => {
  test.each([
    ['a dead target, with a dead network', 'CONNECTION_REFUSED', ['NETWORK'], true],
    ['a dead target, with a failing store', 'TIMEOUT_CONNECT', ['STORE'], true],
    ['an answer that is wrong, with a dead network', 'STATUS', ['NETWORK'], false],
    ['a broken assertion, while busy', 'ASSERTION', ['BUSY'], false],
    ['an answer that is late, while busy', 'MAX_RESPONSE_TIME', ['NETWORK', 'BUSY'], true],
    ['an answer that is late, after a sleep', 'MAX_RESPONSE_TIME', ['ASLEEP'], true],
    ['an answer that is late, short of memory', 'MAX_RESPONSE_TIME', ['MEMORY'], true],
    ['an answer that is late, with a failing store', 'MAX_RESPONSE_TIME', ['STORE'], false],
    ['nothing where it sees', 'CONNECTION_REFUSED', [], false],
  ] as const)('%s: %s %j', (_name, cause, reasons, expected) => {
    expect(isExcused(failing(cause), reasons)).toBe(expected);
  });

  test('a passing run is nothing to excuse', () => {
    expect(isExcused(passingRun({ runId: 'a run' }), ['NETWORK', 'BUSY'])).toBe(false);
  });
});

test('a run without blame is inconclusive, says why, and keeps what it found', () => {
  const result = failing('TIMEOUT_DNS', { overMaxResponseTime: true, detail: '{"what":"it saw"}' });
  expect(withoutBlame(result, ['NETWORK', 'MEMORY'])).toEqual({
    ...result,
    hasFailures: false,
    hasErrors: true,
    overMaxResponseTime: false,
    failure: {
      cause: 'BLIND',
      message:
        'The monitor could not see: the network of this machine does not answer; this machine is ' +
        'short of memory. The run found: it failed',
    },
  });
});

test('several reasons are told together', () => {
  expect(reasonText(['ASLEEP', 'STORE'])).toBe('this machine slept; what happens cannot be stored');
});

const WELL = { heapShare: 0.5, freeBytes: 4e9, isStoreFailing: false };

test.each([
  ['well', WELL, []],
  ['a heap that is full', { ...WELL, heapShare: 0.96 }, ['MEMORY']],
  ['a machine that is full', { ...WELL, freeBytes: 20e6 }, ['MEMORY']],
  ['a system that does not tell', { ...WELL, freeBytes: null }, []],
  ['a store that fails', { ...WELL, isStoreFailing: true }, ['STORE']],
  ['all of it', { heapShare: 1, freeBytes: 0, isStoreFailing: true }, ['MEMORY', 'STORE']],
])('own trouble: %s', (_name, health, reasons) => expect(ownTrouble(health)).toEqual(reasons));

test.each([
  ['URL', { url: 'http://localhost:8080/' }, true],
  ['URL', { url: 'http://127.0.0.9/' }, true],
  ['URL', { url: 'http://[::1]:8080/' }, true],
  ['URL', { url: 'https://example.com/' }, false],
  ['URL', { url: 'http://192.168.1.1/' }, false],
  ['URL', { url: '{{BASE}}/' }, false],
  ['TCP', { hostname: 'localhost', port: 80 }, true],
  ['TCP', { hostname: 'localhost.example.com', port: 80 }, false],
  ['DNS', { recordType: 'A', query: 'localhost' }, false],
  ['BROWSER', undefined, false],
] as const)('%s %j is on this machine: %s', (type, request, expected) => {
  const check = makeCheck(type, (request ? { request } : {}) as never);
  expect(isOnThisMachine(check as RunnableCheck)).toBe(expected);
});
