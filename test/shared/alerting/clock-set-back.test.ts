import { describe, expect, it } from 'vitest';
import { nextReminderAt } from '#shared/alerting/reminders.ts';
import { minute, policy, said, tell } from './stories.ts';

/** A clock that was two hours ahead, as after a start without a battery, is put right. */
const BACK = -120;

describe('a clock that is set back', () => {
  it('delays no escalation by time: its minutes begin anew', () => {
    const byTime = policy({ minutesFailing: 5 });
    const { state } = tell('FFF', { policy: byTime });
    expect(said('FFFFFF', { policy: byTime, state, from: BACK })).toEqual([
      ...['-', '-', '-', '-', '-'],
      'FAILURE_REMAIN',
    ]);
  });

  it('delays no reminder beyond its interval', () => {
    const reminded = policy({ reminders: { amount: 5, interval: 10 } });
    const { state } = tell('FF', { policy: reminded });
    const after = tell('FF', { policy: reminded, state, from: BACK }).state;
    expect(nextReminderAt(after, reminded.settings)).toBe(minute(BACK + 10));
  });

  it('keeps no check flapping until the time is what it was', () => {
    const flapping = policy({
      flapping: { changes: 3, settledAfterMinutes: 4, settledAfterRuns: 90 },
    });
    const { state } = tell('FPFPF', { policy: flapping });
    expect(state.flapping.episode).not.toBeNull();
    const after = tell('FFFFFF', { policy: flapping, state, from: BACK });
    expect(after.state.flapping.episode).toBeNull();
  });

  it('is told as no negative time', () => {
    const { state } = tell('F');
    const { alerts } = tell('P', { state, from: BACK });
    expect(alerts[0]?.troubleSince).toBeLessThanOrEqual(minute(BACK));
  });
});
