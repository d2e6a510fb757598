import { describe, expect, it } from 'vitest';
import { causeOf, heartbeatOutcome, runVerdict, verdictOf } from '#shared/alerting/outcome.ts';
import { HEARTBEAT_STATES } from '#shared/checks/enums.ts';
import { minute, policy, verdictsOf } from './stories.ts';

const NONE = {
  hasErrors: false,
  hasFailures: false,
  overMaxResponseTime: false,
  isDegraded: false,
};

describe('the verdict of a result', () => {
  it.each([
    ['passing', {}],
    ['degraded', { isDegraded: true }],
    ['failing', { hasFailures: true }],
    ['failing', { overMaxResponseTime: true, isDegraded: true }],
    ['inconclusive', { hasErrors: true }],
    ['inconclusive', { hasErrors: true, hasFailures: true }],
  ])('is %s with %o', (verdict, flags) => {
    expect(verdictOf({ ...NONE, ...flags })).toBe(verdict);
  });
});

describe('what a run of several locations counts as', () => {
  it.each<[locations: string, percentage: Parameters<typeof policy>[0], verdict: string]>([
    ['P', {}, 'passing'],
    ['PPF', {}, 'failing'],
    ['PDP', {}, 'degraded'],
    ['DF', {}, 'failing'],
    ['i', {}, 'inconclusive'],
    ['ii', {}, 'inconclusive'],
    ['Pi', {}, 'passing'],
    ['Fi', {}, 'failing'],
    ['PPPPPPPPPF', { percentage: 10 }, 'failing'],
    ['PPPPPPPPPPF', { percentage: 10 }, 'passing'],
    ['PPF', { percentage: 30 }, 'failing'],
    ['PPF', { percentage: 40 }, 'passing'],
    ['PDF', { percentage: 40 }, 'degraded'],
    ['PF', { percentage: 50 }, 'failing'],
    ['PPP', { percentage: 10 }, 'passing'],
    ['FFP', { percentage: 100 }, 'passing'],
    ['FFF', { percentage: 100 }, 'failing'],
    // The share is of those that came to a verdict; of one location it is all or nothing.
    ['FFi', { percentage: 100 }, 'failing'],
    ['Fii', { percentage: 100 }, 'failing'],
    ['F', { percentage: 100 }, 'failing'],
    ['iii', { percentage: 10 }, 'inconclusive'],
  ])('%s with %o: %s', (locations, percentage, verdict) => {
    const { parallelRunFailureThreshold } = policy(percentage).settings;
    const outcome = { at: minute(0), verdicts: verdictsOf(locations) };
    expect(runVerdict(outcome, parallelRunFailureThreshold)).toBe(verdict);
  });
});

it.each(HEARTBEAT_STATES)('a heartbeat event %s fails only when no ping came', (state) => {
  expect(heartbeatOutcome({ state, timestamp: minute(3) })).toEqual({
    at: minute(3),
    verdicts: [state === 'FAILING' ? 'failing' : 'passing'],
  });
});

describe('the result that an alert shows', () => {
  const finals = (['passing', 'degraded', 'failing'] as const).map((verdict) => ({ verdict }));

  it.each(['passing', 'degraded', 'failing'] as const)('is the one that is %s', (verdict) => {
    expect(causeOf(finals, verdict)?.verdict).toBe(verdict);
  });

  it('is the first where none says it', () => {
    expect(causeOf(finals, 'inconclusive')?.verdict).toBe('passing');
  });
});
