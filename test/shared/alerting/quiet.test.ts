import { describe, expect, it } from 'vitest';
import { suspended } from '#shared/alerting/moves.ts';
import { nextReminderAt } from '#shared/alerting/reminders.ts';
import { brief, minute, type NotificationRequest, policy, said, tell } from './stories.ts';

/** A story in parts, each under its own policy; `off` between them is a check that was deactivated. */
function saidInParts(...parts: [story: string, members: Parameters<typeof policy>[0]][]): string[] {
  let telling: NotificationRequest = { from: 0 };
  return parts.flatMap(([story, members]) => {
    const { state, alerts } = tell(story, { ...telling, policy: policy(members) });
    telling = { state, from: (telling.from ?? 0) + story.length };
    return alerts.map(brief);
  });
}

describe.each([
  ['muted', { muted: true }],
  ['maintenance', { silenced: true }],
] as const)('while messages are withheld: %s', (reason, quiet) => {
  it('alerts are recorded and not sent', () => {
    expect(saidInParts(['FD', quiet])).toEqual([
      `(FAILURE ${reason})`,
      `(FAILURE_DEGRADED ${reason})`,
    ]);
  });

  it('an outage within it ends as NO_ALERT, for nobody was told of it', () => {
    expect(saidInParts(['FFP', quiet])).toEqual([`(FAILURE ${reason})`, '-', '(NO_ALERT untold)']);
  });

  it('an alert that starts within it is not sent later, nor is its recovery', () => {
    expect(saidInParts(['FF', quiet], ['FFFP', {}])).toEqual([
      `(FAILURE ${reason})`,
      '-',
      '-',
      '-',
      '-',
      '(NO_ALERT untold)',
    ]);
  });

  it('a streak that starts within it and reaches its threshold afterwards is told', () => {
    expect(saidInParts(['F', { ...quiet, threshold: 2 }], ['FP', { threshold: 2 }])).toEqual([
      '-',
      'FAILURE_REMAIN',
      'RECOVERY',
    ]);
  });

  it('a change after it is told, with its recovery', () => {
    expect(saidInParts(['F', quiet], ['DP', {}])).toEqual([
      `(FAILURE ${reason})`,
      'FAILURE_DEGRADED',
      'DEGRADED_RECOVERY',
    ]);
  });

  it('a recovery within it is recorded and not sent', () => {
    expect(saidInParts(['F', {}], ['P', quiet], ['FP', {}])).toEqual([
      'FAILURE',
      `(RECOVERY ${reason})`,
      'FAILURE',
      'RECOVERY',
    ]);
  });

  it('what was told before it is told to be over after it', () => {
    expect(saidInParts(['F', {}], ['D', quiet], ['P', {}])).toEqual([
      'FAILURE',
      `(FAILURE_DEGRADED ${reason})`,
      'DEGRADED_RECOVERY',
    ]);
  });
});

it('a muted check in maintenance is muted', () => {
  expect(saidInParts(['F', { muted: true, silenced: true }])).toEqual(['(FAILURE muted)']);
});

describe('settings that change in the middle of a streak', () => {
  it('a lower threshold alerts on the next run, not at the change', () => {
    expect(saidInParts(['FFF', { threshold: 5 }], ['FF', { threshold: 2 }])).toEqual([
      '-',
      '-',
      '-',
      'FAILURE_REMAIN',
      '-',
    ]);
  });

  it('a higher threshold takes nothing back and asks for no second alert', () => {
    expect(saidInParts(['F', {}], ['FFFFFP', { threshold: 5 }])).toEqual([
      'FAILURE',
      ...['-', '-', '-', '-', '-'],
      'RECOVERY',
    ]);
  });

  it('from runs to minutes, the minutes count from the first run of the streak', () => {
    expect(saidInParts(['FFFF', { threshold: 5 }], ['FFF', { minutesFailing: 5 }])).toEqual([
      ...['-', '-', '-', '-', '-'],
      'FAILURE_REMAIN',
      '-',
    ]);
  });

  it('from minutes to runs, the runs before count', () => {
    expect(saidInParts(['FFF', { minutesFailing: 30 }], ['F', { threshold: 4 }])).toEqual([
      '-',
      '-',
      '-',
      'FAILURE_REMAIN',
    ]);
  });
});

describe('a check that is deactivated in the middle of a streak', () => {
  const back = (before: string, after: string, members: Parameters<typeof policy>[0] = {}) => {
    const { state } = tell(before, { policy: policy(members) });
    return said(after, { state: suspended(state), policy: policy(members), from: 100 });
  };

  it('has recovered when it passes once it is back', () => {
    expect(back('F', 'P')).toEqual(['RECOVERY']);
  });

  it('tells of the recovery since when it was in trouble', () => {
    const { state } = tell('PF');
    const { alerts } = tell('P', { state: suspended(state), from: 100 });
    expect(alerts[0]).toMatchObject({ since: minute(1), troubleSince: minute(1) });
  });

  it('alerts anew, at its threshold, when it still fails', () => {
    expect(back('FF', 'FFFP', { threshold: 2 })).toEqual(['-', 'FAILURE_REMAIN', '-', 'RECOVERY']);
  });

  it('counts no run and no minute from before', () => {
    expect(back('FF', 'FF', { threshold: 3 })).toEqual(['-', '-']);
    expect(back('FF', 'FF', { minutesFailing: 5 })).toEqual(['-', '-']);
  });

  it('has nothing to tell when nothing was told', () => {
    expect(back('F', 'P', { threshold: 2 })).toEqual(['(NO_ALERT untold)']);
  });

  it('is reminded of no more', () => {
    const { settings } = policy({ reminders: { amount: 5 } });
    const { state } = tell('F');
    expect(nextReminderAt(state, settings)).toBe(minute(5));
    expect(nextReminderAt(suspended(state), settings)).toBe(null);
  });

  it('may be told of it when it goes off and when it is back', () => {
    const { state } = tell('FDFDF', { policy: policy({ flapping: {} }) });
    expect(suspended(suspended(state))).toEqual(suspended(state));
  });
});
