/** The closed set of alert types (specification 2.1), in its order. */
export const ALERT_TYPES = [
  'NO_ALERT',
  'ALERT_FAILURE',
  'ALERT_FAILURE_REMAIN',
  'ALERT_FAILURE_DEGRADED',
  'ALERT_RECOVERY',
  'ALERT_DEGRADED',
  'ALERT_DEGRADED_REMAIN',
  'ALERT_DEGRADED_FAILURE',
  'ALERT_DEGRADED_RECOVERY',
  'ALERT_SSL',
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** Where a check stands by its conclusive FINAL runs. */
export const STANDINGS = ['passing', 'degraded', 'failing'] as const;
export type Standing = (typeof STANDINGS)[number];

/** The standings that somebody may have to be told of. */
export type Trouble = Exclude<Standing, 'passing'>;

/**
 * What an alert says of its check: where it stands now, that its certificate ends soon (`expiry`),
 * or nothing that anybody is told.
 */
export type AlertSubject = Standing | 'expiry' | 'nothing';

/** Receivers of alerts class the types in this way. */
export const ALERT_SUBJECTS = {
  NO_ALERT: 'nothing',
  ALERT_FAILURE: 'failing',
  ALERT_FAILURE_REMAIN: 'failing',
  ALERT_FAILURE_DEGRADED: 'degraded',
  ALERT_RECOVERY: 'passing',
  ALERT_DEGRADED: 'degraded',
  ALERT_DEGRADED_REMAIN: 'degraded',
  ALERT_DEGRADED_FAILURE: 'failing',
  ALERT_DEGRADED_RECOVERY: 'passing',
  ALERT_SSL: 'expiry',
} as const satisfies { [T in AlertType]: AlertSubject };

/** What alerts that are listed say. */
export const ALERT_SAYINGS = ['failing', 'degraded', 'passing', 'expiry'] as const;

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
