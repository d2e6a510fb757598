import type { AlertType, Standing } from './alert-type.ts';

/**
 * When a transition raises its alert.
 *
 * - `never`: nothing is recorded, nothing is sent.
 * - `at the threshold`: once in a streak, when the escalation's threshold is reached.
 * - `at once`: whatever the threshold is.
 * - `when it was told`: at once if receivers know of the trouble; else it is recorded as NO_ALERT.
 */
const MOMENTS = ['never', 'at the threshold', 'at once', 'when it was told'] as const;
export type Moment = (typeof MOMENTS)[number];

export interface Transition {
  type: AlertType;
  moment: Moment;
}

/**
 * The alert of each transition from one conclusive run to the next: `TRANSITIONS[from][to]`. Each
 * alert type about runs stands here once; ALERT_SSL is of no run (see `ssl.ts`).
 */
export const TRANSITIONS = {
  passing: {
    passing: { type: 'NO_ALERT', moment: 'never' },
    degraded: { type: 'ALERT_DEGRADED', moment: 'at the threshold' },
    failing: { type: 'ALERT_FAILURE', moment: 'at the threshold' },
  },
  degraded: {
    passing: { type: 'ALERT_DEGRADED_RECOVERY', moment: 'when it was told' },
    degraded: { type: 'ALERT_DEGRADED_REMAIN', moment: 'at the threshold' },
    failing: { type: 'ALERT_DEGRADED_FAILURE', moment: 'at once' },
  },
  failing: {
    passing: { type: 'ALERT_RECOVERY', moment: 'when it was told' },
    degraded: { type: 'ALERT_FAILURE_DEGRADED', moment: 'at once' },
    failing: { type: 'ALERT_FAILURE_REMAIN', moment: 'at the threshold' },
  },
} as const satisfies { [From in Standing]: { [To in Standing]: Transition } };
