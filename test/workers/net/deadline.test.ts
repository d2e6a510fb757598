import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Deadline } from '#workers/net/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a deadline', () => {
  test('stops whoever is in the phase when time runs out, once', () => {
    const deadline = new Deadline(100);
    const [early, late] = [vi.fn(), vi.fn()];
    deadline.enter('CONNECT', early);
    vi.advanceTimersByTime(99);
    deadline.enter('RESPONSE', late);
    vi.advanceTimersByTime(1_000);
    expect(early).not.toHaveBeenCalled();
    expect(late).toHaveBeenCalledExactlyOnceWith({
      cause: 'TIMEOUT_RESPONSE',
      code: 'SOCKET_TIMEOUT',
      message: 'Timed out after 100 ms while waiting for the response',
    });
  });

  test('stops at once whoever comes after it', () => {
    const deadline = new Deadline(100);
    vi.advanceTimersByTime(100);
    const stop = vi.fn();
    deadline.enter('CONNECT', stop);
    expect(stop).toHaveBeenCalledOnce();
    expect(deadline.remainingMs).toBe(1);
  });

  test('stops nobody between phases, or once it is closed', () => {
    const deadline = new Deadline(100);
    const stop = vi.fn();
    deadline.enter('CONNECT', stop);
    deadline.leave();
    vi.advanceTimersByTime(200);
    expect(stop).not.toHaveBeenCalled();
    const closed = new Deadline(100);
    closed.enter('CONNECT', stop);
    closed.close();
    vi.advanceTimersByTime(200);
    expect(stop).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('looks once more for what arrived where its timer comes late, as this thread stood still', async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const [answered, silent] = [new Deadline(100), new Deadline(100)];
    const [hasTime, hasNone] = [vi.fn(), vi.fn()];
    answered.enter('RESPONSE', hasTime);
    silent.enter('RESPONSE', hasNone);
    now.mockReturnValue(500);
    vi.advanceTimersByTime(100);
    expect([hasTime.mock.calls.length, hasNone.mock.calls.length]).toEqual([0, 0]);
    // What arrived is read after the timers, and before what comes at once.
    answered.leave();
    await new Promise((resolve) => setImmediate(resolve));
    expect([hasTime.mock.calls.length, hasNone.mock.calls.length]).toEqual([0, 1]);
  });
});
