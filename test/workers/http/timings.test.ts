import { describe, expect, test } from 'vitest';
import { addPhases, phasesOf, roundPhases, timingsOf } from '#workers/http/timings.ts';

const MARKS = {
  startedAt: 1_001,
  lookedUpAt: 1_003,
  connectedAt: 1_006,
  securedAt: null,
  respondedAt: 1_010,
  endedAt: 1_015,
  address: null,
  certificate: null,
};

describe('the phases of an exchange', () => {
  test('are the differences of its points in time', () => {
    const phases = phasesOf(MARKS, 1_000);
    expect(phases).toEqual({ wait: 1, dns: 2, tcp: 3, firstByte: 4, download: 5, total: 15 });
    expect(timingsOf(phases)).toEqual({ socket: 1, lookup: 3, connect: 6, response: 10, end: 15 });
  });

  test.each([
    ['lookup', { lookedUpAt: null, connectedAt: null, respondedAt: null }, { dns: 14 }],
    ['connection', { connectedAt: null, respondedAt: null }, { dns: 2, tcp: 12 }],
    ['wait for the first byte', { respondedAt: null }, { dns: 2, tcp: 3, firstByte: 9 }],
  ])('give the time of a %s that failed to it', (_phase, missing, expected) => {
    const none = { wait: 1, dns: 0, tcp: 0, firstByte: 0, download: 0, total: 15 };
    expect(phasesOf({ ...MARKS, ...missing }, 1_000)).toEqual({ ...none, ...expected });
  });

  test('of several exchanges add up to the whole', () => {
    const first = phasesOf(MARKS, 1_000);
    const both = addPhases(first, { ...first, total: 15 });
    expect(both).toEqual({ wait: 2, dns: 4, tcp: 6, firstByte: 8, download: 10, total: 30 });
    expect(timingsOf(both)).toEqual({ socket: 2, lookup: 6, connect: 12, response: 20, end: 30 });
  });

  test('are kept to the microsecond', () => {
    const third = {
      wait: 1 / 3,
      dns: 1 / 3,
      tcp: 1 / 3,
      firstByte: 1 / 3,
      download: 1 / 3,
      total: 5 / 3,
    };
    expect(roundPhases(third)).toMatchObject({ wait: 0.333, total: 1.667 });
  });
});
