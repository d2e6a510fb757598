import { describe, expect, it } from 'vitest';
import { initialAlertState } from '#shared/alerting/alert-state.ts';
import { nextReminderAt, remind } from '#shared/alerting/reminders.ts';
import { brief, minute, policy, tell } from './stories.ts';

const twice = policy({ reminders: { amount: 2, interval: 10 } });

describe('reminders of an alert', () => {
  it('come one interval after it, as often as was asked for', () => {
    const { state } = tell('F', { policy: twice });
    const first = remind(state, twice, minute(10));
    const second = remind(first.state, twice, minute(20));
    const third = remind(second.state, twice, minute(30));
    expect([first, second, third].map(({ alert }) => alert && brief(alert))).toEqual([
      'FAILURE reminder',
      'FAILURE reminder',
      null,
    ]);
    expect([first, second].map(({ alert }) => alert?.reminderSequence)).toEqual([1, 2]);
    expect(nextReminderAt(second.state, twice.settings)).toBe(null);
  });

  it('are not due before, and then change nothing', () => {
    const { state } = tell('F', { policy: twice });
    expect(nextReminderAt(state, twice.settings)).toBe(minute(10));
    expect(remind(state, twice, minute(10) - 1)).toEqual({ state, alert: null });
  });

  it('say the alert again: its type, since when, and that it is not a new one', () => {
    const { state } = tell('DFF', { policy: twice });
    expect(remind(state, twice, minute(11)).alert).toEqual({
      type: 'ALERT_DEGRADED_FAILURE',
      occasion: 'reminder',
      isNew: false,
      notify: true,
      withheld: null,
      reminderSequence: 1,
      since: minute(1),
      troubleSince: minute(0),
      changes: 0,
      told: { degraded: true, failing: true },
    });
  });

  it('go on without end at 100000', () => {
    const unlimited = policy({ reminders: { amount: 100_000, interval: 1 } });
    let { state } = tell('F', { policy: unlimited });
    for (let n = 1; n <= 1_000; n += 1) state = remind(state, unlimited, minute(n)).state;
    expect(nextReminderAt(state, unlimited.settings)).toBe(minute(1_001));
  });

  it('are one after a long sleep, and the next an interval later', () => {
    const { state } = tell('F', { policy: twice });
    const late = remind(state, twice, minute(1_000));
    expect(late.alert?.reminderSequence).toBe(1);
    expect(remind(late.state, twice, minute(1_000)).alert).toBe(null);
    expect(nextReminderAt(late.state, twice.settings)).toBe(minute(1_010));
  });
});

describe('no reminder is due', () => {
  it.each<[when: string, story: string, options: Parameters<typeof policy>[0]]>([
    ['of a check that passes', 'P', {}],
    ['after a recovery', 'FP', {}],
    ['before the threshold', 'F', { threshold: 2 }],
    ['of an alert that was muted', 'F', { muted: true }],
    ['of an alert in maintenance', 'F', { silenced: true }],
    ['when none were asked for', 'F', { reminders: { amount: 0 } }],
  ])('%s', (_when, story, options) => {
    const settings = policy({ reminders: { amount: 5 }, ...options });
    const { state } = tell(story, { policy: settings });
    expect(nextReminderAt(state, settings.settings)).toBe(null);
    expect(remind(state, settings, minute(1_000))).toEqual({ state, alert: null });
  });

  it('of a check that never ran', () => {
    expect(nextReminderAt(initialAlertState, twice.settings)).toBe(null);
  });
});

describe('what changes between the alert and its reminder', () => {
  const { state } = tell('F', { policy: twice });

  it('a muted time or a maintenance window uses a reminder up, unsent', () => {
    const muted = policy({ reminders: { amount: 2, interval: 10 }, muted: true });
    const withheld = remind(state, muted, minute(10));
    expect(withheld.alert && brief(withheld.alert)).toBe('(FAILURE reminder muted)');
    expect(remind(withheld.state, twice, minute(10)).alert).toBe(null);
    expect(remind(withheld.state, twice, minute(20)).alert?.reminderSequence).toBe(2);
  });

  it('a change of standing begins them anew, after its own alert', () => {
    const reminded = remind(state, twice, minute(10)).state;
    const moved = tell('D', { policy: twice, state: reminded, from: 12 }).state;
    expect(nextReminderAt(moved, twice.settings)).toBe(minute(22));
    expect(remind(moved, twice, minute(22)).alert).toMatchObject({
      type: 'ALERT_FAILURE_DEGRADED',
      reminderSequence: 1,
    });
  });

  it('more failing runs do not move them', () => {
    const more = tell('FFFF', { policy: twice, state, from: 1 }).state;
    expect(nextReminderAt(more, twice.settings)).toBe(minute(10));
  });

  it('an interval and an amount count at once', () => {
    const sooner = policy({ reminders: { amount: 2, interval: 1 } });
    const none = policy({ reminders: { amount: 0 } });
    expect(nextReminderAt(state, sooner.settings)).toBe(minute(1));
    expect(nextReminderAt(state, none.settings)).toBe(null);
  });
});
