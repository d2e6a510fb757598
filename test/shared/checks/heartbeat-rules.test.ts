import { describe, expect, it } from 'vitest';
import { HEARTBEAT_STATES } from '#shared/checks/enums.ts';
import {
  availability,
  deadlineAt,
  expectedAt,
  isPassing,
  type PingState,
  pingState,
  resumeTimer,
  type Timer,
  type TimerVerdict,
  timerVerdict,
} from '#shared/checks/heartbeat-rules.ts';

const MINUTE = 60_000;
/** Epoch ms of a time of one day. */
const at = (time: string) => Date.parse(`2026-01-05T${time}Z`);

describe('the timer of a period of 60 minutes and a grace of 10', () => {
  const timer = { periodMs: 60 * MINUTE, graceMs: 10 * MINUTE };

  it.each<[lastReset: string, expected: string, deadline: string, ping: string, state: PingState]>([
    ['12:00:00', '13:00:00', '13:10:00', '13:05:00', 'GRACE'],
    ['13:05:00', '14:05:00', '14:15:00', '14:12:00', 'GRACE'],
    ['14:12:00', '15:12:00', '15:22:00', '15:01:00', 'EARLY'],
    // No ping by 16:11: a failure, which resets the timer.
    ['15:01:00', '16:01:00', '16:11:00', '16:11:01', 'LATE'],
    ['16:11:00', '17:11:00', '17:21:00', '16:13:00', 'EARLY'],
    ['16:13:00', '17:13:00', '17:23:00', '17:13:00', 'RECEIVED'],
  ])('reset at %s: expected %s, deadline %s, a ping at %s is %s', (...row) => {
    const [lastReset, expected, deadline, ping, state] = row;
    const running = { ...timer, lastResetAt: at(lastReset) };
    expect(expectedAt(running)).toBe(at(expected));
    expect(deadlineAt(running)).toBe(at(deadline));
    expect(pingState(running, at(ping))).toBe(state);
  });
});

describe('RECEIVED reaches 1 s or 1 % of the period around the expected time', () => {
  const SECOND = 1_000;
  it.each<[period: number, grace: number, afterExpected: number, state: PingState]>([
    [30 * SECOND, 60 * SECOND, -1_001, 'EARLY'],
    [30 * SECOND, 60 * SECOND, -1_000, 'RECEIVED'],
    [30 * SECOND, 60 * SECOND, 0, 'RECEIVED'],
    [30 * SECOND, 60 * SECOND, 1_000, 'RECEIVED'],
    [30 * SECOND, 60 * SECOND, 1_001, 'GRACE'],
    [30 * SECOND, 60 * SECOND, 60_000, 'GRACE'],
    [30 * SECOND, 60 * SECOND, 60_001, 'LATE'],
    [100 * SECOND, 60 * SECOND, 1_001, 'GRACE'],
    [200 * SECOND, 60 * SECOND, -2_001, 'EARLY'],
    [200 * SECOND, 60 * SECOND, -2_000, 'RECEIVED'],
    [200 * SECOND, 60 * SECOND, 2_000, 'RECEIVED'],
    [200 * SECOND, 60 * SECOND, 2_001, 'GRACE'],
    // Without grace the deadline is the expected time, and RECEIVED goes past it.
    [30 * SECOND, 0, 0, 'RECEIVED'],
    [30 * SECOND, 0, 1_000, 'RECEIVED'],
    [30 * SECOND, 0, 1_001, 'LATE'],
    // A burst: the timer was reset a moment ago.
    [30 * SECOND, 0, -30_000, 'EARLY'],
  ])('period %i ms, grace %i ms, %i ms after the expected time: %s', (...row) => {
    const [periodMs, graceMs, afterExpectedMs, state] = row;
    const timer = { lastResetAt: at('12:00:00'), periodMs, graceMs };
    expect(pingState(timer, expectedAt(timer) + afterExpectedMs)).toBe(state);
  });
});

describe('before the first ping', () => {
  const timer: Timer = { lastResetAt: null, periodMs: MINUTE, graceMs: 0 };

  it('no ping is expected and no deadline passes', () => {
    expect(expectedAt(timer)).toBe(Number.POSITIVE_INFINITY);
    expect(deadlineAt(timer)).toBe(Number.POSITIVE_INFINITY);
  });

  it('a ping is RECEIVED', () => {
    expect(pingState(timer, at('12:00:00'))).toBe('RECEIVED');
  });
});

it('every ping passes and only a missed deadline does not', () => {
  expect(HEARTBEAT_STATES.filter((state) => !isPassing(state))).toEqual(['FAILING']);
});

describe('availability is a percentage of two decimals', () => {
  it.each([
    [0, 0, 0],
    [0, 5, 0],
    [5, 5, 100],
    [2, 3, 66.67],
    [1, 3, 33.33],
    [99_999, 100_000, 99.99],
    [1, 8, 12.5],
  ])('%i of %i passing: %d', (passing, total, percent) => {
    expect(availability(passing, total)).toBe(percent);
  });
});

describe('where a timer stands: a deadline at 13:10:00', () => {
  const timer: Timer = { lastResetAt: at('12:00:00'), periodMs: 60 * MINUTE, graceMs: 10 * MINUTE };

  it.each<[now: string, verdict: TimerVerdict]>([
    ['11:59:59.999', 'SET_BACK'],
    ['12:00:00', 'WAITING'],
    ['13:09:59.999', 'WAITING'],
    ['13:10:00', 'OVERDUE'],
    ['13:10:01.999', 'OVERDUE'],
    ['13:10:02', 'MISSED'],
    ['13:10:12', 'MISSED'],
    ['13:10:12.001', 'ASLEEP'],
    ['23:00:00', 'ASLEEP'],
  ])('at %s it is %s', (now, verdict) => {
    expect(timerVerdict(timer, at(now))).toBe(verdict);
  });

  it('waits before the first ping', () => {
    expect(timerVerdict({ ...timer, lastResetAt: null }, at('23:00:00'))).toBe('WAITING');
  });
});

describe('after a restart of the appliance', () => {
  const timer: Timer = { lastResetAt: at('12:00:00'), periodMs: 60 * MINUTE, graceMs: 10 * MINUTE };

  it.each([
    ['before the expected time nothing changes', '12:59:00', '12:00:00'],
    ['at the expected time nothing changes', '13:00:00', '12:00:00'],
    ['after the expected time the timer starts again', '13:00:01', '13:00:01'],
    ['after the deadline the timer starts again', '14:00:00', '14:00:00'],
  ])('%s', (_, startedAt, lastReset) => {
    expect(resumeTimer(timer, at(startedAt))).toEqual({ ...timer, lastResetAt: at(lastReset) });
  });

  it('a timer that never ran stays so', () => {
    const idle = { ...timer, lastResetAt: null };
    expect(resumeTimer(idle, at('14:00:00'))).toEqual(idle);
  });
});
