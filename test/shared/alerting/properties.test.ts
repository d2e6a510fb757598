import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, AlertDecision, AlertPolicy } from '#shared/alerting/alert.ts';
import { alertAfter } from '#shared/alerting/alert-after.ts';
import { type AlertState, alertState, initialAlertState } from '#shared/alerting/alert-state.ts';
import { ALERT_SUBJECTS } from '#shared/alerting/alert-type.ts';
import { MAX_FLAP_CHANGES } from '#shared/alerting/flap-settings.ts';
import { suspended } from '#shared/alerting/moves.ts';
import { remind } from '#shared/alerting/reminders.ts';
import { MINUTE, minute, policy, verdictsOf } from './stories.ts';

type Event =
  | { what: 'run'; locations: string }
  | { what: 'clock' }
  | { what: 'off and on' }
  | { what: 'policy'; policy: AlertPolicy };
type Timed = Event & { afterMs: number };

/** An event that has happened: when, under which policy, and what was decided. */
interface Step extends AlertDecision {
  at: number;
  policy: AlertPolicy;
}

const gap = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 3 * MINUTE }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 600 * MINUTE }) },
);
const locations = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('P', 'F') },
  { weight: 2, arbitrary: fc.constantFrom('D', 'i', 'FP', 'FFP', 'DPi') },
);
const flag = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const policies = fc
  .record({
    threshold: fc.constantFrom(1, 1, 1, 2, 3, 5),
    minutesFailing: fc.constantFrom(undefined, undefined, 5, 10),
    reminders: fc.record({
      amount: fc.constantFrom(0, 1, 5, 100_000),
      interval: fc.constantFrom(1, 2, 5, 30),
    }),
    percentage: fc.constantFrom(undefined, 50, 100),
    muted: flag,
    silenced: flag,
    flapping: fc.record({
      enabled: fc.boolean(),
      changes: fc.integer({ min: 3, max: 5 }),
      settledAfterRuns: fc.integer({ min: 2, max: 5 }),
    }),
  })
  .map((members) => policy(members));

const events: fc.Arbitrary<Timed[]> = fc.array(
  fc
    .tuple(
      gap,
      fc.oneof(
        { weight: 16, arbitrary: fc.record({ what: fc.constant('run' as const), locations }) },
        { weight: 4, arbitrary: fc.constant({ what: 'clock' as const }) },
        { weight: 1, arbitrary: fc.constant({ what: 'off and on' as const }) },
        {
          weight: 1,
          arbitrary: fc.record({ what: fc.constant('policy' as const), policy: policies }),
        },
      ),
    )
    .map(([afterMs, event]) => ({ ...event, afterMs })),
  { maxLength: 120 },
);

function decide(state: AlertState, event: Event, policyNow: AlertPolicy, at: number) {
  switch (event.what) {
    case 'run':
      return alertAfter(state, { at, verdicts: verdictsOf(event.locations) }, policyNow);
    case 'clock':
      return remind(state, policyNow, at);
    case 'off and on':
      return { state: suspended(state), alert: null };
    case 'policy':
      return { state, alert: null };
  }
}

/** What happens; `between` is what becomes of the state from one event to the next. */
function live(
  history: readonly Timed[],
  first: AlertPolicy,
  between: (state: AlertState) => AlertState = (state) => state,
): Step[] {
  let state = initialAlertState;
  let current = first;
  let at = minute(0);
  return history.map((event) => {
    at += event.afterMs;
    if (event.what === 'policy') current = event.policy;
    const decision = decide(between(state), event, current, at);
    state = decision.state;
    return { ...decision, at, policy: current };
  });
}

type Said = Step & { alert: Alert };
const alertsOf = (steps: readonly Step[]) =>
  steps.filter((step): step is Said => step.alert !== null);
const sentOf = (steps: readonly Step[]) => alertsOf(steps).filter(({ alert }) => alert.notify);

/** Checks a property of what happens in every history. */
function always(holds: (steps: Step[]) => void) {
  fc.assert(
    fc.property(events, policies, (history, first) => holds(live(history, first))),
    { numRuns: 300 },
  );
}

