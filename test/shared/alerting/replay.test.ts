import { describe, expect, it } from 'vitest';
import type { AlertPolicy } from '#shared/alerting/alert.ts';
import type { RunOutcome } from '#shared/alerting/outcome.ts';
import { MAX_REPLAYED, PolicyReplay } from '#shared/alerting/replay.ts';
import { MINUTE, minute, policy, verdictsOf } from './stories.ts';

/** Runs a minute apart, from minute 0. */
const runs = (story: string) =>
  verdictsOf(story).map((verdict, run) => ({ at: minute(run), verdicts: [verdict] }));

const FAR = minute(10_000);

const AGAIN = { threshold: 2 as const, reminders: { amount: 5 as const, interval: 1 as const } };

function replayPolicy(outcomes: readonly RunOutcome[], tried: AlertPolicy, until: number) {
  const replay = new PolicyReplay(tried);
  for (const outcome of outcomes) replay.add(outcome);
  return replay.end(until);
}

describe('a policy replayed', () => {
  it('tells what it would have sent, and how long after the first failure', () => {
    expect(replayPolicy(runs('PFPFFFP'), policy({ threshold: 3 }), FAR)).toEqual({
      count: 2,
      woken: 1,
      notifications: [
        { at: minute(5), type: 'ALERT_FAILURE_REMAIN', occasion: 'run', reminderSequence: 0 },
        { at: minute(6), type: 'ALERT_RECOVERY', occasion: 'run', reminderSequence: 0 },
      ],
      withheld: 1,
      firstFailureAt: minute(1),
      firstFailureToldAt: minute(5),
      delayOfFirstMs: 4 * MINUTE,
    });
  });

  it('sends the reminders that were due between the runs, and until the period ends', () => {
    const reminded = policy({ reminders: { amount: 3, interval: 2 } });
    const { notifications } = replayPolicy(runs('FFFF'), reminded, minute(6));
    expect(notifications.map(({ at, reminderSequence }) => [at, reminderSequence])).toEqual([
      [minute(0), 0],
      [minute(2), 1],
      [minute(4), 2],
    ]);
  });

  it.each([
    // Down three times for a minute, once for five: counted by hand.
    ['the first failed run', 'PFPPFPPFPPFFFFFPP', {}, 8, 4],
    ['two in a row', 'PFPPFPPFPPFFFFFPP', { threshold: 2 as const }, 2, 1],
    ['five in a row', 'PFPPFPPFPPFFFFFPP', { threshold: 5 as const }, 2, 1],
    ['two in a row, said again each minute', 'PFPPFPPFPPFFFFFPP', AGAIN, 5, 4],
  ])('wakes for %s as often as it was counted', (_when, story, members, count, woken) => {
    expect(replayPolicy(runs(story), policy(members), FAR)).toMatchObject({ count, woken });
  });

  it('lets a run that recovers at the moment of a reminder go first', () => {
    const reminded = policy({ reminders: { amount: 5, interval: 2 } });
    const { notifications } = replayPolicy(runs('FFP'), reminded, FAR);
    expect(notifications.map(({ type }) => type)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY']);
  });

  it.each([
    ['when nothing failed', 'PPDP', {}],
    ['when no failure would have been told', 'PFP', { threshold: 2 as const }],
    ['when it is muted', 'FFF', { muted: true }],
  ])('has no delay %s', (_when, story, members) => {
    expect(replayPolicy(runs(story), policy(members), FAR).delayOfFirstMs).toBe(null);
  });

  it('counts a failure in any location as the first, whatever its policy makes of it', () => {
    const outcomes = [
      { at: minute(0), verdicts: verdictsOf('PPF') },
      { at: minute(1), verdicts: verdictsOf('FFF') },
    ];
    expect(replayPolicy(outcomes, policy({ percentage: 100 }), FAR)).toMatchObject({
      firstFailureAt: minute(0),
      firstFailureToldAt: minute(1),
      delayOfFirstMs: MINUTE,
    });
  });

  it('is of nothing when there was nothing', () => {
    expect(replayPolicy([], policy(), FAR)).toMatchObject({ count: 0, firstFailureAt: null });
  });

  it('lists a bounded number and counts all', () => {
    const { count, notifications } = replayPolicy(runs('FP'.repeat(MAX_REPLAYED)), policy(), FAR);
    expect(count).toBe(2 * MAX_REPLAYED);
    expect(notifications).toHaveLength(MAX_REPLAYED);
  });

  it('knows the maintenance windows of the period', () => {
    const replay = new PolicyReplay(policy(), (at) => at >= minute(2) && at < minute(4));
    for (const outcome of runs('FPFPFP')) replay.add(outcome);
    const { notifications, withheld } = replay.end(FAR);
    expect(notifications.map(({ at }) => at)).toEqual([0, 1, 4, 5].map(minute));
    expect(withheld).toBe(2);
  });

  it('counts alerts as withheld, not the reminders of those that were sent', () => {
    const reminded = policy({ reminders: { amount: 1, interval: 1 } });
    const replay = new PolicyReplay(reminded, (at) => at >= minute(1));
    for (const outcome of runs('FFFP')) replay.add(outcome);
    expect(replay.end(FAR)).toMatchObject({ count: 1, withheld: 1 });
  });
});
