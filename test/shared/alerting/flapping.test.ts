import { describe, expect, it } from 'vitest';
import { flapSettings } from '#shared/alerting/flap-settings.ts';
import { suspended } from '#shared/alerting/moves.ts';
import { nextReminderAt } from '#shared/alerting/reminders.ts';
import { channelWants } from '#shared/notifications/channel-flags.ts';
import { brief, minute, policy, said, tell } from './stories.ts';

const flapping = policy({ flapping: {} });

describe('a check that changes five times in ten runs', () => {
  it('is said to flap at its third outage, held, and said how it settled: passing', () => {
    expect(said('FPFPFPFPPPPPP', { policy: flapping })).toEqual([
      'FAILURE',
      'RECOVERY',
      'FAILURE',
      'RECOVERY',
      'FAILURE flapping',
      '(RECOVERY flapping)',
      '(FAILURE flapping)',
      '(RECOVERY flapping)',
      '-',
      '-',
      '-',
      'RECOVERY settled',
      '-',
    ]);
  });

  it('is said how it settled: failing', () => {
    expect(said('FPFPFPFFFFFP', { policy: flapping }).slice(4)).toEqual([
      'FAILURE flapping',
      '(RECOVERY flapping)',
      '(FAILURE flapping)',
      '-',
      '-',
      '-',
      'FAILURE settled',
      'RECOVERY',
    ]);
  });

  it('is said how it settled: degraded', () => {
    expect(said('FPFPFDDDDDP', { policy: flapping }).slice(4)).toEqual([
      'FAILURE flapping',
      '(FAILURE_DEGRADED flapping)',
      '-',
      '-',
      '-',
      'FAILURE_DEGRADED settled',
      'DEGRADED_RECOVERY',
    ]);
  });

  it('settles where it was when it was said to flap', () => {
    expect(said('FPFPFFFFFP', { policy: flapping }).slice(4)).toEqual([
      'FAILURE flapping',
      '-',
      '-',
      '-',
      'FAILURE settled',
      'RECOVERY',
    ]);
  });

  it('may flap again: the count begins anew', () => {
    const story = 'FPFPFPPPPPFPFPF';
    expect(said(story, { policy: flapping }).slice(9)).toEqual([
      'RECOVERY settled',
      'FAILURE',
      'RECOVERY',
      'FAILURE',
      'RECOVERY',
      'FAILURE flapping',
    ]);
  });
});

describe('what is no flapping', () => {
  it.each<[what: string, story: string, every: number]>([
    ['two outages', 'FPFPPPPPPPP', 1],
    ['outages with many runs between them', 'FFFPPPFFFPPPFFFPPPFFF', 1],
    ['a check that runs every half hour', 'FPFPFPFPFP', 30],
  ])('%s', (_what, story, every) => {
    const alerts = said(story, { policy: flapping, every });
    expect(alerts).toEqual(said(story, { every }));
    expect(alerts).toContain('FAILURE');
  });

  it('blips that never reach the threshold', () => {
    const telling = { policy: policy({ threshold: 2, flapping: {} }) };
    const alerts = said('FPFPFPFPFPFP', telling);
    expect(new Set(alerts)).toEqual(new Set(['-', '(NO_ALERT untold)']));
  });
});

describe('the message that says so is one of the worst that was seen', () => {
  it('of a check that is degraded and passes', () => {
    expect(said('DPDPD', { policy: flapping })[4]).toBe('DEGRADED flapping');
  });

  it('of a check that fails and is degraded, as many want to hear of failures only', () => {
    expect(said('DFDFDFD', { policy: flapping }).slice(4)).toEqual([
      'FAILURE_DEGRADED',
      'DEGRADED_FAILURE flapping',
      '(FAILURE_DEGRADED flapping)',
    ]);
  });

  it('never a recovery', () => {
    const early = policy({ flapping: { changes: 4 } });
    expect(said('FPFPF', { policy: early }).slice(3)).toEqual(['RECOVERY', 'FAILURE flapping']);
  });
});

