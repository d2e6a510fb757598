import { describe, expect, it } from 'vitest';
import { alertAfter } from '#shared/alerting/alert-after.ts';
import { initialAlertState } from '#shared/alerting/alert-state.ts';
import { ALERT_TYPES, TRANSITIONS } from '#shared/alerting/alert-type.ts';
import { minute, policy, said, tell } from './stories.ts';

describe('the table of transitions, with a threshold of one run', () => {
  it.each<[from: string, to: string, alert: string]>([
    ['P', 'P', '-'],
    ['P', 'D', 'DEGRADED'],
    ['P', 'F', 'FAILURE'],
    ['D', 'D', '-'],
    ['D', 'P', 'DEGRADED_RECOVERY'],
    ['D', 'F', 'DEGRADED_FAILURE'],
    ['F', 'F', '-'],
    ['F', 'D', 'FAILURE_DEGRADED'],
    ['F', 'P', 'RECOVERY'],
  ])('from %s to %s: %s', (from, to, alert) => {
    expect(said(from + to)[1]).toBe(alert);
  });
});

describe('the table of transitions, with a threshold of two runs', () => {
  it.each<[from: string, to: string, alert: string]>([
    ['P', 'P', '-'],
    ['P', 'D', '-'],
    ['P', 'F', '-'],
    ['D', 'D', 'DEGRADED_REMAIN'],
    ['D', 'P', '(NO_ALERT untold)'],
    ['D', 'F', 'DEGRADED_FAILURE'],
    ['F', 'F', 'FAILURE_REMAIN'],
    ['F', 'D', 'FAILURE_DEGRADED'],
    ['F', 'P', '(NO_ALERT untold)'],
  ])('from %s to %s: %s', (from, to, alert) => {
    expect(said(from + to, { policy: policy({ threshold: 2 }) })[1]).toBe(alert);
  });
});

it('gives every alert type about runs to exactly one transition', () => {
  const types = Object.values(TRANSITIONS).flatMap((row) =>
    Object.values(row).map(({ type }) => type),
  );
  expect(types.toSorted()).toEqual(ALERT_TYPES.filter((type) => type !== 'ALERT_SSL').toSorted());
});

describe('run-based escalation alerts on the run that reaches the threshold, and on no other', () => {
  const thresholds = [1, 2, 3, 4, 5] as const;
  it.each(thresholds)('at failing run %i', (threshold) => {
    const failures = said('F'.repeat(8), { policy: policy({ threshold }) });
    const expected = Array<string>(8).fill('-');
    expected[threshold - 1] = threshold === 1 ? 'FAILURE' : 'FAILURE_REMAIN';
    expect(failures).toEqual(expected);
  });

  it.each(thresholds)('at degraded run %i', (threshold) => {
    const degraded = said('D'.repeat(8), { policy: policy({ threshold }) });
    const expected = Array<string>(8).fill('-');
    expected[threshold - 1] = threshold === 1 ? 'DEGRADED' : 'DEGRADED_REMAIN';
    expect(degraded).toEqual(expected);
  });
});

describe('time-based escalation alerts on the first run at or after the threshold', () => {
  it.each<[minutesFailing: 5 | 10 | 15 | 30, every: number, run: number]>([
    [5, 1, 6],
    [5, 2, 4],
    [5, 5, 2],
    [10, 1, 11],
    [15, 4, 5],
    [30, 10, 4],
    [30, 60, 2],
  ])('of %i minutes, with a run every %i: at run %i', (minutesFailing, every, run) => {
    const telling = { policy: policy({ minutesFailing }), every };
    const failures = said('F'.repeat(12), telling);
    const degraded = said('D'.repeat(12), telling);
    expect(failures.flatMap((alert, n) => (alert === '-' ? [] : [[n + 1, alert]]))).toEqual([
      [run, 'FAILURE_REMAIN'],
    ]);
    expect(degraded.flatMap((alert, n) => (alert === '-' ? [] : [[n + 1, alert]]))).toEqual([
      [run, 'DEGRADED_REMAIN'],
    ]);
  });
});