const isOfTrouble = ({ alert }: Said) =>
  ['failing', 'degraded'].includes(ALERT_SUBJECTS[alert.type]);
const isRecovery = ({ alert }: Said) => ALERT_SUBJECTS[alert.type] === 'passing';

describe('whatever happens to a check', () => {
  it('a restart between any two events changes nothing', () => {
    const restarted = (state: AlertState) => alertState.parse(JSON.parse(JSON.stringify(state)));
    fc.assert(
      fc.property(events, policies, (history, first) => {
        expect(live(history, first, restarted)).toEqual(live(history, first));
      }),
      { numRuns: 300 },
    );
  });

  it('between two alerts of a failure there is its end', () => {
    always((steps) => {
      let isOpen = false;
      for (const { alert } of alertsOf(steps).filter((step) => step.alert.isNew)) {
        if (alert.type === 'ALERT_FAILURE') {
          expect(isOpen).toBe(false);
          isOpen = true;
        }
        if (['passing', 'nothing'].includes(ALERT_SUBJECTS[alert.type])) isOpen = false;
      }
    });
  });

  it('between two failures that were sent a recovery is recorded', () => {
    always((steps) => {
      let isTold = false;
      for (const step of alertsOf(steps).filter(({ alert }) => alert.isNew)) {
        if (isRecovery(step)) isTold = false;
        if (step.alert.type === 'ALERT_FAILURE' && step.alert.notify) {
          expect(isTold).toBe(false);
          isTold = true;
        }
      }
    });
  });

  it('a recovery is sent only when trouble was, and once for it', () => {
    always((steps) => {
      let isTold = false;
      for (const step of sentOf(steps)) {
        if (isRecovery(step)) expect(isTold).toBe(true);
        isTold = isOfTrouble(step);
      }
    });
  });

  it('reminders are no more than were asked for, and never closer than their interval', () => {
    always((steps) => {
      let lastAt = Number.NEGATIVE_INFINITY;
      for (const { alert, at, policy: current } of sentOf(steps)) {
        const { amount, interval } = current.settings.reminders;
        if (alert.occasion === 'reminder') {
          expect(alert.reminderSequence).toBeLessThanOrEqual(amount);
          expect(at - lastAt).toBeGreaterThanOrEqual(interval * MINUTE);
        }
        lastAt = at;
      }
    });
  });

  it('a check that is muted, or silenced by maintenance, never notifies', () => {
    always((steps) => {
      const quiet = sentOf(steps).filter(({ policy: { muted, silenced } }) => muted || silenced);
      expect(quiet).toEqual([]);
    });
  });

  it('an alert is withheld for a reason, or sent', () => {
    always((steps) => {
      for (const { alert } of alertsOf(steps)) expect(alert.notify).toBe(alert.withheld === null);
    });
  });

  it('flapping is said once before it has settled, and nothing else between', () => {
    always((steps) => {
      let isFlapping = false;
      for (const { alert } of alertsOf(steps)) {
        if (alert.occasion === 'settled') isFlapping = false;
        if (isFlapping) expect(alert.notify).toBe(false);
        if (alert.occasion === 'flapping') isFlapping = true;
      }
    });
  });

  it('the state stays small', () => {
    always((steps) => {
      for (const { state } of steps) {
        expect(state.flapping.changes.length).toBeLessThanOrEqual(MAX_FLAP_CHANGES);
        expect(JSON.stringify(state).length).toBeLessThan(1_200);
      }
    });
  });
});

it('the histories hold every occasion and every reason', () => {
  const seen = new Set<string>();
  const samples = fc.sample(fc.tuple(events, policies), { numRuns: 1_000, seed: 5 });
  for (const [history, first] of samples) {
    for (const { alert } of alertsOf(live(history, first))) {
      seen.add(alert.occasion).add(String(alert.withheld)).add(alert.type);
    }
  }
  expect([...seen].toSorted()).toEqual(
    [
      ...['run', 'reminder', 'flapping', 'settled'],
      ...['null', 'untold', 'muted', 'maintenance'],
      ...Object.keys(ALERT_SUBJECTS).filter((type) => type !== 'ALERT_SSL'),
    ].toSorted(),
  );
});