describe('while it flaps', () => {
  it('a streak below its threshold is waited for, however long the check was calm', () => {
    const telling = {
      policy: policy({ threshold: 5, flapping: { settledAfterRuns: 2 } }),
      state: tell('FPFPF', { policy: flapping }).state,
      from: 5,
    };
    expect(said('PFFFFF', telling)).toEqual([
      '(RECOVERY flapping)',
      '-',
      '-',
      '-',
      '-',
      'FAILURE_REMAIN settled',
    ]);
  });

  it('nobody is reminded; reminders begin when it has settled in trouble', () => {
    const reminded = policy({ reminders: { amount: 5 }, flapping: {} });
    const { state } = tell('FPFPF', { policy: reminded });
    expect(nextReminderAt(state, reminded.settings)).toBe(null);
    const settled = tell('FFFF', { policy: reminded, state, from: 5 }).state;
    expect(nextReminderAt(settled, reminded.settings)).toBe(minute(8 + 5));
  });

  it('switching it off settles it on the next run', () => {
    const { state } = tell('FPFPFP', { policy: flapping });
    expect(said('FP', { state, from: 6 })).toEqual(['FAILURE settled', 'RECOVERY']);
    expect(said('PF', { state, from: 6 })).toEqual(['RECOVERY settled', 'FAILURE']);
  });

  it('switching it off tells the last alert even on a run that nobody needs to hear of', () => {
    const below = { policy: policy({ threshold: 2, flapping: {} }), from: 6 };
    const { state } = tell('FPFPFP', { policy: flapping });
    const { state: failedOnce } = tell('F', { ...below, state });
    expect(said('P', { policy: policy({ threshold: 2 }), state: failedOnce, from: 7 })).toEqual([
      'RECOVERY settled',
    ]);
  });

  it('muting it withholds the last message, and ends it', () => {
    const { state } = tell('FPFPFP', { policy: flapping });
    const telling = { policy: policy({ muted: true, flapping: {} }), state, from: 6 };
    const muted = tell('PPPP', telling);
    expect(muted.alerts.map(brief)).toEqual(['-', '-', '-', '(RECOVERY settled muted)']);
    expect(said('F', { policy: flapping, state: muted.state, from: 10 })).toEqual(['FAILURE']);
  });

  it('is not said of a muted check, but at its next alert once it is heard again', () => {
    const { state, alerts } = tell('FPFPF', { policy: policy({ muted: true, flapping: {} }) });
    expect(alerts.map(brief).at(-1)).toBe('(FAILURE muted)');
    expect(said('PF', { policy: flapping, state, from: 5 })).toEqual([
      '(NO_ALERT untold)',
      'FAILURE flapping',
    ]);
  });

  it('a check that was deactivated is said to have settled once it is back and calm', () => {
    const { state } = tell('FPFPFP', { policy: flapping });
    const telling = { policy: flapping, state: suspended(state), from: 6 };
    expect(said('P', telling)).toEqual(['RECOVERY settled']);
    expect(said('FFFFF', telling)).toEqual([
      '(FAILURE flapping)',
      '-',
      '-',
      '-',
      'FAILURE settled',
    ]);
  });

  it('half an hour without a change is enough for a check that runs seldom', () => {
    const { state } = tell('FPFPFP', { policy: flapping, every: 10 });
    const telling = { policy: flapping, state, from: 60, every: 10 };
    expect(said('PPPP', telling)).toEqual(['-', '-', 'RECOVERY settled', '-']);
  });
});

describe('what the messages tell', () => {
  const { alerts } = tell('FPFPFPFPPPPP', { policy: flapping });

  it('is how many changes there were, and since when', () => {
    expect(alerts[4]).toMatchObject({ changes: 5, troubleSince: minute(0), since: minute(4) });
    expect(alerts[11]).toMatchObject({ changes: 8, troubleSince: minute(0), since: minute(7) });
    expect(alerts[0]).toMatchObject({ changes: 0 });
  });

  it('reaches the channel that was told that it flaps', () => {
    const flags = { sendRecovery: true, sendFailure: true, sendDegraded: false, sslExpiry: false };
    const degraded = tell('FDFDFDPPPPP', { policy: flapping }).alerts.at(-1);
    expect(degraded?.type).toBe('ALERT_DEGRADED_RECOVERY');
    expect(channelWants(flags, 'ALERT_DEGRADED_RECOVERY', degraded?.told)).toBe(true);
  });

  it('lists each alert once: a settled check says its last one again, unless it is due now', () => {
    expect(alerts.map((alert) => alert?.isNew)).toEqual([
      ...Array<boolean>(8).fill(true),
      undefined,
      undefined,
      undefined,
      false,
    ]);
  });
});

describe('settings', () => {
  it('are on by default', () => {
    expect(flapSettings.parse({})).toEqual({
      enabled: true,
      changes: 5,
      withinRuns: 30,
      withinMinutes: 60,
      settledAfterRuns: 10,
      settledAfterMinutes: 30,
    });
  });

  it('by default tell little of a check every ten seconds that fails every seventh run', () => {
    const defaults = { ...policy(), flapping: flapSettings.parse({}) };
    const alerts = said('FPPPPPP'.repeat(500), { policy: defaults, every: 1 / 6 });
    expect(alerts.filter((alert) => /^[A-Z]/.test(alert))).toEqual([
      'FAILURE',
      'RECOVERY',
      'FAILURE',
      'RECOVERY',
      'FAILURE flapping',
    ]);
  });

  it('refuse more changes than runs, as these would never be seen', () => {
    const { error } = flapSettings.safeParse({ changes: 11, withinRuns: 10 });
    expect(error?.issues).toMatchObject([
      { path: ['changes'], message: 'expected at most withinRuns' },
    ]);
  });
});