describe('streaks', () => {
  it.each<[rule: string, story: string, threshold: 2 | 3, alerts: string[]]>([
    [
      'a passing run resets the count',
      'FFPFFF',
      3,
      ['-', '-', '(NO_ALERT untold)', '-', '-', 'FAILURE_REMAIN'],
    ],
    [
      'failing and degraded runs count apart: neither adds to the other',
      'DDFF',
      3,
      ['-', '-', 'DEGRADED_FAILURE', '-'],
    ],
    [
      'an escalation overrides the threshold, also when nothing was told before',
      'DF',
      3,
      ['-', 'DEGRADED_FAILURE'],
    ],
    [
      'so does a de-escalation, and recovery is told after it',
      'FDP',
      3,
      ['-', 'FAILURE_DEGRADED', 'DEGRADED_RECOVERY'],
    ],
    [
      'after an alert of the change the threshold is not waited for again',
      'DFFFF',
      2,
      ['-', 'DEGRADED_FAILURE', '-', '-', '-'],
    ],
    [
      'an inconclusive run is no run',
      'iFiiFiPi',
      2,
      ['-', '-', '-', '-', 'FAILURE_REMAIN', '-', 'RECOVERY', '-'],
    ],
    [
      'each outage is told anew',
      'FFPFFP',
      2,
      ['-', 'FAILURE_REMAIN', 'RECOVERY', '-', 'FAILURE_REMAIN', 'RECOVERY'],
    ],
  ])('%s', (_rule, story, threshold, alerts) => {
    expect(said(story, { policy: policy({ threshold }) })).toEqual(alerts);
  });

  it('an inconclusive run leaves the state as it was', () => {
    const { state } = tell('PFF');
    expect(tell('i', { state }).state).toBe(state);
  });

  it('a check that keeps passing has a state that stays the same', () => {
    const telling = { policy: policy({ flapping: { withinRuns: 5 } }) };
    expect(tell('P', telling).state).toEqual(initialAlertState);
    expect(tell('FDPPPPP', telling).state).not.toEqual(initialAlertState);
    expect(tell('FDPPPPPP', telling).state).toEqual(initialAlertState);
  });
});

describe('the parallel threshold', () => {
  const half = policy({ percentage: 50 });
  const typeAfter = (verdicts: ('passing' | 'failing')[]) =>
    alertAfter(initialAlertState, { at: minute(0), verdicts }, half).alert?.type ?? null;

  it('is a condition beside the escalation', () => {
    expect(typeAfter(['failing', 'passing', 'passing'])).toBe(null);
    expect(typeAfter(['failing', 'failing', 'passing'])).toBe('ALERT_FAILURE');
  });

  it('counts the locations of one run once', () => {
    const { alert } = alertAfter(
      initialAlertState,
      { at: minute(0), verdicts: ['failing', 'failing', 'failing'] },
      policy({ threshold: 2 }),
    );
    expect(alert).toBe(null);
  });
});

describe('what an alert tells beside its type', () => {
  it('is since when the check stands there, and since when it has not passed', () => {
    const { alerts } = tell('PDDFFDP');
    expect(alerts.map((alert) => alert && [alert.type, alert.since, alert.troubleSince])).toEqual([
      null,
      ['ALERT_DEGRADED', minute(1), minute(1)],
      null,
      ['ALERT_DEGRADED_FAILURE', minute(3), minute(1)],
      null,
      ['ALERT_FAILURE_DEGRADED', minute(5), minute(1)],
      ['ALERT_DEGRADED_RECOVERY', minute(5), minute(1)],
    ]);
  });

  it('is what receivers had been told before', () => {
    const { alerts } = tell('PDFP');
    expect(alerts.map((alert) => alert?.told)).toEqual([
      undefined,
      { degraded: false, failing: false },
      { degraded: true, failing: false },
      { degraded: true, failing: true },
    ]);
  });
});
